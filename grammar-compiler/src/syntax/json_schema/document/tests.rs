//! One message for each kind of mistake, and what is kept of a text.

use super::*;
use crate::error::{Diagnostic, Error};
use crate::limits::Limits;
use crate::source::Source;

fn read(text: &str) -> Result<JsonNode, Diagnostic> {
    parse(&Source::new("s.json", text), &Limits::default())
}

fn drawn(text: &str) -> String {
    let source = Source::new("s.json", text);
    let diagnostic = parse(&source, &Limits::default()).unwrap_err();
    Error::in_source(&source, vec![diagnostic]).to_string()
}

/// As `serde_json` has it; numbers lose how they are written.
fn plain(node: &JsonNode) -> serde_json::Value {
    match &node.value {
        JsonValue::Null => serde_json::Value::Null,
        JsonValue::Bool(value) => (*value).into(),
        JsonValue::Number(text) => serde_json::from_str(text).unwrap(),
        JsonValue::String(text) => text.clone().into(),
        JsonValue::Array(items) => items.iter().map(plain).collect(),
        JsonValue::Object(members) => members
            .iter()
            .map(|member| (member.key.clone(), plain(&member.value)))
            .collect(),
    }
}

#[test]
fn everything_has_its_place() {
    let text = " { \"b\" : [1.0e+2, -0], \"a\\u00e9\": \"\\ud83d\\ude00\\/\" }\n";
    let root = read(text).unwrap();
    let slice = |span: Span| &text[span.start..span.end];
    let members = root.members().unwrap();
    assert_eq!(members[0].key, "b");
    assert_eq!(slice(members[0].span), "\"b\"");
    assert_eq!(slice(members[0].value.span), "[1.0e+2, -0]");
    let JsonValue::Array(items) = &members[0].value.value else {
        panic!("an array")
    };
    assert_eq!(items[0].value, JsonValue::Number("1.0e+2".into()));
    assert_eq!(items[1].value, JsonValue::Number("-0".into()));
    assert_eq!(root.get("aé").and_then(JsonNode::as_str), Some("😀/"));
    assert_eq!(slice(root.span), text.trim());
}

