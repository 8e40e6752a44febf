//! docs/grammars.md, docs/compiling.md, and the loop of docs/decoding.md.

use std::error::Error;

use maskwright::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};

mod decoding {
    items!("decoding.the-loop");

    #[test]
    fn a_model_that_likes_the_last_token_best() {
        maskwright::grammar! { static ANSWER for "cl100k_base", regex = "yes|no"; }
        assert!(AnswerMatcher::<1>::new(&ANSWER).is_ok());
        let model = |_: &[u8], logits: &mut [f32]| {
            for (id, logit) in logits.iter_mut().enumerate() {
                *logit = id as f32;
            }
        };
        let text = decode(&ANSWER, model).unwrap();
        assert!([&b"yes"[..], b"no"].contains(&&text[..]));
    }
}

mod json_schema {
    items!("grammars.json-schema");

    #[test]
    fn a_person() {
        let mut matcher = PersonMatcher::<8>::new(&PERSON).unwrap();
        matcher
            .accept_bytes(br#"{"name": "Ada", "age": 36}"#)
            .unwrap();
        assert!(matcher.is_complete());
    }
}

mod tool_calls {
    use std::cell::RefCell;

    items!("grammars.tool-calls");

    thread_local! { static CALLS: RefCell<String> = const { RefCell::new(String::new()) } }

    fn run(name: &str, arguments: &str) {
        CALLS.with_borrow_mut(|calls| *calls += &format!("{name} {arguments}\n"));
    }

    #[test]
    fn a_call_is_run() {
        let output = "Let me see.\n<tool_call>\n\
            {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>";
        let mut matcher = ToolsMatcher::<32>::new(&TOOLS).unwrap();
        matcher.accept_bytes(output.as_bytes()).unwrap();
        assert!(matcher.is_complete());
        follow(output).unwrap();
        assert_eq!(CALLS.take(), "get_weather {\"city\":\"Oslo\"}\n");
    }
}

#[test]
#[allow(unused_variables)]
fn tables_beside_others() -> Result<(), Box<dyn Error>> {
    use maskwright::Grammar;

    let tokens = maskwright_compiler::vocabulary::Vocabulary::open("tokenizer.json")?;
    let compiler = Compiler::new(&tokens)?;
    let schema = GrammarText::schema(r#"{"type": "string"}"#);
    let search = compiler.compile_text(&schema)?;
    let base = search.grammar()?;
    let mail = compiler.beside(&base)?.compile_text(&schema)?.into_tables();
    let (search, packed) = (search.tables().to_vec(), tokens.pack()?);
    let vocabulary = Vocabulary::load(&packed)?;
    block!("compiling.many-grammars-base-and-delta-tables");
    Ok(())
}
