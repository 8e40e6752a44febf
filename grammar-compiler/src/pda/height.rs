//! How high a stack can become, whatever the text.
//!
//! In: a [`Pda`] and the [`Network`] that it comes from. Out: its [`Height`]: the number of frames
//! that is enough for every text, or what one more level of nesting costs where there is no such
//! number.
//!
//! The frames of a [`Pda`] are a graph: from each frame to those that can lie right on it, which
//! [`Pda::under`] says. A stack is a path in it that begins at the bottom. If no cycle can be
//! reached from the bottom, the longest path bounds every stack. A cycle is recursion if machines
//! of the network call each other in a circle: its frames can be pushed again and again. A cycle
//! without recursion means only that one frame is used in several ways, which nested counts do.
//! Then `entries` distinguishes the uses, by the states that are pushed with them; if that is too
//! much work, the longest chain of calls is the bound.
//!
//! Where readings share no stack, edges leave open what lies below the top frame, so [`Pda::under`]
//! holds more than stacks do. Then `entries` comes first.
//!
//! This analysis looks only at frames near the top, so the height is an upper bound. For every
//! grammar and schema of the tests some stack reaches it (`tests/tests/heights.rs`). Where a text
//! has several readings, another one may stay lower.

mod entries;

use std::collections::VecDeque;
use std::fmt;

use super::MAX_SPREAD;
use super::{BOTTOM, Pda};
use crate::automata::{Network, ROOT};
use crate::error::{Code, Diagnostic};
use crate::limits::{Deadline, LimitExceeded};

/// How many frames the texts of a grammar need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Height {
    /// No text needs more frames than this: a matcher with this `DEPTH` refuses no text for its
    /// depth.
    AtMost(usize),
    /// Texts that nest deeper need more, without end.
    Grows {
        /// The least number of frames that one more level of nesting takes, where a level is one
        /// round of recursion: the frames on the shortest cycle of frames that can lie on each
        /// other.
        by: usize,
    },
}

impl Height {
    /// The number of frames that is enough for every text, if there is one.
    pub fn at_most(self) -> Option<usize> {
        match self {
            Height::AtMost(frames) => Some(frames),
            Height::Grows { .. } => None,
        }
    }

    /// The frames that one more level of nesting takes at least, if nesting has no end.
    pub fn grows_by(self) -> Option<usize> {
        match self {
            Height::AtMost(_) => None,
            Height::Grows { by } => Some(by),
        }
    }
}

impl fmt::Display for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Height::AtMost(frames) => write!(f, "no text needs more than {frames}"),
            Height::Grows { by } => write!(f, "grows with nesting, by {by} a level"),
        }
    }
}

/// The greatest `DEPTH` that a matcher can have.
pub const MAX_DEPTH: usize = u16::MAX as usize;

/// What is known of the `DEPTH` that a grammar's matchers need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Depths {
    /// The least with which some text can be finished.
    pub least: usize,
    /// What is enough for every text, or what one more level of nesting takes.
    pub height: Height,
}

impl Depths {
    /// Refuses a depth that no matcher can have, and one with which no text can be finished.
    ///
    /// # Errors
    ///
    /// If `depth` is 0, above [`MAX_DEPTH`] or below [`least`](Self::least). The error says the
    /// least, and what more is good for.
    pub fn check(self, depth: usize) -> Result<(), Diagnostic> {
        let Depths { least, height } = self;
        let wrong = |message: String| Diagnostic::error(Code::WrongDepth, message);
        if !(1..=MAX_DEPTH).contains(&depth) {
            let message =
                format!("a depth of {depth}: a matcher has room for 1 to {MAX_DEPTH} frames");
            return Err(wrong(message).help(format!(
                "the least depth of this grammar is {}; {height}",
                least.max(1)
            )));
        }
        if depth < least {
            let message = format!(
                "a depth of {depth} is too small: no text can be finished with fewer than {least} frames"
            );
            return Err(wrong(message).help(format!("give {least} or more; {height}")));
        }
        Ok(())
    }
}

impl fmt::Display for Depths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at least {}; {}", self.least, self.height)
    }
}

/// What an automaton was made from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The machines of the grammar.
    pub network: &'a Network,
    /// Whether they are over terminals.
    pub has_lexer: bool,
    /// Whether [`Pda::under`] holds no frame that no stack has there.
    pub is_under_exact: bool,
}

/// The height of the stacks of `pda`. Takes a step for each pair of frames of which one can lie on
/// the other; with recursion, at most as many again for each frame that takes part in it.
///
/// # Errors
///
/// If the deadline passes.
pub fn height(pda: &Pda, origin: Origin<'_>, deadline: &Deadline) -> Result<Height, LimitExceeded> {
    let mut frames = frames(pda);
    if let Some(longest) = frames.longest_path() {
        return Ok(Height::AtMost(longest));
    }
    if !origin.is_under_exact
        && let Some(entries) = entries::calls(pda, deadline)?
    {
        return FrameGraph::new(entries).height(deadline);
    }
    let Some(calls) = calls(origin.network).longest_path() else {
        let by = frames.shortest_cycle(deadline)?;
        return Ok(Height::Grows { by });
    };
    // A stack is never more than `MAX_SPREAD` + 2 frames higher than where an item in its state was
    // entered. Within a terminal there is a frame more.
    let bound = calls + MAX_SPREAD as usize + 2 + usize::from(origin.has_lexer);
    // Where they come first, they were too much work.
    let entries = match origin.is_under_exact {
        true => entries::calls(pda, deadline)?,
        false => None,
    };
    let longest = entries.and_then(|entries| FrameGraph::new(entries).longest_path());
    Ok(Height::AtMost(
        longest.map_or(bound, |longest| longest.min(bound)),
    ))
}

