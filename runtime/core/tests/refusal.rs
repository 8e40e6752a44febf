//! Where a text is refused, and what is said of it.
#![cfg(feature = "alloc")]

use maskwright_compiler::vocabulary::{TokenNames, Vocabulary};
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_core::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use std::sync::Arc;

/// A matcher for a grammar in EBNF; 256 is `true`, 257 the added token `<call>`, 258 the control
/// token `<|x|>`.
fn matcher(grammar: &str) -> OwnedMatcher {
    let tokens = (0..=255u8).map(|byte| vec![byte]);
    let tokens = tokens.chain([b"true".to_vec(), b"<call>".to_vec(), vec![], vec![]]);
    let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![259])
        .with_special([(258, "<|x|>".to_owned())])
        .with_added([(257, "<call>".to_owned())]);
    let text = GrammarText::ebnf(grammar).tokens(TokenNames::of(Arc::new(vocabulary.clone())));
    let compiled = Compiler::new(&vocabulary)
        .unwrap()
        .compile_text(&text)
        .unwrap();
    let packed = OwnedVocabulary::load(vocabulary.pack().unwrap()).unwrap();
    let grammar = OwnedGrammar::load(compiled.into_tables()).unwrap();
    OwnedMatcher::new(&grammar.with_vocabulary(&packed).unwrap(), 8).unwrap()
}

/// What is said of bytes, and of a token.
fn said(matcher: &OwnedMatcher, bytes: &str) -> String {
    let refusal = matcher.explain_bytes(bytes.as_bytes());
    refusal.map_or("accepted".to_owned(), |refusal| refusal.to_string())
}

#[test]
fn what_may_come_is_said_where_the_text_fails() {
    let matcher = matcher("root ::= \"{\" (\"name\" | \"nest\") \":\" [0-9]+ (\"}\" | <|x|>)?");
    assert_eq!(said(&matcher, "{name:12"), "accepted");
    assert_eq!(
        said(&matcher, "[name"),
        "refused at byte 0: `{n` must come here"
    );
    assert_eq!(
        said(&matcher, "{nome"),
        "refused at byte 2: `a`, `e` may come here"
    );
    assert_eq!(
        said(&matcher, "{name=1"),
        "refused at byte 5: `:` must come here"
    );
    let expected =
        "refused at byte 7: `0` to `9`, `}`, the token `<|x|>` (258), the end may come here";
    assert_eq!(said(&matcher, "{name:1,"), expected);
    assert_eq!(
        said(&matcher, "{name:1}}"),
        "refused at byte 8: the end may come here"
    );
}

#[test]
fn characters_of_a_token_are_told_from_the_token() {
    let matcher = matcher("root ::= \"a\" (<call> | <|x|>) \"b\"");
    let token = |name: &str, id: u32| {
        format!("refused at byte 1: `{name}` is token {id} here, and its characters are no text")
    };
    assert_eq!(said(&matcher, "a<call>b"), token("<call>", 257));
    assert_eq!(said(&matcher, "a<|x|>b"), token("<|x|>", 258));
}

#[test]
fn a_token_is_refused_at_a_byte_of_its_own() {
    let mut matcher = matcher("root ::= \"t\" [a-z]{2} \"!\" <|x|>");
    let refusal = matcher.explain_token(256).unwrap();
    assert_eq!(refusal.to_string(), "refused at byte 3: `!` must come here");
    let refusal = matcher.explain_token(258).unwrap();
    assert_eq!((refusal.offset, refusal.certain.as_slice()), (0, &b"t"[..]));
    assert_eq!(matcher.explain_token(u32::from(b't')), None);
    // What was asked has changed nothing.
    matcher.accept_bytes(b"tab!").unwrap();
    matcher.accept_token(258).unwrap();
    assert!(matcher.is_complete());
}

#[test]
fn too_deep_a_text_is_said_to_be_that() {
    let matcher = matcher("root ::= \"[\" root \"]\" | \"x\"");
    assert_eq!(matcher.accepted_prefix(&[b'['; 20]), 8);
    let said = said(&matcher, &"[".repeat(20));
    assert_eq!(
        said,
        "refused at byte 8: the text would nest deeper than the matcher's DEPTH"
    );
}

/// Whatever is accepted has no shorter prefix, and the other way round.
#[test]
fn the_prefix_is_the_longest_that_is_accepted() {
    let matcher = matcher("root ::= (\"ab\" | \"é\" | \"[\" root \"]\")* \"z\"");
    for text in ["abab", "abéz", "ab[[é]", "[abz]z", "[[[[[[[[[[", "é\u{e8}"] {
        let bytes = text.as_bytes();
        let accepted = |length: &usize| matcher.clone().accept_bytes(&bytes[..*length]).is_ok();
        let longest = (0..=bytes.len()).rev().find(accepted);
        assert_eq!(Some(matcher.accepted_prefix(bytes)), longest, "{text}");
    }
}
