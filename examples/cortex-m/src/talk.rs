//! Decodes text with calls of tools in it on a Cortex-M4, and reads it back as it comes.
//!
//! In: the tokens that a model might choose; `<tool_call>` and `</tool_call>` are tokens of their
//! own. Out, on the host's console: the parts of the output. The run fails if a mask is not what
//! the host computed, if a token is accepted that is not in its mask, or if other calls are read
//! than were written.
#![no_std]
#![no_main]

// This program does not measure.
#[allow(dead_code)]
mod board;
mod hash;
/// The grammar of `tools.json`, compiled by the build script, and what outputs are read by.
mod talk {
    include!(concat!(env!("OUT_DIR"), "/talk.rs"));
}

use board::{print, print_line};
use maskwright::calls::{Part, Reader};
use talk::{TALK, TALK_FORMAT, TalkMatcher};

include!(concat!(env!("OUT_DIR"), "/spoken.rs"));

/// The calls of the text, with their arguments.
const CALLS: [(&str, &str); 2] = [
    ("light", r#"{"room": "hall", "on": true}"#),
    ("timer", r#"{"seconds": 90, "label": "tea </tool_call>"}"#),
];
/// Frames of a matcher.
const DEPTH: usize = 8;
/// The longest output, in bytes.
const LONGEST: usize = 512;

/// A step of the text.
pub struct Step {
    /// What the model chooses.
    token: u32,
    /// A token that is not in the mask.
    refused: u32,
    /// The hash of the mask on the host.
    hash: u32,
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let success = decode() == Some(CALLS.len());
    print(if success { "passed\n" } else { "FAILED\n" });
    board::exit(success)
}

/// Decodes the text; the number of calls that were read, if all was right.
fn decode() -> Option<usize> {
    let mut matcher = TalkMatcher::<DEPTH>::new(&TALK).ok()?;
    let mut reader = Reader::new(&TALK_FORMAT);
    let mut output = Output {
        bytes: [0; LONGEST],
        length: 0,
    };
    let (mut mask, mut calls) = ([0; MASK_WORDS], 0);
    for (step, text) in STEPS.iter().zip(&TEXTS) {
        matcher.mask().fill(&mut mask).ok()?;
        let is_right = hash::fnv1a(&mask) == step.hash;
        let is_refused = matcher.accept_token(step.refused).is_err();
        matcher.accept_token(step.token).ok()?;
        output.push(text)?;
        while let Some(part) = reader.next(output.text()?, matcher.is_finished()) {
            calls += usize::from(tell(part, calls)?);
        }
        (is_right && is_refused).then_some(())?;
    }
    print_line("\ntokens decoded: ", STEPS.len() as u32, "");
    print_line("reader: ", size_of::<Reader<'_>>() as u32, " bytes of RAM");
    matcher.is_finished().then_some(calls)
}

/// Prints a part; whether it is a call. Nothing if it is not the call that was written.
fn tell(part: Part<'_>, calls: usize) -> Option<bool> {
    match part {
        Part::Text(text) | Part::Reasoning(text) => {
            print(text);
            Some(false)
        }
        Part::Call(call) => {
            print("\n[");
            print(call.name());
            print("] ");
            print(call.arguments());
            print("\n");
            let written = (call.name(), call.arguments());
            (CALLS.get(calls) == Some(&written)).then_some(true)
        }
        Part::CutOff(_) => None,
    }
}

/// The output so far.
struct Output {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Output {
    /// Adds a text; nothing if it has no room.
    fn push(&mut self, text: &str) -> Option<()> {
        let free = self.bytes.get_mut(self.length..)?.get_mut(..text.len())?;
        for (to, from) in free.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        self.length += text.len();
        Some(())
    }

    fn text(&self) -> Option<&str> {
        core::str::from_utf8(self.bytes.get(..self.length)?).ok()
    }
}
