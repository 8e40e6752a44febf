//! Texts with several readings, and where these come apart.

use super::ambiguity::{find, two_trees};
use super::ambiguous as ambiguous_warning;
use super::*;
use crate::source::Source;
use crate::syntax::{ParseOptions, ebnf};
use crate::{Automaton, Options};

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
    let deadline = Deadline::start(&limits);
    assert!(two_trees(&grammar, &found.text, &deadline).is_some());
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
    let automaton = Automaton::new(&grammar, &Options::default()).unwrap();
    let source = Source::new("test", text);
    let error = not_deterministic(&grammar, &automaton.pda, &Deadline::never()).unwrap();
    error.render(Some(&source.into()), false)
}

#[test]
fn both_places_are_shown() {
    insta::assert_snapshot!(error("root ::= \"a\"* \"c\" | n\nn ::= \"a\" n \"b\" | \"\"\n"), @r#"
    error[not-deterministic]: the grammar is not deterministic: after `aaa` it has two readings at once; in rule `root`, from byte 0, one goes on with `n`, another goes on with text of its own
     --> test:1:21
      |
    1 | root ::= "a"* "c" | n
      |          ---        ^ one reading goes on here
      |          |
      |          another goes on here
      |
      = help: make the readings differ earlier, or leave out `deterministic`
    "#);
    insta::assert_snapshot!(error("root ::= x | y\nx ::= \"a\" x \"a\" | \"b\"\ny ::= \"a\"* \"bb\"\n"), @r#"
    error[not-deterministic]: the grammar is not deterministic: after `aaa` it has two readings at once; in rule `root`, from byte 0, one goes on with `x`, another goes on with `y`
     --> test:1:10
      |
    1 | root ::= x | y
      |          ^   - another goes on here
      |          |
      |          one reading goes on here
      |
      = help: make the readings differ earlier, or leave out `deterministic`
    "#);
}

fn partings(text: &str) -> String {
    let grammar = parse(text);
    let limits = Limits::default();
    let found = ambiguous_warning(&grammar, &limits, &Deadline::start(&limits)).unwrap();
    let source = Source::new("test", text);
    let at = |label: &crate::error::Label| {
        let place = source.position(label.span.start);
        format!("{place} `{}` {}", source.slice(label.span), label.text)
    };
    let labels: Vec<String> = found.labels().iter().map(at).collect();
    labels.join("\n")
}

#[test]
fn places_of_references_are_those_that_the_readings_take() {
    // Of the same rule's references, each reading takes another.
    insta::assert_snapshot!(partings("root ::= \"a\" x | \"a\" \"b\" | root \"b\"\nx ::= \"b\""), @r#"
    1:14 `x` one reading goes on here
    1:22 `"b"` another goes on here
    "#);
    // One is still within what the other has ended.
    insta::assert_snapshot!(partings("root ::= pair \";\"\npair ::= a b\na ::= \"x\"+\nb ::= \"x\"+"), @r#"
    2:12 `b` one reading goes on here
    2:10 `a` another is still in here
    "#);
    // One ends the rule, the other goes on in it.
    insta::assert_snapshot!(partings("root ::= s\ns ::= \"i\" s | \"i\" s \"e\" s | \"x\""), @r#"
    2:25 `s` one reading goes on here
    2:1 `s` another ends this rule
    "#);
    // Left recursion against right recursion.
    insta::assert_snapshot!(partings("root ::= (root) \"+\" root | [0-9]"), @r#"
    1:10 `(root)` one reading goes on here
    1:28 `[0-9]` another goes on here
    "#);
}

/// Rules of which each can go on with any: runs have many calls to begin at each place.
fn rules_that_call_all(rules: usize) -> Grammar {
    let calls: Vec<String> = (0..rules).map(|rule| format!("r{rule}")).collect();
    let calls = calls.join(" | ");
    let body = |rule| format!("r{rule} ::= \"a\" ({calls}) \"b{rule}\" | \"c{rule}\"\n");
    let bodies: String = (0..rules).map(body).collect();
    parse(&format!("root ::= ({calls})*\n{bodies}"))
}

/// A step of the search compares all that two runs can become, and that is counted, too.
#[test]
fn a_step_of_the_search_is_counted() {
    let limits = Limits::default().time(std::time::Duration::MAX);
    let grammar = rules_that_call_all(80);
    let deadline = Deadline::start(&limits.clone().work(1_500_000));
    assert_eq!(find(&grammar, &limits, &deadline), None);
    assert!(deadline.is_over());
}

#[test]
fn a_search_that_takes_too_long_is_no_verdict() {
    let grammar = parse("root ::= a | b  a ::= \"x\" a \"y\" | \"z\"  b ::= \"x\"+ \"zz\"");
    let automaton = Automaton::new(&grammar, &Options::default()).unwrap();
    let limits = Limits::default().work(1);
    let deadline = Deadline::start(&limits);
    deadline.check("compiling").unwrap_err();
    let error = not_deterministic(&grammar, &automaton.pda, &deadline).unwrap_err();
    assert_eq!(error.limit, "work");
}

/// The least text of a rule may be twice as long as that of the next.
#[test]
fn shortest_texts_that_are_too_long_are_not_written() {
    let levels: String = (0..60)
        .map(|at| format!("r{at} ::= r{next} r{next}\n", next = at + 1))
        .collect();
    let text = format!("root ::= \"x\" r0 | \"x\" r0 \"z\" | \"a\" r58 | \"a\" r59 r59\n{levels}");
    assert_eq!(
        ambiguous(&format!("{text}r60 ::= \"c\"")).as_deref(),
        Some("acccc")
    );
}

#[test]
fn long_texts_are_shown_in_part() {
    assert_eq!(shown(b"a\n\"\xff"), "`a\\n\\\"\\xff`");
    assert_eq!(shown("é".as_bytes()), "`é`");
    assert_eq!(shown(&[b'a'; 300]).chars().count(), MAX_SHOWN + 3);
}
