//! Parts that own their tables.
//!
//! In: bytes of a part. Out: [`OwnedPart`]. What holds after loading: the bytes have been checked
//! as [`Part::load`] does, so that a view is put together without reading them.

use alloc::sync::Arc;
use core::fmt;
use core::ops::Deref;

use crate::error::LoadError;
use crate::layout::part;
use crate::owned::{OwnedGrammar, OwnedVocabulary};
use crate::words::Words;

use super::part::Part;
use super::sets::{self, PartSets};

/// A part that owns its tables: a clone counts references.
#[derive(Clone)]
pub struct OwnedPart {
    /// The words before the tables.
    head: Arc<[u8]>,
    grammar: OwnedGrammar,
    vocabulary: OwnedVocabulary,
    lead: u32,
    exits: usize,
    least_depth: usize,
    /// What rows know the part by that this one stands beside; zeros if there is none.
    base: [u64; 2],
    /// What the rows of a pool call its sets.
    names: Arc<[u32]>,
}

impl OwnedPart {
    /// A part from anywhere, and for one that was compiled beside another one, that other one.
    ///
    /// # Errors
    /// As for [`Part::load`] and [`Part::load_beside`].
    pub fn load(
        bytes: &[u8],
        vocabulary: &OwnedVocabulary,
        beside: Option<&OwnedPart>,
    ) -> Result<Self, LoadError> {
        let tables = Part::tables(bytes)?;
        let grammar = match beside {
            None => OwnedGrammar::load(tables)?,
            Some(other) => OwnedGrammar::load_beside(tables, &other.grammar)?,
        };
        let head = bytes.get(..bytes.len() - tables.len());
        let part = Part::assemble(bytes, grammar.view(), vocabulary.view())?;
        Ok(OwnedPart {
            head: head.unwrap_or(&[]).into(),
            vocabulary: vocabulary.clone(),
            lead: part.lead,
            exits: part.exits.len(),
            least_depth: part.least_depth(),
            base: beside
                .filter(|_| part.grammar.stands_beside().is_some())
                .map_or([0; 2], |other| other.grammar.rows()),
            names: sets::names_of(&part).into(),
            grammar: grammar.clone(),
        })
    }

    /// The same part with a digest: see [`OwnedGrammar::with_digest`]. What stands beside it is to
    /// be loaded afterwards.
    #[must_use]
    pub fn with_digest(self, digest: [u64; 2]) -> Self {
        OwnedPart {
            grammar: self.grammar.with_digest(digest),
            ..self
        }
    }

    /// The part, as everything else takes it. Costs some nanoseconds, since the tables are not
    /// read.
    #[inline]
    pub fn view(&self) -> Part<'_> {
        let mut grammar = self.grammar.view();
        grammar.vocabulary = Some(self.vocabulary.view());
        let (words, _) = Words::split(&self.head);
        let lists = words.tail(part::HEADER_WORDS).unwrap_or(Words::EMPTY);
        let (exits, endings) = lists.split_at(self.exits).unwrap_or((lists, Words::EMPTY));
        Part {
            grammar,
            lead: self.lead,
            exits,
            endings,
        }
    }

    /// The sets, as rows of a pool know them.
    #[doc(hidden)]
    #[inline]
    pub fn sets(&self) -> PartSets<'_> {
        PartSets::kept(
            (self.grammar.rows_id(), self.base),
            self.grammar.trees(),
            &self.names,
        )
    }

    /// The frames that the shortest text of the part needs.
    #[inline]
    pub fn least_depth(&self) -> usize {
        self.least_depth
    }

    /// The bytes of the part, as [`load`](Self::load) takes them.
    pub fn to_bytes(&self) -> alloc::vec::Vec<u8> {
        [&self.head, &self.grammar.tables()[..]].concat()
    }

    /// Bytes of memory that it takes, without the vocabulary and the part that it stands beside.
    pub fn memory(&self) -> usize {
        self.head.len() + self.grammar.tables().len() + size_of_val(&*self.names)
    }
}

/// A view of an [`OwnedPart`], for [`Parts::View`](crate::link::Parts::View).
#[derive(Clone, Copy, Debug)]
pub struct PartView<'p>(Part<'p>);

impl<'p> From<&'p OwnedPart> for PartView<'p> {
    #[inline]
    fn from(part: &'p OwnedPart) -> Self {
        PartView(part.view())
    }
}

impl<'p> Deref for PartView<'p> {
    type Target = Part<'p>;

    #[inline]
    fn deref(&self) -> &Part<'p> {
        &self.0
    }
}

impl fmt::Debug for OwnedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnedPart").field(&self.view()).finish()
    }
}
