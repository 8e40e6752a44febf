//! The time to take an output apart grows with its length, whatever a model was made to write.
//!
//! A text is the beginning of a call, and then some part of the call again and again: delimiters
//! that nothing closes, names without an end, brackets that nest. It is read as a whole, and as it
//! grows. An output of eight times the length takes about eight times as long; where each byte is
//! read again for each delimiter before it, it takes 64 times as long.

use crate::outputs::OUTPUTS;
use crate::{TOOLS, read};
use maskwright::calls::{CallFormat, Part, Reader};
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_tests::effort;
use maskwright_tests::random::Random;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Bytes of the shorter text, and of the longer one.
const LENGTHS: [usize; 2] = [1 << 10, 8 << 10];
/// How many times as long the longer one may take, and the least time that is compared.
const MOST: u32 = 24;
const SHORT: Duration = Duration::from_millis(2);
/// Bytes by which a text grows.
const STEP: usize = 16;

fn processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A beginning, and a part of it again and again.
fn text(begin: &str, again: &str, length: usize) -> String {
    let mut text = begin.to_owned() + &again.repeat(length / again.len().max(1) + 1);
    while !text.is_char_boundary(length.min(text.len())) {
        text.push(' ');
    }
    text
}

/// Takes a text apart, and reads the arguments of its calls.
fn take_apart(format: &CallFormat<'_>, text: &str) -> Duration {
    let start = processor();
    for part in format.parts(text) {
        if let Part::Call(call) = part {
            // It may be none of the style.
            let _ = format.to_json(&call);
        }
    }
    processor() - start
}

/// Takes a text apart while it grows.
fn grow(format: &CallFormat<'_>, text: &str) -> Duration {
    let start = processor();
    let mut reader = Reader::new(format);
    let ends = (STEP..text.len()).step_by(STEP);
    for end in ends.filter(|&end| text.is_char_boundary(end)) {
        while reader.next(&text[..end], false).is_some() {}
    }
    while reader.next(text, true).is_some() {}
    processor() - start
}

#[test]
fn outputs_of_all_formats_are_taken_apart_in_linear_time() {
    let count = if effort::is_full() { 40 } else { 3 };
    let mut random = Random::new(47);
    let mut slow = Vec::new();
    for output in OUTPUTS {
        let tools = read(TOOLS, ToolOptions::format(output.format)).unwrap();
        let calls = tools.calls.unwrap();
        for at in 0..count {
            // The first texts are whole calls again and again, and what begins one.
            let cut = |random: &mut Random| {
                let at = random.below(output.one.len() + 1);
                (0..=at).rev().find(|&at| output.one.is_char_boundary(at))
            };
            let (one, other) = match at {
                0 => (0, output.one.len()),
                _ => (cut(&mut random).unwrap_or(0), cut(&mut random).unwrap_or(0)),
            };
            let (from, to) = (one.min(other), one.max(other));
            let begin = &output.one[..if at % 2 == 0 { from } else { 0 }];
            let again = &output.one[from..to];
            if again.is_empty() {
                continue;
            }
            let texts = LENGTHS.map(|length| text(begin, again, length));
            calls.with_format(|format| {
                for take in [take_apart, grow] {
                    let [short, long] = texts.each_ref().map(|text| take(format, text));
                    if long > MOST * short.max(SHORT) {
                        slow.push(format!(
                            "{}: {begin:?}, then {again:?}: {short:?}, {long:?}",
                            output.format
                        ));
                    }
                }
            });
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
