//! From what walks found to one mask tree for each state.
//!
//! In: the automaton, its table and the trie. Out: [`Masks`]. The steps:
//!
//! 1. [`threads`] shares the states out among threads. Each walks from its states and does the
//!    subset construction for them ([`construction`], with the [`unions`] of accepted pieces).
//! 2. [`gather`] makes one of what the threads found. What holds after: equal sets are one,
//!    equivalent nodes are one, every node but roots leads to some token, and nothing depends on
//!    which thread found what.
//! 3. [`listed`] lists for each node the frames that can lie where it looks. What holds after: a
//!    node has a child, or none, for each such frame.

mod construction;
mod gather;
mod listed;
mod threads;
mod unions;

pub use threads::{Walks, worthwhile};

use self::construction::JoinedNodes;
use super::masks::Masks;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::Pda;
use crate::pda::headroom::Headroom;

/// What each thread found.
pub struct JoinedParts(Vec<JoinedNodes>);

impl JoinedParts {
    /// The mask trees of all states.
    pub fn gathered(
        self,
        pda: &Pda,
        headroom: &Headroom,
        deadline: &Deadline,
    ) -> Result<Masks, LimitExceeded> {
        let gathered = gather::gather(self.0, headroom.states.len(), deadline)?;
        Ok(Masks {
            nodes: listed::listed(pda, gathered.nodes, &gathered.roots),
            sets: gathered.sets,
            roots: gathered.roots,
        })
    }
}
