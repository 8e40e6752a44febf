//! Long outputs are taken apart in time proportional to their length: `MASKWRIGHT_LONG=1` measures
//! the time of the processor, for some minutes.

use crate::outputs::{OUTPUTS, Output};
use crate::{TOOLS, read};
use maskwright::calls::{CallFormat, Part, Reader};
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_tests::effort;
use std::time::Duration;

/// Bytes of the shorter text; the longer one has [`TIMES`] as many.
const LENGTH: usize = 1 << 15;
const TIMES: usize = 8;
/// The longer text may take this many times as long. Where each byte is read again with the next
/// one, it takes the square of `TIMES`.
const AT_MOST: u32 = 3 * TIMES as u32;
/// Times below this are those of the machine.
const NOTHING: Duration = Duration::from_millis(2);

/// What is repeated: whole outputs, outputs that are cut off anywhere, and what opens things.
fn pieces(output: &Output) -> Vec<String> {
    let of = output.one;
    let cuts = of.char_indices().map(|(at, _)| &of[..at]);
    let opened = ["{", "[", "\"", "\\", "<", "{\"a\":", "\n", " ", "f"];
    let inside = of.find('x').map(|at| &of[..at]);
    let after = opened.map(|piece| format!("{}{piece}", inside.unwrap_or(of)));
    let all = cuts.chain([of, output.two, output.reasoning]).chain(opened);
    let all = all.map(str::to_owned).chain(after);
    all.filter(|piece| !piece.is_empty()).collect()
}

/// The piece repeated to about this length; or all of it once, and then its last character.
fn texts(piece: &str, length: usize) -> [String; 2] {
    let last = piece.chars().next_back().unwrap_or(' ');
    let tail = last.to_string().repeat(length / last.len_utf8());
    [
        piece.repeat(length.div_ceil(piece.len())),
        format!("{piece}{tail}"),
    ]
}

/// The bytes of the parts of a text: as a whole, or as it grows by some bytes.
fn taken_apart(format: &CallFormat<'_>, text: &str, grows: bool) -> usize {
    let length = |part: Part<'_>| match part {
        Part::Text(text) | Part::Reasoning(text) => text.len(),
        Part::Call(call) => call.arguments().len(),
        Part::CutOff(begun) => begun.arguments().map_or(0, str::len),
    };
    if !grows {
        return format.parts(text).map(length).sum();
    }
    let mut reader = Reader::new(format);
    let mut sum = 0;
    let mut to = 0;
    while to < text.len() {
        let ends = to + 64..=text.len();
        to = (ends.into_iter())
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(text.len());
        while let Some(part) = reader.next(&text[..to], to == text.len()) {
            sum += length(part);
        }
    }
    sum
}

#[test]
fn long_outputs_take_time_in_proportion() {
    let mut slow = Vec::new();
    for output in OUTPUTS {
        let parsed = read(TOOLS, ToolOptions::format(output.format)).unwrap();
        parsed.calls.as_ref().unwrap().with_format(|format| {
            for piece in pieces(output) {
                for grows in [false, true] {
                    slow.extend(check(format, &piece, grows).map(|what| {
                        format!("{}, {piece:?}, grows: {grows}: {what}", output.format)
                    }));
                }
            }
        });
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

/// What takes too long, if anything does.
fn check(format: &CallFormat<'_>, piece: &str, grows: bool) -> Option<String> {
    let take_apart = |text: &str| assert!(taken_apart(format, text, grows) <= text.len());
    if !effort::is_long() {
        texts(piece, 1 << 8)
            .iter()
            .for_each(|text| take_apart(text));
        return None;
    }
    let took = |text: &str| {
        let before = effort::processor();
        take_apart(text);
        effort::processor() - before
    };
    // What others do beside it counts little: of three times the shortest is taken.
    let least = |text: &str| (0..3).map(|_| took(text)).min().unwrap_or_default();
    let (short, long) = (texts(piece, LENGTH), texts(piece, LENGTH * TIMES));
    short.iter().zip(&long).find_map(|(short, long)| {
        let (short, long) = (least(short), least(long));
        (long > AT_MOST * short.max(NOTHING / TIMES as u32))
            .then(|| format!("{short:?} and {long:?}"))
    })
}
