//! Options of rules, priorities, settings, several starts.

use super::{lark, reads};
use crate::grammar::{RuleOptions, Settings};
use crate::{NoImports, ReadOptions, read};

#[test]
fn options_of_rules() {
    let lark = lark(
        "start: a b c\na[capture, max_tokens=3, max_chars=7, temperature=0.5]: \"x\"\n\
         b[capture=\"q.r\"]: \"y\"\nc[suffix=\"!\", stop_capture=\"m\"]: \"z\"",
    )
    .unwrap();
    let options: Vec<&RuleOptions> = lark.rules.iter().map(|rule| &rule.options).collect();
    let none = RuleOptions::default();
    let expected = [
        none.clone(),
        RuleOptions {
            capture: Some("a".to_owned()),
            temperature: Some(0.5),
            max_tokens: Some(3),
            max_chars: Some(7),
            ..none.clone()
        },
        RuleOptions {
            capture: Some("q.r".to_owned()),
            ..none.clone()
        },
        RuleOptions {
            stop_capture: Some("m".to_owned()),
            ..none
        },
    ];
    assert_eq!(options, expected.iter().collect::<Vec<_>>());
}

#[test]
fn lazy_rules_are_terminals() {
    reads(
        "start: a\na[lazy]: T \"<e>\"\nT: /(.|\\n)*/",
        &["start: a", "a: a", "a: shortest (/(.|\\n)*/ \"<e>\")"],
    );
}

#[test]
fn lazy_rules_that_may_be_empty_are() {
    reads(
        "start: a \"b\"\na[lazy]: /a*/",
        &["start: (a \"b\")", "a: ()"],
    );
    reads(
        "start: a\na[lazy]: T | \"x\"\nT: /y/? [\"z\"]",
        &["start: a", "a: ()"],
    );
    reads(
        "start: a\na[lazy]: /(?=x)/",
        &["start: a", "a: a", "a: shortest /(?=x)/"],
    );
}

#[test]
fn rules_with_a_marker_are_terminals() {
    let expected = [
        "start: a",
        "a: a",
        "a: shortest <(/[a-z]*/ \"!\") & ~(any* \"!\" any+)>",
    ];
    reads("start: a\na[suffix=\"!\"]: /[a-z]*/", &expected);
    reads("start: a\na[stop=END]: /[a-z]*/\nEND: \"!\"", &expected);
    reads("start: a\na[lazy, stop=\"!\"]: /[a-z]*/", &expected);
    reads("start: a\na[suffix=\"!\", lazy]: /[a-z]*/", &expected);
}

#[test]
fn priorities() {
    reads(
        "start: a\na.2: A\nA.-1: /x/",
        &["start: a", "a.2: A", "A.-1: /x/"],
    );
    let text = "start: a\na.2: A\nA: /x/";
    let options = ReadOptions {
        allow_rule_priorities: false,
        ..ReadOptions::default()
    };
    let error = read(text, &options, &NoImports, &mut || true).unwrap_err();
    assert_eq!(&text[error.span], ".2");
    let text = "start: A\nA.-1: /x/";
    let options = ReadOptions {
        allow_terminal_priorities: false,
        ..ReadOptions::default()
    };
    let error = read(text, &options, &NoImports, &mut || true).unwrap_err();
    assert_eq!(&text[error.span], ".-1");
}

#[test]
fn settings() {
    let text = "%llguidance {\"no_forcing\": true, \"ignore_once\": true}\n%llguidance {}\n\
                %grammar_options {\"allow_initial_skip\": true}\n\
                %llguidance {\"ignore_once\": false}\nstart: \"a\"";
    let expected = Settings {
        no_forcing: true,
        allow_initial_skip: true,
        ..Settings::default()
    };
    assert_eq!(lark(text).unwrap().settings, expected);
}

#[test]
fn a_start_is_needed() {
    let options = ReadOptions {
        start: Vec::new(),
        ..ReadOptions::default()
    };
    assert!(read("start: \"a\"", &options, &NoImports, &mut || true).is_err());
}

#[test]
fn several_starts() {
    let start = vec!["b".to_owned(), "a".to_owned()];
    let options = ReadOptions {
        start,
        ..ReadOptions::default()
    };
    let lark = read(
        "a: \"x\"\nb: c\nc: \"y\"\nd: a",
        &options,
        &NoImports,
        &mut || true,
    )
    .unwrap();
    let names: Vec<&str> = lark.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!((lark.starts, names), (vec![1, 0], vec!["a", "b", "c"]));
}
