//! Texts that grow.

use crate::formats::*;
use crate::texts::CASES;
use crate::{parts, shown};
use maskwright_core::calls::{CallFormat, Open, Part, Reader};

/// Numbers that look random (a linear congruence).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// The parts of a text that grows to each of some lengths. Checks what is said of it meanwhile.
pub fn grown(
    format: &CallFormat<'_>,
    text: &str,
    ends: impl Iterator<Item = usize>,
) -> Vec<String> {
    let mut reader = Reader::new(format);
    let mut all = Vec::new();
    let mut at = reader.at();
    for end in ends {
        let so_far = &text[..end];
        while let Some(part) = reader.next(so_far, false) {
            assert!(
                !matches!(part, Part::CutOff(_)),
                "{part:?} of a text that grows: {text}"
            );
            // Those that borrow from the shorter text.
            all.push(part);
        }
        assert!(reader.at() >= at && reader.at() <= end, "{text}");
        at = reader.at();
        if let Open::Call(begun) = reader.open(so_far) {
            assert!(begun.at() >= at && so_far.ends_with(begun.text()), "{text}");
        }
    }
    while let Some(part) = reader.next(text, true) {
        all.push(part);
    }
    assert_eq!(reader.next(text, true), None);
    shown(&all)
}

pub fn bounds(text: &str) -> impl Iterator<Item = usize> {
    (0..=text.len()).filter(|&end| text.is_char_boundary(end))
}

#[test]
fn what_grows_byte_by_byte_has_the_parts_of_the_whole() {
    for (format, text, expected) in CASES {
        assert_eq!(grown(format, text, bounds(text)), *expected, "{text}");
    }
}

#[test]
fn every_prefix_has_the_same_parts_however_it_grew() {
    let mut random = Random(1);
    for (format, text, _) in CASES {
        for end in bounds(text) {
            let prefix = &text[..end];
            let whole = parts(format, prefix);
            assert_eq!(grown(format, prefix, bounds(prefix)), whole, "{prefix}");
            let step = 1 + random.below(9);
            let some = bounds(prefix).filter(|_| random.below(step) == 0);
            assert_eq!(grown(format, prefix, some), whole, "{prefix}");
        }
    }
}

#[test]
fn calls_and_texts_come_as_early_as_they_can() {
    let mut reader = Reader::new(&QWEN_3_THINKS);
    let text =
        "ab</think>\n\nyes<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"\"}}</tool_call>!";
    let mut at = Vec::new();
    for end in bounds(text) {
        while let Some(part) = reader.next(&text[..end], false) {
            at.push((end, shown(&[part]).join("")));
        }
    }
    let expected = [
        (1, "reasoning: a"),
        (2, "reasoning: b"),
        (13, "text: y"),
        (14, "text: e"),
        (15, "text: s"),
        (text.len() - 1, "call: f {\"a\": \"\"}"),
        (text.len(), "text: !"),
    ];
    let at: Vec<_> = at.iter().map(|(end, part)| (*end, part.as_str())).collect();
    assert_eq!(at, expected);
}

#[test]
fn what_is_being_written_is_told() {
    let text = "a</think>b<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|><|tool_calls_section_end|>c";
    let mut reader = Reader::new(&KIMI_K2);
    let mut told: Vec<String> = Vec::new();
    for end in bounds(text) {
        let so_far = &text[..end];
        while reader.next(so_far, false).is_some() {}
        let open = match reader.open(so_far) {
            Open::Call(begun) => format!("{:?} {:?}", begun.name(), begun.arguments()),
            other => format!("{other:?}"),
        };
        if told.last() != Some(&open) {
            told.push(open);
        }
    }
    let expected = [
        "Nothing",
        "Reasoning",
        "Text",
        "None None",
        "Some(\"f\") None",
        "Some(\"f\") Some(\"\")",
        "Some(\"f\") Some(\"{\")",
        "Some(\"f\") Some(\"{\\\"\")",
        "Some(\"f\") Some(\"{\\\"a\")",
        "Some(\"f\") Some(\"{\\\"a\\\"\")",
        "Some(\"f\") Some(\"{\\\"a\\\":\")",
        "Some(\"f\") Some(\"{\\\"a\\\": \")",
        "Some(\"f\") Some(\"{\\\"a\\\": 1\")",
        "Some(\"f\") Some(\"{\\\"a\\\": 1}\")",
        "Nothing",
        "Text",
    ];
    assert_eq!(told, expected);
}

