//! Blocks that can be entered at several states and that end in several ways.
//!
//! In: the bodies of blocks, in which marks stand for entries and ends. Out: [`Ways`], and bodies
//! without marks. A *way* is an entry of a block together with one of its ends: it is called. A
//! machine for each way would hold a copy of the block; so one body serves all ways through it, and
//! a call of a way says where that body is entered, and at which of its ends the call goes on.
//!
//! Marks let blocks pass through the stages before this one as other machines do. The start of a
//! block has a call of the mark of each entry, which leads to the state that is entered, and a
//! state that is an end has a call of its mark.

use super::{Dfa, Machine, MachineId};
use crate::maps::IdMap;

/// What a way consists of, each named by a machine.
#[derive(Clone, Copy, Debug)]
pub struct WayMarks {
    /// What is called.
    pub way: MachineId,
    /// The block.
    pub block: MachineId,
    /// The mark of the entry.
    pub entry: MachineId,
    /// The mark of the end. Two blocks have no end in common.
    pub end: MachineId,
}

/// A way through a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The block.
    pub block: MachineId,
    /// The state of its body that is entered.
    pub start: u32,
    /// The end that the call waits for.
    pub end: MachineId,
}

/// The ways through all blocks.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// Ascending by the machine that is called.
    ways: Vec<(MachineId, Way)>,
    /// The states that are ends, ascending: block, state and end.
    ends: Vec<(MachineId, u32, MachineId)>,
}

impl Ways {
    /// The ways that `marks` describe, and their blocks without marks.
    pub(super) fn take(marks: &[WayMarks], machines: &mut [Machine]) -> Self {
        let mut ways = Ways::default();
        let mut blocks: Vec<MachineId> = marks.iter().map(|of| of.block).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let mut starts: IdMap<MachineId, u32> = IdMap::default();
        for &block in &blocks {
            let body = &machines[block.index()].body;
            starts.extend(body.state(body.start).calls.iter().copied());
        }
        let mut is_mark = vec![false; machines.len()];
        let mut is_end = vec![false; machines.len()];
        for &WayMarks {
            way,
            block,
            entry,
            end,
        } in marks
        {
            is_mark[entry.index()] = true;
            is_mark[end.index()] = true;
            is_end[end.index()] = true;
            if let Some(&start) = starts.get(&entry) {
                ways.ways.push((way, Way { block, start, end }));
            }
            for fake in [way, entry, end] {
                machines[fake.index()].body = Dfa::default();
            }
        }
        for block in blocks {
            let body = &mut machines[block.index()].body;
            for (state, of) in (0..).zip(body.states()) {
                let end = of.calls.iter().find(|call| is_end[call.0.index()]);
                ways.ends.extend(end.map(|&(end, _)| (block, state, end)));
            }
            *body = body.with_calls(|callee| (!is_mark[callee.index()]).then_some(callee));
        }
        ways.ways.sort_unstable_by_key(|way| way.0);
        ways
    }

    /// All of them, with the machines that are called, ascending by these.
    pub fn all(&self) -> &[(MachineId, Way)] {
        &self.ways
    }

    /// The states that are ends, ascending: block, state and end.
    pub fn ends(&self) -> &[(MachineId, u32, MachineId)] {
        &self.ends
    }

    /// The way that a machine stands for.
    pub fn of(&self, machine: MachineId) -> Option<Way> {
        let at = self.ways.binary_search_by_key(&machine, |way| way.0);
        at.ok().map(|at| self.ways[at].1)
    }

    /// The end at a state of a block.
    pub fn end(&self, block: MachineId, state: u32) -> Option<MachineId> {
        let key = (block, state);
        let at = self.ends.binary_search_by_key(&key, |end| (end.0, end.1));
        at.ok().map(|at| self.ends[at].2)
    }
}
