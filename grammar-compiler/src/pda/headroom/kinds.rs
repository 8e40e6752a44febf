//! The costs of completions, by kinds of stacks.
//!
//! In: [`NodeExits`]. Out: [`StackKinds`]: for each frame the *kinds* of stacks that have it on
//! top. For each exit that a run may reach on such a stack, the kind says how many frames above the
//! stack's height the rest of the completion needs, or that the stack refuses the exit. Kinds are
//! found from the empty stack upwards.
//!
//! **Costs that kinds leave out.** When a matcher pushes a frame, it checks that the frame fits,
//! and that the cheapest continuation below the frame does ([`StackKinds::pushed`], `least`). An
//! exit whose continuation needs no more headroom than was checked costs nothing. So a kind holds
//! costs only for frames whose continuations differ by more; of all other frames it says which
//! exits are refused. Almost all frames have one continuation, and almost all grammars one kind a
//! frame.

use crate::maps::IdMap;

use super::answers::{Answers, beyond};
use super::exits::{END, ExitId, ExitNodeId, ExitOutcome, NodeExits};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::marks::KindId;
use crate::pda::{BOTTOM, FrameId, Pda};

/// The most kinds; twice the number of frames, if that is more, since each frame may have kinds of
/// its own.
const MOST: usize = 10_000;

/// What each exit that is not refused costs, ascending by exit.
pub(super) type Costs = Vec<(ExitId, u8)>;

/// A kind of stacks that a push leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pushed {
    /// The kind.
    pub(super) kind: KindId,
    /// How many frames above the stack before the push the cheapest continuation needs once the
    /// frame is popped; none if the text can end above it.
    pub(super) least: u8,
}

/// All kinds of stacks.
pub(super) struct StackKinds {
    /// The cost of each exit on each kind.
    pub(super) costs: Interner<Costs>,
    /// For each frame the kinds of stacks that have it on top, in the order in which they were
    /// found.
    pub(super) of_frame: Vec<Vec<KindId>>,
    /// The result of each push, by the frame and the kind before it; `None` where no completion is
    /// left.
    pub(super) pushed: IdMap<(FrameId, KindId), Option<Pushed>>,
}

impl StackKinds {
    /// Finds all kinds of stacks of `pda`.
    ///
    /// # Errors
    ///
    /// If the deadline passes, or there are too many kinds.
    pub(super) fn new(
        pda: &Pda,
        exits: &NodeExits<'_>,
        answers: &Answers,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let frames = pda.under.len();
        let mut kinds = StackKinds {
            costs: Interner::new(),
            of_frame: vec![Vec::new(); frames],
            pushed: IdMap::default(),
        };
        let bottom = KindId::new(kinds.costs.intern(answers.at_bottom(exits)));
        kinds.of_frame[usize::from(BOTTOM)].push(bottom);
        let mut open = vec![(BOTTOM, bottom)];
        while let Some((below, kind)) = open.pop() {
            deadline.check("bounding stacks")?;
            for &frame in answers.over(below) {
                deadline.ticks(answers.steps(frame), "bounding stacks")?;
                if let Some(pushed) = kinds.push(frame, kind, answers, exits) {
                    let of_frame = &mut kinds.of_frame[usize::from(frame)];
                    if !of_frame.contains(&pushed.kind) {
                        of_frame.push(pushed.kind);
                        open.push((frame, pushed.kind));
                    }
                }
            }
            if kinds.costs.values.len() > MOST.max(2 * frames) {
                return Err(LimitExceeded::new(
                    "states",
                    MOST,
                    "how high a stack must grow depends on too much of it",
                ));
            }
        }
        Ok(kinds)
    }

    /// How far some completion from a node rises above the stack below the node's known frames,
    /// which is of this kind; `None` if the stack refuses all exits.
    pub(super) fn need(&self, exits: &NodeExits<'_>, node: ExitNodeId, kind: KindId) -> Option<u8> {
        let costs = &self.costs.values[kind.index()];
        let need = |&(exit, peak): &(ExitId, u8)| match exit {
            END => Some(peak),
            _ => Some(peak.max(cost(costs, exit)?)),
        };
        exits.peaks(node).iter().filter_map(need).min()
    }

    /// The result of pushing a frame on a stack of kind `below`.
    fn push(
        &mut self,
        frame: FrameId,
        below: KindId,
        answers: &Answers,
        exits: &NodeExits<'_>,
    ) -> Option<Pushed> {
        if let Some(&known) = self.pushed.get(&(frame, below)) {
            return known;
        }
        let costs_below = &self.costs.values[below.index()];
        let after = |&outcome: &ExitOutcome| match outcome {
            ExitOutcome::Taken(node) => self.need(exits, node, below),
            ExitOutcome::Asks(exit) => cost(costs_below, exit),
        };
        let needs = answers.of(frame).iter().filter_map(|(exit, outcomes)| {
            let need = outcomes.iter().filter_map(after).min()?;
            Some((*exit, need))
        });
        let needs: Costs = needs.collect();
        let least = match answers.end_above(frame) {
            true => Some(0),
            false => needs.iter().map(|need| need.1).min(),
        };
        let pushed = least.map(|least| {
            let above = |(exit, need)| (exit, beyond(need, least));
            let costs = needs.into_iter().map(above).collect();
            Pushed {
                kind: KindId::new(self.costs.intern(costs)),
                least,
            }
        });
        self.pushed.insert((frame, below), pushed);
        pushed
    }
}

fn cost(costs: &Costs, exit: ExitId) -> Option<u8> {
    let at = costs.binary_search_by_key(&exit, |cost| cost.0).ok()?;
    Some(costs[at].1)
}
