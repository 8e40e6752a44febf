//! How many stacks a matcher can need.
//!
//! In: a [`Pda`]. Out: [`Stacks`]. Where no edge splits, one is enough, and nothing else is looked
//! at. Otherwise two proofs are tried, and the smaller bound is taken:
//!
//! | proof | idea |
//! |---|---|
//! | `explore` | all sets of stacks that can be alive at once, as far as they descend from one split; their frames are known down to the point of the split |
//! | `width` | no split lies on a cycle of the control graph: the number of descendants is then bounded |
//!
//! Both hold for every text and every stack, whatever the vocabulary. Steps are counted, not timed:
//! the bound is the same on every machine.

pub mod config;
mod explore;
mod width;

use maskwright_core::layout::GRAPH_STACKS;

use super::{Pda, Tree};
use crate::limits::{Deadline, LimitExceeded};

/// A bound on the number of stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stacks {
    /// Never more than this.
    Proved(u32),
    /// No bound is known.
    Unproved,
}

impl Stacks {
    /// The stacks in whose memory a matcher runs them, and whether that many are proved to be
    /// enough.
    pub fn of_matcher(self) -> (u32, bool) {
        match self {
            Stacks::Proved(count) => (count, true),
            Stacks::Unproved => (GRAPH_STACKS, false),
        }
    }
}

/// Bounds the number of stacks of `pda`.
///
/// # Errors
///
/// If the deadline passes.
pub fn bound(pda: &Pda, deadline: &Deadline) -> Result<Stacks, LimitExceeded> {
    if !splits(pda) {
        return Ok(Stacks::Proved(1));
    }
    let by_width = width::bound(pda);
    let explored = explore::explore(pda, deadline)?;
    Ok(match (explored, by_width) {
        (Some(a), Some(b)) => Stacks::Proved(a.min(b)),
        (Some(a), None) | (None, Some(a)) => Stacks::Proved(a),
        (None, None) => Stacks::Unproved,
    })
}

/// Whether some edge leads to several stacks.
pub fn splits(pda: &Pda) -> bool {
    let leaf_splits =
        |tree: &Tree| matches!(tree, Tree::Leaf(alternatives) if alternatives.len() > 1);
    pda.trees.iter().any(leaf_splits)
}
