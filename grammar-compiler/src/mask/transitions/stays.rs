//! Which strings stay in a run.
//!
//! In: the runs, and the digits that each state goes on with. Out: [`Stays`], which answers for a whole subtree of the trie at once whether
//! everything below it stays.
//!
//! Worth (`docs/ablation.md`): without it a compile takes 6 % longer at the median.

use rustc_hash::FxHashMap as HashMap;

use super::digits::DIGITS;
use super::runs::{Run, Runs};
use crate::mask::trie::ByteKinds;
use crate::pda::StateId;

/// For each state the strings that stay in its run.
pub struct Stays {
    of_state: Vec<Stay>,
    /// The kinds of digits.
    digits: ByteKinds,
}

#[derive(Clone, Copy)]
struct Stay {
    /// The kinds of bytes that the state's run goes on with.
    within: ByteKinds,
    /// The greatest number of characters of the run.
    length: u32,
    /// The number of digits that may follow, whichever they are.
    digits: u32,
}

impl Stays {
    /// What stays in the runs, and among the digits that each state goes on with.
    pub fn new(runs: &Runs, digits: &[u32]) -> Self {
        let mut within: HashMap<[u64; 4], ByteKinds> = HashMap::default();
        let mut stay = |(run, &digits): (&Run, &u32)| {
            let bytes = &run.kind.bytes;
            Stay {
                within: *within
                    .entry(*bytes)
                    .or_insert_with(|| ByteKinds::within(bytes)),
                length: run.length,
                digits,
            }
        };
        Stays {
            of_state: runs.iter().zip(digits).map(&mut stay).collect(),
            digits: ByteKinds::within(&[DIGITS, 0, 0, 0]),
        }
    }

    /// Whether every string of at most `length` of these bytes leads from `state` along its run.
    #[inline]
    pub fn hold(&self, state: StateId, bytes: ByteKinds, length: u32) -> bool {
        let stay = &self.of_state[state as usize];
        length <= stay.length && bytes.are_among(stay.within)
            || length <= stay.digits && bytes.are_among(self.digits)
    }
}
