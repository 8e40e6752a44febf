//! The places of the sections of validated tables, from which a view is made without reading the
//! tables.
//!
//! In: a view. Out: [`SectionPlaces`] and [`VocabularyParts`], offsets without a lifetime; and the
//! view again, of the same bytes.

use crate::header::Header;
use crate::id::TablesId;
use crate::layout::{SECTION_COUNT, TableSection, state::STATE_WORDS, vocabulary};
use crate::sets::Sets;
use crate::tables::{CLASSES_WORDS, Grammar};
use crate::vocabulary::Vocabulary;
#[cfg(feature = "link")]
use crate::walk::Trees;
use crate::words::Words;

/// Where the sections of a grammar lie.
#[derive(Clone, Copy)]
pub(super) struct SectionPlaces {
    header: Header,
    beside_id: u64,
    /// What rows know the tables by, if they were given a digest.
    pub(super) digest: Option<[u64; 2]>,
    /// For each section where it begins, and its length, in words.
    sections: [(u32, u32); SECTION_COUNT],
}

impl SectionPlaces {
    pub(super) fn of(grammar: &Grammar<'_>) -> Self {
        SectionPlaces {
            header: grammar.header,
            beside_id: grammar.beside_id,
            digest: grammar.digest,
            sections: SECTIONS.map(|section| grammar.place(section)),
        }
    }

    /// Whether the tables stand beside others.
    pub(super) fn stands_beside(&self) -> bool {
        self.beside_id != 0
    }

    /// The identity of the tables.
    #[inline]
    pub(super) fn id(&self) -> TablesId {
        self.header.id(self.beside_id)
    }

    /// What rows of a pool know the tables by.
    #[inline]
    pub(super) fn rows_id(&self) -> TablesId {
        self.digest
            .map_or(self.id(), |digest| self.id().with_digest(digest))
    }

    /// The mask trees of the tables.
    #[cfg(feature = "link")]
    #[inline]
    pub(super) fn trees<'t>(&self, bytes: &'t [u8]) -> Trees<'t> {
        let (words, _) = Words::split(bytes);
        let states = self.section(words, TableSection::States);
        let records = self.header.states as usize * STATE_WORDS;
        let (states, _) = states.split_at(records).unwrap_or((states, Words::EMPTY));
        Trees {
            states: states.records::<STATE_WORDS>(),
            nodes: self.section(words, TableSection::Masks),
        }
    }

    /// A section of these words, which are those of the tables.
    #[inline]
    fn section<'t>(&self, words: Words<'t>, section: TableSection) -> Words<'t> {
        let (offset, len) = self.sections[section as usize];
        let words = words.slice(offset as usize, len as usize);
        words.unwrap_or(Words::EMPTY)
    }

    /// The token sets in these words.
    #[inline]
    fn sets<'t>(&self, words: Words<'t>) -> Sets<'t> {
        Sets {
            index: self.section(words, TableSection::SetIndex),
            words: self.section(words, TableSection::Sets),
        }
    }

    /// The grammar whose parts these are.
    #[inline]
    pub(super) fn view<'t>(
        &self,
        bytes: &'t [u8],
        beside: Option<(&'t [u8], &SectionPlaces)>,
        vocabulary: Option<Vocabulary<'t>>,
    ) -> Grammar<'t> {
        let (words, _) = Words::split(bytes);
        let classes = self.section(words, TableSection::Classes).raw();
        let (classes, class_maps) = classes.split_first_chunk().unwrap_or((&NO_CLASSES, &[]));
        let states = self.section(words, TableSection::States);
        let records = self.header.states as usize * STATE_WORDS;
        let (states, parents) = states.split_at(records).unwrap_or((states, Words::EMPTY));
        Grammar {
            bytes,
            classes,
            class_maps: class_maps.as_flattened(),
            states: states.records::<STATE_WORDS>(),
            parents,
            edges: self.section(words, TableSection::Edges),
            programs: self.section(words, TableSection::Programs),
            masks: self.section(words, TableSection::Masks),
            sets: self.sets(words),
            beside: beside.map_or(Sets::NONE, |(bytes, parts)| {
                parts.sets(Words::split(bytes).0)
            }),
            beside_id: self.beside_id,
            digest: self.digest,
            eos: self.section(words, TableSection::Eos),
            tokens: self.section(words, TableSection::Tokens),
            header: self.header,
            vocabulary,
        }
    }
}

/// Stands in for sections that are missing, which validation rules out.
static NO_CLASSES: [[u8; 4]; CLASSES_WORDS] = [[0; 4]; CLASSES_WORDS];

/// All sections, in their order.
const SECTIONS: [TableSection; SECTION_COUNT] = [
    TableSection::Classes,
    TableSection::States,
    TableSection::Edges,
    TableSection::Programs,
    TableSection::Masks,
    TableSection::SetIndex,
    TableSection::Sets,
    TableSection::Eos,
    TableSection::Tokens,
];

/// Where the parts of a vocabulary lie.
#[derive(Clone, Copy)]
pub(super) struct VocabularyParts {
    size: u32,
    hash: u64,
    bytes: usize,
}

impl VocabularyParts {
    pub(super) fn of(vocabulary: &Vocabulary<'_>) -> Self {
        VocabularyParts {
            size: vocabulary.size,
            hash: vocabulary.hash,
            bytes: vocabulary.bytes.len(),
        }
    }

    /// The vocabulary whose parts these are.
    #[inline]
    pub(super) fn view<'t>(&self, tables: &'t [u8]) -> Vocabulary<'t> {
        let (words, _) = Words::split(tables);
        let (ids, halves) = Vocabulary::shape(self.size);
        let slice = |start, len| words.slice(start, len).unwrap_or(Words::EMPTY);
        let start = vocabulary::HEADER_WORDS;
        let bytes = words.tail(start + ids + halves).unwrap_or(Words::EMPTY);
        let bytes = bytes.raw().as_flattened();
        Vocabulary {
            tables,
            blocks: slice(start, ids),
            relative: slice(start + ids, halves).halves(),
            bytes: bytes.get(..self.bytes).unwrap_or(bytes),
            size: self.size,
            hash: self.hash,
        }
    }
}
