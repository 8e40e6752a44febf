//! Structural tags: which texts they take.
//!
//! The vectors are those that XGrammar 0.2.8 was asked about; where a verdict differs from its, the test says so, and docs/structural-tags.md says why.

use maskwright_compiler::grammar::interpret::accepts_bytes;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::{GrammarText, Parsed};
use serde_json::{Value, json};

fn read(format: &Value) -> Parsed {
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    let parsed = GrammarText::structural_tag(text).parse(&Default::default());
    parsed.unwrap_or_else(|error| panic!("{error}"))
}

/// Compares verdicts with those of a format: texts that are sentences, and texts that are not.
fn check(format: Value, sentences: &[&str], others: &[&str]) {
    check_bytes(
        format,
        &sentences
            .iter()
            .map(|text| text.as_bytes())
            .collect::<Vec<_>>(),
        &others
            .iter()
            .map(|text| text.as_bytes())
            .collect::<Vec<_>>(),
    );
}

fn check_bytes(format: Value, sentences: &[&[u8]], others: &[&[u8]]) {
    let grammar = read(&format).grammar;
    for text in sentences {
        let shown = String::from_utf8_lossy(text);
        assert!(
            accepts_bytes(&grammar, text),
            "{shown:?} must be a text of {format}"
        );
    }
    for text in others {
        let shown = String::from_utf8_lossy(text);
        assert!(
            !accepts_bytes(&grammar, text),
            "{shown:?} must not be a text of {format}"
        );
    }
}

/// The codes of what is refused.
fn refused(format: Value) -> Vec<&'static str> {
    let text = json!({"type": "structural_tag", "format": format}).to_string();
    let error = GrammarText::structural_tag(text).parse(&Default::default());
    let error = error.map(|parsed| parsed.grammar.to_string()).unwrap_err();
    assert!(error.position().is_some(), "no place: {error}");
    let with_help = error
        .diagnostics()
        .iter()
        .all(|diagnostic| diagnostic.way_out().is_some());
    assert!(with_help, "no way out: {error}");
    error
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.code().as_str())
        .collect()
}

fn warned(format: Value) -> Vec<&'static str> {
    read(&format)
        .warnings
        .iter()
        .map(|warning| warning.code().as_str())
        .collect()
}

fn tag(begin: &str, content: Value, end: impl Into<Value>) -> Value {
    json!({"type": "tag", "begin": begin, "content": content, "end": end.into()})
}

fn any(excludes: &[&str]) -> Value {
    json!({"type": "any_text", "excludes": excludes})
}

fn text(value: &str) -> Value {
    json!({"type": "const_string", "value": value})
}

fn triggered(triggers: &[&str], tags: &[Value]) -> Value {
    json!({"type": "triggered_tags", "triggers": triggers, "tags": tags})
}

fn with(mut format: Value, fields: &[(&str, Value)]) -> Value {
    for (name, value) in fields {
        format[*name] = value.clone();
    }
    format
}

fn dispatch(rules: &[(&str, &str)]) -> Value {
    let rules: Vec<Value> = rules
        .iter()
        .map(|(trigger, value)| json!([trigger, text(value)]))
        .collect();
    json!({"type": "dispatch", "rules": rules})
}

fn separated(tags: &[Value], separator: &str) -> Value {
    json!({"type": "tags_with_separator", "tags": tags, "separator": separator})
}

fn a() -> Value {
    tag("<f=a>", text("1"), "</f>")
}

fn b() -> Value {
    tag("<f=b>", text("2"), "</f>")
}

const A: &str = "<f=a>1</f>";
const B: &str = "<f=b>2</f>";

/// Texts in which `A` and `B` stand for the tags.
fn with_tags(texts: &[&str]) -> Vec<String> {
    texts
        .iter()
        .map(|text| text.replace('A', A).replace('B', B))
        .collect()
}

