//! The stack of a linked text: that of the part in which it stands.
//!
//! In: [`Parts`], then tokens or bytes. Out: the place and the stack after them. What holds
//! throughout: there is one stack, which is empty where a part begins; a part that can end has
//! ended. After an error the stack is not fit for use.

use crate::error::{AcceptError, MatcherError};
use crate::stack::{Stacks, Storage, Text};
use crate::terminal::Meaning;

use super::part::Part;
#[cfg(feature = "alloc")]
use super::place::Crossing;
use super::place::Place;
use super::{Names, Parts};

/// So many parts may begin without a byte between them: more would be a circle.
const MAX_EMPTY: usize = 8;

impl<S: Storage> Text<S, Place> {
    /// Takes and writes the bytes that must come next, as far as `buffer` goes; returns how many.
    /// Afterwards the stack is not fit for use.
    pub(super) fn force_bytes<P: Parts>(&mut self, parts: &P, buffer: &mut [u8]) -> usize {
        let mut len = 0;
        for slot in buffer {
            let Some(byte) = self.forced_byte(parts) else {
                break;
            };
            if self.step(parts, byte).is_err() {
                break;
            }
            *slot = byte;
            len += 1;
        }
        len
    }

    /// The length of the longest beginning of `bytes` that would be taken. Afterwards the stack is
    /// not fit for use.
    pub(super) fn follow_bytes<P: Parts>(&mut self, parts: &P, bytes: &[u8]) -> usize {
        let mut fits = 0;
        for (length, &byte) in (1..).zip(bytes) {
            if self.step(parts, byte).is_err() {
                break;
            }
            let is_fit = self.in_part(parts, |stacks, part| is_finishable(stacks, part));
            if is_fit.unwrap_or(true) {
                fits = length;
            }
        }
        fits
    }

    /// Goes to the beginning of a text.
    ///
    /// # Errors
    /// If stacks have another depth than the parts were linked for.
    pub(super) fn begin<P: Parts>(&mut self, parts: &P) -> Result<(), MatcherError> {
        let storage = &self.stacks.storage;
        if !storage.heads().is_empty() && storage.depth() != parts.depth() {
            return Err(MatcherError::OtherDepth {
                linked: parts.depth(),
            });
        }
        self.place = Place::Outer;
        self.stacks.begin(&parts.outer().grammar)?;
        let settled = self.settle(parts);
        settled.map_err(|_| MatcherError::DepthTooSmall {
            needed: parts.depth() + 1,
        })
    }

    /// Goes to where a crossing goes on.
    ///
    /// # Errors
    /// If there is no such place.
    #[cfg(feature = "alloc")]
    pub(super) fn go<P: Parts>(
        &mut self,
        parts: &P,
        crossing: &Crossing,
    ) -> Result<(), AcceptError> {
        self.place = crossing.place;
        match crossing.place {
            Place::Outer => {
                self.stacks.start(crossing.state);
                self.settle(parts)
            }
            Place::Names { .. } => Ok(()),
            Place::Piece { piece, after } => {
                self.begin_piece(parts, piece, after)?;
                self.settle(parts)
            }
        }
    }

