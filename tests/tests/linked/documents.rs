//! Documents that schemas refer to: when one changes, what was made of it is not used any more.

use std::path::Path;

use maskwright::{OwnedGrammar, OwnedMatcher};
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions};
use maskwright_compiler::syntax::json_schema::{DocumentFolder, Resolver, SchemaOptions};
use maskwright_compiler::{Compiler, GrammarText, vocabulary::Vocabulary};

use super::*;

const TOOLS: &str = r#"[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"$ref": "http://localhost/d.json"}}, "required": ["a"]}}]"#;

fn compiler() -> Compiler {
    let tokens = (0..=u8::MAX).map(|byte| vec![byte]).chain([vec![]]);
    Compiler::new(&Vocabulary::from_tokens(tokens.collect(), vec![256])).unwrap()
}

fn tools(options: &SchemaOptions) -> GrammarText {
    GrammarText::tools(TOOLS)
        .tool_options(ToolOptions::format("qwen_3"))
        .schema_options(options.clone())
}

fn in_folder(folder: &Path) -> SchemaOptions {
    let documents = DocumentFolder::new(folder, "http://localhost/").unwrap();
    SchemaOptions::default().documents(vec![documents])
}

/// Whether a number and a text are taken where the document says what is.
fn takes(handle: &Handle, before: &str) -> [bool; 2] {
    ["1", "\"x\""].map(|value| {
        let mut matcher = handle.matcher().unwrap();
        matcher
            .accept_bytes(format!("{before}{value}").as_bytes())
            .is_ok()
    })
}

const CALL: &str = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": ";
const KINDS: [(&str, [bool; 2]); 3] = [
    ("integer", [true, false]),
    ("string", [false, true]),
    ("integer", [true, false]),
];

#[test]
fn a_changed_document_is_read_again() {
    let folder = std::env::temp_dir().join(format!("maskwright-documents-{}", std::process::id()));
    let (documents, parts) = (folder.join("documents"), folder.join("parts"));
    std::fs::create_dir_all(&documents).unwrap();
    let compiler = compiler();
    let options = RegistryOptions::default().depth(32).folder(Some(parts));
    let kept = Registry::new(&compiler, options.clone()).unwrap();
    let requests = [
        tools(&in_folder(&documents)),
        GrammarText::schema(r#"{"$ref": "http://localhost/d.json"}"#)
            .schema_options(in_folder(&documents)),
        GrammarText::ebnf("root ::= json_schema(\"d.json\")").folder(&documents),
    ];
    for (kind, expected) in KINDS {
        let text = format!(r#"{{"type": "{kind}"}}"#);
        std::fs::write(documents.join("d.json"), text).unwrap();
        // In memory, and in the folder.
        let new = Registry::new(&compiler, options.clone()).unwrap();
        for registry in [&kept, &new] {
            for (request, before) in requests.iter().zip([CALL, "", ""]) {
                let handle = registry.get(request).unwrap();
                assert_eq!(
                    takes(&handle, before),
                    expected,
                    "{kind}, {before}, at once"
                );
                handle.wait().unwrap();
                assert_eq!(handle.linked().is_some(), before == CALL);
                assert_eq!(takes(&handle, before), expected, "{kind}, {before}");
            }
        }
        let whole = compiler.compile_text(&requests[0]).unwrap();
        let whole = OwnedGrammar::load(whole.into_tables()).unwrap();
        let taken = ["1", "\"x\""].map(|value| {
            let mut matcher = OwnedMatcher::new(&whole, 32).unwrap();
            matcher
                .accept_bytes(format!("{CALL}{value}").as_bytes())
                .is_ok()
        });
        assert_eq!(taken, expected, "{kind}, as a whole");
    }
    // The first document has come again: nothing had to be compiled anew.
    let before = kept.metrics();
    kept.get(&requests[0]).unwrap().wait().unwrap();
    assert_eq!(kept.metrics().misses, before.misses);
    std::fs::remove_file(documents.join("d.json")).unwrap();
    for request in &requests {
        assert!(kept.get(request).is_err(), "the document is gone");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn resolvers_are_told_apart() {
    let registry = Registry::new(&compiler(), RegistryOptions::default().depth(32)).unwrap();
    for (kind, expected) in KINDS {
        let text = format!(r#"{{"type": "{kind}"}}"#);
        let resolver = Resolver::new(move |_| Some(text.clone()));
        let options = SchemaOptions::default().resolver(Some(resolver));
        let handle = registry.get(&tools(&options)).unwrap();
        handle.wait().unwrap();
        assert!(handle.linked().is_some());
        assert_eq!(takes(&handle, CALL), expected, "{kind}");
    }
}
