//! Walks through regions, kept for other grammars.
//!
//! In: the [shape](RegionShape) of a region: what it does with bytes, whatever the grammar's
//! classes and states. Out: a [`KeptRegion`]: for each state of the region what a walk of the whole
//! trie finds from there, once some grammar's walk has found it. That depends on the shape and the
//! trie alone, and most grammars have regions of the same few shapes, above all the inside of a
//! JSON string.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::mask::masks::Ranks;

/// What a region does with bytes, from its loop on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionShape {
    /// For each state [`SYMBOLS`](Self::SYMBOLS) steps; the loop comes first. States are numbered
    /// in the order in which steps first lead to them.
    steps: Vec<u8>,
}

impl RegionShape {
    /// The step of a symbol that is refused.
    pub const REFUSE: u8 = u8::MAX;
    /// The step of a symbol that leaves the region.
    pub const LEAVE: u8 = u8::MAX - 1;
    /// The number of symbols.
    pub const SYMBOLS: usize = maskwright_core::layout::END_OF_TEXT as usize + 1;
    /// Regions of more states have no shape: that bounds what is kept of each.
    pub const MAX_STATES: usize = 32;

    /// The shape with these steps: states, or one of the two constants.
    pub fn new(steps: Vec<u8>) -> Self {
        RegionShape { steps }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.steps.len() / Self::SYMBOLS
    }
}

/// What a walk of the whole trie found from a state of a region.
#[derive(Debug)]
pub struct RegionWalk {
    /// The tokens that end in the region.
    pub accepted: Ranks,
    /// The trie nodes whose symbols leave the region, by their symbols; both ascending.
    pub left: Vec<(u16, Vec<u32>)>,
}

/// A region of some shape: for each state the walk from there, once a grammar has taken it.
#[derive(Debug)]
pub struct KeptRegion {
    walks: Vec<OnceLock<RegionWalk>>,
}

impl KeptRegion {
    fn new(shape: &RegionShape) -> Self {
        KeptRegion {
            walks: (0..shape.states()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The walk from a state.
    pub fn walk(&self, state: usize) -> &OnceLock<RegionWalk> {
        &self.walks[state]
    }
}

/// The regions of the shapes that grammars had, those met most often.
#[derive(Clone, Debug, Default)]
pub struct KeptRegions(Arc<Mutex<Vec<ShapeMet>>>);

#[derive(Debug)]
struct ShapeMet {
    shape: RegionShape,
    /// How many times it has been met.
    times: u64,
    region: Arc<KeptRegion>,
}

/// The number of shapes whose regions are kept.
const MAX_KEPT: usize = 16;

impl KeptRegions {
    /// The region of a shape. Of too many shapes, the one that has been met least often makes room
    /// for a new one.
    pub fn of(&self, shape: &RegionShape) -> Arc<KeptRegion> {
        // The list is consistent even if another thread has panicked.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.iter_mut().find(|of| of.shape == *shape) {
            known.times = known.times.saturating_add(1);
            return known.region.clone();
        }
        if kept.len() == MAX_KEPT
            && let Some((least, _)) = kept.iter().enumerate().min_by_key(|(_, of)| of.times)
        {
            kept.swap_remove(least);
        }
        let region = Arc::new(KeptRegion::new(shape));
        kept.push(ShapeMet {
            shape: shape.clone(),
            times: 1,
            region: region.clone(),
        });
        region
    }
}

#[cfg(test)]
mod tests {
    use super::{KeptRegions, MAX_KEPT, RegionShape};
    use std::sync::Arc;

    fn shape(step: u8) -> RegionShape {
        RegionShape::new(vec![step; RegionShape::SYMBOLS])
    }

    #[test]
    fn shapes_met_once_do_not_displace_others() {
        let kept = KeptRegions::default();
        let often = kept.of(&shape(0));
        assert!(Arc::ptr_eq(&often, &kept.of(&shape(0))));
        let once = kept.of(&shape(1));
        for other in 2..2 * MAX_KEPT as u8 {
            kept.of(&shape(other));
        }
        assert!(Arc::ptr_eq(&often, &kept.of(&shape(0))));
        assert!(!Arc::ptr_eq(&once, &kept.of(&shape(1))));
    }
}
