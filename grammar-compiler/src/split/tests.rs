//! Texts with several readings, and where these come apart.

use super::ambiguity::{find, two_trees};
use super::*;
use crate::source::Source;
use crate::syntax::ebnf::{self, ParseOptions};
use crate::{Options, automaton};

fn parse(text: &str) -> Grammar {
    let source = Source::new("test", text);
    ebnf::parse(&source, &ParseOptions::default())
        .unwrap()
        .grammar
}

/// The ambiguous text that is found; it is one.
fn ambiguous(text: &str) -> Option<String> {
    let grammar = parse(text);
    let limits = Limits::default();
    let found = find(&grammar, &limits, &Deadline::start(&limits))?;
    assert!(two_trees(&grammar, &found.text).is_some());
    Some(String::from_utf8(found.text).unwrap())
}

#[test]
fn the_shortest_ambiguous_text() {
    let found = |text| ambiguous(text).unwrap_or_default();
    assert_eq!(found("root ::= root \"+\" root | [0-9]"), "0+0+0");
    assert_eq!(
        found("root ::= s  s ::= \"i\" s | \"i\" s \"e\" s | \"x\""),
        "iixex"
    );
    assert_eq!(
        found("root ::= \"<\" x \">\"  x ::= a | b  a ::= \"n\"+  b ::= \"n\" \"m\"*"),
        "<n>"
    );
    // Both within a rule that is called in the same place.
    assert_eq!(
        found("root ::= pair \";\"  pair ::= a b  a ::= \"x\"+  b ::= \"x\"+"),
        "xxx;"
    );
    // The one reading passes over a rule that the other takes.
    assert_eq!(found("root ::= n root \"x\" | \"y\"  n ::= \"n\"?"), "nyxx");
    assert_eq!(found("root ::= a  a ::= a | \"x\""), "x");
}

#[test]
fn none_where_there_is_one_reading() {
    let unambiguous = [
        "root ::= sum  sum ::= sum \"+\" atom | atom  atom ::= [0-9] | \"(\" sum \")\"",
        "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"\"",
        "root ::= ab | \"a\"* \"c\"  ab ::= \"a\" ab \"b\" | \"\"",
        // Two ways through a regular expression are one reading.
        "root ::= (\"a\" | \"a\"+)* x  x ::= \"b\"?",
    ];
    for text in unambiguous {
        assert_eq!(ambiguous(text), None, "{text}");
    }
}

fn error(text: &str) -> String {
    let grammar = parse(text);
    let automaton = automaton(&grammar, &Options::default()).unwrap();
    let source = Source::new("test", text);
    not_deterministic(&grammar, &automaton.pda).render(Some(&source), false)
}

#[test]
fn both_places_are_shown() {
    insta::assert_snapshot!(error("root ::= \"a\"* \"c\" | n\nn ::= \"a\" n \"b\" | \"\"\n"), @r#"
    error[not-deterministic]: the grammar is not deterministic: after `aaa` it has two readings at once; in rule `root` one goes on with `n` from byte 0, another does not
     --> test:1:1
      |
    1 | root ::= "a"* "c" | n
      | ^^^^ the readings come apart in this rule
    2 | n ::= "a" n "b" | ""
      | - one goes on here
      |
      = help: make the readings differ earlier, or leave out `deterministic`
    "#);
    insta::assert_snapshot!(error("root ::= x | y\nx ::= \"a\" x \"a\" | \"b\"\ny ::= \"a\"* \"bb\"\n"), @r#"
    error[not-deterministic]: the grammar is not deterministic: after `aaa` it has two readings at once; in rule `root` one goes on with `x` from byte 0, another goes on with `y` from byte 0
     --> test:1:1
      |
    1 | root ::= x | y
      | ^^^^ the readings come apart in this rule
    2 | x ::= "a" x "a" | "b"
      | - one goes on here
    3 | y ::= "a"* "bb"
      | - another goes on here
      |
      = help: make the readings differ earlier, or leave out `deterministic`
    "#);
}

#[test]
fn long_texts_are_shown_in_part() {
    assert_eq!(shown(b"a\n\"\xff"), "`a\\n\\\"\\xff`");
    assert_eq!(shown("é".as_bytes()), "`é`");
    assert_eq!(shown(&[b'a'; 300]).chars().count(), MAX_SHOWN + 3);
}
