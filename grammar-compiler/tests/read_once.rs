//! A registry does not read again a text that took too long to read.
//!
//! The clock counts the looks and says that the time is over after some of them, so this does not
//! depend on the machine.

use maskwright_compiler::limits::Limits;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText, Options};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Looks that a call may take.
const LOOKS: usize = 10;

/// So many items, with the separator between them.
fn list(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..count).map(item).collect();
    items.join(separator)
}

/// Texts of which each takes more looks than a call may.
fn texts() -> Vec<(&'static str, GrammarText)> {
    let words = list(20_000, "|", |at| format!("a{at}x"));
    let values = list(20_000, ",", |at| format!("\"v{at}\""));
    let rules = list(20_000, "\n", |at| {
        format!("r{at} ::= \"a{at}\" r{}", at + 1)
    });
    let terminals = list(2_000, "\n", |at| format!("T{at}: /[a-z]*{at}/"));
    vec![
        ("regex", GrammarText::regex(words)),
        (
            "schema",
            GrammarText::schema(format!(r#"{{"enum": [{values}]}}"#)),
        ),
        (
            "constant",
            GrammarText::schema(format!(r#"{{"const": "{}"}}"#, "c".repeat(1_000_000))),
        ),
        (
            "ebnf",
            GrammarText::ebnf(format!("root ::= r0\n{rules}\nr20000 ::= \"b\"")),
        ),
        (
            "lark",
            GrammarText::lark(format!(
                "start: {}\n{terminals}",
                list(2_000, " | ", |at| format!("T{at}"))
            )),
        ),
    ]
}

#[test]
fn a_text_that_took_too_long_is_not_read_again() {
    let tokens = (0..=u8::MAX).map(|byte| vec![byte]).chain([vec![]]);
    let vocabulary = Vocabulary::from_tokens(tokens.collect(), vec![256]);
    let looks = Arc::new(AtomicUsize::new(0));
    let seen = looks.clone();
    let limits = Limits::default();
    let clock = move |_: &str| seen.fetch_add(1, Ordering::Relaxed) >= LOOKS;
    let options = Options::default()
        .limits(limits.with_clock(clock))
        .threads(1);
    let compiler = Compiler::new(&vocabulary).unwrap().with_options(options);
    let registry = Registry::new(&compiler, RegistryOptions::default().threads(0)).unwrap();
    for (name, text) in texts() {
        let ask = || {
            looks.store(0, Ordering::Relaxed);
            let matcher = registry.get(&text).and_then(|handle| handle.matcher());
            let why = matcher.map(drop).unwrap_err();
            (why.message().to_owned(), looks.load(Ordering::Relaxed))
        };
        let (why, count) = ask();
        assert!(why.contains("limit `time`"), "{name}: {why}");
        assert!(count > LOOKS, "{name}: {count} looks");
        let (again, count) = ask();
        println!("{name}: {count} looks, {again}");
        assert_eq!(again, why, "{name}");
        assert!(count <= LOOKS / 2, "{name}: {count} looks");
    }
}
