//! Grammars that name tokens.

use super::both::Both;
use super::lazy;
use maskwright_compiler::GrammarText;
use maskwright_compiler::lazy::LazyMatcher;
use maskwright_compiler::syntax::tools::{ToolFormat, ToolOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::random::Random;
use std::collections::BTreeSet;

/// All bytes, texts of several bytes, an added token that is text too, special ones, and two that
/// end a sequence.
pub fn with_special() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let texts = [
        "<tool>", "ab", "abc", "a:b", "<to", "\n\n", "1\n", "éa", "l>",
    ];
    tokens.extend(texts.map(|text| text.as_bytes().to_vec()));
    let first = tokens.len() as u32;
    let names = ["<|start|>", "<|message|>", "<|call|>", "<|end|>"];
    tokens.resize(tokens.len() + names.len(), Vec::new());
    let eos = vec![first + 2, first + 3];
    let named = |(id, name): (u32, &str)| (id, name.to_owned());
    Vocabulary::from_tokens(tokens, eos)
        .with_special((first..).zip(names).map(named))
        .with_added([named((256, "<tool>"))])
}

#[test]
fn masks_of_grammars_that_name_tokens_are_those_of_tables() {
    let words = lazy(&with_special());
    let tags = [
        r#"{"type": "triggered_tags", "triggers": ["<tool>"], "tags": [{"begin": "<tool>a:", "content": {"type": "any_text"}, "end": "\n\n"}]}"#,
        r#"{"type": "triggered_tags", "triggers": ["<|start|>a"], "tags": [{"begin": "<|start|>a<|message|>", "content": {"type": "json_schema", "json_schema": {"type": "object"}}, "end": "\n<|call|>"}]}"#,
        r#"{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": "\n<|message|>"}"#,
        r#"{"type": "sequence", "elements": [{"begin": "a", "content": {"type": "any_text"}, "end": "<|call|>"}, {"value": "b"}]}"#,
        r#"{"type": "sequence", "elements": [{"type": "token", "token": "<|start|>"}, {"type": "exclude_token", "exclude_tokens": ["<|call|>", 97]}, {"type": "token", "token": "<|message|>"}]}"#,
        r#"{"begin": {"type": "token", "token": "<|start|>"}, "content": {"type": "any_tokens", "exclude_tokens": [98]}, "end": {"type": "token", "token": "<|message|>"}}"#,
        r#"{"type": "token_triggered_tags", "trigger_tokens": ["<|start|>"], "tags": [{"begin": {"type": "token", "token": "<|start|>"}, "content": {"value": "1"}, "end": {"type": "token", "token": "<|message|>"}}]}"#,
        r#"{"type": "tag", "begin": "", "content": {"type": "any_text", "max_chars": 40}, "end": "\n<|message|>"}"#,
    ];
    let tags = tags.map(|format| {
        let text = format!(r#"{{"type": "structural_tag", "format": {format}}}"#);
        GrammarText::structural_tag(text)
    });
    let ebnf = [
        r#"root ::= "a"* (<[265]> | <[266]>) ("b" | <[266]>)*"#,
        r#"root ::= <[267]> root | "b""#,
        r#"root ::= root <[265]> "c" | [^a]"#,
        r#"root ::= <[256]> [a-c]{0,30} <[265]>"#,
    ];
    let ebnf = ebnf.map(GrammarText::ebnf);
    for text in tags.into_iter().chain(ebnf) {
        let text = text.tokens(words.prepared().names());
        let parsed = text.parse(&Default::default());
        let grammar = parsed.unwrap_or_else(|error| panic!("{error}")).grammar;
        let shown = grammar.to_string();
        let both = Both::new(grammar, &words).unwrap_or_else(|error| panic!("{error}\n{shown}"));
        let mut random = Random::new(12);
        for text in ["", "x<tool>a:ab\n\n", "a1\n", "\n\nabc"] {
            (0..6).for_each(|_| both.walk(text.as_bytes(), 40, &mut random));
        }
    }
}

/// All bytes, some texts, and as special tokens what looks like the name of one in a format.
fn of_format(format: &ToolFormat) -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let texts = [
        "\": ", "{\"", "\"}", "}}", "\", \"", "name", "get", "now", "city", "</", "\n\n", "}\n",
    ];
    tokens.extend(texts.map(|text| text.as_bytes().to_vec()));
    let text = format.source().text();
    let mut names = BTreeSet::new();
    for (open, close) in [("<|", "|>"), ("<｜", "｜>"), ("[", "]"), ("<", ">")] {
        for (at, _) in text.match_indices(open) {
            let Some(length) = text[at..].find(close) else {
                continue;
            };
            let name = &text[at..at + length + close.len()];
            let is_plain = |c: char| c.is_alphanumeric() || "<>[]|｜_▁/".contains(c);
            if name.len() < 40 && name.len() > 4 && name.chars().all(is_plain) {
                names.insert(name.to_owned());
            }
        }
    }
    let first = tokens.len() as u32;
    tokens.resize(tokens.len() + names.len() + 1, Vec::new());
    let eos = tokens.len() as u32 - 1;
    Vocabulary::from_tokens(tokens, vec![eos]).with_special((first..).zip(names))
}

/// Tools of every format, with special tokens in the vocabulary.
#[test]
fn masks_of_tools_with_special_tokens_are_those_of_tables() {
    let tools = r#"[{"name": "get", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "n": {"type": "integer"}}, "required": ["n"]}},
        {"name": "now", "inputSchema": {"type": "object", "properties": {}}}]"#;
    let (mut followed, mut named) = (0, 0);
    for name in ToolFormat::names() {
        let format = ToolFormat::named(name, &Default::default());
        let words = lazy(&of_format(&format.unwrap().unwrap()));
        let text = GrammarText::tools(tools)
            .tool_options(ToolOptions::format(name))
            .tokens(words.prepared().names());
        let grammar = match text.parse(&Default::default()) {
            Ok(parsed) => parsed.grammar,
            Err(error) => panic!("{name}: {error}"),
        };
        let both = match Both::new(grammar, &words) {
            Ok(both) => both,
            Err(error) => {
                println!("{name} is refused: {error}");
                continue;
            }
        };
        if LazyMatcher::new(both.grammar.clone(), words.clone()).is_err() {
            println!("{name} is not followed");
            continue;
        }
        followed += 1;
        named += u32::from(format!("{:?}", both.grammar).contains("Tokens("));
        let mut random = Random::new(13);
        (0..4).for_each(|_| both.walk(b"", 60, &mut random));
    }
    println!("{followed} formats, {named} with tokens");
    assert!(followed > 35 && named > 20);
}
