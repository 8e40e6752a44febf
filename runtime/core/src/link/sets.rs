//! What the sets of a part are called in the rows of a pool.
//!
//! In: a part. Out: [`PartSets`], which walks the mask trees of the part and has a name for each
//! set. What holds: sets of parts that stand beside one base have equal names if they are one set
//! of the base. A set has ids of the vocabulary only, or ids behind them only.

use crate::head::Head;
use crate::id::TablesId;
use crate::row::MIX;
use crate::walk::{SetIds, Trees};

use super::part::Part;

/// Set in the name of a set that no base has.
pub(super) const OWN: u32 = 1 << 31;
/// Set in a kept name that says where the hash of endings lies.
#[cfg(feature = "alloc")]
const AT: u32 = 1 << 30;

/// The name of a set.
pub(super) enum SetName {
    /// Of a set of tokens: its id in the base, or [`OWN`] and its id.
    Tokens(u32),
    /// Of a set of endings: a hash of them, as each id means something else in each part. 0 stands
    /// for none.
    Endings(u64),
}

/// The sets of a part.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct PartSets<'p> {
    /// What rows know the part's tables by.
    pub(super) id: TablesId,
    /// What rows know the base's tables by; zeros if there is none.
    pub(super) base: [u64; 2],
    trees: Trees<'p>,
    names: Names<'p>,
}

/// Where names come from.
#[derive(Clone, Copy)]
enum Names<'p> {
    /// They were found when the part was loaded: a word for each set, then the hashes of endings.
    #[cfg(feature = "alloc")]
    Kept(&'p [u32]),
    /// They are read from the tables.
    Read(&'p Part<'p>),
}

impl<'p> PartSets<'p> {
    /// The sets of a part, whose names are read from its tables.
    pub fn of(part: &'p Part<'p>) -> Self {
        PartSets {
            id: part.grammar.id(),
            base: [0, part.grammar.beside_id],
            trees: part.grammar.trees(),
            names: Names::Read(part),
        }
    }

    /// The sets of a part whose names have been [found](names_of).
    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn kept(
        (id, base): (TablesId, [u64; 2]),
        trees: Trees<'p>,
        names: &'p [u32],
    ) -> Self {
        PartSets {
            id,
            base,
            trees,
            names: Names::Kept(names),
        }
    }

    /// The sets of a mask.
    #[inline]
    pub(super) fn set_ids<'a>(
        &'a self,
        heads: &'a [Head],
        frames: &'a [u16],
        depth: usize,
    ) -> SetIds<'a> {
        SetIds::of(self.trees, heads, frames, depth)
    }

    /// The name of a set.
    #[inline]
    pub(super) fn name(&self, set: u32) -> SetName {
        match self.names {
            #[cfg(feature = "alloc")]
            Names::Kept(names) => kept_name(names, set),
            Names::Read(part) => name(part, set),
        }
    }
}

/// The name of a set, from the tables.
fn name(part: &Part<'_>, id: u32) -> SetName {
    let grammar = &part.grammar;
    let list = grammar.set(id).and_then(|set| set.as_list());
    let first = part.first_exit();
    let (mut hash, mut is_behind) = (0, false);
    let _ = list.map(|list| {
        list.try_each(|id| {
            if id < first {
                return Err(());
            }
            is_behind = true;
            if let Some(ending) = part.ending(id) {
                hash = mix64(hash ^ (u64::from(ending) + 1));
            }
            Ok(())
        })
    });
    match is_behind {
        true => SetName::Endings(hash),
        false => SetName::Tokens(grammar.shared_set(id).unwrap_or(OWN | id)),
    }
}

/// The names of all sets of a part.
#[cfg(feature = "alloc")]
pub(super) fn names_of(part: &Part<'_>) -> alloc::vec::Vec<u32> {
    let count = part.grammar.set_count();
    let mut hashes = alloc::vec::Vec::new();
    let names = (0..count).map(|id| match name(part, id) {
        SetName::Tokens(name) => name,
        SetName::Endings(hash) => {
            let at = count + hashes.len() as u32;
            hashes.extend([hash as u32, (hash >> 32) as u32]);
            AT | at
        }
    });
    let mut names: alloc::vec::Vec<u32> = names.collect();
    names.extend(hashes);
    names
}

/// The name of a set, from those that were kept.
#[cfg(feature = "alloc")]
#[inline]
fn kept_name(names: &[u32], set: u32) -> SetName {
    // There is no such set in checked tables.
    let name = names.get(set as usize).copied().unwrap_or(OWN | set);
    if name & (OWN | AT) != AT {
        return SetName::Tokens(name);
    }
    let at = (name ^ AT) as usize;
    let hash = names.get(at..).and_then(|hashes| hashes.first_chunk());
    let [low, high] = hash.copied().unwrap_or([0; 2]);
    SetName::Endings(u64::from(low) | u64::from(high) << 32)
}

/// A number whose bits are mixed.
pub(super) fn mix64(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(MIX);
    (number ^ number >> 29).wrapping_mul(MIX.rotate_left(17) | 1)
}
