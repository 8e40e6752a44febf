//! Tables that an earlier build wrote, and this runtime still reads: `tests/stored` has some
//! whole grammars, in the present version of the format, with what their masks were.
//!
//! Compilers may write other tables for the same grammar; these stay as they are until the version
//! of the format changes. Then this writes them anew:
//!
//! ```sh
//! UPDATE_STORED=1 cargo test -p maskwright-tests --test stored
//! ```

use maskwright::{Grammar, OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};
use maskwright_tests::documents::root;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

const DEPTH: usize = 24;

/// Grammars whose tables have all kinds of sections between them, and a text of each.
fn stored() -> Vec<(&'static str, GrammarText, &'static str)> {
    let limited = r#"{"type": "structural_tag", "format": {"type": "tag", "begin": "<",
        "content": {"type": "any_text", "max_tokens": 3}, "end": ">"}}"#;
    let mut stored: Vec<_> = [
        (
            "nested",
            r#"root ::= "a" | "[" root "]" | "{" root ("," root)* "}""#,
            "[{a,[a]}]",
        ),
        (
            "counted",
            r#"root ::= "\"" [a-z]{0,40} "\"""#,
            "\"abcabcabc\"",
        ),
        (
            "operators",
            r#"root ::= root "+" root | [0-9]+ | "(" root ")""#,
            "1+(3+4)+5",
        ),
        (
            "palindromes",
            r#"root ::= "" | "a" root "a" | "b" root "b""#,
            "abbaabba",
        ),
        ("terminals", "root ::= [a-z]* (<[260]> [a-z]+)?", "abc"),
    ]
    .map(|(name, text, taken)| (name, GrammarText::ebnf(text), taken))
    .into();
    stored.push(("limited", GrammarText::structural_tag(limited), "<ab>"));
    stored
}

/// A token for each byte, and some of several.
fn vocabulary() -> Vocabulary {
    let bytes = (0..=255u8).map(|byte| vec![byte]);
    let pieces = ["[[", "]]", "abc", "+(", "<|name|>", ""];
    let pieces = pieces.iter().map(|piece| piece.as_bytes().to_vec());
    Vocabulary::from_tokens(bytes.chain(pieces).collect(), vec![261])
}

fn file(name: &str) -> PathBuf {
    root().join("tests/stored").join(name)
}

/// The masks along a text, as lists of ids: ranges where many follow one another.
fn masks(tables: Vec<u8>, words: Vec<u8>, text: &str) -> String {
    let words = OwnedVocabulary::load(words).unwrap();
    let grammar = OwnedGrammar::load(tables).unwrap();
    let grammar = grammar.with_vocabulary(&words).unwrap();
    let mut matcher = OwnedMatcher::new(&grammar, DEPTH).unwrap();
    let mut lines = String::new();
    for byte in text.bytes().map(Some).chain([None]) {
        let ids: Vec<u32> = matcher.with_mask(|mask| mask.iter().collect());
        writeln!(lines, "{}", ranges(&ids)).unwrap();
        if let Some(byte) = byte {
            matcher.accept_token(byte.into()).unwrap();
        }
    }
    lines
}

fn ranges(ids: &[u32]) -> String {
    let runs = ids.chunk_by(|one, next| one + 1 == *next);
    let runs = runs.map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(" ")
}

fn write_anew() {
    let words = vocabulary();
    let compiler = Compiler::new(&words).unwrap();
    let packed = words.pack().unwrap();
    fs::create_dir_all(file("")).unwrap();
    fs::write(file("vocabulary.tables"), &packed).unwrap();
    for (name, text, taken) in stored() {
        let tables = compiler.compile_text(&text).unwrap().into_tables();
        fs::write(file(&format!("{name}.tables")), &tables).unwrap();
        let said = masks(tables, packed.clone(), taken);
        fs::write(file(&format!("{name}.masks")), said).unwrap();
    }
}

#[test]
fn tables_of_this_version_are_read() {
    if std::env::var_os("UPDATE_STORED").is_some() {
        write_anew();
    }
    let read = |name: &str| fs::read(file(name)).unwrap();
    let words = read("vocabulary.tables");
    for (name, _, text) in stored() {
        let tables = read(&format!("{name}.tables"));
        let loaded = Grammar::load(&tables).map(|_| ());
        assert_eq!(
            loaded,
            Ok(()),
            "{name}: see the head of tests/tests/stored.rs"
        );
        let expected = String::from_utf8(read(&format!("{name}.masks"))).unwrap();
        assert_eq!(masks(tables, words.clone(), text), expected, "{name}");
    }
}
