//! Which strings stay in a run.
//!
//! In: the runs. Out: [`Stays`], which answers for a whole subtree of the trie at once whether
//! everything below it stays.
//!
//! Worth (`docs/ablation.md`): without it a compile takes 6 % longer at the median.

use crate::maps::IdMap;

use super::runs::{StateRun, StateRuns};
use crate::mask::trie::ByteKinds;
use crate::pda::StateId;

/// For each state the strings that stay in its run.
pub struct Stays(Vec<Stay>);

#[derive(Clone, Copy)]
struct Stay {
    /// The kinds of bytes that the state's run goes on with.
    within: ByteKinds,
    /// The greatest number of characters of the run.
    length: u32,
}

impl Stays {
    /// What stays in the runs.
    pub fn new(runs: &StateRuns) -> Self {
        let mut within: IdMap<[u64; 4], ByteKinds> = IdMap::default();
        let mut stay = |run: &StateRun| {
            let bytes = &run.kind.bytes;
            let within = within.entry(*bytes);
            Stay {
                within: *within.or_insert_with(|| ByteKinds::within(bytes)),
                length: run.length,
            }
        };
        Stays(runs.iter().map(&mut stay).collect())
    }

    /// Whether every string of at most `length` of these bytes leads from `state` along its run.
    #[inline]
    pub fn hold(&self, state: StateId, bytes: ByteKinds, length: u32) -> bool {
        let stay = &self.0[state.index()];
        length <= stay.length && bytes.are_among(stay.within)
    }
}
