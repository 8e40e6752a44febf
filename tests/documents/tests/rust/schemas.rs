//! docs/json-schema.md and docs/embedding.md.

use std::error::Error;
use std::path::Path;

use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_document_scripts::documents;

mod in_the_source {
    items!("json-schema.json-schema-2");

    #[test]
    fn a_person() {
        let mut matcher = PersonMatcher::<8>::new(&PERSON).unwrap();
        matcher
            .accept_bytes(br#"{"name": "Ada", "age": 36}"#)
            .unwrap();
    }
}

/// What the build script of docs/json-schema.md has written.
mod in_a_build_script {
    include!(concat!(env!("OUT_DIR"), "/person.rs"));

    #[test]
    fn a_person() {
        assert_eq!(
            PersonMatcher::<8>::new(&PERSON).map(|m| m.is_complete()),
            Ok(false)
        );
    }
}

mod in_grammar {
    items!("embedding.in-grammar");

    #[test]
    fn a_reply() {
        let mut matcher = ReplyMatcher::<8>::new(&REPLY).unwrap();
        matcher
            .accept_bytes(b"```json\n{\"name\": \"Ada\", \"age\": 36}\n```")
            .unwrap();
        assert!(matcher.is_complete());
    }
}

#[test]
#[allow(unused_variables)]
fn elements_of_your_own() -> Result<(), Box<dyn Error>> {
    use maskwright_compiler::syntax::json_schema::{FormFields, OwnedForm, SchemaOptions};
    use std::sync::Arc;

    let vocabulary = Vocabulary::open("tokenizer.json")?;
    let compiler = Compiler::new(&vocabulary)?;
    let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
    block!("json-schema.elements-of-your-own");
    Ok(())
}

#[test]
fn arguments_are_read_back() -> Result<(), Box<dyn Error>> {
    block!("json-schema.reading-arguments-back");
    Ok(())
}

/// Grammars of docs/embedding.md, whose documents lie in `schemas`.
#[test]
fn grammars_that_embed_schemas() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let vocabulary = Vocabulary::open("tokenizer.json")?;
    let compiler = Compiler::new(&vocabulary)?;
    let mut compiled = 0;
    for block in documents::all_blocks(&root)? {
        if block.info == "ebnf" {
            let text = GrammarText::ebnf(&block.text).folder("schemas");
            let result = compiler.compile_text(&text);
            assert!(result.is_ok(), "{}: {}", block.name, result.err().unwrap());
            compiled += 1;
        }
    }
    assert!(compiled >= 3);
    Ok(())
}
