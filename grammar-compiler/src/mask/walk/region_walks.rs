//! Walks of the whole trie through regions, which grammars share.
//!
//! In: the shapes of the copied regions. Out: for each of their states the walk from there.
//! [`kept`] writes a walk down without the grammar's classes and states, [`recall`] reads one with
//! them.

use std::sync::Arc;

use super::known::KnownId;
use super::pieces::Piece;
use super::position::Gather;
use super::subtrees::Subtrees;
use super::summaries::{Summaries, Summary};
use crate::mask::transitions::{InShape, Shapes};
use crate::mask::trie::TokenTrie;
use crate::mask::trie::regions::{KeptRegion, RegionWalk};
use crate::pda::StateId;

/// A walk that leaves a region at more trie nodes than this is not kept, so that it takes little
/// more than a bitmap of the vocabulary. Walks leave JSON strings at some hundred.
const MAX_LEFT: usize = 1 << 11;

/// The regions of the shapes that a grammar has.
pub struct RegionWalks<'a> {
    shapes: &'a Shapes,
    /// For each shape its region.
    regions: Vec<Arc<KeptRegion>>,
}

impl<'a> RegionWalks<'a> {
    /// The regions of these shapes.
    pub fn new(tokens: &TokenTrie, shapes: &'a Shapes) -> Self {
        let regions = shapes.shapes.iter().map(|shape| tokens.regions.of(shape));
        RegionWalks {
            shapes,
            regions: regions.collect(),
        }
    }

    /// The region that a copied state is in, and where in its shape, if it has a place there.
    pub fn of(&self, state: StateId) -> Option<(Arc<KeptRegion>, InShape)> {
        let at = self.shapes.of(state)?;
        Some((self.regions[at.shape as usize].clone(), at))
    }
}

/// What a walk from a copied state found, for other grammars; `None` if that is too much to be
/// kept.
pub fn kept(subtrees: &Subtrees, summaries: &Summaries, summary: &Summary) -> Option<RegionWalk> {
    let pieces = summaries.tokens(summary).iter();
    let pieces = pieces.map(|&(_, piece)| subtrees.pieces.get(piece));
    let mut left: Vec<(u16, u32)> = Vec::new();
    for question in summary.questions.clone() {
        let nodes = subtrees.lists.nodes(summaries.question(question).at.nodes);
        left.extend(nodes.iter().map(|&node| (subtrees.symbol(node), node)));
    }
    if left.len() > MAX_LEFT {
        return None;
    }
    left.sort_unstable();
    let of_symbol = left.chunk_by(|a, b| a.0 == b.0);
    let of_symbol = of_symbol.map(|same| (same[0].0, same.iter().map(|of| of.1).collect()));
    Some(RegionWalk {
        accepted: Piece::union(pieces),
        left: of_symbol.collect(),
    })
}

/// Adds what a walk has found to `gather`. The region is left at the loop `home`.
pub fn recall(subtrees: &mut Subtrees, walk: &RegionWalk, home: StateId, gather: &mut Gather) {
    if !walk.accepted.is_empty() {
        let piece = subtrees.pieces.add(walk.accepted.clone());
        gather.tokens.push((0, piece));
    }
    for (symbol, nodes) in &walk.left {
        let class = subtrees.lists.class_of(*symbol);
        let nodes = subtrees.lists.id(nodes);
        (gather.questions).push(((class, home, KnownId::NONE, 0), nodes));
    }
}