/// Texts of what formats write, in any order.
#[test]
fn texts_that_no_grammar_allows_are_read_without_end_or_panic() {
    let formats = CASES.iter().map(|(format, ..)| *format);
    let mut formats: Vec<CallFormat<'_>> = formats.collect();
    let shortest = CallFormat {
        triggers: &["f", "<"],
        calls: MISTRAL.calls,
        ..PYTHONIC
    };
    let empty = CallFormat {
        calls: &[&[]],
        triggers: &["", " "],
        separator: "",
        sections: &[maskwright_core::calls::Section { begin: "", end: "" }],
        ..QWEN_3
    };
    for layout in [
        QWEN_3.layout,
        PYTHONIC.layout,
        KIMI_K3.layout,
        HARMONY.layout,
    ] {
        formats.push(CallFormat { layout, ..shortest });
        formats.push(CallFormat { layout, ..empty });
        formats.push(CallFormat { layout, ..KIMI_K2 });
    }
    let mut random = Random(20);
    for _ in 0..6_000 {
        let format = formats[random.below(formats.len())];
        let (_, source, _) = CASES[random.below(CASES.len())];
        let mut text = String::new();
        for _ in 0..random.below(12) {
            let from = match random.below(4) {
                0 => CASES[random.below(CASES.len())].1,
                _ => source,
            };
            let all: Vec<usize> = bounds(from).collect();
            let (a, b) = (random.below(all.len()), random.below(all.len()));
            let end = match random.below(2) {
                0 => b,
                _ => a.saturating_add(3).min(all.len() - 1),
            };
            text.push_str(from.get(all[a]..all[end]).unwrap_or(" \n"));
        }
        let whole = parts(&format, &text);
        assert_eq!(
            grown(&format, &text, bounds(&text)),
            whole,
            "{format:?} {text}"
        );
        // A text that is not the one of the call before.
        let mut reader = Reader::new(&format);
        for _ in 0..20 {
            let (_, other, _) = CASES[random.below(CASES.len())];
            for _ in 0..50 {
                if reader.next(other, random.below(9) == 0).is_none() {
                    break;
                }
            }
            let _ = reader.open(other);
        }
    }
}

/// Each of these texts is read within a bound on the work that a quadratic reader would exceed by
/// far: a megabyte of beginnings.
#[test]
fn long_texts_take_time_in_proportion() {
    let repeated: [(CallFormat<'_>, &str, &str); 8] = [
        (GEMMA_4, "<|tool_call>call:f{a:<|\"|>", "<|\"|>}!"),
        (
            DEEPSEEK_V3_2,
            "<｜DSML｜function_calls><｜DSML｜invoke name=\"f\"><｜DSML｜parameter name=\"",
            "\" string=\"is",
        ),
        (QWEN_3, "<tool_call>\n", ""),
        (
            QWEN_3,
            "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"",
            "\"}}!",
        ),
        (GLM_4_7, "<tool_call>f<arg_key>", "</arg_key>!"),
        (
            QWEN_3_CODER,
            "</think><tool_call><function=f><parameter=a>",
            "</parameter>!",
        ),
        (
            KIMI_K2,
            "</think><|tool_calls_section_begin|><|tool_call_begin|>functions.f",
            "!",
        ),
        (MISTRAL, "[TOOL_CALLS]f", "{}"),
    ];
    for (format, piece, end) in repeated {
        let text = piece.repeat(1_000_000 / piece.len()) + end;
        let begin = std::time::Instant::now();
        let count = format.parts(&text).count();
        assert!(count > 0);
        // In steps of 16 bytes.
        let mut reader = Reader::new(&format);
        for end in (0..text.len()).step_by(16) {
            while reader.next(&text[..end], false).is_some() {}
        }
        let taken = begin.elapsed();
        assert!(taken.as_secs() < 10, "{piece}: {taken:?}");
    }
}
