//! Where a linked text stands, as bytes.
//!
//! In: a place with its stack, or bytes from anywhere. Out: bytes, or a place with its stack. What
//! holds after reading: the place exists in these parts, its part has not ended, and the stack is
//! one of that part and can be finished.
//!
//! ```text
//! magic      "MSKW"
//! version    u16
//! kind       u16: the outer part, names, a piece
//! id         of all parts, 32 bytes
//! outer      u32: the checksum of the outer part's tables
//! place      three u32: the piece or the first name; the state behind the hole; the hole and the bytes that have been read
//! stack      as in the state of a matcher, for the tables of the part; nothing within names
//! checksum   u32: CRC-32 of all before
//! ```

use crate::crc::crc32;
use crate::error::{MatcherError, StateError};
use crate::id::TablesId;
use crate::layout::state::NEVER;
use crate::saved::{CHECKSUM, Reader};
use crate::stack::{Storage, Text};

use super::Parts;
use super::place::Place;

const MAGIC: [u8; 4] = *b"MSKW";
const VERSION: u16 = 1;

const OUTER: u16 = 0;
const NAMES: u16 = 1;
const PIECE: u16 = 2;

/// Bytes before the stack.
const HEADER: usize = 8 + TablesId::BYTES + 4 * 4;

/// The bytes that a place takes besides its stack.
pub(super) const PLACE_BYTES: usize = HEADER + CHECKSUM;

impl<S: Storage> Text<S, Place> {
    /// Bytes that the place and its stack take.
    pub(super) fn saved_len(&self) -> usize {
        let stack = match self.place {
            Place::Names { .. } => 0,
            _ => self.stacks.saved_len(),
        };
        HEADER + stack + CHECKSUM
    }

    /// Writes the place and its stack to the beginning of `out`; returns the number of bytes.
    ///
    /// # Errors
    /// If `out` is too short.
    pub(super) fn write_to<P: Parts>(
        &self,
        parts: &P,
        out: &mut [u8],
    ) -> Result<usize, StateError> {
        let (needed, found) = (self.saved_len(), out.len());
        let short = StateError::BufferTooShort { needed, found };
        let out = out.get_mut(..needed).ok_or(short)?;
        let (body, checksum) = out.split_last_chunk_mut::<CHECKSUM>().ok_or(short)?;
        let (header, stack) = body.split_first_chunk_mut::<HEADER>().ok_or(short)?;
        let (kind, place) = match self.place {
            Place::Outer => (OUTER, [0; 3]),
            Place::Names {
                hole,
                read,
                first,
                after,
            } => (
                NAMES,
                [first, after, u32::from(hole) << 16 | u32::from(read)],
            ),
            Place::Piece { piece, after } => (PIECE, [piece, after, 0]),
        };
        let outer = parts.outer().grammar.checksum();
        let mut bytes = header.iter_mut();
        let mut put = |from: &[u8]| {
            bytes.by_ref().zip(from).for_each(|(to, from)| *to = *from);
        };
        put(&MAGIC);
        put(&VERSION.to_le_bytes());
        put(&kind.to_le_bytes());
        put(&parts.id().to_bytes());
        put(&outer.to_le_bytes());
        place.iter().for_each(|word| put(&word.to_le_bytes()));
        if let Some(part) = parts.part(self.place) {
            self.stacks.write_to(part.grammar.id(), stack)?;
        }
        *checksum = crc32(body).to_le_bytes();
        Ok(needed)
    }

    /// Reads what [`write_to`](Self::write_to) wrote, for these parts. After an error the stack is
    /// not fit for use.
    ///
    /// # Errors
    /// If the bytes are not a state of a linked text, are of other parts, or contradict these.
    pub(super) fn read_from<P: Parts>(
        &mut self,
        parts: &P,
        bytes: &[u8],
    ) -> Result<(), StateError> {
        if self.stacks.storage.heads().is_empty() {
            return Err(StateError::StacksTooFew);
        }
        if self.stacks.storage.depth() != parts.depth() {
            return Err(StateError::NoMatcher(MatcherError::OtherDepth {
                linked: parts.depth(),
            }));
        }
        let (_, mut rest) = Reader::open(bytes, MAGIC, &[VERSION])?;
        let cut = StateError::Corrupt("bytes are missing");
        let kind = rest.half().ok_or(cut)?;
        let outer = parts.outer().grammar.checksum();
        if rest.take() != Some(parts.id().to_bytes()) || rest.word() != Some(outer) {
            return Err(StateError::OtherGrammar);
        }
        let mut word = || rest.word().ok_or(cut);
        let (one, after, read) = (word()?, word()?, word()?);
        self.place = match kind {
            OUTER => Place::Outer,
            NAMES => Place::Names {
                hole: (read >> 16) as u16,
                read: read as u16,
                first: one,
                after,
            },
            PIECE => Place::Piece { piece: one, after },
            _ => return Err(StateError::Corrupt("no such kind of place")),
        };
        if kind != OUTER {
            check_behind(parts, after)?;
        }
        if kind == NAMES {
            self.stacks.clear();
            return self.check_names(parts, rest.0);
        }
        let read = self.in_part(parts, |stacks, part| {
            stacks.read_from(&part.grammar, rest.0)?;
            match stacks.heads() {
                [] if kind == PIECE => Err(StateError::Corrupt("a piece without a stack")),
                [_, _, ..] => Err(StateError::Corrupt("several stacks")),
                [head] if part.exit(*head).is_some() => {
                    Err(StateError::Corrupt("a part that has ended"))
                }
                _ => Ok(()),
            }
        });
        read.unwrap_or(Err(StateError::Corrupt("no such piece")))
    }

    /// Whether there are the names that have been read.
    fn check_names<P: Parts>(&self, parts: &P, rest: &[u8]) -> Result<(), StateError> {
        let Place::Names {
            hole, read, first, ..
        } = self.place
        else {
            return Ok(());
        };
        if !rest.is_empty() {
            return Err(StateError::Corrupt("bytes are left over"));
        }
        let names = parts
            .names(hole)
            .ok_or(StateError::Corrupt("no such hole"))?;
        let prefix = names.name(first).get(..usize::from(read));
        let is_first = |prefix| match first.checked_sub(1) {
            Some(before) => !names.name(before).starts_with(prefix),
            None => true,
        };
        let is_there = first < names.len() && prefix.is_some_and(is_first);
        if !is_there || names.is_whole(first, read) && !names.is_open(first) {
            return Err(StateError::Corrupt("no such name"));
        }
        Ok(())
    }
}

/// Whether the outer part can go on behind a hole in this state.
fn check_behind<P: Parts>(parts: &P, after: u32) -> Result<(), StateError> {
    let need = parts.outer().grammar.state(after).map(|state| state.need);
    match need {
        Some(need) if need != NEVER => Ok(()),
        _ => Err(StateError::Corrupt("no such state behind a hole")),
    }
}
