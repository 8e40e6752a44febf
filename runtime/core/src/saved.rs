//! Where a text stands, as bytes.
//!
//! In: stacks and the id of their tables, or bytes from anywhere. Out: bytes, or stacks. What holds
//! after reading: the stacks belong to these tables, differ from one another, name states and
//! frames that exist, and can each be finished.
//!
//! [`State::write_to`](crate::State::write_to) describes the form.

use crate::crc::crc32;
use crate::error::StateError;
use crate::head::Head;
use crate::id::TablesId;
use crate::layout::{BOTTOM, state::NEVER};
use crate::stack::{Stacks, Storage};
use crate::tables::Grammar;

const MAGIC: [u8; 4] = *b"MSKS";
/// Version of the form without counts of tokens.
const PLAIN: u16 = 1;
/// Version of the form with a count of tokens behind the height of each stack.
const COUNTED: u16 = 2;

/// Bytes before the stacks.
const HEADER: usize = 8 + TablesId::BYTES;
/// Bytes of the checksum at the end.
pub(crate) const CHECKSUM: usize = 4;

/// The most bytes that so many stacks of so many frames take.
pub(crate) const fn most_bytes(depth: usize, stacks: usize) -> usize {
    HEADER + stacks * (8 + 2 * depth) + CHECKSUM
}

impl<S: Storage> Stacks<S> {
    /// Bytes that the stacks take.
    pub(crate) fn saved_len(&self) -> usize {
        let head = if self.has_counts() { 8 } else { 6 };
        let stacks = self.iter().map(|(_, frames)| head + 2 * frames.len());
        HEADER + stacks.sum::<usize>() + CHECKSUM
    }

    /// Whether tokens of a limited text are counted.
    fn has_counts(&self) -> bool {
        self.heads().iter().any(|head| head.tokens > 0)
    }

    /// Writes the stacks to the beginning of `out`; returns the number of bytes.
    pub(crate) fn write_to(&self, id: TablesId, out: &mut [u8]) -> Result<usize, StateError> {
        let (needed, found) = (self.saved_len(), out.len());
        let Some(out) = out.get_mut(..needed) else {
            return Err(StateError::BufferTooShort { needed, found });
        };
        let Some((body, checksum)) = out.split_last_chunk_mut::<CHECKSUM>() else {
            return Err(StateError::BufferTooShort { needed, found });
        };
        let mut bytes = body.iter_mut();
        let mut put = |from: &[u8]| {
            bytes.by_ref().zip(from).for_each(|(to, from)| *to = *from);
        };
        put(&MAGIC);
        let has_counts = self.has_counts();
        put(&if has_counts { COUNTED } else { PLAIN }.to_le_bytes());
        put(&(self.heads().len() as u16).to_le_bytes());
        put(&id.to_bytes());
        for ((state, frames), head) in self.iter().zip(self.heads()) {
            put(&state.to_le_bytes());
            put(&(frames.len() as u16).to_le_bytes());
            if has_counts {
                put(&head.tokens.to_le_bytes());
            }
            frames.iter().for_each(|frame| put(&frame.to_le_bytes()));
        }
        *checksum = crc32(body).to_le_bytes();
        Ok(needed)
    }

    /// Reads what [`write_to`](Self::write_to) wrote, for this grammar. After an error the stacks
    /// are not fit for use.
    pub(crate) fn read_from(
        &mut self,
        grammar: &Grammar<'_>,
        bytes: &[u8],
    ) -> Result<(), StateError> {
        let (found, mut rest) = Reader::open(bytes, MAGIC, &[PLAIN, COUNTED])?;
        let cut = StateError::Corrupt("bytes are missing");
        let stacks = rest.half().ok_or(cut)?;
        if rest.take() != Some(grammar.id().to_bytes()) {
            return Err(StateError::OtherGrammar);
        }
        self.clear();
        for _ in 0..stacks {
            let state = rest.word().ok_or(cut)?;
            let height = rest.half().ok_or(cut)?;
            let tokens = match found {
                COUNTED => rest.half().ok_or(cut)?,
                _ => 0,
            };
            let head = Head {
                state,
                height,
                tokens,
            };
            self.add_read(grammar, head, rest.halves(height).ok_or(cut)?)?;
        }
        if found == COUNTED && !self.has_counts() {
            return Err(StateError::Corrupt("no tokens are counted"));
        }
        match rest.0 {
            [] => Ok(()),
            _ => Err(StateError::Corrupt("bytes are left over")),
        }
    }

    /// Adds a stack that was read.
    fn add_read(
        &mut self,
        grammar: &Grammar<'_>,
        head: Head,
        frames: &[[u8; 2]],
    ) -> Result<(), StateError> {
        let need = match grammar.state(head.state) {
            Some(state) if state.need != NEVER => state.need as usize,
            Some(_) => return Err(StateError::Corrupt("a state that no text ends a token in")),
            None => return Err(StateError::Corrupt("no such state")),
        };
        #[cfg(feature = "limits")]
        let limit = grammar.limit(head.state).map_or(1, |limit| limit.tokens);
        #[cfg(not(feature = "limits"))]
        let limit = 1;
        if head.tokens >= limit {
            return Err(StateError::Corrupt("more tokens than a text may have"));
        }
        let frames = frames.iter().map(|frame| u16::from_le_bytes(*frame));
        let is_frame = |frame: u16| frame != BOTTOM && u32::from(frame) < grammar.header.frames;
        if !frames.clone().all(is_frame) {
            return Err(StateError::Corrupt("no such frame"));
        }
        let needed = head.height as usize + need;
        if needed > self.storage.depth() {
            return Err(StateError::DepthTooSmall { needed });
        }
        let is_there = |(state, own): (u32, &[u16])| {
            state == head.state && frames.clone().eq(own.iter().copied())
        };
        if self.iter().any(is_there) {
            return Err(StateError::Corrupt("two stacks are equal"));
        }
        self.push(head, frames).ok_or(StateError::StacksTooFew)
    }
}

/// Bytes that are still to be read.
pub(crate) struct Reader<'b>(pub(crate) &'b [u8]);

impl<'b> Reader<'b> {
    /// The version of a state that begins with `magic` and ends with its checksum, and what lies
    /// between.
    ///
    /// # Errors
    /// If it begins with something else, has none of these versions, or was changed.
    pub(crate) fn open(
        bytes: &'b [u8],
        magic: [u8; 4],
        versions: &[u16],
    ) -> Result<(u16, Self), StateError> {
        let (body, checksum) = bytes
            .split_last_chunk::<CHECKSUM>()
            .ok_or(StateError::Foreign)?;
        let mut rest = Reader(body);
        if rest.take::<4>() != Some(magic) {
            return Err(StateError::Foreign);
        }
        let found = rest.half().ok_or(StateError::Foreign)?;
        if !versions.contains(&found) {
            return Err(StateError::Version { found });
        }
        if crc32(body) != u32::from_le_bytes(*checksum) {
            return Err(StateError::Corrupt("the checksum differs"));
        }
        Ok((found, rest))
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn half(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(crate) fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn halves(&mut self, count: u16) -> Option<&'b [[u8; 2]]> {
        let (halves, rest) = self.0.split_at_checked(2 * count as usize)?;
        self.0 = rest;
        Some(halves.as_chunks::<2>().0)
    }
}
