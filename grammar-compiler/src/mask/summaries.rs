//! What walks came to, in few allocations.
//!
//! In: what a walk gathered. Out: a [`Summary`], which says where that lies here. Summaries that later walks may come to again are kept by
//! their nodes and state; any other is forgotten with the next walk.

use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

use super::descend::Question;
use super::lists::NodesId;
use super::pieces::PieceId;

/// What a walk comes to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Where its tokens lie: see [`Summaries::token`].
    pub tokens: Range<usize>,
    /// Where what is left open lies: see [`Summaries::question`].
    pub questions: Range<usize>,
}

/// All summaries.
#[derive(Default)]
pub struct Summaries {
    tokens: Vec<(i16, PieceId)>,
    questions: Vec<Question>,
    known: HashMap<(NodesId, u32), Summary>,
    /// How many tokens and questions belong to summaries that are known.
    kept: (usize, usize),
}

impl Summaries {
    /// Adds a summary: tokens accepted, by the height that they need, and what is left open.
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

    /// Keeps the summary added last: that of some nodes in a state, or in what stands for it.
    pub fn keep(&mut self, nodes: NodesId, state: u32, summary: &Summary) {
        self.kept = (self.tokens.len(), self.questions.len());
        self.known.insert((nodes, state), summary.clone());
    }

    /// Forgets the summary added last, unless it is kept.
    pub fn forget(&mut self) {
        self.tokens.truncate(self.kept.0);
        self.questions.truncate(self.kept.1);
    }

    /// That of some nodes in a state, or in what stands for it, if it is kept.
    pub fn known(&self, nodes: NodesId, state: u32) -> Option<Summary> {
        self.known.get(&(nodes, state)).cloned()
    }

    /// Tokens accepted, in one piece, and the height that they need.
    pub fn token(&self, at: usize) -> (i16, PieceId) {
        self.tokens[at]
    }

    /// The tokens of a summary.
    pub fn tokens(&self, summary: &Summary) -> &[(i16, PieceId)] {
        &self.tokens[summary.tokens.clone()]
    }

    /// Something that is left open.
    pub fn question(&self, at: usize) -> Question {
        self.questions[at]
    }
}
