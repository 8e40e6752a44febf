//! The vectors by their numbers in docs/structural-tags.md.

use crate::support::{
    a, any, b, check, check_bytes, check_tags, dispatch, refused, separated, tag, text, triggered,
    with,
};
use maskwright_compiler::grammar::interpret::accepts_bytes;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use serde_json::json;

#[test]
fn v1_to_v6_text_in_a_tag() {
    check(
        tag("<t>", any(&[]), "</t>"),
        &["<t></t>", "<t>a</t</t>"],
        &["<t>x</t", "<t>a</t>b</t>", "<t>a</t>b"],
    );
    // XGrammar takes `ababa`, in which the end is complete before.
    check(
        tag("", any(&[]), "aba"),
        &["aba", "xaba"],
        &["ababa", "abaaba", "abaa"],
    );
    // XGrammar takes four and five, too.
    check(
        tag("", any(&[]), "```"),
        &["```", "x```"],
        &["````", "`````", "```x", "`` `"],
    );
    check(
        tag("", any(&[]), json!(["a", "aa"])),
        &["a", "aa", "xa"],
        &["aaa", ""],
    );
    check(
        tag("<t>", any(&[]), json!(["</t>", ""])),
        &["<t>", "<t>x", "<t>x</t>", "<t>x</t"],
        &["<t>x</t>y"],
    );
    check(
        any(&["ab"]),
        &["", "a", "b", "ba", "aa"],
        &["ab", "xab", "aab"],
    );
}

#[test]
fn v7_to_v13_triggered_tags() {
    let one = || triggered(&["<f="], &[a(), b()]);
    check_tags(
        one(),
        &[
            "",
            "x",
            "<f",
            "x<f",
            "A",
            "xAyBz",
            "A<f",
            "<fA",
            "AB",
            "<<f=a>1</f>",
        ],
        &["<f=", "<f=c", "A<f=", "<f=a>2</f>"],
    );
    let first = || with(one(), &[("at_least_one", true.into())]);
    check_tags(first(), &["A", "Ay", "AyBz", "AB"], &["", "x", "xA"]);
    let stop = |format| with(format, &[("stop_after_first", true.into())]);
    check_tags(stop(one()), &["", "x", "xA", "A"], &["xAy", "AB"]);
    check_tags(stop(first()), &["A", "B"], &["", "x", "xA", "Ay", "AB"]);
    check_tags(
        with(triggered(&["<f="], &[a()]), &[("excludes", json!(["NO"]))]),
        &["N", "xNx"],
        &["NO", "xNO"],
    );
    check_tags(
        with(triggered(&["<f="], &[a()]), &[("excludes", json!(["ON"]))]),
        &["xNA", "OA"],
        &["A ON", "ONA"],
    );
    check_tags(
        triggered(&["<f=a", "<f=b"], &[a(), b()]),
        &["<f=", "<f=c>", "A"],
        &["<f=a"],
    );
    check_tags(
        tag("[", triggered(&["<f="], &[a()]), "]"),
        &["[]", "[x]", "[A]", "[Ax]", "[<f]"],
        &["[x]y]", "[x", "[<f=]"],
    );
}

#[test]
fn v14_to_v17_tags_with_separator() {
    let list = || separated(&[a(), b()], ",");
    check_tags(list(), &["", "A", "A,B", "B,B,A"], &["A,", ",A", "AB"]);
    let first = with(
        list(),
        &[
            ("at_least_one", true.into()),
            ("stop_after_first", true.into()),
        ],
    );
    check_tags(first, &["A"], &["", "A,B"]);
    check_tags(
        with(list(), &[("stop_after_first", true.into())]),
        &["", "A"],
        &["A,B"],
    );
    check_tags(
        with(list(), &[("at_least_one", true.into())]),
        &["A", "A,A"],
        &["", "A,"],
    );
    check_tags(separated(&[a(), b()], ""), &["AB", ""], &["A\nB"]);
}

#[test]
fn v18_to_v25_dispatch() {
    // Two triggers end at one place: the one that began first counts.
    check(
        dispatch(&[("ab", "1"), ("b", "2")]),
        &["ab1", "b2", "xb2", "a", "xab1b2y"],
        &["ab2", "ab"],
    );
    // One is the beginning of the other: both are open, the text is not.
    check(
        dispatch(&[("ab", "1"), ("abc", "2")]),
        &["ab1", "abc2", "xab1abc2"],
        &["abc1", "abx", "ab", "abc"],
    );
    // XGrammar takes `abcx`, in which `bc` occurs.
    assert_eq!(
        refused(dispatch(&[("abcd", "1"), ("bc", "2")])),
        ["tag-shadowed"]
    );
    let once = with(dispatch(&[("ab", "1")]), &[("loop", false.into())]);
    check(once, &["", "x", "ab1", "xab1"], &["ab1x", "ab1ab1"]);
    for exclude in ["a", "b", "ab"] {
        let format = with(dispatch(&[("ab", "1")]), &[("excludes", json!([exclude]))]);
        assert_eq!(refused(format), ["tag-excluded-trigger"], "{exclude}");
    }
    // XGrammar takes `<x>y>`.
    check(
        tag("<", dispatch(&[("ab", "1")]), ">"),
        &["<>", "<x>", "<ab1>", "<ab1x>"],
        &["<x", "<x>y>", "<ab>"],
    );
    check(
        dispatch(&[("aa", "b")]),
        &["aab", "aaba", "aabaab", "baab"],
        &["aaaab", "aaa"],
    );
    // Equal triggers: either rule.
    check(
        dispatch(&[("a", "1"), ("a", "2")]),
        &["a1a2"],
        &["a", "a12a"],
    );
}

