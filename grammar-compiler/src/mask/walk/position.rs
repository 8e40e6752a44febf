//! Where a walk is, and what it gathers.

use super::known::KnownId;
use super::lists::ListId;
use super::pieces::PieceId;
use crate::pda::{Class, StateId};

/// Where a walk is: trie nodes whose symbols have been consumed, a state, the known frames, and the
/// greatest height so far.
#[derive(Clone, Copy, Debug)]
pub struct WalkPosition {
    /// The nodes.
    pub nodes: ListId,
    /// The state.
    pub state: StateId,
    /// The known frames, on top of the unknown stack.
    pub known: KnownId,
    /// The greatest height so far.
    pub peak: i16,
}

/// A question that known frames do not decide: nodes whose symbols depend on an unknown frame.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The class of the symbols, or another one that asks the same.
    pub class: Class,
    /// Where the question is asked; the nodes' symbols are still to be consumed.
    pub at: WalkPosition,
}

/// Where a question is asked: the class of the symbols, the state, the known frames and the
/// greatest height.
pub type Asked = (Class, StateId, KnownId, i16);

/// What a walk gathers, in any order.
#[derive(Default)]
pub struct Gather {
    /// Accepted pieces, each with the height that it needs.
    pub tokens: Vec<(i16, PieceId)>,
    /// Questions, each with the nodes that ask it.
    pub questions: Vec<(Asked, ListId)>,
}

impl Gather {
    /// Sorts everything, and keeps each piece once for a height.
    pub fn sort(&mut self) {
        self.tokens.sort_unstable();
        self.tokens.dedup();
        self.questions.sort_unstable();
    }
}
