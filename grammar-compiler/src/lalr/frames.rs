//! Frames that stand for states of the parser.
//!
//! In: sequences of states. Out: their frames; that of a single state has the number of the state
//! plus one, so that the bottom keeps its own.

use maskwright_lalr::Tables;

use crate::intern::Interner;
use crate::limits::LimitExceeded;
use crate::pda::FrameId;

/// The most states that one frame stands for.
const MOST_STATES: usize = 8;

/// All frames but the bottom.
pub(super) struct StateFrames {
    /// For each frame its states, the top first.
    states: Interner<Vec<u32>>,
    singles: usize,
}

impl StateFrames {
    pub(super) fn new(tables: &Tables) -> Self {
        let mut states = Interner::new();
        for state in 0..tables.states.len() as u32 {
            states.intern(vec![state]);
        }
        StateFrames {
            singles: tables.states.len(),
            states,
        }
    }

    /// The number of frames.
    pub(super) fn len(&self) -> usize {
        self.states.values.len()
    }

    /// Whether each frame stands for one state.
    pub(super) fn are_single(&self) -> bool {
        self.len() == self.singles
    }

    /// The states of a frame, the top first.
    pub(super) fn states(&self, frame: FrameId) -> &[u32] {
        &self.states.values[frame.index() - 1]
    }

    /// The frame of a sequence of states.
    pub(super) fn frame(&mut self, states: Vec<u32>) -> Result<FrameId, LimitExceeded> {
        if states.len() > MOST_STATES {
            let what = "too many empty rules follow one another";
            return Err(LimitExceeded::new("frames", MOST_STATES, what));
        }
        FrameId::numbered(self.states.intern(states) as usize + 1)
    }

    /// The frames on which a reduction to a nonterminal can go on, ascending, where `left` states
    /// are popped yet.
    pub(super) fn that_go_on(&self, nonterminal: u32, left: u32, tables: &Tables) -> Vec<FrameId> {
        let goes_on = |states: &Vec<u32>| match states.get(left as usize) {
            Some(&uncovered) => {
                let gotos = &tables.states[uncovered as usize].gotos;
                gotos
                    .binary_search_by_key(&nonterminal, |goto| goto.0)
                    .is_ok()
            }
            None => true,
        };
        let frames = self.states.values.iter().enumerate();
        let frames = frames.filter(|(_, states)| goes_on(states));
        frames.map(|(place, _)| FrameId::at(place + 1)).collect()
    }
}
