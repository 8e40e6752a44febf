//! docs/lark.md.

use std::error::Error;
use std::path::Path;

use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_document_scripts::documents;

mod in_the_source {
    items!("lark.lark-grammars");

    #[test]
    fn a_calculation() {
        let mut matcher = CalcMatcher::<16>::new(&CALC).unwrap();
        matcher
            .accept_bytes(b"x = 1 + 2; y = (x - 1) * 2;")
            .unwrap();
        assert!(matcher.is_complete());
    }
}

/// The first one is the file `calc.lark`.
#[test]
fn the_grammars_compile() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let compiler = Compiler::new(&Vocabulary::open("tokenizer.json")?)?;
    let blocks = documents::all_blocks(&root)?;
    let grammars: Vec<&str> = (blocks.iter())
        .filter(|block| block.info == "lark")
        .map(|block| block.text.as_str())
        .collect();
    assert_eq!(grammars.first(), Some(&include_str!("../../calc.lark")));
    for grammar in grammars {
        compiler.compile_text(&GrammarText::lark(grammar))?;
    }
    Ok(())
}