#[test]
fn mistakes() {
    let mistakes = [
        "",
        "  ",
        "{\"a\": 1,}",
        "[1, 2,]",
        "{'a': 1}",
        "{\"a\": 'x'}",
        "{type: \"string\"}",
        "{\"a\": 1 \"b\": 2}",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\"= 1}",
        "{\"a\": NaN}",
        "[-Infinity]",
        "[True]",
        "[01]",
        "[1.]",
        "[.5]",
        "[+1]",
        "[0x10]",
        "[1e]",
        "[\"a\tb\"]",
        "[\"a\nb\"]",
        "[\"\\x41\"]",
        "[\"\\u12g4\"]",
        "[\"\\ud83d\"]",
        "[\"abc",
        "{\"a\": [1, 2",
        "{\"a\": ",
        "{\"a\": [1}",
        "{\"a\": 1} {}",
        "// a comment\n{}",
        "{\"a\": 1, /* b */ \"c\": 2}",
        "{\"type\": \"string\",\n \"minLength\": 1,\n \"t\\u0079pe\": \"number\"}",
        "\u{201c}a\u{201d}",
    ];
    let drawn: Vec<String> = mistakes
        .iter()
        .map(|text| format!("{text:?}\n{}", drawn(text)))
        .collect();
    insta::assert_snapshot!(drawn.join("\n\n"));
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let small_stack = move || {
        assert!(read(&nested(NESTING)).is_ok());
        assert_eq!(
            read(&nested(NESTING + 1)).unwrap_err().code(),
            "limit-exceeded"
        );
        assert_eq!(
            read(&"{\"a\":".repeat(100_000)).unwrap_err().code(),
            "limit-exceeded"
        );
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(small_stack).unwrap().join().unwrap();
}

#[test]
fn size_is_bounded() {
    let limits = Limits {
        grammar_bytes: 5,
        ..Limits::default()
    };
    let error = parse(&Source::new("s", "[1, 2]"), &limits).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
}

proptest::proptest! {
    /// Reads what `serde_json` reads, and nothing else; a repeated key apart.
    #[test]
    fn as_serde_json(text in "[\\[\\]{},:\"\\\\ua0-1.eE+ \t\nnulltrefas/'\u{7f}é]{0,24}") {
        match (read(&text), serde_json::from_str::<serde_json::Value>(&text)) {
            (Ok(node), Ok(value)) => proptest::prop_assert_eq!(plain(&node), value),
            (Err(error), Ok(_)) => proptest::prop_assert_eq!(error.code(), "json-duplicate-key"),
            // Where `serde_json` has no number that large.
            (Ok(_), Err(error)) => proptest::prop_assert!(error.to_string().contains("out of range")),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn as_serde_json_writes(value in values()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            proptest::prop_assert_eq!(plain(&read(&text).unwrap()), value.clone());
        }
    }
}

fn values() -> impl proptest::strategy::Strategy<Value = serde_json::Value> {
    use proptest::prelude::*;
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..5)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

#[test]
fn parts_of_strings_are_found() {
    let text = r#"{"a": "x", "é": "x\u00e9\n\ud83d\ude00y"}"#;
    let source = Source::new("t", text);
    let whole = Span::new(0, text.len());
    let part = |decoded: &str, part: std::ops::Range<usize>| {
        let span = super::part_of_string(&source, whole, decoded, &part)?;
        text.get(span.start..span.end)
    };
    assert_eq!(part("xé\n😀y", 0..1), Some("x"));
    assert_eq!(part("xé\n😀y", 1..3), Some("\\u00e9"));
    assert_eq!(part("xé\n😀y", 3..9), Some("\\n\\ud83d\\ude00y"));
    assert_eq!(part("é", 0..2), Some("é"));
    assert_eq!(part("z", 0..1), None);
    assert_eq!(part("x", 1..1), None);
    let outside = Span::new(text.len() + 1, text.len() + 2);
    assert_eq!(super::part_of_string(&source, outside, "x", &(0..1)), None);
}

/// Checks that an outline has the values of a text at their places; returns whether there is one.
fn outline_agrees(text: &str) -> bool {
    let source = Source::new("s.json", text);
    let node = parse(&source, &Limits::default());
    let Some(outline) = Outline::read(&source, &Limits::default()) else {
        assert!(node.is_err() || text.contains('\\'), "no outline: {text}");
        return false;
    };
    let mut pairs = vec![(node.unwrap(), outline.root())];
    while let Some((node, item)) = pairs.pop() {
        assert_eq!(node.span, item.span(), "{text}");
        match node.value {
            JsonValue::Array(nodes) => {
                let items: Vec<OutlineValue<'_>> = item.items().unwrap().collect();
                assert_eq!(items.len(), nodes.len(), "{text}");
                pairs.extend(nodes.into_iter().zip(items));
            }
            JsonValue::Object(members) => {
                let items: Vec<_> = item.members().unwrap().collect();
                assert_eq!(items.len(), members.len(), "{text}");
                for (member, (key, value)) in members.into_iter().zip(items) {
                    assert_eq!(
                        (member.key.as_str(), member.span),
                        (key.key(), key.span()),
                        "{text}"
                    );
                    pairs.push((member.value, value));
                }
            }
            JsonValue::String(decoded) => {
                let plain = item.plain_string();
                assert!(plain.is_none_or(|plain| plain == decoded), "{text}");
            }
            _ => assert!(item.items().is_none() && item.members().is_none()),
        }
    }
    true
}

#[test]
fn outlines_are_of_texts_that_are_read() {
    for text in [
        " { \"b\" : [1.0e+2, -0], \"aé\": \"\\ud83d\\ude00\\/\\u00e9\" }\n",
        "\u{feff}[{}, [ ], {\"a\": {}, \"b\": [[]]}, \"0123456789abcdef\", \"0123456\\n\"]",
        "null",
        "-0.5E-7",
    ] {
        assert!(outline_agrees(text), "{text}");
    }
    let many = |again: &str| {
        let keys: Vec<String> = (0..40).map(|at| format!("\"k{at}\": {at}")).collect();
        format!("[{{{}, \"{again}\": 0}}]", keys.join(","))
    };
    assert!(outline_agrees(&many("k40")));
    for text in [
        many("k7").as_str(),
        "{\"a\": 1, \"a\": 2}",
        "{\"\\u0061\": 1, \"a\": 2}",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\u+041\"",
        "nulls",
        "01",
        "1 2",
        "\"abcdefgh\u{1f}\"",
    ] {
        assert!(!outline_agrees(text), "{text}");
    }
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(outline_agrees(&nested(NESTING)));
    assert!(!outline_agrees(&nested(NESTING + 1)));
}

proptest::proptest! {
    #[test]
    fn outlines_of_random_texts(text in "[\\[\\]{}\",:\\\\ entrulfas0-9.é\u{7f}\u{1}+-]{0,14}") {
        outline_agrees(&text);
    }

    #[test]
    fn outlines_of_strings(text in "[a-z\"\\\\\u{7f}\u{80}\u{20ac}\u{1f} ]{0,30}") {
        outline_agrees(&serde_json::json!([text]).to_string());
        outline_agrees(&format!("[\"{text}\"]"));
    }
}
