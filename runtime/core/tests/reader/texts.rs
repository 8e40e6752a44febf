//! Finished texts of each format.

mod cases;

pub use cases::CASES;

use crate::formats::*;
use crate::parts;
use maskwright_core::calls::{CallFormat, Part};
#[cfg(feature = "alloc")]
use maskwright_core::{calls::Tool, style::ValueKinds};

/// A format, a text, and its parts.
type Case<'c> = (CallFormat<'static>, &'c str, &'c [&'c str]);

#[test]
fn texts_are_taken_apart() {
    for (format, text, expected) in CASES {
        assert_eq!(parts(format, text), *expected, "{text}");
    }
}

#[test]
fn places_of_a_call_are_bytes_of_the_text() {
    let text = "é<tool_call>{\"name\": \"f\", \"arguments\":  {\"a\": 1}}\n</tool_call>é";
    let all: Vec<_> = QWEN_3.parts(text).collect();
    let [Part::Text("é"), Part::Call(call), Part::Text("é")] = all[..] else {
        panic!("{all:?}");
    };
    assert_eq!(&text[call.at()], &text[2..text.len() - 2]);
    assert_eq!(&text[call.name_at()], "f");
    assert_eq!(&text[call.arguments_at()], r#"{"a": 1}"#);
    assert!(QWEN_3.elements(&call).is_none() && call.is_closed());
}

#[test]
#[cfg(feature = "alloc")]
fn arguments_are_json_whatever_the_style() {
    let all = CASES.iter().flat_map(|(format, text, _)| {
        let parts = format.parts(text);
        parts.map(move |part| (format, part))
    });
    let calls = all.filter_map(|(format, part)| match part {
        Part::Call(call) => Some((format, call)),
        _ => None,
    });
    let json: Vec<_> = calls.map(|(format, call)| format.to_json(&call)).collect();
    for expected in [
        r#"{"a":"x"}"#,
        r#"{"a":"}</tool_call>\""}"#,
        r#"{"a":"x)]","b":[1,{}]}"#,
        r#"{"a":"\"')"}"#,
        r#"{"a":"}<tool_call|>","n":42}"#,
        r#"{"a":"x</function></b>","b":3}"#,
        r#"{"a":"x</｜DSML｜invoke>"}"#,
        r#"{"a":"</tool_call>","b":1}"#,
        r#"{"a":["</cofl:tool_call>",{"b":1}]}"#,
        r#"{"a":"<|close|>call<|sep|>"}"#,
        r#"{"a":"x","b":[1]}"#,
        "{}",
    ] {
        assert!(json.contains(&Ok(expected.into())), "{expected}: {json:?}");
    }
    assert!(json.iter().all(Result::is_ok), "{json:?}");
    let text = "</think><tool_call><function=f><parameter=a>1</parameter></function></tool_call>";
    let Some(Part::Call(call)) = QWEN_3_CODER.parts(text).next() else {
        panic!("no call");
    };
    let of = |format: &CallFormat<'_>| format.to_json(&call);
    assert_eq!(of(&QWEN_3_CODER).as_deref(), Ok(r#"{"a":1}"#));
    // The schema says that it is a string.
    let known = CallFormat {
        tools: &[Tool {
            name: "f",
            values: &[
                ValueKinds {
                    kinds: ValueKinds::OBJECT,
                    members: &[("a", 1)],
                    ..NOTHING_KNOWN
                },
                ValueKinds {
                    kinds: ValueKinds::STRING,
                    ..NOTHING_KNOWN
                },
            ],
        }],
        ..QWEN_3_CODER
    };
    assert_eq!(of(&known).as_deref(), Ok(r#"{"a":"1"}"#));
    assert_eq!(
        (known.tool(&call), QWEN_3_CODER.tool(&call)),
        (Some(0), None)
    );
    assert_eq!(QWEN_3_CODER.elements(&call).map(Iterator::count), Some(1));
}

/// A value without any bits.
const NOTHING_KNOWN: ValueKinds<'static> = ValueKinds {
    kinds: 0,
    numbers: &[],
    members: &[],
    required: &[],
    others: ValueKinds::ANY,
    items: ValueKinds::ANY,
};

#[test]
fn names_that_are_not_read_back_are_known() {
    for (name, by_qwen, by_kimi) in [
        ("f", true, true),
        ("a.b/c-d_é", true, true),
        ("a:b", true, false),
        (":a", true, true),
        ("a:", true, false),
        ("a b", false, false),
        ("a\"", false, false),
        ("", false, false),
    ] {
        let can = (QWEN_3.reads_name(name), KIMI_K2.reads_name(name));
        assert_eq!(can, (by_qwen, by_kimi), "{name:?}");
        let text = format!(
            "</think><|tool_calls_section_begin|><|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{{}}<|tool_call_end|><|tool_calls_section_end|>"
        );
        let is_read = KIMI_K2.parts(&text).any(
            |part| matches!(part, Part::Call(call) if call.name() == name && call.id() == Some("0")),
        );
        assert_eq!(is_read, by_kimi, "{name:?}");
    }
}
