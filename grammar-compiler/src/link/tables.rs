//! Linked parts as tables: for programs that have them built in.
//!
//! In: [`LinkedTools`] whose pieces have been compiled. Out: [`LinkTables`], bytes for
//! [`maskwright_core::link::Linked::load`]. What holds: the tables have the tokens of all
//! crossings, so that a matcher of the tables neither allocates nor walks a trie.

use std::collections::BTreeMap;

use maskwright_core::layout::{FORMAT_VERSION, LINK_MAGIC, link};
use maskwright_core::link::{Names, OwnedPart, Parts};

use super::NotLinked;
use super::slots::{into_names, into_outer};
use super::tools::LinkedTools;

/// Linked tools as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkTables {
    /// The part that pieces stand beside, if they do: for [`maskwright_core::link::Part::load`].
    pub base: Option<Vec<u8>>,
    /// The outer part: for [`maskwright_core::link::Part::load`].
    pub outer: Vec<u8>,
    /// The pieces: for [`maskwright_core::link::Part::load_beside`].
    pub pieces: Vec<Vec<u8>>,
    /// What links them: for [`maskwright_core::link::Linked::load`].
    pub link: Vec<u8>,
}

impl LinkedTools {
    /// The parts as bytes, for a program that has them built in. Compiles the pieces that have not
    /// been, and finds all tokens that cross boundaries.
    ///
    /// # Errors
    /// If a piece is refused or cannot be linked.
    pub fn to_tables(&self) -> Result<LinkTables, NotLinked> {
        let pieces: Result<Vec<&OwnedPart>, _> =
            self.pieces.iter().map(|piece| piece.get()).collect();
        let pieces = pieces?;
        self.check()?;
        let outer = &self.outer.part;
        let mut words = vec![0; link::HEADER_WORDS];
        let all = std::iter::once(outer).chain(pieces.iter().copied());
        words.extend(all.map(|part| part.view().grammar().checksum()));
        for hole in &self.holes {
            let whole = hole.words.chunks_exact(4);
            words
                .extend(whole.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
        }
        let found = crossings_of(self, &pieces);
        words[link::CROSSINGS] = found.len() as u32;
        words.extend(found.keys().flatten());
        words.push(0);
        let mut end = 0;
        words.extend(found.values().map(|tokens| {
            end += tokens.len() as u32;
            end
        }));
        words.extend(found.values().flatten());
        let hash = self.tokens.whole().vocabulary_hash();
        words[link::MAGIC] = LINK_MAGIC;
        words[link::VERSION] = FORMAT_VERSION;
        words[link::WORDS] = words.len() as u32;
        words[link::VOCABULARY_HASH] = hash as u32;
        words[link::VOCABULARY_HASH + 1] = (hash >> 32) as u32;
        words[link::DEPTH] = self.depth as u32;
        words[link::PIECES] = pieces.len() as u32;
        words[link::HOLES] = self.holes.len() as u32;
        let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let sum = crc32fast::hash(&bytes[4 * (link::CHECKSUM + 1)..]);
        bytes[4 * link::CHECKSUM..4 * (link::CHECKSUM + 1)].copy_from_slice(&sum.to_le_bytes());
        let base = self
            .base
            .ready()
            .and_then(|base| base.as_ref().ok()?.as_ref());
        Ok(LinkTables {
            base: base.map(|base| base.part.to_bytes()),
            outer: outer.to_bytes(),
            pieces: pieces.iter().map(|piece| piece.to_bytes()).collect(),
            link: bytes,
        })
    }
}

/// All crossings that have tokens, by their keys.
fn crossings_of(tools: &LinkedTools, pieces: &[&OwnedPart]) -> BTreeMap<[u32; 4], Box<[u32]>> {
    let mut all = Vec::new();
    for piece in pieces {
        for ending in piece.view().endings() {
            let states = tools.outer.states().iter();
            all.extend(states.map(|&state| into_outer(ending, state)));
        }
    }
    for &(hole, after) in &tools.outer.exits {
        let endings = tools.outer.part.view().endings();
        all.extend(endings.map(|ending| into_names(ending, hole, (0, 0), after)));
        let Some(names) = tools.names(hole) else {
            continue;
        };
        for first in 0..names.len() {
            let shared = shared(&names, first);
            let reads = shared..=names.name(first).len();
            all.extend(reads.map(|read| into_names(0, hole, (first, read as u16), after)));
        }
    }
    let mut found = BTreeMap::new();
    for crossing in all {
        let tokens = || tools.walk(tools, &crossing);
        found.entry(crossing.key()).or_insert_with(tokens);
    }
    found.retain(|_, tokens| !tokens.is_empty());
    found
}

/// How many bytes of a name have to be read until no name before it begins with them.
fn shared(names: &Names<'_>, at: u32) -> usize {
    let Some(before) = at.checked_sub(1) else {
        return 0;
    };
    let pairs = names.name(at).iter().zip(names.name(before));
    pairs.take_while(|(one, other)| one == other).count() + 1
}
