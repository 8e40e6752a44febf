//! Structural tags that are refused or warned of.

use crate::support::{a, any, check, dispatch, refused, tag, text, triggered, warned};
use serde_json::{Value, json};

#[test]
fn what_cannot_be_meant_is_refused() {
    for (format, code) in [
        (
            json!({"type": "any_text", "exclude": []}),
            "tag-unknown-field",
        ),
        (json!({"type": "any_texts"}), "tag-unknown-type"),
        (
            json!({"type": "any_text", "max_tokens": 65_536}),
            "tag-unsupported",
        ),
        (json!({"type": "sequence", "elements": []}), "tag-malformed"),
        (
            json!({"type": "repeat", "min": 3, "max": 2, "content": any(&[])}),
            "tag-malformed",
        ),
        (
            json!({"type": "repeat", "min": 0, "max": 2_000_000, "content": text("a")}),
            "limit-exceeded",
        ),
        (
            json!({"type": "any_text", "max_chars": -1}),
            "tag-malformed",
        ),
        (
            json!({"type": "any_text", "max_chars": 1.5}),
            "tag-malformed",
        ),
        (
            json!({"type": "any_text", "excludes": [""]}),
            "tag-malformed",
        ),
        (json!([]), "tag-malformed"),
        (json!({}), "tag-malformed"),
        (dispatch(&[("", "a")]), "tag-malformed"),
        (triggered(&["<a"], &[a()]), "tag-begin"),
        (triggered(&["<f=", "<f"], &[a()]), "tag-begin"),
        (triggered(&["<f=", "<g"], &[a()]), "tag-unused-trigger"),
        (tag("a", any(&[]), ""), "tag-without-end"),
        (tag("a", any(&["ab"]), "xaby"), "tag-shadowed"),
        (tag("", tag("", any(&[]), "<i>"), "i"), "tag-shadowed"),
        (
            json!({"type": "regex", "pattern": "(a)\\1"}),
            "unsupported-backreference",
        ),
        (
            json!({"type": "grammar", "grammar": "root ::= x"}),
            "undefined-rule",
        ),
    ] {
        assert!(refused(format.clone()).contains(&code), "{format}");
    }
}

#[test]
fn deep_and_large_tags_are_refused_or_read_in_time() {
    let mut format = text("a");
    for _ in 0..150 {
        format = json!({"type": "star", "content": format});
    }
    check(format.clone(), &["", "aa"], &["b"]);
    for _ in 0..100 {
        format = json!({"type": "star", "content": format});
    }
    assert_eq!(refused(format), ["limit-exceeded"]);
    // Each level can end with the ends of all levels around it.
    let mut format = any(&["x"]);
    for _ in 0..40 {
        format = tag("b", format, json!(["e", ""]));
    }
    let begin = "b".repeat(40);
    check(
        format,
        &[&begin, &(begin.clone() + "ye")],
        &[&(begin.clone() + "x"), "b"],
    );
    let many = json!({"type": "any_text", "max_chars": i32::MAX, "excludes": ["ab"]});
    assert_eq!(refused(many), ["limit-exceeded"]);
}

/// A format in which each level is made of the one within it.
fn levels(count: usize, innermost: Value, level: impl Fn(Value) -> Value) -> Value {
    (0..count).fold(innermost, |format, _| level(format))
}

#[test]
fn tags_in_tags_are_lowered_once_a_level() {
    let separated = |within: Value, ends: Value| json!({"type": "tags_with_separator", "separator": ",", "at_least_one": true, "tags": [tag("b", within, ends)]});
    let triggered = |within: Value, ends: Value| json!({"type": "triggered_tags", "triggers": ["b"], "at_least_one": true, "tags": [tag("b", within, ends)]});
    let begin = "b".repeat(60);
    let end = "e".repeat(60);
    let once = format!("{begin}a{end}");
    let twice = format!("{begin}a{end},{begin}a{end}");
    let inner = format!("{begin}ae,ba{end}");
    let shorter = format!("{begin}a{}", &end[1..]);

    let format = levels(60, text("a"), |within| separated(within, json!("e")));
    check(format, &[&once, &twice, &inner], &[&shorter, "", "ba"]);
    let format = levels(60, text("a"), |within| separated(within, json!(["e", ""])));
    check(
        format,
        &[&once, &shorter, &twice, &inner],
        &["", "ba", &(once.clone() + "e")],
    );
    let format = levels(60, text("a"), |within| triggered(within, json!("e")));
    let free = format!("{begin}aexb{}xxe{}", "", "e".repeat(58));
    check(
        format,
        &[&once],
        &[&shorter, "", &twice.replace(',', "")[1..], &free],
    );
}

#[test]
fn formats_that_must_stand_twice_are_counted() {
    // The last text ends with the exits, and the others do not.
    let level = |within: Value| {
        let open = json!({"type": "sequence", "elements": [tag("b", within, "e"), any(&["x"])]});
        json!({"type": "tags_with_separator", "separator": ",", "tags": [tag("t", open, "")]})
    };
    let mut format = any(&["x"]);
    for _ in 0..20 {
        format = tag("(", level(format), ")");
    }
    assert_eq!(refused(format), ["limit-exceeded"]);
}

#[test]
fn doubtful_tags_are_warned_of() {
    assert_eq!(warned(tag("", any(&[]), "```")), ["tag-bordered-end"]);
    let regex = |pattern: &str| json!({"type": "regex", "pattern": pattern});
    for (pattern, end) in [
        ("[^>]*>?", ">"),
        ("a*", "aa"),
        (".*", "</x>"),
        ("(b<)?", "<<a"),
    ] {
        let warned = warned(tag("<", regex(pattern), end));
        let is_early = (pattern, end) != ("(b<)?", "<<a");
        assert_eq!(
            warned.contains(&"tag-end-in-content"),
            is_early,
            "{pattern} {end}"
        );
    }
    assert!(warned(tag("<", regex("[^>]*"), ">")).is_empty());
    assert_eq!(warned(tag("", text("a"), "```")), [""; 0]);
    let twice = json!({"type": "sequence", "elements": [any(&["x"]), any(&[])]});
    assert_eq!(warned(twice), ["tag-adjacent-text"]);
}
