//! Masks of schemas and of the suite are those of the tables.

use super::both::{Both, walk_around};
use super::{lazy, letters, runner};
use maskwright_compiler::grammar::{Expr, WordState, Words};
use maskwright_compiler::lazy::LazyMatcher;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::harness::parse;
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::{effort, random_schema, suite};
use proptest::prelude::*;
use std::cell::Cell;
use std::sync::Arc;

#[test]
fn masks_of_random_schemas_are_those_of_tables() {
    let words = lazy(&Tokenizer::train().vocabulary());
    let schemas = prop_oneof![random_schema::schemas(), random_schema::recursive_schemas()];
    let compiled = Cell::new(0);
    let result = runner().run(&(schemas, any::<u64>()), |(schema, seed)| {
        let source = Source::new("schema.json", schema.to_string());
        let Ok(parsed) = json_schema::parse(&source, &Default::default()) else {
            return Ok(());
        };
        let Ok(both) = Both::new(parsed.grammar, &words) else {
            return Ok(());
        };
        compiled.set(compiled.get() + 1);
        let mut random = Random::new(seed);
        (0..4).for_each(|_| both.walk(b"", 30, &mut random));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(compiled.get() > effort::cases() / 4);
}

#[test]
fn masks_along_the_suite_are_those_of_tables() {
    let words = lazy(&Tokenizer::train().vocabulary());
    let mut followed = 0;
    for entry in suite::load() {
        // The last one takes half a minute.
        if entry.name == "sql_unreserved" {
            continue;
        }
        let grammar = parse(&entry.name, &entry.ebnf).unwrap();
        let Ok(both) = Both::new(grammar, &words) else {
            continue;
        };
        if LazyMatcher::new(both.grammar.clone(), words.clone()).is_err() {
            println!("{} is not followed", entry.name);
            continue;
        }
        followed += 1;
        let mut random = Random::new(9);
        let most = effort::of(12) as usize;
        for sentence in entry.sentences.iter().take(most) {
            both.walk(sentence, sentence.len() + 4, &mut random);
        }
    }
    assert!(followed > 20, "only {followed} grammars are followed");
}

/// Strings whose characters are counted, objects whose names are like others, patterns: where masks
/// are not walked node by node.
#[test]
fn masks_of_wide_runs_are_those_of_tables() {
    let words = lazy(&Tokenizer::train().vocabulary());
    let schemas = [
        (
            r#"{"type": "string", "minLength": 3, "maxLength": 40}"#,
            r#""the text of a string, é, and more of it"#,
        ),
        (
            r#"{"type": "string", "minLength": 1, "maxLength": 5000}"#,
            r#""the text of a string \" and \n more of it"#,
        ),
        (
            r#"{"type": "object", "properties": {"name": {"type": "integer"}, "names": {"enum": ["x", "name"]}}}"#,
            r#"{"nam": "name", "name": 3, "other": [{"name": "#,
        ),
        (
            r#"{"type": "string", "pattern": "^[^ .]{2,30}$"}"#,
            r#""some-text"#,
        ),
        (
            r#"{"type": "string", "pattern": "^([a-z]+-)*[0-9]{12,14}$"}"#,
            r#""abc-cab-01234567890123"#,
        ),
        (
            r#"{"type": "string", "pattern": "([0-9a-fA-F]{3}){1,2}"}"#,
            r#""the text has fa é b\\ and ab0, and goes on"#,
        ),
        (
            r#"{"type": "object", "patternProperties": {"([0-9a-f]{3}){1,2}": {"type": "integer"}, "^name": {"type": "string"}}, "additionalProperties": {"enum": ["x", "fab"]}}"#,
            r#"{"name": "name", "fab": 3, "ä fa": "fab", "fafa0": 1}"#,
        ),
        (
            r#"{"type": "string", "pattern": "(ab|cd.)e"}"#,
            r#""abd cd.e text"#,
        ),
        (
            r#"{"type": "array", "items": {"type": "string"}, "minItems": 15, "maxItems": 17}"#,
            r#"["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"]"#,
        ),
    ];
    for (schema, text) in schemas {
        let source = Source::new("schema.json", schema);
        let parsed = json_schema::parse(&source, &Default::default()).unwrap();
        let both = Both::new(parsed.grammar, &words).unwrap();
        let mut random = Random::new(4);
        (0..3).for_each(|_| both.walk(text.as_bytes(), text.len() + 60, &mut random));
        let long = [text.as_bytes(), &b"abc".repeat(400)].concat();
        both.walk(&long, 300, &mut random);
    }
}

/// Tokens with characters that some classes treat apart: whole, cut off, among letters and one
/// behind another.
fn tokens_apart() -> Vocabulary {
    let apart = [
        "\u{85}", "\u{a0}", "é", "ß", "Ж", "\u{2003}", "\u{2028}", "\u{2029}", "\u{202f}", "€",
        "\u{3000}", "中", "\u{feff}", "🙂",
    ];
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    for (at, text) in apart.iter().enumerate() {
        let bytes = text.as_bytes();
        let other = apart[(at + 1) % apart.len()];
        tokens.extend((1..bytes.len()).map(|end| [b"ab ", &bytes[..end]].concat()));
        tokens.push(bytes[1..].to_vec());
        let around = [
            ("", ""),
            ("a", ""),
            ("", "b\""),
            (" ", " a"),
            ("ab.", other),
            (other, "1"),
        ];
        for (before, behind) in around {
            tokens.push([before, text, behind].concat().into_bytes());
        }
    }
    let words = "a ab abc  the text of_ \\n \\\" \" ab\" . .a ?a a?a http:// 0 00 1234 e ed";
    for word in words.split(' ') {
        tokens.extend([word.as_bytes().to_vec(), format!(" {word}").into_bytes()]);
    }
    tokens.sort_unstable();
    tokens.dedup();
    tokens.retain(|token| !token.is_empty());
    tokens.push(Vec::new());
    let eos = vec![tokens.len() as u32 - 1];
    Vocabulary::from_tokens(tokens, eos)
}

/// Classes that treat few characters beyond ASCII apart: the ends of lines, blanks, letters with
/// accents; in strings, names and patterns that may match anywhere.
#[test]
fn masks_of_classes_with_exceptions_are_those_of_tables() {
    let words = lazy(&tokens_apart());
    let patterns = [
        r"^.{1,255}$",
        r"^.*$",
        r"^\\S+$",
        r"^(\\S+\\s+){0,9}\\S+$",
        r"^(\\S+ ){3}.",
        r"(ab|c.d)e",
        r"http://([-\\w.]+)+(:\\d+)?(/([\\w/_.]*(\\?\\S+)?)?)?",
        r"^[^é€]*[^ß]{2,4}$",
        r"^[^中🙂]{5,}$",
        r"^[^À-ÿ]*é$",
        r"^[^\u0400-\u04ff]*$",
        r"^[^@^\\s]+@[^@^\\s]+$",
        r"^[Ж€]*.?$",
    ];
    let mut masks = 0;
    for pattern in patterns {
        let schemas = [
            format!(r#"{{"type": "string", "pattern": "{pattern}"}}"#),
            format!(r#"{{"type": "string", "pattern": "{pattern}", "maxLength": 30}}"#),
            format!(r#"{{"type": "object", "patternProperties": {{"{pattern}": {{}}}}}}"#),
        ];
        for schema in schemas {
            let source = Source::new("schema.json", schema.clone());
            let parsed = json_schema::parse(&source, &Default::default()).expect(&schema);
            let both = Both::new(parsed.grammar, &words).expect(&schema);
            let mut random = Random::new(masks);
            for _ in 0..effort::of(6) {
                both.walk(b"", 40, &mut random);
                masks += 40;
            }
        }
    }
    assert!(masks > 3_000);
}

/// Automata of many states, which are read state by state: within arrays that are counted, at their
/// bounds, and where tokens lead through several states.
#[test]
fn masks_of_large_automata_are_those_of_tables() {
    let words = lazy(&Tokenizer::train().vocabulary());
    let schemas = [
        (
            r#"{"type": "string", "pattern": "^(?:\\S+\\s+){0,20}\\S+$"}"#,
            r#""a text of words, é and more of them, each counted by the spaces behind, until there are twenty words and one at last"#,
        ),
        (
            r#"{"type": "array", "items": {"type": "string", "pattern": "^$|^(\\S+ ){0,3}\\S{3,}$", "maxLength": 70}, "minItems": 2, "maxItems": 30}"#,
            r#"["some words in it", "", "ab abc", "a", "abcdefgh"]"#,
        ),
        (
            r#"{"type": "string", "format": "email", "maxLength": 90}"#,
            r#""some.one@an.example.org""#,
        ),
        (
            r#"{"type": "string", "pattern": "^[a-z]+([.-][a-z]+)*$", "minLength": 5, "maxLength": 90}"#,
            r#""some-text.of-letters"#,
        ),
        (
            r#"{"type": "object", "patternProperties": {"^x(-[a-z]{2,9}){2,9}$": {"type": "integer"}}, "additionalProperties": {"enum": ["x"]}}"#,
            r#"{"x-ab-cde": 1, "x-ab": "x", "some text": "x"}"#,
        ),
        (
            r#"{"type": "string", "minLength": 8}"#,
            r#""a\b"text that is long"#,
        ),
        (
            r#"{"type": "string", "pattern": "^[a-z ]{5,}$"}"#,
            r#""the text has letters"#,
        ),
    ];
    for (schema, text) in schemas {
        let source = Source::new("schema.json", schema);
        let parsed = json_schema::parse(&source, &Default::default()).unwrap();
        let both = Both::new(parsed.grammar, &words).unwrap();
        let mut random = Random::new(7);
        for _ in 0..4 {
            both.walk(text.as_bytes(), text.len() + 20, &mut random);
        }
        let long = [text.as_bytes(), &b" some text".repeat(20)].concat();
        both.walk(&long, 150, &mut random);
    }
}

/// An automaton over a few letters: from its last states no word can end, and some edges overlap.
fn random_words(random: &mut Random) -> Words {
    let count = 70 + random.below(40);
    let dead = count - 10;
    let mut words = Words::default();
    for at in 0..count {
        let mut state = WordState::default();
        state.is_final = at < dead && (at + 1 == dead || random.below(9) == 0);
        for _ in 0..1 + random.below(3) {
            let to = match (at < dead, random.below(6)) {
                (true, 0) => random.below(count),
                (true, _) => (at + 1 + random.below(3)).min(count - 1),
                (false, _) => dead + random.below(10),
            };
            let low = b'a' + random.below(3) as u8;
            let is_known = state
                .edges
                .iter()
                .any(|edge| edge.0 <= low && low <= edge.1);
            if !is_known || random.below(20) == 0 {
                let high = low + u8::from(random.below(20) == 0);
                state.edges.push((low, high, to as u32));
            }
        }
        words.states.push(state);
    }
    words
}

#[test]
fn masks_of_large_random_automata_are_those_of_tables() {
    let words = lazy(&letters());
    let all = effort::of(90);
    let automaton = |random: &mut Random| Expr::Words(Arc::new(random_words(random)));
    let followed = walk_around(automaton, all, 40, (&words, &mut Random::new(17)));
    println!("{followed} of {all} automata");
    assert!(followed * 4 > all * 3);
}
