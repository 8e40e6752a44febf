//! Known frames: those that a walk has pushed or looked at, on top of a stack that is unknown below
//! them.
//!
//! Small immutable stacks, equal ones once. A frame that the walk pushed reserves room above it. A
//! frame that it only looked at does not: the matcher checked that when it pushed the frame.

use crate::maps::IdMap;

use crate::id::id;
use crate::pda::{BOTTOM, FrameId};

id! {
    /// Index of some known frames.
    pub struct KnownId;
}

impl KnownId {
    /// No frame is known.
    pub const NONE: KnownId = KnownId::new(0);
}

/// All stacks of known frames that occur.
#[derive(Debug)]
pub struct KnownFrames {
    stacks: Vec<KnownStack>,
    ids: IdMap<(FrameId, u8, KnownId), KnownId>,
}

#[derive(Clone, Copy, Debug)]
struct KnownStack {
    top: FrameId,
    /// The number of frames that must fit above the top one.
    reserve: u8,
    rest: KnownId,
    len: u16,
    /// The greatest height that some frame asks for: its own, and what it reserves.
    reserved: i16,
    bottom: FrameId,
}

impl KnownFrames {
    /// Only the empty stack.
    pub fn new() -> Self {
        KnownFrames {
            stacks: vec![KnownStack {
                top: BOTTOM,
                reserve: 0,
                rest: KnownId::NONE,
                len: 0,
                reserved: 0,
                bottom: BOTTOM,
            }],
            ids: IdMap::default(),
        }
    }

    /// Number of frames.
    pub fn len(&self, known: KnownId) -> u16 {
        self.stacks[known.index()].len
    }

    /// The height that the stack needs: its own, or more where its frames reserve it.
    pub fn reserved(&self, known: KnownId) -> i16 {
        self.stacks[known.index()].reserved
    }

    /// The lowest frame, if any.
    pub fn bottom(&self, known: KnownId) -> Option<FrameId> {
        let node = self.stacks[known.index()];
        (node.len > 0).then_some(node.bottom)
    }

    /// The frame at `depth` from the top, if there is one.
    pub fn get(&self, mut known: KnownId, depth: u8) -> Option<FrameId> {
        if depth as u16 >= self.len(known) {
            return None;
        }
        for _ in 0..depth {
            known = self.stacks[known.index()].rest;
        }
        Some(self.stacks[known.index()].top)
    }

    /// The stack with `frame` on top, above which `reserve` frames more must fit.
    pub fn push(&mut self, known: KnownId, frame: FrameId, reserve: u8) -> KnownId {
        if let Some(&id) = self.ids.get(&(frame, reserve, known)) {
            return id;
        }
        let id = KnownId::at(self.stacks.len());
        let below = self.stacks[known.index()];
        let bottom = if below.len == 0 { frame } else { below.bottom };
        self.stacks.push(KnownStack {
            top: frame,
            reserve,
            rest: known,
            len: below.len + 1,
            reserved: below
                .reserved
                .max(below.len as i16 + 1 + i16::from(reserve)),
            bottom,
        });
        self.ids.insert((frame, reserve, known), id);
        id
    }

    /// The stack without its top `count` frames, if it has as many.
    pub fn pop(&self, mut known: KnownId, count: u8) -> Option<KnownId> {
        if count as u16 > self.len(known) {
            return None;
        }
        for _ in 0..count {
            known = self.stacks[known.index()].rest;
        }
        Some(known)
    }

    /// The frames of `upper` on top of those of `lower`. Takes time linear in the number of frames
    /// that one token pushes.
    pub fn on(&mut self, upper: KnownId, lower: KnownId) -> KnownId {
        let mut frames = Vec::new();
        let mut at = upper;
        while self.len(at) > 0 {
            let KnownStack {
                top, reserve, rest, ..
            } = self.stacks[at.index()];
            frames.push((top, reserve));
            at = rest;
        }
        let frames = frames.into_iter().rev();
        frames.fold(lower, |known, (frame, reserve)| {
            self.push(known, frame, reserve)
        })
    }

    /// The stack with each frame replaced.
    pub fn map(&mut self, known: KnownId, to: &mut impl FnMut(FrameId) -> FrameId) -> KnownId {
        let node = self.stacks[known.index()];
        if node.len == 0 {
            return known;
        }
        let rest = self.map(node.rest, to);
        self.push(rest, to(node.top), node.reserve)
    }

    /// The stack with `frame`, which was there before the walk, under its lowest frame.
    pub fn push_under(&mut self, known: KnownId, frame: FrameId) -> KnownId {
        let node = self.stacks[known.index()];
        if node.len == 0 {
            return self.push(KnownId::NONE, frame, 0);
        }
        let rest = self.push_under(node.rest, frame);
        self.push(rest, node.top, node.reserve)
    }
}