    /// What `with` makes of the part in which the text stands; `None` within names.
    pub(super) fn in_part<P: Parts, R>(
        &mut self,
        parts: &P,
        with: impl FnOnce(&mut Stacks<S>, &Part<'_>) -> R,
    ) -> Option<R> {
        let part = parts.part(self.place)?;
        Some(with(&mut self.stacks, &part))
    }

    /// Takes a token.
    ///
    /// # Errors
    /// If it is not allowed here.
    pub(super) fn take_token<P: Parts>(&mut self, parts: &P, id: u32) -> Result<(), AcceptError> {
        if let Place::Names { hole, .. } = self.place
            && !parts.outer().is_text(id)
        {
            let names = parts.names(hole).ok_or(AcceptError::NotAllowed)?;
            self.enter(parts, &names)?;
        }
        let text = match parts.part(self.place) {
            None => match parts.vocabulary().bytes(id) {
                [] => return Err(AcceptError::NotAllowed),
                text => text,
            },
            Some(part) => match self.stacks.meaning(&part.grammar, id, None)? {
                Meaning::End => return self.stacks.finish(&part.grammar, None),
                Meaning::Text(text) => text,
                #[cfg(feature = "limits")]
                Meaning::Counted(_) => return Err(AcceptError::NotAllowed),
                Meaning::Terminal(classes) => {
                    for class in classes {
                        self.stacks.step_all(&part.grammar, class)?;
                    }
                    &[]
                }
            },
        };
        self.take_bytes(parts, text)
    }

    /// Takes the bytes of a token.
    ///
    /// # Errors
    /// If they are not allowed here.
    pub(super) fn take_bytes<P: Parts>(
        &mut self,
        parts: &P,
        bytes: &[u8],
    ) -> Result<(), AcceptError> {
        self.follow(parts, bytes, true)
    }

    /// Takes a byte within a token.
    ///
    /// # Errors
    /// If it is not allowed here.
    pub(super) fn step<P: Parts>(&mut self, parts: &P, byte: u8) -> Result<(), AcceptError> {
        self.follow(parts, &[byte], false)
    }

    /// Leaves each part that has ended, and enters the one that follows.
    ///
    /// # Errors
    /// If parts begin and end without a byte between them.
    fn settle<P: Parts>(&mut self, parts: &P) -> Result<(), AcceptError> {
        self.follow(parts, &[], false)
    }

    /// Takes bytes, leaves each part that has ended, and enters the one that follows. At the end of
    /// a token, `ends`, the stack must be one that can be finished.
    fn follow<P: Parts>(
        &mut self,
        parts: &P,
        mut bytes: &[u8],
        ends: bool,
    ) -> Result<(), AcceptError> {
        let mut empty = 0;
        while empty < MAX_EMPTY {
            let left = bytes.len();
            match parts.part(self.place) {
                Some(part) => {
                    let Some(exit) = self.take_in_part(&part, &mut bytes)? else {
                        return match ends {
                            true => self.stacks.keep_finishable(&part.grammar),
                            false => Ok(()),
                        };
                    };
                    self.leave(exit);
                }
                None => {
                    if self.take_in_names(parts, &mut bytes)? {
                        return Ok(());
                    }
                }
            }
            empty = if bytes.len() < left { 0 } else { empty + 1 };
        }
        Err(AcceptError::NotAllowed)
    }

    /// Takes bytes up to the end of the part; gives its exit if it has ended.
    #[inline]
    fn take_in_part(
        &mut self,
        part: &Part<'_>,
        bytes: &mut &[u8],
    ) -> Result<Option<(u16, u32)>, AcceptError> {
        loop {
            let exit = self.stacks.heads().first();
            let exit = exit.and_then(|head| part.exit(*head));
            let (None, Some((&byte, rest))) = (exit, bytes.split_first()) else {
                return Ok(exit);
            };
            *bytes = rest;
            self.stacks.step(&part.grammar, part.grammar.class(byte))?;
        }
    }

    /// Takes a byte of a name, or enters the piece of a name that has ended. Returns whether there
    /// was nothing to do.
    #[inline]
    fn take_in_names<P: Parts>(
        &mut self,
        parts: &P,
        bytes: &mut &[u8],
    ) -> Result<bool, AcceptError> {
        let Place::Names {
            hole, read, first, ..
        } = self.place
        else {
            return Err(AcceptError::NotAllowed);
        };
        let names = parts.names(hole).ok_or(AcceptError::NotAllowed)?;
        let next = match bytes.split_first() {
            Some((&byte, rest)) => names.step(first, read, byte).map(|next| (next, rest)),
            None if !names.is_whole(first, read) || names.is_open(first) => return Ok(true),
            None => None,
        };
        match next {
            Some((next, rest)) => {
                *bytes = rest;
                if let Place::Names { read, first, .. } = &mut self.place {
                    (*read, *first) = (*read + 1, next);
                }
            }
            None => self.enter(parts, &names)?,
        }
        Ok(false)
    }

    /// Leaves the part by an exit.
    #[inline]
    fn leave(&mut self, (hole, behind): (u16, u32)) {
        self.place = match self.place {
            Place::Piece { after, .. } => {
                self.stacks.start(after);
                Place::Outer
            }
            _ => Place::Names {
                hole,
                read: 0,
                first: 0,
                after: behind,
            },
        };
    }

    /// Goes to the piece of the name that has been read.
    ///
    /// # Errors
    /// If no name has been read as a whole, or there is no such piece.
    fn enter<P: Parts>(&mut self, parts: &P, names: &Names<'_>) -> Result<(), AcceptError> {
        let Place::Names {
            read, first, after, ..
        } = self.place
        else {
            return Err(AcceptError::NotAllowed);
        };
        let piece = names.piece(first).filter(|_| names.is_whole(first, read));
        let piece = piece.ok_or(AcceptError::NotAllowed)?;
        self.begin_piece(parts, piece, after)
    }

    /// Goes to the beginning of a piece.
    ///
    /// # Errors
    /// If there is no such piece.
    fn begin_piece<P: Parts>(
        &mut self,
        parts: &P,
        piece: u32,
        after: u32,
    ) -> Result<(), AcceptError> {
        self.place = Place::Piece { piece, after };
        let part = parts.part(self.place).ok_or(AcceptError::NotAllowed)?;
        self.stacks.start(part.grammar.header.start);
        Ok(())
    }

    /// Takes a byte within a token, in the part at this place.
    ///
    /// # Errors
    /// If it is not allowed here.
    #[cfg(feature = "alloc")]
    pub(super) fn take_byte<P: Parts>(
        &mut self,
        parts: &P,
        part: &Part<'_>,
        byte: u8,
    ) -> Result<(), AcceptError> {
        match self.take_in_part(part, &mut &[byte][..])? {
            None => Ok(()),
            Some(exit) => {
                self.leave(exit);
                self.settle(parts)
            }
        }
    }

    /// The only byte that can come next, if nothing else can.
    pub(super) fn forced_byte<P: Parts>(&mut self, parts: &P) -> Option<u8> {
        match self.place {
            Place::Names {
                hole, read, first, ..
            } => parts.names(hole)?.only(first, read),
            _ => self.in_part(parts, |stacks, part| stacks.forced_byte(&part.grammar))?,
        }
    }
}

/// Whether a stack can be finished in its part.
pub(super) fn is_finishable<S: Storage>(stacks: &Stacks<S>, part: &Part<'_>) -> bool {
    let depth = stacks.storage.depth();
    let mut heads = stacks.heads().iter();
    heads.any(|head| part.grammar.can_finish(*head, depth))
}
