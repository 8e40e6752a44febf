//! Ranges of what completions may need, over all stacks that a frame can have under it.
//!
//! In: [`NodeExits`] and what frames answer them. Out: [`Ranges`]: for each frame and each exit
//! that looks at it, the least and the greatest cost over all stacks that accept the exit, and
//! whether every stack accepts it. [`kinds`](super::kinds) defines these costs. If both bounds of
//! every need are equal, kinds of stacks are not needed. In most grammars they are: a text can be
//! finished from every state, so every stack accepts some exit, and the cheapest exit that every
//! stack accepts bounds the cost from above.
//!
//! Frames may lie on one another in cycles, so ranges are widened from the bottom upwards until
//! nothing changes.

use super::answers::{self, Answers};
use super::exits::{END, ExitId, ExitNodeId, ExitOutcome, NodeExits};
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{BOTTOM, FrameId, Pda};

/// Costs on some stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: u8,
    pub(super) greatest: u8,
    /// No stack refuses.
    is_sure: bool,
}

impl Range {
    fn exactly(cost: u8) -> Self {
        Range {
            least: cost,
            greatest: cost,
            is_sure: true,
        }
    }

    /// At least `floor`.
    fn at_least(self, floor: u8) -> Self {
        Range {
            least: self.least.max(floor),
            greatest: self.greatest.max(floor),
            ..self
        }
    }

    /// The cost of the cheapest of several exits. It is at most the cost of any exit that every
    /// stack accepts; if there is no such exit, at most the cost of the dearest one.
    fn cheapest(ranges: impl Iterator<Item = Range> + Clone) -> Option<Self> {
        let worst = ranges.clone().map(|range| range.greatest).max()?;
        let sure = ranges.clone().filter(|range| range.is_sure);
        let best = sure.map(|range| range.greatest).min();
        Some(Range {
            least: ranges.map(|range| range.least).min()?,
            greatest: best.unwrap_or(worst),
            is_sure: best.is_some(),
        })
    }

    /// The range over the stacks of both.
    pub(super) fn join(self, other: Range) -> Self {
        Range {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            is_sure: self.is_sure && other.is_sure,
        }
    }
}

/// An exit on a frame and the range of its cost; `None` as long as every stack that was met refuses
/// it.
type KnownRange = (ExitId, Option<Range>);

/// The ranges of all frames.
pub(super) struct Ranges<'a> {
    exits: &'a NodeExits<'a>,
    answers: &'a Answers,
    /// For each frame that has been met on a stack its exits, ascending.
    of_frame: Vec<Option<Vec<KnownRange>>>,
    /// For each frame the need of the cheapest continuation once it is popped, counted from the
    /// stack before the push; nothing if the text can end above it.
    pub(super) continuations: Vec<Option<Range>>,
}

impl<'a> Ranges<'a> {
    /// The ranges of all frames of `pda`.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub(super) fn new(
        pda: &Pda,
        exits: &'a NodeExits<'a>,
        answers: &'a Answers,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let mut ranges = Ranges {
            exits,
            answers,
            of_frame: vec![None; pda.under.len()],
            continuations: vec![None; pda.under.len()],
        };
        let bottom = answers.at_bottom(exits).into_iter();
        let bottom = bottom.map(|(exit, cost)| (exit, Some(Range::exactly(cost))));
        ranges.of_frame[usize::from(BOTTOM)] = Some(bottom.collect());
        let mut open = vec![BOTTOM];
        while let Some(below) = open.pop() {
            deadline.check("bounding stacks")?;
            for &frame in answers.over(below) {
                deadline.ticks(answers.steps(frame), "bounding stacks")?;
                if ranges.widen(frame, below) {
                    open.push(frame);
                }
            }
        }
        Ok(ranges)
    }

    /// The frames that a completion from this node needs above the height of the stack, over all
    /// stacks with this frame on top.
    pub(super) fn need(&self, node: ExitNodeId, frame: FrameId) -> Option<Range> {
        let known = self.of_frame[usize::from(frame)].as_deref()?;
        let of_exit = |&(exit, peak): &(ExitId, u8)| match exit {
            END => Some(Range::exactly(peak)),
            _ => Some(cost(known, exit)?.at_least(peak)),
        };
        Range::cheapest(self.exits.peaks(node).iter().filter_map(of_exit))
    }

    /// Widens the ranges of a frame by what its exits cost on `below`; returns whether they have
    /// changed.
    fn widen(&mut self, frame: FrameId, below: FrameId) -> bool {
        let answers = self.answers.of(frame);
        let Some(known) = self.of_frame[usize::from(below)].as_deref() else {
            return false;
        };
        let after = |&outcome: &ExitOutcome| match outcome {
            ExitOutcome::Taken(node) => self.need(node, below),
            ExitOutcome::Asks(exit) => cost(known, exit),
        };
        let needs = answers.iter().map(|(exit, outcomes)| {
            let outcomes = outcomes.iter();
            (*exit, Range::cheapest(outcomes.filter_map(after)))
        });
        let needs: Vec<KnownRange> = needs.collect();
        let may_end = self.answers.end_above(frame);
        let continuation = match may_end {
            true => Some(Range::exactly(0)),
            false => Range::cheapest(needs.iter().filter_map(|known| known.1)),
        };
        let Some(continuation) = continuation else {
            return false;
        };
        let is_one = !may_end && answers.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let above = needs.into_iter().map(|(exit, need)| {
            let above = |need| match is_one {
                true => Range::exactly(0),
                false => beyond(need, continuation),
            };
            (exit, need.map(above))
        });
        let above: Vec<KnownRange> = above.collect();
        let before = &mut self.continuations[usize::from(frame)];
        let wider = before.map_or(continuation, |before| before.join(continuation));
        let mut is_wider = before.replace(wider) != Some(wider);
        match &mut self.of_frame[usize::from(frame)] {
            Some(before) => {
                for (before, above) in before.iter_mut().zip(above) {
                    let joined = joined(before.1, above.1);
                    is_wider |= joined != before.1;
                    before.1 = joined;
                }
            }
            unmet => {
                *unmet = Some(above);
                is_wider = true;
            }
        }
        is_wider
    }
}

/// The cost of an exit whose continuation has this need: what is beyond the frames that are known
/// to fit.
fn beyond(need: Range, continuation: Range) -> Range {
    Range {
        least: answers::beyond(need.least, continuation.greatest),
        greatest: answers::beyond(need.greatest, continuation.least),
        is_sure: need.is_sure,
    }
}

/// The range over the stacks of both; those without a range refuse the exit.
fn joined(one: Option<Range>, other: Option<Range>) -> Option<Range> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.join(other)),
        (one, other) => one.or(other).map(|range| Range {
            is_sure: false,
            ..range
        }),
    }
}

fn cost(known: &[KnownRange], exit: ExitId) -> Option<Range> {
    let at = known.binary_search_by_key(&exit, |known| known.0).ok()?;
    known[at].1
}
