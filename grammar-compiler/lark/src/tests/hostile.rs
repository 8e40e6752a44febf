//! Grammars that are made to cost much.

use super::lark;
use crate::{ErrorKind, NoImports, ReadOptions, read};
use std::fmt::Write;

/// The kind of the error about `text`.
fn kind(text: &str) -> Option<ErrorKind> {
    lark(text).err().map(|error| error.kind)
}

#[test]
fn deep_nesting() {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("start: {}\"a\"{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in [("(", ")"), ("[", "]"), ("(\"b\" | ", ")*")] {
        assert_eq!(kind(&nested(open, close, 150)), None);
        assert_eq!(kind(&nested(open, close, 100_000)), Some(ErrorKind::Limit));
    }
    let terminal = |text: String| format!("start: A\nA{}", &text[5..]);
    assert_eq!(kind(&terminal(nested("~(", ")", 90))), None);
    assert_eq!(
        kind(&terminal(nested("~", "", 100_000))),
        Some(ErrorKind::Limit)
    );
    assert_eq!(kind(&nested("%lark { start: ", "}", 150)), None);
    assert_eq!(
        kind(&nested("%lark {", "}", 100_000)),
        Some(ErrorKind::Limit)
    );
    assert_eq!(kind(&nested("t{", "}", 100_000)), Some(ErrorKind::Limit));
    let conditions = format!(
        "start: n::0\nn::_: \"a\" %if {}true",
        "not(".repeat(100_000)
    );
    assert_eq!(kind(&conditions), Some(ErrorKind::Limit));
    assert_eq!(
        kind(&format!("start: %json {}", "{\"a\":".repeat(100_000))),
        Some(ErrorKind::Grammar)
    );
    assert_eq!(kind(&format!("start: /{}/", "(".repeat(100_000))), None);
}

#[test]
fn templates_that_grow_for_ever() {
    for template in [
        "t{x}: t{x \"a\"}",
        "t{x}: t{x x}",
        "t{x}: t{u{x}}\nu{x}: x",
        "t{x}: t{(x)?}",
    ] {
        let text = format!("start: t{{\"a\"}}\n{template}");
        assert_eq!(kind(&text), Some(ErrorKind::Limit), "{template}");
    }
    let mut doubled = "start: t0{\"a\"}\n".to_owned();
    for i in 0..100 {
        writeln!(doubled, "t{i}{{x}}: t{}{{x x}}", i + 1).unwrap();
    }
    doubled += "t100{x}: x";
    assert_eq!(kind(&doubled), Some(ErrorKind::Limit));
}

#[test]
fn parameters_that_grow_for_ever() {
    let text = "start: n::0\nn::_: \"a\" n::incr(_) %if lt(_, 0xffffffffffffffff)";
    assert_eq!(kind(text), Some(ErrorKind::Limit));
}

#[test]
fn terminals_that_are_long_written_out() {
    let mut text = "start: T0\n".to_owned();
    for i in 0..100 {
        writeln!(text, "T{i}: T{} T{}", i + 1, i + 1).unwrap();
    }
    text += "T100: \"x\"";
    assert_eq!(kind(&text), None);
    let mut chain = "start: T0\n".to_owned();
    for i in 0..20_000 {
        writeln!(chain, "T{i}: T{}+", i + 1).unwrap();
    }
    chain += "T20000: \"x\"";
    assert_eq!(kind(&chain), Some(ErrorKind::Limit));
    assert_eq!(kind(&chain.replace('+', "")), None);
}

#[test]
fn long_texts_are_not_copied_for_each_argument() {
    let json = format!("%json {{\"a\": \"{}\"}}", "x".repeat(1 << 20));
    let uses = "t{x}: ".to_owned() + &"x ".repeat(10_000);
    assert_eq!(
        kind(&format!("start: t{{{json}}}\n{uses}")),
        Some(ErrorKind::Limit)
    );
}

#[test]
fn long_names_are_not_copied_for_each_rule() {
    let name = "n".repeat(1 << 20);
    let text = format!("start: {name}::0\n{name}::_: \"a\" {name}::incr(_)");
    assert_eq!(kind(&text), Some(ErrorKind::Limit));
}

/// How often the clock is looked at while `text` is read.
fn looks(text: &str) -> usize {
    let mut looks = 0;
    let options = ReadOptions::default();
    let result = read(text, &options, &NoImports, &mut || {
        looks += 1;
        true
    });
    assert!(result.is_ok(), "{}", result.unwrap_err());
    looks
}

#[test]
fn work_grows_with_the_text() {
    let alternatives = |count: usize| {
        let parts: Vec<String> = (0..count).map(|i| format!("\"a{i}\"")).collect();
        format!("start: {}", parts.join("\n | "))
    };
    let rules = |count: usize| {
        let mut text = "start: r0".to_owned();
        for i in 0..count {
            write!(text, "\nr{i}: r{} | A{i}\nA{i}: /x{i}/", (i + 1) % count).unwrap();
        }
        text
    };
    let ignored = |count: usize| {
        let lines: Vec<String> = (0..count).map(|i| format!("%ignore \"a{i}\"\n")).collect();
        format!("start: \"x\"\n{}", lines.concat())
    };
    let makers: [&dyn Fn(usize) -> String; 3] = [&alternatives, &rules, &ignored];
    for make in makers {
        let (few, many) = (looks(&make(1_000)), looks(&make(90_000)));
        assert!(many < few * 91, "{few} {many}");
    }
}

#[test]
fn too_many_rules_and_terminals() {
    let mut text = "start: \"a\"".to_owned();
    for i in 0..100_001 {
        write!(text, "\nr{i}: \"a\"").unwrap();
    }
    assert_eq!(kind(&text), Some(ErrorKind::Limit));
    assert_eq!(kind(&text.replace("\nr", "\nR")), Some(ErrorKind::Limit));
}

#[test]
fn the_clock_stops_reading() {
    let text = "start: a \"b\"\na: /c/ | \"d\"";
    for looks in 0..super::hostile::looks(text) {
        let mut left = looks;
        let stopped = read(text, &ReadOptions::default(), &NoImports, &mut || {
            left = left.wrapping_sub(1);
            left != usize::MAX
        });
        assert_eq!(stopped.unwrap_err().kind, ErrorKind::Stopped);
    }
}
