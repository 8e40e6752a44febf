//! The sets of tables that others stand beside.
//!
//! In: a compiled grammar. Out: [`Beside`]: its sets, each found by its members. A grammar for the
//! same vocabulary that is compiled beside it does not store these sets again. What holds after:
//! the tables stand alone themselves, and are for the given vocabulary.

use std::fmt;

use crate::maps::{IdMap, IdSet};
use maskwright_core::Grammar;
use maskwright_core::layout::set;

use super::ids::{Ids, SetContent};
use super::lists::ones;
use crate::id::id;
use crate::mask::{Ranks, TokenTrie};

id! {
    /// Index of a set of tables that others stand beside.
    pub struct OtherSetId;
}

/// The sets of tables that others stand beside.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    checksum: u32,
    count: u32,
    /// The sets by their members.
    sets: IdMap<SetContent, OtherSetId>,
    /// The numbers of ids that sets have.
    sizes: IdSet<usize>,
    /// The sets that are stored as bitmaps, in order: other sets may be short differences to them.
    planes: Vec<(OtherSetId, Vec<u32>)>,
}

/// Why tables cannot stand beside those of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BesideError {
    /// The grammar is for another vocabulary.
    OtherVocabulary,
    /// The grammar's tables stand beside others themselves.
    NotAlone,
}

impl fmt::Display for BesideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BesideError::OtherVocabulary => {
                "these tables are for another vocabulary: compile both grammars for the same one"
            }
            BesideError::NotAlone => {
                "these tables stand beside others themselves: compile both grammars beside those"
            }
        })
    }
}

impl std::error::Error for BesideError {}

impl Beside {
    /// About how many bytes of memory it takes.
    pub(crate) fn memory(&self) -> usize {
        let sets = self.sets.keys().map(|set| match set {
            SetContent::List(words) | SetContent::Bitmap(words) => words.len(),
        });
        let planes = self.planes.iter().map(|plane| plane.1.len());
        let words: usize = sets.chain(planes).sum();
        let entry = size_of::<SetContent>() + size_of::<OtherSetId>();
        size_of::<u32>() * words + 2 * entry * self.sets.len()
    }

    /// The sets of a grammar that is for the vocabulary of this hash.
    ///
    /// # Errors
    ///
    /// If it is for another one, or its tables stand beside others themselves.
    pub(crate) fn read(grammar: &Grammar<'_>, vocabulary_hash: u64) -> Result<Self, BesideError> {
        if grammar.vocabulary_hash() != vocabulary_hash {
            return Err(BesideError::OtherVocabulary);
        }
        if grammar.stands_beside().is_some() {
            return Err(BesideError::NotAlone);
        }
        let mut beside = Beside {
            checksum: grammar.checksum(),
            count: grammar.set_count(),
            ..Beside::default()
        };
        for id in 0..grammar.set_count() {
            beside.add(OtherSetId::new(id), grammar);
        }
        Ok(beside)
    }

    fn add(&mut self, id: OtherSetId, grammar: &Grammar<'_>) {
        let mut bitmap = vec![0; grammar.mask_words()];
        let Some(kind) = grammar.fill_set(id.number(), &mut bitmap) else {
            return;
        };
        if kind == set::BITMAP {
            self.planes.push((id, bitmap.clone()));
        }
        self.sizes.insert(ones(bitmap.iter().copied()));
        let content = SetContent::of(bitmap, grammar.vocab_size());
        self.sets.entry(content).or_insert(id);
    }

    /// The set with these ids.
    pub(super) fn find(&self, content: &SetContent) -> Option<OtherSetId> {
        self.sets.get(content).copied()
    }

    /// Whether there is a set of these ranks.
    pub(crate) fn has(&self, ranks: &Ranks, trie: &TokenTrie) -> bool {
        // Mostly each rank has an id of its own.
        let can_be = !trie.twice.is_empty() || self.sizes.contains(&ranks.len());
        can_be && self.find(&Ids::new(trie).content(ranks)).is_some()
    }

    /// The sets that are stored as bitmaps.
    pub(super) fn planes(&self) -> &[(OtherSetId, Vec<u32>)] {
        &self.planes
    }

    /// How many sets there are, and the checksum of the tables.
    pub(super) fn facts(&self) -> (u32, u32) {
        (self.count, self.checksum)
    }
}
