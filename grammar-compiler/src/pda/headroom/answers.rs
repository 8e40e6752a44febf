//! How frames answer the exits of the runs above them.
//!
//! In: [`NodeExits`]. Out: [`Answers`]: for each frame the exits at which some run asks for it, the
//! outcomes of each, and the frames that can lie right above it. The end of the text is not among
//! these exits: it asks for no frame. Where a run above a frame can end the text, the frame may
//! stay on the stack for good, so nothing below it has to go on.

use std::rc::Rc;

use super::exits::{END, ExitId, ExitOutcome, NodeExits};
use crate::csr::Csr;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::IdSet;
use crate::pda::{BOTTOM, FrameId, Pda};

/// The part of a need that is not known to fit, counted from a pushed frame. The matcher knows that
/// this frame fits, and `known` frames from its place on.
pub(super) fn beyond(need: u8, known: u8) -> u8 {
    match need <= known.max(1) {
        true => 0,
        false => need - 1,
    }
}

/// For each frame the exits that ask for it, and the outcomes of each.
pub(super) struct Answers {
    of_frame: Vec<Vec<(ExitId, Rc<[ExitOutcome]>)>>,
    /// For each frame the steps of going through its answers, and the exits that they lead to.
    steps: Vec<usize>,
    over: Csr<FrameId>,
    /// For each frame whether a run above it can end the text.
    ends: Vec<bool>,
}

impl Answers {
    /// Lets each frame answer all exits that ask for it.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub(super) fn new(
        pda: &Pda,
        exits: &mut NodeExits<'_>,
        deadline: &Deadline,
    ) -> Result<Self, LimitExceeded> {
        let mut asked: IdSet<(FrameId, ExitId)> = IdSet::default();
        let mut of_frame = vec![Vec::new(); pda.under.len()];
        loop {
            let mut is_done = true;
            for (frame, of_exits) in exits.asked().into_iter().enumerate() {
                let frame = FrameId::at(frame);
                for exit in of_exits {
                    if asked.insert((frame, exit)) {
                        let outcomes = exits.answer(exit, frame);
                        of_frame[usize::from(frame)].push((exit, outcomes));
                        is_done = false;
                    }
                }
            }
            if is_done {
                break;
            }
            // Answers may have led to new nodes, which may ask more.
            exits.settle_all(deadline)?;
        }
        for answers in &mut of_frame {
            answers.sort_unstable_by_key(|answer| answer.0);
        }
        let of_outcome = |outcome: &ExitOutcome| match outcome {
            ExitOutcome::Taken(node) => 1 + exits.peaks(*node).len(),
            ExitOutcome::Asks(_) => 1,
        };
        let of_answers = |answers: &Vec<(ExitId, Rc<[ExitOutcome]>)>| {
            let outcomes = answers.iter().flat_map(|answer| &*answer.1);
            outcomes.map(of_outcome).sum()
        };
        Ok(Answers {
            steps: of_frame.iter().map(of_answers).collect(),
            of_frame,
            over: pda.over(),
            ends: exits.ended_above(),
        })
    }

    /// The exits that ask for a frame, ascending, and their outcomes.
    pub(super) fn of(&self, frame: FrameId) -> &[(ExitId, Rc<[ExitOutcome]>)] {
        &self.of_frame[usize::from(frame)]
    }

    /// The steps of going through a frame's answers, and the exits that they lead to.
    pub(super) fn steps(&self, frame: FrameId) -> usize {
        self.steps[usize::from(frame)]
    }

    /// The frames that can lie right above one, ascending.
    pub(super) fn over(&self, frame: FrameId) -> &[FrameId] {
        self.over.of(frame.into())
    }

    /// Whether a run above a frame can end the text, which does not ask for the frame.
    pub(super) fn end_above(&self, frame: FrameId) -> bool {
        self.ends[usize::from(frame)]
    }

    /// The cost of each exit on the empty stack.
    pub(super) fn at_bottom(&self, exits: &NodeExits<'_>) -> Vec<(ExitId, u8)> {
        let ended = |&outcome: &ExitOutcome| match outcome {
            ExitOutcome::Taken(node) => {
                let end = exits.peaks(node).iter().find(|of| of.0 == END);
                end.map(|end| end.1)
            }
            // Nothing lies below the bottom.
            ExitOutcome::Asks(_) => None,
        };
        let costs = self
            .of(BOTTOM)
            .iter()
            .filter_map(|(exit, outcomes)| Some((*exit, outcomes.iter().filter_map(ended).min()?)));
        costs.collect()
    }
}
