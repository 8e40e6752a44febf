//! Runs item sets on concrete stacks, without the edges and frames that `super::build` found: slow,
//! for comparing the levels.

use super::closure::{KnownGotos, Scratch, Unknown, advance};
use super::item::{GotoEntry, Item, Tried};
use super::positions::Positions;
use super::settle::settle;
use crate::automata::ROOT;
use crate::limits::{Deadline, Limits};
use crate::pda::Class;

/// Whether `text` is a sentence.
pub fn accepts(positions: &Positions, text: &[u8]) -> bool {
    let start = Item {
        node: positions.starts[ROOT.index()],
        depth: 0,
        tried: Tried::default(),
    };
    let mut stacks = vec![LrStack {
        items: vec![start],
        frames: vec![],
    }];
    for &byte in text {
        stacks = step(positions, stacks, positions.classes.of(byte));
    }
    !step(positions, stacks, positions.classes.end()).is_empty()
}

/// An item set on the goto maps below it, the top last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LrStack {
    items: Vec<Item>,
    frames: Vec<Vec<GotoEntry>>,
}

impl KnownGotos for LrStack {
    fn frame(&self, depth: u8) -> Result<&[GotoEntry], Unknown> {
        // Below the bottom there is nothing to return to.
        let at = self.frames.len().checked_sub(1 + depth as usize);
        Ok(at.map_or(&[], |at| &self.frames[at]))
    }
}

fn step(positions: &Positions, stacks: Vec<LrStack>, class: Class) -> Vec<LrStack> {
    let mut out = Vec::new();
    let mut pending = stacks;
    let mut scratch = Scratch::default();
    let deadline = Deadline::start(&Limits::default());
    while let Some(stack) = pending.pop() {
        let moved = advance(positions, &stack.items, class, &stack, &mut scratch);
        let Ok(settled) = moved.and_then(|moved| settle(positions, moved, &stack, &deadline))
        else {
            continue;
        };
        for next in settled {
            let mut frames =
                stack.frames[..stack.frames.len().saturating_sub(next.pop as usize)].to_vec();
            if !next.frame.is_empty() {
                frames.push(next.frame);
            }
            let to = LrStack {
                items: next.items,
                frames,
            };
            if next.again {
                pending.push(to)
            } else {
                out.push(to)
            }
        }
    }
    out.sort();
    out.dedup();
    out
}
