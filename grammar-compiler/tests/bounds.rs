//! Texts that are short and stand for much are refused by the name of a limit, and the message says
//! which part of them is too much.

use maskwright_compiler::limits::Limits;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText, Options};
use std::fmt::Write;

/// Why a text is refused.
fn refusal(text: &GrammarText, limits: &Limits) -> String {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    tokens.push(Vec::new());
    let vocabulary = Vocabulary::from_tokens(tokens, vec![256]);
    let vocabulary = vocabulary.with_size(100_000).unwrap();
    let compiler = Compiler::new(&vocabulary).unwrap();
    let compiler = compiler.with_options(Options::default().limits(limits.clone()).threads(1));
    let error = compiler.compile_text(text).map(drop).unwrap_err();
    assert_eq!(error.code().as_str(), "limit-exceeded", "{error}");
    error.to_string()
}

#[test]
fn schemas_that_nest_are_not_said_to_recur() {
    let nested = |levels: usize, open: &str, close: &str| {
        open.repeat(levels) + r#"{"type": "string"}"# + &close.repeat(levels)
    };
    // The threads of tests have stacks of two megabytes, as those of servers have.
    for (open, close) in [
        (r#"{"not": "#, "}"),
        (r#"{"not": {"allOf": [true, "#, "]}}"),
        (r#"{"allOf": [{"minimum": 1}, {"not": "#, "}]}"),
    ] {
        for levels in [100, 150] {
            let text = GrammarText::schema(nested(levels, open, close));
            let why = refusal(&text, &Limits::default());
            assert!(why.contains("nest"), "{open}: {why}");
            assert!(!why.contains("refers to itself"), "{open}: {why}");
        }
    }
}

/// A range of tokens is a few characters, and as many ids as there are.
#[test]
fn sets_of_tokens_have_a_bound_together() {
    let sets = |count: usize| {
        let sets: String = (0..count).map(|at| format!(" <[{at}-99999]>")).collect();
        GrammarText::lark(format!("start:{sets}"))
    };
    let why = refusal(&sets(1_000), &Limits::default());
    assert!(why.contains("sets of tokens"), "{why}");
    assert!(why.contains("limit `tokens` = 8388608"), "{why}");
}

/// Each ignored terminal may stand behind each other one.
#[test]
fn ignored_terminals_have_a_bound() {
    let ignored: String = (0..2_000).fold(String::new(), |mut text, at| {
        writeln!(text, "%ignore \"i{at}\"").unwrap();
        text
    });
    let text = format!("start:{}\nA: \"a\"\n{ignored}", " A".repeat(1_000));
    let why = refusal(&GrammarText::lark(text), &Limits::default());
    assert!(why.contains("ignored terminals"), "{why}");
    assert!(!why.contains("Limits::"), "{why}");
}

/// Terminals of which each may go on in each state of another one: some hundred megabytes.
#[test]
#[ignore = "takes long where nothing is optimised"]
fn terminals_at_once_have_a_bound() {
    let names: String = (0..2_000).map(|at| format!(" | T{at}")).collect();
    let defined = (0..2_000).fold(String::new(), |mut text, at| {
        writeln!(text, "T{at}: /[ab]*c/").unwrap();
        text
    });
    let text = format!("start: M{names}\nM: /(?:[ab]{{20011}})+x/\n{defined}");
    let why = refusal(&GrammarText::lark(text), &Limits::default());
    assert!(why.contains("too many terminals may go on"), "{why}");
}
