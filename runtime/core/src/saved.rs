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
/// Version of the form of a graph: a node in the place of frames, and the words of the graph.
#[cfg(feature = "graph")]
const GRAPH: u16 = 3;

/// Bytes before the stacks.
const HEADER: usize = 8 + TablesId::BYTES;
/// Bytes of the checksum at the end.
pub(crate) const CHECKSUM: usize = 4;

/// The most bytes that so many stacks of so many frames take.
pub(crate) const fn most_bytes(depth: usize, stacks: usize) -> usize {
    HEADER + stacks * (8 + 2 * depth) + CHECKSUM
}

/// The versions that are read.
#[cfg(not(feature = "graph"))]
const VERSIONS: &[u16] = &[PLAIN, COUNTED];
#[cfg(feature = "graph")]
const VERSIONS: &[u16] = &[PLAIN, COUNTED, GRAPH];

impl<S: Storage> Stacks<S> {
    /// Bytes that the stacks take.
    pub(crate) fn saved_len(&self) -> usize {
        #[cfg(feature = "graph")]
        if self.is_graph {
            let words = self.graph().iter().len();
            return HEADER + 8 * self.live() + 2 * words + CHECKSUM;
        }
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
        let version = if has_counts { COUNTED } else { PLAIN };
        #[cfg(feature = "graph")]
        let version = if self.is_graph { GRAPH } else { version };
        put(&version.to_le_bytes());
        put(&(self.live() as u16).to_le_bytes());
        put(&id.to_bytes());
        #[cfg(feature = "graph")]
        if self.is_graph {
            for head in self.graph_heads() {
                put(&head.state.to_le_bytes());
                put(&head.height.to_le_bytes());
                put(&head.tokens.to_le_bytes());
            }
            self.graph()
                .iter()
                .for_each(|word| put(&word.to_le_bytes()));
            *checksum = crc32(body).to_le_bytes();
            return Ok(needed);
        }
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
        let (found, mut rest) = Reader::open(bytes, MAGIC, VERSIONS)?;
        let cut = StateError::Corrupt("bytes are missing");
        let stacks = rest.half().ok_or(cut)?;
        if rest.take() != Some(grammar.id().to_bytes()) {
            return Err(StateError::OtherGrammar);
        }
        #[cfg(feature = "graph")]
        match (grammar.stacks_are_proved(), found == GRAPH) {
            (true, false) => {}
            (false, true) => return self.read_graph(grammar, stacks, rest),
            (true, true) => return Err(StateError::Corrupt("a graph where there is none")),
            (false, false) => return Err(StateError::Corrupt("no graph where there is one")),
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

    /// Reads the heads and the words of a graph.
    #[cfg(feature = "graph")]
    fn read_graph(
        &mut self,
        grammar: &Grammar<'_>,
        stacks: u16,
        mut rest: Reader<'_>,
    ) -> Result<(), StateError> {
        let cut = StateError::Corrupt("bytes are missing");
        let heads = rest.chunks::<8>(stacks).ok_or(cut)?;
        let (words, left_over) = rest.0.as_chunks();
        if !left_over.is_empty() {
            return Err(StateError::Corrupt("bytes are left over"));
        }
        let heads = heads.iter().map(|&[a, b, c, d, height @ .., e, f]| Head {
            state: u32::from_le_bytes([a, b, c, d]),
            height: u16::from_le_bytes(height),
            tokens: u16::from_le_bytes([e, f]),
        });
        for head in heads.clone() {
            self.check_head(grammar, head)?;
        }
        let count = words.len();
        let words = words.iter().map(|&word| u16::from_le_bytes(word));
        if words.clone().next().map(usize::from) != (count > 0).then_some(count) {
            return Err(StateError::Corrupt("not as many words as there should be"));
        }
        self.put_graph(heads, words)
            .ok_or(StateError::StacksTooFew)?;
        match self.is_graph_right(grammar.header.frames) {
            true => Ok(()),
            false => Err(StateError::Corrupt("the words are not a graph")),
        }
    }

    /// Whether a stack is in a state that some text ends a token in, and can be finished.
    fn check_head(&self, grammar: &Grammar<'_>, head: Head) -> Result<(), StateError> {
        let need = match grammar.state(head.state) {
            Some(state) if state.need != NEVER => state.need as usize,
            Some(_) => return Err(StateError::Corrupt("a state that no text ends a token in")),
            None => return Err(StateError::Corrupt("no such state")),
        };
        let needed = head.height as usize + need;
        match needed > self.storage.depth() {
            true => Err(StateError::DepthTooSmall { needed }),
            false => Ok(()),
        }
    }

    /// Adds a stack that was read.
    fn add_read(
        &mut self,
        grammar: &Grammar<'_>,
        head: Head,
        frames: &[[u8; 2]],
    ) -> Result<(), StateError> {
        self.check_head(grammar, head)?;
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
        self.chunks(count)
    }

    fn chunks<const N: usize>(&mut self, count: u16) -> Option<&'b [[u8; N]]> {
        let (chunks, rest) = self.0.split_at_checked(N * count as usize)?;
        self.0 = rest;
        Some(chunks.as_chunks::<N>().0)
    }
}
