//! A linked grammar in tables.
//!
//! In: bytes that the compiler packed, and the parts that they name. Out: [`Linked`], a view that
//! borrows them. What holds after: the parts are those that were linked, and every piece that a
//! name is followed by is there.

use crate::crc::crc32;
use crate::error::LoadError;
use crate::header::{field, whole, wide_field};
use crate::id::TablesId;
use crate::layout::{LINK_MAGIC, link};
use crate::list::IS_SMALL;
use crate::vocabulary::Vocabulary;
use crate::words::Words;

use super::part::Part;
use super::place::Crossing;
use super::{Names, Parts};

/// The most holes of an outer part.
const MAX_HOLES: usize = 8;
/// Words of the key of a crossing.
const KEY: usize = 4;

/// A linked grammar whose parts and crossings lie in tables: nothing is left to be found out when a
/// text is followed, and nothing is allocated.
#[derive(Clone, Copy)]
pub struct Linked<'t> {
    id: TablesId,
    depth: usize,
    outer: Part<'t>,
    pieces: &'t [Part<'t>],
    names: [Option<Names<'t>>; MAX_HOLES],
    /// Keys of crossings, ascending.
    keys: &'t [[[u8; 4]; KEY]],
    /// Where the tokens of each crossing begin, and where the last ones end.
    offsets: Words<'t>,
    tokens: Words<'t>,
    vocabulary: Vocabulary<'t>,
}

impl<'t> Linked<'t> {
    /// Tables that were made for an outer part and these pieces, in this order. Nothing in them is
    /// trusted.
    ///
    /// # Errors
    /// If they are not link tables of this version, whole and unchanged, or were made for other
    /// parts.
    pub fn load(
        tables: &'t [u8],
        outer: Part<'t>,
        pieces: &'t [Part<'t>],
    ) -> Result<Self, LoadError> {
        let linked = Self::view(tables, outer, pieces)?;
        let (expected, found) = (
            linked.id.checksum,
            crc32(tables.get(4 * (link::CHECKSUM + 1)..).unwrap_or(&[])),
        );
        if expected != found {
            return Err(LoadError::Checksum { expected, found });
        }
        for names in linked.names.iter().flatten() {
            if !names.are_apart() {
                return Err(corrupt("one name of a hole is the beginning of another"));
            }
            let piece = |at| {
                names
                    .piece(at)
                    .is_some_and(|piece| (piece as usize) < pieces.len())
            };
            if !(0..names.len()).all(piece) {
                return Err(corrupt("no such piece"));
            }
        }
        Ok(linked)
    }

    /// Finds everything and compares the parts, without reading the names.
    const fn view(
        tables: &'t [u8],
        outer: Part<'t>,
        pieces: &'t [Part<'t>],
    ) -> Result<Self, LoadError> {
        let words = match whole(tables, LINK_MAGIC, link::HEADER_WORDS, "link") {
            Ok(words) => words,
            Err(error) => return Err(error),
        };
        let Some(&vocabulary) = outer.grammar.vocabulary() else {
            return Err(corrupt("the outer part has no vocabulary"));
        };
        let (expected, found) = (wide_field(words, link::VOCABULARY_HASH), vocabulary.hash());
        if expected != found {
            return Err(LoadError::OtherVocabulary { expected, found });
        }
        let Some(rest) = words.tail(link::HEADER_WORDS) else {
            return Err(corrupt("the header is cut off"));
        };
        let rest = match check_parts(words, rest, &outer, pieces) {
            Ok(rest) => rest,
            Err(error) => return Err(error),
        };
        let (names, rest) = match read_names(words, rest) {
            Ok(found) => found,
            Err(error) => return Err(error),
        };
        let count = field(words, link::CROSSINGS) as usize;
        let missing = "the crossings do not lie in the tables";
        let Some((keys, rest)) = rest.split_at(count.saturating_mul(KEY)) else {
            return Err(corrupt(missing));
        };
        let Some((offsets, tokens)) = rest.split_at(count.saturating_add(1)) else {
            return Err(corrupt(missing));
        };
        Ok(Linked {
            id: TablesId {
                grammar: outer.grammar.id().mixed(),
                vocabulary: vocabulary.hash(),
                beside: 0,
                checksum: field(words, link::CHECKSUM),
                words: field(words, link::WORDS),
            },
            depth: field(words, link::DEPTH) as usize,
            outer,
            pieces,
            names,
            keys: keys.records::<KEY>(),
            offsets,
            tokens,
            vocabulary,
        })
    }

    /// The pieces.
    pub fn pieces(&self) -> &'t [Part<'t>] {
        self.pieces
    }
}

