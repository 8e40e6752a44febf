//! The decoding: a fixed text, token by token, as a model might choose it.

use core::hint::black_box;

use crate::tool::{MASK_WORDS, MOST_BYTES, STEPS, TOOL, ToolMatcher};
use crate::{board, hash};

/// How deep a call may nest.
const DEPTH: usize = 32;

/// RAM of a matcher.
pub const MATCHER_BYTES: u32 = size_of::<ToolMatcher<DEPTH>>() as u32;
/// RAM of a mask.
pub const MASK_BYTES: u32 = 4 * MASK_WORDS as u32;

const _: () = assert!(
    MATCHER_BYTES <= MOST_BYTES,
    "the matcher has outgrown its aim"
);

/// A step of the text.
pub struct Step {
    /// What the model chooses.
    pub token: u32,
    /// A token that is not in the mask.
    pub refused: u32,
    /// The hash of the mask on the host.
    pub hash: u32,
}

/// What came of the text.
#[derive(Default)]
pub struct Decoded {
    pub tokens: u32,
    pub wrong_masks: u32,
    pub refused: u32,
    finished: bool,
}

impl Decoded {
    /// Whether everything is as it should be.
    pub fn is_right(&self) -> bool {
        let steps = STEPS.len() as u32;
        self.finished && self.tokens == steps && self.refused == steps && self.wrong_masks == 0
    }
}

/// Decodes the text, and compares each mask with the host's.
pub fn check() -> Decoded {
    let mut decoded = Decoded::default();
    let Ok(mut matcher) = ToolMatcher::<DEPTH>::new(&TOOL) else {
        return decoded;
    };
    let mut mask = [0; MASK_WORDS];
    for step in &STEPS {
        let filled = matcher.mask().fill(&mut mask).is_ok();
        decoded.wrong_masks += !(filled && hash::fnv1a(&mask) == step.hash) as u32;
        decoded.refused += matcher.accept_token(step.refused).is_err() as u32;
        decoded.tokens += matcher.accept_token(step.token).is_ok() as u32;
    }
    decoded.finished = matcher.is_finished();
    decoded
}

/// Instructions, over all steps of the text.
#[derive(Default)]
pub struct Cost {
    pub mean: u32,
    pub most: u32,
}

/// What `fill` and `accept_token` cost. Each is repeated as often as a tick has instructions, so
/// that the ticks are instructions.
pub fn measure() -> (Cost, Cost) {
    let (mut fill, mut accept) = (Cost::default(), Cost::default());
    let Ok(mut matcher) = ToolMatcher::<DEPTH>::new(&TOOL) else {
        return (fill, accept);
    };
    let mut mask = [0; MASK_WORDS];
    for step in &STEPS {
        fill.add(board::ticks(|| {
            for _ in 0..board::INSTRUCTIONS_PER_TICK {
                let _ = black_box(&matcher).mask().fill(black_box(&mut mask));
            }
        }));
        accept.add(board::ticks(|| {
            for _ in 0..board::INSTRUCTIONS_PER_TICK {
                let _ = black_box(matcher).accept_token(black_box(step.token));
            }
        }));
        let _ = matcher.accept_token(step.token);
    }
    fill.mean /= STEPS.len() as u32;
    accept.mean /= STEPS.len() as u32;
    (fill, accept)
}

impl Cost {
    /// Adds a step; `mean` is the sum until the end.
    fn add(&mut self, instructions: u32) {
        self.mean += instructions;
        self.most = self.most.max(instructions);
    }
}