#[test]
fn v26_to_v28_ends_within_contents_and_sequences() {
    let string = json!({"type": "json_schema", "json_schema": {"type": "string"}});
    check(
        tag("<c>", string, "</c>"),
        &[r#"<c>"</c>"</c>"#],
        &[r#"<c> "x" </c>"#, r#"<c>"x"</c> "#],
    );
    let format = json!({"type": "sequence", "elements": [any(&["END"]), text("END"), any(&[])]});
    check(format, &["END", "aENDb", "ENDEND"], &["a", "EN"]);
}

#[test]
fn v33_ends_of_all_tags_around() {
    let inner = tag("<i>", any(&[]), "</i>");
    let content = json!({"type": "sequence", "elements": [inner, any(&[])]});
    let format = tag("<o>", content, "</o>");
    // XGrammar takes the outer end in the inner text.
    check(
        format.clone(),
        &["<o><i>x</i>y</o>", "<o><i>x</i></i></o>"],
        &["<o><i>x</o></i></o>"],
    );
    let text = json!({"format": format}).to_string();
    let options = TagOptions::default().outer_ends(false);
    let parsed = GrammarText::structural_tag(text)
        .tag_options(options)
        .parse(&Default::default());
    assert!(accepts_bytes(
        &parsed.unwrap().grammar,
        b"<o><i>x</o></i></o>"
    ));
}

#[test]
fn v35_characters_are_counted() {
    let most = |max: u32| json!({"type": "any_text", "max_chars": max});
    check(
        tag("<", most(2), ">"),
        &["<>", "<ab>", "<éé>", "<😀😀>"],
        &["<abc>", "<ab", "<ééé>"],
    );
    check(tag("<", most(0), ">"), &["<>"], &["<a>"]);
    check(most(3), &["", "abc", "äöü"], &["abcd"]);
    // The beginning of an end counts if it is none.
    check(
        tag("", most(4), "</t>"),
        &["</t>", "abcd</t>", "</t</t>", "<<<<</t>"],
        &["abcde</t>", "</tx<</t>", "<<<<<</t>"],
    );
    // The exclude lies across the place where the count is full.
    let excluded = json!({"type": "any_text", "max_chars": 1, "excludes": ["xabd"]});
    check(
        tag("", excluded, "abc"),
        &["abc", "xabc"],
        &["xxabc", "xabd"],
    );
}

#[test]
fn many_characters_are_counted() {
    let most = |max: u32| json!({"type": "any_text", "max_chars": max});
    for count in [511, 512, 513, 2_000] {
        let text = |characters: usize, end: &str| "é".repeat(characters) + end;
        let full = count as usize;
        check(
            tag("<t>", most(count), "</t>"),
            &[
                &("<t>".to_owned() + &text(full, "</t>")),
                &("<t>".to_owned() + &text(full - 2, "</</t>")),
                "<t></t>",
            ],
            &[
                &("<t>".to_owned() + &text(full + 1, "</t>")),
                &("<t>".to_owned() + &text(full - 1, "</</t>")),
                &("<t>".to_owned() + &text(full, "</t")),
            ],
        );
        let excluded = json!({"type": "any_text", "max_chars": count, "excludes": ["ab"]});
        check(
            excluded,
            &["", &text(full, ""), &text(full - 1, "a")],
            &[&text(full + 1, ""), &text(full, "a"), &text(full - 2, "ab")],
        );
        check(most(count), &["", &text(full, "")], &[&text(full + 1, "")]);
    }
}

#[test]
fn v36_and_v37_text_is_utf_8() {
    for format in [any(&[]), any(&["zz"])] {
        check_bytes(
            format,
            &["é😀".as_bytes(), b"\xED\x9F\xBF"],
            &[b"\xFF", b"\xC3", b"\xED\xA0\x80", b"\xC0\x80", b"a\x80"],
        );
    }
}

#[test]
fn v38_to_v42() {
    let excluded = with(triggered(&["<f="], &[a()]), &[("excludes", json!(["<f="]))]);
    assert_eq!(refused(excluded), ["tag-excluded-trigger"]);
    let format = tag("", triggered(&["<f="], &[a()]), "<f=");
    assert_eq!(refused(format), ["tag-end-is-trigger"]);
    let pattern = json!({"type": "regex", "pattern": "[^>]*>?"});
    check(tag("<", pattern, ">"), &["<>", "<>>", "<a>"], &["<>>>"]);
    let plus = json!({"type": "plus", "content": any(&["b"])});
    check(
        tag("<", plus, ">"),
        &["<>", "<a>", "<aa>"],
        &["<b>", "<a", "<a>>"],
    );
}
