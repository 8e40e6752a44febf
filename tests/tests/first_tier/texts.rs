//! Texts that are long, nested deeply, or beyond the first tier.

use super::tokens::with_special;
use super::{lazy, letters};
use maskwright_compiler::GrammarText;
use maskwright_compiler::lazy::LazyMatcher;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::tokenizer::Tokenizer;
use std::sync::Arc;

/// A matcher of a schema, over the tokens of a trained vocabulary.
fn of_schema(schema: &str) -> LazyMatcher {
    let source = Source::new("schema.json", schema);
    let parsed = json_schema::parse(&source, &Default::default()).unwrap();
    LazyMatcher::new(
        parsed.grammar.into(),
        lazy(&Tokenizer::train().vocabulary()),
    )
    .unwrap()
}

#[test]
fn texts_may_be_long() {
    let mut counted = of_schema(r#"{"type": "string", "maxLength": 60000}"#);
    counted.accept_bytes(b"\"").unwrap();
    let first = counted.mask().unwrap();
    for _ in 0..500 {
        counted.accept_bytes(&[b'a'; 100]).unwrap();
        assert!(counted.mask().unwrap() == first);
    }
    counted.rollback(256).unwrap();
    counted.accept_bytes(&[b'a'; 25_600]).unwrap();
    counted.accept_bytes(&[b'a'; 10_000]).unwrap();
    let mut forced = [0; 2];
    assert_eq!(counted.forced_bytes(&mut forced), 1);
    assert_eq!(forced[0], b'"');
    assert!(counted.accept_bytes(b"a").is_err());
    counted.accept_bytes(b"\"").unwrap();
    assert!(counted.is_complete());
    counted.rollback(2).unwrap();
    assert!(counted.mask().unwrap() == first);
}

#[test]
fn texts_may_be_nested_deeply() {
    let mut nested = of_schema("{}");
    nested.accept_bytes(&[b'['; 100]).unwrap();
    nested.accept_bytes(b"0").unwrap();
    let within = nested.mask().unwrap();
    nested.rollback(1).unwrap();
    for _ in 0..30_000 {
        nested.accept_bytes(b"[").unwrap();
    }
    nested.accept_bytes(b"0").unwrap();
    assert!(nested.mask().unwrap() == within);
    for _ in 0..30_099 {
        nested.accept_bytes(b"]").unwrap();
    }
    assert!(!nested.is_complete());
    nested.accept_bytes(b"]").unwrap();
    assert!(nested.is_complete());
}

#[test]
fn what_the_first_tier_does_not_follow() {
    let follows = |ebnf: &str, vocabulary: &Vocabulary| {
        let words = lazy(vocabulary);
        let text = GrammarText::ebnf(ebnf).tokens(words.compiler().tokens());
        let grammar = text.parse(&Default::default()).unwrap().grammar;
        let matcher = LazyMatcher::new(Arc::new(grammar), words);
        matcher.is_ok_and(|mut matcher| matcher.mask().is_ok())
    };
    assert!(follows(r#"root ::= "a" root | "b""#, &letters()));
    // A token is a terminal; one of a byte, so that no text has this byte.
    let special = with_special();
    assert!(follows(r#"root ::= "a" <[265]>"#, &special));
    assert!(!follows(r#"root ::= "a" <[98]>"#, &special));
    // No token for some bytes, so that bytes do not say what tokens can finish.
    let few = Vocabulary::from_tokens(vec![b"a".to_vec(), b"b".to_vec(), vec![]], vec![2]);
    assert!(!follows(r#"root ::= "a" root | "b""#, &few));
}
