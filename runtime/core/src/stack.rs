//! The stacks of a matcher: a state and some frames each.
//!
//! What holds throughout: the first `live` heads are the live stacks, no two of them equal; a stack's first
//! `height` frames are its own, the top last, and what lies above them means nothing.

use core::fmt;

use crate::error::AcceptError;
use crate::layout::state::NEVER;
use crate::step::{self, Stepped};
use crate::tables::Grammar;

/// A stack without its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) state: u32,
    pub(crate) height: u16,
}

/// Up to `STACKS` stacks of up to `DEPTH` frames.
#[derive(Clone, Copy)]
pub(crate) struct Stacks<const DEPTH: usize, const STACKS: usize> {
    heads: [Head; STACKS],
    frames: [[u16; DEPTH]; STACKS],
    live: u16,
}

impl<const DEPTH: usize, const STACKS: usize> Stacks<DEPTH, STACKS> {
    /// No stacks.
    pub(crate) const NONE: Self = {
        assert!(DEPTH <= u16::MAX as usize, "DEPTH is at most 65,535");
        assert!(STACKS <= u16::MAX as usize, "STACKS is at most 65,535");
        Stacks {
            heads: [Head {
                state: 0,
                height: 0,
            }; STACKS],
            frames: [[0; DEPTH]; STACKS],
            live: 0,
        }
    };

    /// One empty stack in `state`.
    pub(crate) fn start(state: u32) -> Self {
        let mut stacks = Self::NONE;
        if let Some(head) = stacks.heads.first_mut() {
            *head = Head { state, height: 0 };
            stacks.live = 1;
        }
        stacks
    }

    /// The heads of the live stacks.
    #[inline]
    pub(crate) fn heads(&self) -> &[Head] {
        self.heads.get(..self.live as usize).unwrap_or(&[])
    }

    /// The frames of all stacks, `DEPTH` for each.
    #[inline]
    pub(crate) fn flattened(&self) -> &[u16] {
        self.frames.as_flattened()
    }

    /// State and frames of each live stack.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u16])> {
        let own = |(head, frames): (&Head, _)| (head.state, own_frames(frames, head.height));
        self.heads().iter().zip(&self.frames).map(own)
    }

    /// Takes one symbol.
    ///
    /// # Errors
    ///
    /// If no stack can take it, or too many stacks come of it. The stacks are then not fit for use.
    #[inline]
    pub(crate) fn step(&mut self, grammar: &Grammar<'_>, class: u32) -> Result<(), AcceptError> {
        if self.live == 1
            && let (Some(head), Some(frames)) = (self.heads.first_mut(), self.frames.first_mut())
        {
            match step::in_place(grammar, head, frames, class) {
                Stepped::Moved => return Ok(()),
                Stepped::Refused => return Err(AcceptError::NotAllowed),
                Stepped::TooDeep => return Err(AcceptError::TooDeep),
                Stepped::Splits => {}
            }
        }
        self.step_all(grammar, class)
    }

    /// Takes one symbol on every stack, with all its alternatives.
    #[inline(never)]
    fn step_all(&mut self, grammar: &Grammar<'_>, class: u32) -> Result<(), AcceptError> {
        let mut next = Self::NONE;
        let mut outcome = Err(AcceptError::NotAllowed);
        for (state, frames) in self.iter() {
            let end = step::each(grammar, state, frames, class, &mut |moved| {
                outcome = match next.add(moved) {
                    Err(AcceptError::TooDeep) if next.live > 0 => Ok(()),
                    other => other,
                };
                outcome == Err(AcceptError::TooManyStacks)
            });
            if end {
                return outcome;
            }
        }
        *self = next;
        outcome
    }

    /// Adds a stack, unless it is there already.
    fn add(&mut self, moved: step::Moved<'_>) -> Result<(), AcceptError> {
        let height = moved.height();
        if height + moved.reserve > DEPTH {
            return Err(AcceptError::TooDeep);
        }
        let is_there = |(state, frames): (u32, &[u16])| {
            state == moved.state
                && frames.len() == height
                && frames
                    .iter()
                    .eq(moved.frames.iter().chain(moved.push.as_ref()))
        };
        if self.iter().any(is_there) {
            return Ok(());
        }
        let at = self.live as usize;
        let (Some(head), Some(frames)) = (self.heads.get_mut(at), self.frames.get_mut(at)) else {
            return Err(AcceptError::TooManyStacks);
        };
        *head = Head {
            state: moved.state,
            height: height as u16,
        };
        frames
            .iter_mut()
            .zip(moved.frames.iter().chain(moved.push.as_ref()))
            .for_each(|(to, from)| *to = *from);
        self.live += 1;
        Ok(())
    }

    /// Drops the stacks that could not be finished, with `DEPTH` frames or at all.
    ///
    /// # Errors
    ///
    /// If none is left: `TooDeep` if more frames would have helped.
    #[inline]
    pub(crate) fn keep_finishable(&mut self, grammar: &Grammar<'_>) -> Result<(), AcceptError> {
        let mut kept = 0;
        let mut refused = AcceptError::NotAllowed;
        for at in 0..self.live as usize {
            let (Some(&head), Some(&frames)) = (self.heads.get(at), self.frames.get(at)) else {
                break;
            };
            let need = grammar.state(head.state).map_or(NEVER, |state| state.need);
            let room = DEPTH - (head.height as usize).min(DEPTH);
            if need == NEVER || need as usize > room {
                if need != NEVER {
                    refused = AcceptError::TooDeep;
                }
                continue;
            }
            if kept < at
                && let (Some(to), Some(to_frames)) =
                    (self.heads.get_mut(kept), self.frames.get_mut(kept))
            {
                (*to, *to_frames) = (head, frames);
            }
            kept += 1;
        }
        self.live = kept as u16;
        if kept == 0 { Err(refused) } else { Ok(()) }
    }
}

/// The first `height` frames.
#[inline]
fn own_frames<const DEPTH: usize>(frames: &[u16; DEPTH], height: u16) -> &[u16] {
    frames.get(..height as usize).unwrap_or(frames)
}

impl<const DEPTH: usize, const STACKS: usize> fmt::Debug for Stacks<DEPTH, STACKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
