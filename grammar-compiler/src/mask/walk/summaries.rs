//! Summaries: the results of walks, in few allocations.
//!
//! In: what a walk gathered. Out: a [`Summary`], which points into [`Summaries`]. The summary of a
//! walk without known frames is kept for later walks from the same trie nodes in an equivalent
//! state; any other is forgotten with the next walk.

use crate::maps::IdMap;
use std::ops::Range;

use super::lists::ListId;
use super::pieces::PieceId;
use super::position::Question;
use crate::mask::equivalence::BlockId;

/// The result of a walk.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The places of its tokens: see [`Summaries::token`].
    pub tokens: Range<usize>,
    /// The places of its questions: see [`Summaries::question`].
    pub questions: Range<usize>,
}

/// All summaries.
#[derive(Default)]
pub struct Summaries {
    tokens: Vec<(i16, PieceId)>,
    questions: Vec<Question>,
    known: IdMap<(ListId, BlockId), Summary>,
    /// The number of tokens and questions that belong to kept summaries.
    kept: (usize, usize),
}

impl Summaries {
    /// Adds a summary of accepted tokens, by the height that they need, and of questions.
    pub fn add(
        &mut self,
        tokens: &[(i16, PieceId)],
        questions: impl Iterator<Item = Question>,
    ) -> Summary {
        let (token, question) = (self.tokens.len(), self.questions.len());
        self.tokens.extend_from_slice(tokens);
        self.questions.extend(questions);
        Summary {
            tokens: token..self.tokens.len(),
            questions: question..self.questions.len(),
        }
    }

    /// Keeps the summary added last, which holds for a list of nodes in the states of a block.
    pub fn keep(&mut self, nodes: ListId, block: BlockId, summary: &Summary) {
        self.kept = (self.tokens.len(), self.questions.len());
        self.known.insert((nodes, block), summary.clone());
    }

    /// Forgets the summary added last, unless it is kept.
    pub fn forget(&mut self) {
        self.tokens.truncate(self.kept.0);
        self.questions.truncate(self.kept.1);
    }

    /// The summary of a list of nodes in the states of a block, if it is kept.
    pub fn known(&self, nodes: ListId, block: BlockId) -> Option<Summary> {
        self.known.get(&(nodes, block)).cloned()
    }

    /// A piece of accepted tokens, and the height that they need.
    pub fn token(&self, at: usize) -> (i16, PieceId) {
        self.tokens[at]
    }

    /// The tokens of a summary.
    pub fn tokens(&self, summary: &Summary) -> &[(i16, PieceId)] {
        &self.tokens[summary.tokens.clone()]
    }

    /// A question.
    pub fn question(&self, at: usize) -> Question {
        self.questions[at]
    }
}
