//! Token masks: for each state, which tokens can follow, conditioned on the frames under the top.
//!
//! In: a [`Pda`], its [headroom](crate::pda::headroom) and a [`TokenTrie`]. Out: [`Masks`]: for
//! each state a tree whose nodes name token sets and look one frame further down. What holds after:
//! a token is in a set on the walk for some stack if and only if its bytes lead that stack to one
//! that can still be finished.
//!
//! The steps are types, between which other stages may do some of their work: [`Walkable`], then
//! [`Walked`], then [`Masks`].
//!
//! The modules, each of which uses only those before it:
//!
//! | module | what it contains |
//! |---|---|
//! | [`masks`] | token sets and the trees that name them: the result of the stage |
//! | [`trie`] | the vocabulary in the order of a trie, and the trie nodes at which tokens leave runs of bytes |
//! | `transitions` | the automaton as one immutable table, and what is derived from it: runs, default transitions, regions |
//! | `equivalence` | the states and frames that no text up to a given length distinguishes |
//! | `walk` | walks of the trie through the automaton, over a stack of which only some frames are known |
//! | `join` | one deterministic tree for each state, from what all walks found |
//! | `shrink` | passes that change sets and trees so that tables get smaller, and no mask changes |

mod equivalence;
mod join;
pub mod masks;
mod shrink;
mod transitions;
pub mod trie;
mod walk;

pub use join::worthwhile;
pub use masks::{MaskNode, MaskNodeId, Masks, Ranks, SetId};
pub use trie::TokenTrie;

use equivalence::Equivalence;
use join::JoinedParts;
use transitions::Table;

use crate::limits::{Deadline, LimitExceeded};
use crate::pda::Pda;
use crate::pda::headroom::Headroom;
use crate::threads::Threads;

/// An automaton that can be walked from each of its states.
pub struct Walkable<'a> {
    pda: &'a Pda,
    headroom: &'a Headroom,
    trie: &'a TokenTrie,
    table: Table,
    equivalence: Equivalence,
}

impl<'a> Walkable<'a> {
    /// Reads an automaton.
    pub fn new(pda: &'a Pda, headroom: &'a Headroom, trie: &'a TokenTrie) -> Self {
        let table = Table::new(pda, headroom);
        let equivalence = match table.runs.count() {
            true => Equivalence::new(pda, headroom, trie.nodes.longest() + 1),
            false => Equivalence::finest(),
        };
        Walkable {
            pda,
            headroom,
            trie,
            table,
            equivalence,
        }
    }

    /// Walks from all states, on at most `most` of the threads.
    ///
    /// # Errors
    ///
    /// If the deadline passes, or a token needs more frames than a table can say.
    pub fn walk(
        &self,
        threads: &Threads,
        most: usize,
        deadline: &Deadline,
    ) -> Result<Walked<'a>, LimitExceeded> {
        let walks = join::Walks {
            pda: self.pda,
            table: &self.table,
            equivalence: &self.equivalence,
            trie: self.trie,
            deadline,
        };
        Ok(Walked {
            pda: self.pda,
            headroom: self.headroom,
            tokens: self.trie.ids.len(),
            parts: walks.joined(self.headroom, threads, most)?,
        })
    }
}

/// What walks from all states found.
pub struct Walked<'a> {
    pda: &'a Pda,
    headroom: &'a Headroom,
    tokens: usize,
    parts: JoinedParts,
}

impl Walked<'_> {
    /// The masks of all states. They do not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// If the deadline passes.
    pub fn masks(self, deadline: &Deadline) -> Result<Masks, LimitExceeded> {
        let masks = self.parts.gathered(self.pda, self.headroom, deadline)?;
        Ok(shrink::shrink(masks, self.tokens))
    }
}