fn check_tags(format: Value, sentences: &[&str], others: &[&str]) {
    let (sentences, others) = (with_tags(sentences), with_tags(others));
    check(
        format,
        &sentences.iter().map(String::as_str).collect::<Vec<_>>(),
        &others.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

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

#[test]
fn or_star_grammar_and_repetitions_of_text() {
    let either = json!({"type": "or", "elements": [text("a"), any(&["x"])]});
    check(
        tag("<", either, ">"),
        &["<a>", "<b>", "<>"],
        &["<x>", "<b>>"],
    );
    let star = json!({"type": "star", "content": a()});
    check_tags(tag("[", star, "]"), &["[]", "[AA]"], &["[A", "[B]"]);
    let grammar =
        json!({"type": "grammar", "grammar": "root ::= item (\",\" item)*\nitem ::= [a-z]+"});
    check(tag("(", grammar, ")"), &["(a,bc)"], &["()", "(a,)"]);
    let repeat = json!({"type": "repeat", "min": 1, "max": 2, "content": tag("-", any(&[]), "")});
    assert_eq!(refused(repeat), ["tag-without-end"]);
    let list = json!({"type": "repeat", "min": 2, "max": 3, "content": tag("-", any(&["-"]), "")});
    check(list, &["-a-b", "--", "-a-b-c"], &["-a", "----"]);
}

#[test]
fn delimiters_that_are_prefixes_of_each_other() {
    // The trigger is the beginning of the end: both are open.
    let format = tag(
        "[",
        triggered(&["<"], &[tag("<f>", text("1"), "</f>")]),
        "</t>",
    );
    check(
        format,
        &["[</t>", "[x<f>1</f>y</t>"],
        &["[<</t>", "[x<f>1</f>", "[<x</t>"],
    );
    // An exclude is the beginning of the end, as in the tags of Kimi K3.
    let format = tag("", any(&["<|open|>", "<|close|>"]), "<|close|>r<|sep|>");
    check(
        format,
        &["x<|close|>r<|sep|>", "<|close|>r<|sep|>"],
        &["<|close|>x<|close|>r<|sep|>", "<|open|>"],
    );
}

#[test]
fn types_are_guessed() {
    check_tags(
        json!({"triggers": ["<f="], "tags": [{"begin": "<f=a>", "content": {"value": "1"}, "end": "</f>"}]}),
        &["xAy"],
        &["B"],
    );
    check(
        json!({"content": {"value": "a"}, "min": 1, "max": 2}),
        &["a", "aa"],
        &["", "aaa"],
    );
    check(
        json!({"elements": [{"json_schema": {"type": "null"}}, {"excludes": ["x"]}]}),
        &["nullab"],
        &["nullx"],
    );
}

#[test]
fn the_legacy_form_and_requests_of_engines() {
    let legacy = json!({"type": "structural_tag", "triggers": ["<f="], "structures": [
        {"begin": "<f=a>", "schema": {"type": "integer"}, "end": "</f>"}]});
    let as_text = legacy.to_string();
    for request in [
        legacy.clone(),
        json!({"model": "m", "messages": [], "response_format": legacy}),
        json!({"structured_outputs": {"structural_tag": as_text}}),
        json!({"extra_body": {"structured_outputs": {"structural_tag": as_text}}}),
        json!({"text": "p", "sampling_params": {"structural_tag": as_text, "temperature": 0}}),
        json!({"guided_decoding": {"structural_tag": as_text}, "response_format": null}),
        json!({"guide_type": "STRUCTURAL_TAG", "guide": as_text}),
    ] {
        let parsed = GrammarText::structural_tag(request.to_string()).parse(&Default::default());
        let grammar = parsed.unwrap_or_else(|error| panic!("{error}")).grammar;
        assert!(accepts_bytes(&grammar, b"x<f=a>12</f>y"), "{request}");
        assert!(!accepts_bytes(&grammar, b"x<f=a>no</f>y"), "{request}");
    }
    let both =
        json!({"response_format": legacy, "structured_outputs": {"structural_tag": as_text}});
    let error = GrammarText::structural_tag(both.to_string()).parse(&Default::default());
    assert_eq!(error.unwrap_err().code(), "tag-malformed");
}

#[test]
fn schemas_forbid_what_they_do_not_declare() {
    let schema = |schema: Value| json!({"type": "json_schema", "json_schema": schema});
    let object = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    check(
        schema(object.clone()),
        &["{}", r#"{"a": 1}"#, "{ \n\t  \"a\"  :  1 }"],
        &[r#"{"a": 1, "b": 2}"#, r#" {"a": 1}"#, r#"{"a": 1} "#],
    );
    check(schema(true.into()), &[r#"{"b": {"c": 1}}"#], &[]);
    check(schema(json!({"type": "object"})), &["{}"], &[r#"{"b": 1}"#]);
    let mut open = object.clone();
    open["additionalProperties"] = json!({"type": "null"});
    check(schema(open), &[r#"{"a": 1, "b": null}"#], &[r#"{"b": 1}"#]);
    // What schemas in place declare counts; each by itself would forbid the other's.
    let both = json!({"allOf": [object, {"properties": {"b": {"type": "null"}}}]});
    check(
        schema(both),
        &[r#"{"a": 1, "b": null}"#],
        &[r#"{"a": 1, "c": 1}"#],
    );
    // One schema at a value and in place.
    let nested = json!({"$ref": "#/$defs/node", "$defs": {"node": {
        "type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}});
    check(
        schema(nested),
        &[r#"{"next": {"next": {}}}"#],
        &[r#"{"next": {"x": 1}}"#],
    );
    let compact = with(
        schema(json!({"type": "array"})),
        &[("max_whitespace_cnt", 0.into())],
    );
    check(compact, &["[1,2]"], &["[1, 2]"]);
}

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
