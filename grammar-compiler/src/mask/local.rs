//! Frames that a walk has pushed or looked at: small immutable stacks, equal ones once. Pushed frames reserve room above them; frames that
//! were only looked at do not, since the matcher checked that when it pushed them.

use rustc_hash::FxHashMap as HashMap;

use crate::pda::FrameId;

/// Index of a stack in [`Locals`]; 0 is the empty one.
pub type LocalId = u32;

/// All stacks of a walk.
#[derive(Debug)]
pub struct Locals {
    nodes: Vec<Local>,
    ids: HashMap<(FrameId, u8, LocalId), LocalId>,
}

#[derive(Clone, Copy, Debug)]
struct Local {
    top: FrameId,
    /// Frames that must fit above the top one.
    reserve: u8,
    rest: LocalId,
    len: u16,
    /// The greatest height that some frame asks for: its own and what it reserves.
    reserved: i16,
    bottom: FrameId,
}

impl Locals {
    /// Only the empty stack.
    pub fn new() -> Self {
        Locals {
            nodes: vec![Local {
                top: 0,
                reserve: 0,
                rest: 0,
                len: 0,
                reserved: 0,
                bottom: 0,
            }],
            ids: HashMap::default(),
        }
    }

    /// Number of frames.
    pub fn len(&self, local: LocalId) -> u16 {
        self.nodes[local as usize].len
    }

    /// The height that must be there for the stack: its own, or more where its frames reserve it.
    pub fn reserved(&self, local: LocalId) -> i16 {
        self.nodes[local as usize].reserved
    }

    /// The lowest frame, if any.
    pub fn bottom(&self, local: LocalId) -> Option<FrameId> {
        let node = self.nodes[local as usize];
        (node.len > 0).then_some(node.bottom)
    }

    /// The frame at `depth` from the top, if there is one.
    pub fn get(&self, mut local: LocalId, depth: u8) -> Option<FrameId> {
        if depth as u16 >= self.len(local) {
            return None;
        }
        for _ in 0..depth {
            local = self.nodes[local as usize].rest;
        }
        Some(self.nodes[local as usize].top)
    }

    /// The stack with `frame` on top, above which `reserve` more must fit.
    pub fn push(&mut self, local: LocalId, frame: FrameId, reserve: u8) -> LocalId {
        if let Some(&id) = self.ids.get(&(frame, reserve, local)) {
            return id;
        }
        let id = self.nodes.len() as LocalId;
        let below = self.nodes[local as usize];
        let bottom = if below.len == 0 { frame } else { below.bottom };
        self.nodes.push(Local {
            top: frame,
            reserve,
            rest: local,
            len: below.len + 1,
            reserved: below
                .reserved
                .max(below.len as i16 + 1 + i16::from(reserve)),
            bottom,
        });
        self.ids.insert((frame, reserve, local), id);
        id
    }

    /// The stack without its top `count` frames, if it has so many.
    pub fn pop(&self, mut local: LocalId, count: u8) -> Option<LocalId> {
        if count as u16 > self.len(local) {
            return None;
        }
        for _ in 0..count {
            local = self.nodes[local as usize].rest;
        }
        Some(local)
    }

    /// The frames of `upper` on top of those of `lower`; as many frames as one token pushes.
    pub fn on(&mut self, upper: LocalId, lower: LocalId) -> LocalId {
        let mut frames = Vec::new();
        let mut at = upper;
        while self.len(at) > 0 {
            let Local {
                top, reserve, rest, ..
            } = self.nodes[at as usize];
            frames.push((top, reserve));
            at = rest;
        }
        let frames = frames.into_iter().rev();
        frames.fold(lower, |local, (frame, reserve)| {
            self.push(local, frame, reserve)
        })
    }

    /// The stack with other frames.
    pub fn map(&mut self, local: LocalId, to: &mut impl FnMut(FrameId) -> FrameId) -> LocalId {
        let node = self.nodes[local as usize];
        if node.len == 0 {
            return local;
        }
        let rest = self.map(node.rest, to);
        self.push(rest, to(node.top), node.reserve)
    }

    /// The stack with `frame`, which was there before the walk, under its lowest frame.
    pub fn push_under(&mut self, local: LocalId, frame: FrameId) -> LocalId {
        let node = self.nodes[local as usize];
        if node.len == 0 {
            return self.push(0, frame, 0);
        }
        let rest = self.push_under(node.rest, frame);
        self.push(rest, node.top, node.reserve)
    }
}
