//! Passes that make tables smaller and masks cheaper, in order.
//!
//! In: [`Masks`] for a vocabulary of so many tokens. Out: other trees and sets that give every
//! stack the same mask. A mask is the union of the sets on one walk down the stack; the passes
//! change which set stands at which node of the walk.
//!
//! | pass | what holds after it |
//! |---|---|
//! | [`push_down`] | where a child of a node has large sets, the large sets of the node stand at its children, united with theirs |
//! | [`enlarge`] | sets that differed only in ranks that stand above them too are one set, where that saves bytes |
//! | [`dominated`] | no large set stands at a node from which every walk meets a superset within a few frames |
//! | [`factor`] | a large block of ranks that several lists share is a set of its own, which their nodes name |
//! | [`subsets`] | a list that contains another list is stored as the rest, and its nodes name both |
//!
//! Before `factor` a node names at most one set for each headroom. After each pass equal nodes are
//! one node ([`merge`]), and after the last four there is no node and no set that no root leads to
//! ([`trim`]).

mod dominated;
mod enlarge;
mod factor;
mod merge;
mod parts;
mod push_down;
mod subsets;
mod trim;

use trim::trim;

use super::masks::{Masks, chains};

/// Runs all passes; `tokens` is the number of ranks of the vocabulary.
pub fn shrink(masks: Masks, tokens: usize) -> Masks {
    let masks = push_down::push_down(masks, tokens);
    let masks = trim(enlarge::enlarge(masks, tokens));
    let masks = trim(dominated::leave_out(masks, tokens));
    // The passes below change no large set.
    let levels = chains::levels(&masks.sets, tokens);
    let masks = trim(factor::factor(masks, &levels, tokens));
    trim(subsets::split_off(masks, &levels, tokens))
}
