//! From what walks found to one mask tree for each state.
//!
//! In: the automaton, its table and the trie. Out: [`Masks`]. The steps:
//!
//! 1. [`threads`] shares the states out among threads. Each walks from its states and does the subset construction for them
//!    ([`construction`], with the [`unions`] of accepted pieces).
//! 2. [`gather`] makes one of what the threads found. What holds after: equal sets are one, equivalent nodes are one, every node but roots
//!    leads to some token, and nothing depends on which thread found what.
//! 3. [`listed`] lists for each node the frames that can lie where it looks. What holds after: a node has a child, or none, for each such
//!    frame.

mod construction;
mod gather;
mod listed;
mod threads;
mod unions;

pub use threads::worthwhile;

use super::equivalence::Equivalence;
use super::masks::Masks;
use super::transitions::Table;
use super::trie::TokenTrie;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::Pda;
use crate::pda::headroom::Headroom;

/// The mask trees of all states, made on `threads` threads.
pub fn join(
    (pda, headroom): (&Pda, &Headroom),
    (table, equivalence): (&Table, &Equivalence),
    trie: &TokenTrie,
    threads: usize,
    deadline: &Deadline,
) -> Result<Masks, LimitExceeded> {
    let walks = threads::Walks {
        pda,
        table,
        equivalence,
        trie,
        deadline,
    };
    let parts = walks.joined(headroom, threads)?;
    let gathered = gather::gather(parts, headroom.states.len(), deadline)?;
    Ok(Masks {
        nodes: listed::listed(pda, gathered.nodes, &gathered.roots),
        sets: gathered.sets,
        roots: gathered.roots,
    })
}