/// Which frames can lie right on which.
fn frames(pda: &Pda) -> FrameGraph {
    debug_assert_eq!(BOTTOM.number(), 0);
    let over = pda.over();
    let of_frame = |frame| over.of(frame).iter().map(|&above| above.into()).collect();
    FrameGraph::new((0..pda.under.len() as u32).map(of_frame).collect())
}

/// Which machines call which.
fn calls(network: &Network) -> FrameGraph {
    debug_assert_eq!(ROOT.index(), 0);
    let called = |machine: &crate::automata::Machine| {
        let states = machine.body.states();
        let calls = states.flat_map(|state| state.calls.iter().map(|call| call.0));
        let calls = calls.map(|callee| network.ways.of(callee).map_or(callee, |way| way.block));
        let calls = calls.map(|callee| callee.number());
        let mut calls: Vec<u32> = calls.collect();
        calls.sort_unstable();
        calls.dedup();
        calls
    };
    FrameGraph::new(network.machines.iter().map(called).collect())
}

/// A graph without the nodes that node 0 does not lead to.
struct FrameGraph {
    /// Where each node leads.
    to: Vec<Vec<u32>>,
    /// The nodes that lead to each node.
    from: Vec<Vec<u32>>,
    /// How many of `from` are left.
    left_from: Vec<usize>,
    /// How many of `to` are left.
    left_to: Vec<usize>,
    /// Whether a node has been taken out.
    is_out: Vec<bool>,
}

impl FrameGraph {
    fn new(mut to: Vec<Vec<u32>>) -> Self {
        let mut is_out = vec![true; to.len()];
        let mut pending = vec![0];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut is_out[node as usize], false) {
                pending.extend(&to[node as usize]);
            }
        }
        let mut from = vec![Vec::new(); to.len()];
        for (node, to) in to.iter_mut().enumerate() {
            if is_out[node] {
                to.clear();
            }
            to.iter()
                .for_each(|&next| from[next as usize].push(node as u32));
        }
        FrameGraph {
            left_from: from.iter().map(Vec::len).collect(),
            left_to: to.iter().map(Vec::len).collect(),
            to,
            from,
            is_out,
        }
    }

    /// The height of the stacks that are the paths of this graph.
    fn height(mut self, deadline: &Deadline) -> Result<Height, LimitExceeded> {
        Ok(match self.longest_path() {
            Some(longest) => Height::AtMost(longest),
            None => Height::Grows {
                by: self.shortest_cycle(deadline)?,
            },
        })
    }

    /// Takes out, from node 0 on, each node that no remaining node leads to. Returns the length of
    /// the longest path if no node remains.
    fn longest_path(&mut self) -> Option<usize> {
        let mut longest = vec![0; self.to.len()];
        let mut most = 0;
        let mut pending: Vec<usize> = (self.left_from[0] == 0).then_some(0).into_iter().collect();
        while let Some(at) = pending.pop() {
            self.is_out[at] = true;
            most = most.max(longest[at]);
            for &next in &self.to[at] {
                let next = next as usize;
                longest[next] = longest[next].max(longest[at] + 1);
                self.left_from[next] -= 1;
                if self.left_from[next] == 0 {
                    pending.push(next);
                }
            }
        }
        self.is_out.iter().all(|&out| out).then_some(most)
    }

    /// The number of nodes on the shortest cycle; there must be one. Takes the shortest cycle
    /// through each node in turn, then takes the node out, with all nodes that lie on no cycle
    /// without it.
    fn shortest_cycle(&mut self, deadline: &Deadline) -> Result<usize, LimitExceeded> {
        let mut shortest = self.to.len();
        let is_end = |&at: &usize| !self.is_out[at] && self.left_to[at] == 0;
        let ends = (0..self.to.len()).filter(is_end).collect();
        self.take_out(ends);
        for at in 0..self.to.len() {
            if self.is_out[at] {
                continue;
            }
            deadline.check("looking for recursion")?;
            shortest = self.cycle_through(at, shortest).unwrap_or(shortest);
            if shortest == 1 {
                break;
            }
            self.take_out(vec![at]);
        }
        Ok(shortest)
    }

    /// The length of the shortest cycle through a node, if it is less than `bound`.
    fn cycle_through(&self, start: usize, bound: usize) -> Option<usize> {
        let mut seen = vec![false; self.to.len()];
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((at, distance)) = queue.pop_front() {
            if distance + 1 >= bound {
                return None;
            }
            for &next in &self.to[at] {
                let next = next as usize;
                if next == start {
                    return Some(distance + 1);
                }
                if !self.is_out[next] && !std::mem::replace(&mut seen[next], true) {
                    queue.push_back((next, distance + 1));
                }
            }
        }
        None
    }

    /// Takes these nodes out, and then each node that no remaining node leads to, or that leads to
    /// none.
    fn take_out(&mut self, mut pending: Vec<usize>) {
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut self.is_out[at], true) {
                continue;
            }
            for &next in &self.to[at] {
                let next = next as usize;
                self.left_from[next] -= 1;
                if self.left_from[next] == 0 {
                    pending.push(next);
                }
            }
            for &before in &self.from[at] {
                let before = before as usize;
                self.left_to[before] -= 1;
                if self.left_to[before] == 0 {
                    pending.push(before);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