impl Linked<'static> {
    /// Tables that the compiler emitted into this program, for a `const` or a `static`: no work is
    /// left for run time.
    ///
    /// # Panics
    ///
    /// If they are not whole link tables of this version of the format, or were made for other
    /// parts. In a `const` or a `static` that is a compile error; for tables that are read at run
    /// time use [`Linked::load`].
    pub const fn from_static(
        tables: &'static [u8],
        outer: Part<'static>,
        pieces: &'static [Part<'static>],
    ) -> Self {
        match Self::view(tables, outer, pieces) {
            Ok(linked) => linked,
            Err(LoadError::OtherTables { .. }) => panic!("the tables link other parts than these"),
            Err(LoadError::Version { .. }) => panic!(
                "the parts were linked for another version of the maskwright runtime: \
                 build again with the version of maskwright-compiler that matches the runtime"
            ),
            Err(_) => panic!("the link tables are not whole, or for other parts"),
        }
    }
}

/// Compares the parts with their checksums; the words behind.
const fn check_parts<'t>(
    words: Words<'t>,
    rest: Words<'t>,
    outer: &Part<'_>,
    pieces: &[Part<'_>],
) -> Result<Words<'t>, LoadError> {
    let count = field(words, link::PIECES) as usize;
    let Some((checksums, rest)) = rest.split_at(count.saturating_add(1)) else {
        return Err(corrupt("the checksums do not lie in the tables"));
    };
    if count != pieces.len() {
        return Err(corrupt("another number of pieces was linked"));
    }
    let (mut part, mut others) = (outer, pieces);
    let mut at = 0;
    while let Some(expected) = checksums.get(at) {
        let found = part.grammar.checksum();
        if expected != found {
            return Err(LoadError::OtherTables {
                expected,
                found: Some(found),
            });
        }
        if part.grammar.vocabulary_hash() != outer.grammar.vocabulary_hash() {
            return Err(corrupt("the parts are for several vocabularies"));
        }
        if let Some((next, behind)) = others.split_first() {
            (part, others) = (next, behind);
        }
        at += 1;
    }
    Ok(rest)
}

type AllNames<'t> = [Option<Names<'t>>; MAX_HOLES];

/// The names of each hole, and the words behind.
const fn read_names<'t>(
    words: Words<'t>,
    mut rest: Words<'t>,
) -> Result<(AllNames<'t>, Words<'t>), LoadError> {
    let count = field(words, link::HOLES) as usize;
    if count > MAX_HOLES {
        return Err(corrupt("too many holes"));
    }
    let mut all = [None; MAX_HOLES];
    let mut hole = 0;
    while hole < count {
        let Some((names, behind)) = Names::split_words(rest) else {
            return Err(corrupt("the names of a hole are not whole"));
        };
        (all[hole], rest) = (Some(names), behind);
        hole += 1;
    }
    Ok((all, rest))
}

impl<'t> Parts for Linked<'t> {
    type View<'p>
        = &'p Part<'p>
    where
        't: 'p;

    fn id(&self) -> TablesId {
        self.id
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn vocabulary(&self) -> Vocabulary<'_> {
        self.vocabulary
    }

    fn outer(&self) -> &Part<'_> {
        &self.outer
    }

    fn piece(&self, piece: u32) -> Option<&Part<'_>> {
        self.pieces.get(piece as usize)
    }

    fn names(&self, hole: u16) -> Option<Names<'_>> {
        self.names.get(hole as usize).copied().flatten()
    }

    fn crossing(&self, crossing: &Crossing, from: u32, to: u32, visit: &mut dyn FnMut(u32)) {
        let key = crossing.key();
        let Some(at) = find(self.keys, key) else {
            return;
        };
        let offset = |at: usize| self.offsets.get(at).map(|offset| offset as usize);
        let (Some(start), Some(end)) = (offset(at), offset(at + 1)) else {
            return;
        };
        let length = end.saturating_sub(start);
        let ids = self.tokens.slice(start, length).unwrap_or(Words::EMPTY);
        let before = ids.partition_point(|id| id < from);
        let ids = ids.tail(before).unwrap_or(Words::EMPTY).iter();
        ids.take_while(|&id| id < to).for_each(visit);
    }
}

impl core::fmt::Debug for Linked<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Linked")
            .field("depth", &self.depth)
            .field("pieces", &self.pieces.len())
            .field("crossings", &self.keys.len())
            .finish_non_exhaustive()
    }
}

/// The place of a key among keys that ascend.
#[inline]
fn find(keys: &[[[u8; 4]; KEY]], key: [u32; KEY]) -> Option<usize> {
    if IS_SMALL {
        let is_it = |words: &[[u8; 4]; KEY]| {
            let mut pairs = words.iter().zip(key);
            pairs.all(|(word, key)| u32::from_le_bytes(*word) == key)
        };
        return keys.iter().position(is_it);
    }
    let read = |words: &[[u8; 4]; KEY]| words.map(u32::from_le_bytes);
    let found = keys.binary_search_by(|words| read(words).cmp(&key));
    found.ok()
}

const fn corrupt(problem: &'static str) -> LoadError {
    LoadError::Corrupt {
        section: "link",
        word: 0,
        problem,
    }
}
