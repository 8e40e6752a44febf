//! The grammars in `corpus/valid` are read, print to text that reads back, and accept the lines
//! marked `#+` and refuse those marked `#-`; those in `corpus/invalid` are refused with the code
//! they name.

use maskwright_compiler::grammar::{Grammar, interpret::accepts};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::{ParseOptions, ebnf::parse};
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 8, "the corpus is there");
    files
}

fn read(path: &Path) -> Source {
    Source::new(
        path.file_name().unwrap().to_string_lossy(),
        std::fs::read_to_string(path).unwrap(),
    )
}

fn check_sentences(source: &Source, grammar: &Grammar) {
    for line in source.text().lines() {
        if let Some(sentence) = line.strip_prefix("#+ ") {
            assert!(
                accepts(grammar, sentence),
                "{}: {sentence:?}",
                source.name()
            );
        }
        if let Some(other) = line.strip_prefix("#- ") {
            assert!(!accepts(grammar, other), "{}: {other:?}", source.name());
        }
    }
}

#[test]
fn valid_grammars() {
    for path in files("valid") {
        let source = read(&path);
        let parsed =
            parse(&source, &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        check_sentences(&source, &parsed.grammar);
        let printed = Source::new("printed", parsed.grammar.to_string());
        let again =
            parse(&printed, &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.grammar.to_string(), printed.text());
        check_sentences(&source, &again.grammar);
    }
}

#[test]
fn invalid_grammars() {
    for path in files("invalid") {
        let source = read(&path);
        let expected = source
            .text()
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# error: "));
        let error = parse(&source, &ParseOptions::default()).expect_err(source.name());
        assert_eq!(Some(error.code().as_str()), expected, "{error}");
        let drawn = error.to_string();
        assert!(
            drawn.contains(&format!("{}:", source.name())) && drawn.contains("help:"),
            "{drawn}"
        );
    }
}
