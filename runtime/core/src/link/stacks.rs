//! The stack of a linked text: that of the part in which it stands.
//!
//! In: [`Parts`], then tokens or bytes. Out: the place and the stack after them. What holds throughout: there is one stack, which is empty where a part begins; a part that can end has
//! ended. After an error the stack is not fit for use.

use crate::error::{AcceptError, MatcherError};
#[cfg(feature = "alloc")]
use crate::layout::state::NEVER;
use crate::stack::Stacks;
use crate::storage::Storage;
use crate::terminal::Meaning;

use super::part::Part;
use super::place::{Crossing, Place};
use super::{Names, Parts};

/// So many parts may begin without a byte between them: more would be a circle.
const MAX_EMPTY: usize = 8;

/// A stack and its part.
#[derive(Clone, Copy)]
pub(crate) struct LinkedStacks<S> {
    pub(crate) stacks: Stacks<S>,
    pub(crate) place: Place,
}

impl<S: Storage> LinkedStacks<S> {
    /// No stack yet.
    pub(crate) fn none(stacks: Stacks<S>) -> Self {
        LinkedStacks {
            stacks,
            place: Place::Outer,
        }
    }

    /// Goes to where other stacks stand.
    #[cfg(feature = "alloc")]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.stacks.copy_from(&other.stacks);
        self.place = other.place;
    }

    /// Takes and writes the bytes that must come next, as far as `buffer` goes; returns how many. Afterwards the stack is not fit for use.
    pub(crate) fn force_bytes<P: Parts>(&mut self, parts: &P, buffer: &mut [u8]) -> usize {
        let mut len = 0;
        for slot in buffer {
            let Some(byte) = self.forced_byte(parts) else {
                break;
            };
            if self.follow(parts, &[byte]).is_err() {
                break;
            }
            *slot = byte;
            len += 1;
        }
        len
    }

    /// Goes to the beginning of a text.
    ///
    /// # Errors
    /// If stacks have another depth than the parts were linked for.
    pub(crate) fn begin<P: Parts>(&mut self, parts: &P) -> Result<(), MatcherError> {
        if self.stacks.storage.depth() != parts.depth() {
            return Err(MatcherError::OtherDepth {
                linked: parts.depth(),
            });
        }
        self.place = Place::Outer;
        parts.outer(|outer| self.stacks.begin(&outer.grammar))?;
        let settled = self.settle(parts);
        settled.map_err(|_| MatcherError::DepthTooSmall {
            needed: parts.depth() + 1,
        })
    }

    /// Goes to where a crossing goes on.
    ///
    /// # Errors
    /// If there is no such place.
    pub(crate) fn go<P: Parts>(
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
                self.enter(parts, piece, after)?;
                self.settle(parts)
            }
        }
    }

    /// What `with` makes of the part in which the text stands; `None` within names.
    #[inline]
    pub(crate) fn in_part<P: Parts, R>(
        &mut self,
        parts: &P,
        with: impl FnOnce(&mut Stacks<S>, &Part<'_>) -> R,
    ) -> Option<R> {
        let stacks = &mut self.stacks;
        parts.part(self.place, |part| with(stacks, part))
    }

    /// Takes a token.
    ///
    /// # Errors
    /// If it is not allowed here.
    pub(crate) fn take_token<P: Parts>(&mut self, parts: &P, id: u32) -> Result<(), AcceptError> {
        let text = parts.vocabulary().bytes(id);
        self.enter_by_token(parts, id)?;
        // How much of the text the part has not taken.
        let left = match self.place {
            Place::Names { .. } if text.is_empty() => Err(AcceptError::NotAllowed),
            Place::Names { .. } => Ok(text.len()),
            _ => self
                .in_part(parts, |stacks, part| {
                    match stacks.meaning(&part.grammar, id)? {
                        Meaning::End => stacks.finish(&part.grammar).map(|()| 0),
                        Meaning::Text(_) => Ok(text.len()),
                        #[cfg(feature = "limits")]
                        Meaning::Counted(_) => Err(AcceptError::NotAllowed),
                        Meaning::Terminal(classes) => {
                            for class in classes {
                                stacks.step_all(&part.grammar, class)?;
                            }
                            Ok(0)
                        }
                    }
                })
                .unwrap_or(Err(AcceptError::NotAllowed)),
        }?;
        if left == 0 {
            if self.is_finished() {
                return Ok(());
            }
            self.settle(parts)?;
            return self.keep_finishable(parts);
        }
        self.take_bytes(parts, text)
    }

    /// Within names, goes to the piece that begins with a token that is a terminal.
    ///
    /// # Errors
    /// If there is none.
    fn enter_by_token<P: Parts>(&mut self, parts: &P, id: u32) -> Result<(), AcceptError> {
        let Place::Names { hole, .. } = self.place else {
            return Ok(());
        };
        if parts.outer(|outer| outer.grammar.is_only_text(id)) {
            return Ok(());
        }
        let names = parts.names(hole).ok_or(AcceptError::NotAllowed)?;
        self.enter_open(&names, parts)
    }

    /// Goes to the piece of a name that ends here though others may go on.
    ///
    /// # Errors
    /// If there is none.
    fn enter_open<P: Parts>(&mut self, names: &Names<'_>, parts: &P) -> Result<(), AcceptError> {
        let Place::Names {
            read, first, after, ..
        } = self.place
        else {
            return Err(AcceptError::NotAllowed);
        };
        let is_here = names.is_whole(first, read) && names.is_open(first);
        let piece = names.piece(first).filter(|_| is_here);
        self.enter(parts, piece.ok_or(AcceptError::NotAllowed)?, after)
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// If they are not allowed here.
    pub(crate) fn take_bytes<P: Parts>(
        &mut self,
        parts: &P,
        bytes: &[u8],
    ) -> Result<(), AcceptError> {
        self.follow(parts, bytes)?;
        self.keep_finishable(parts)
    }

    /// Takes bytes within a token.
    ///
    /// # Errors
    /// If they are not allowed here.
    pub(crate) fn follow<P: Parts>(
        &mut self,
        parts: &P,
        mut bytes: &[u8],
    ) -> Result<(), AcceptError> {
        while !bytes.is_empty() {
            let taken = match self.place {
                Place::Names { .. } => self.take_name(parts, bytes)?,
                _ => self.take_in_part(parts, bytes)?,
            };
            bytes = bytes.get(taken..).unwrap_or(&[]);
        }
        Ok(())
    }

    /// Takes bytes up to the end of the part; returns how many.
    #[inline]
    fn take_in_part<P: Parts>(&mut self, parts: &P, bytes: &[u8]) -> Result<usize, AcceptError> {
        let taken = self.in_part(parts, |stacks, part| {
            for (at, &byte) in bytes.iter().enumerate() {
                stacks.step(&part.grammar, part.grammar.class(byte))?;
                let ends = stacks.heads().first().and_then(|head| part.exit(*head));
                if ends.is_some() {
                    return Ok(at + 1);
                }
            }
            Ok(bytes.len())
        });
        let taken = taken.unwrap_or(Err(AcceptError::NotAllowed))?;
        self.settle(parts)?;
        Ok(taken)
    }

    /// Takes bytes up to the end of a name; returns how many.
    fn take_name<P: Parts>(&mut self, parts: &P, bytes: &[u8]) -> Result<usize, AcceptError> {
        let mut taken = 0;
        for &byte in bytes {
            let Place::Names {
                hole,
                read,
                first,
                after,
            } = self.place
            else {
                break;
            };
            let names = parts.names(hole).ok_or(AcceptError::NotAllowed)?;
            let Some(first) = names.step(first, read, byte) else {
                self.enter_open(&names, parts)?;
                break;
            };
            self.place = Place::Names {
                hole,
                read: read + 1,
                first,
                after,
            };
            taken += 1;
            self.settle(parts)?;
        }
        Ok(taken)
    }

    /// Leaves each part that has ended, and enters the one that follows.
    pub(crate) fn settle<P: Parts>(&mut self, parts: &P) -> Result<(), AcceptError> {
        for _ in 0..MAX_EMPTY {
            if !self.leave(parts)? {
                return Ok(());
            }
        }
        Err(AcceptError::NotAllowed)
    }

    /// Leaves the part if it has ended; returns whether it has.
    #[inline]
    fn leave<P: Parts>(&mut self, parts: &P) -> Result<bool, AcceptError> {
        if let Place::Names {
            hole,
            read,
            first,
            after,
        } = self.place
        {
            let names = parts.names(hole).ok_or(AcceptError::NotAllowed)?;
            if !names.is_whole(first, read) || names.is_open(first) {
                return Ok(false);
            }
            let piece = names.piece(first).ok_or(AcceptError::NotAllowed)?;
            return self.enter(parts, piece, after).map(|()| true);
        }
        let exit = self.in_part(parts, |stacks, part| {
            stacks.heads().first().and_then(|head| part.exit(*head))
        });
        let Some((exit, behind)) = exit.ok_or(AcceptError::NotAllowed)? else {
            return Ok(false);
        };
        self.place = match self.place {
            Place::Piece { after, .. } => {
                self.stacks.start(after);
                Place::Outer
            }
            _ => Place::Names {
                hole: exit,
                read: 0,
                first: 0,
                after: behind,
            },
        };
        Ok(true)
    }

    fn enter<P: Parts>(&mut self, parts: &P, piece: u32, after: u32) -> Result<(), AcceptError> {
        self.place = Place::Piece { piece, after };
        self.in_part(parts, |stacks, part| {
            stacks.start(part.grammar.header.start);
        })
        .ok_or(AcceptError::NotAllowed)
    }

    /// Whether the stack can be finished.
    pub(crate) fn keep_finishable<P: Parts>(&mut self, parts: &P) -> Result<(), AcceptError> {
        self.in_part(parts, |stacks, part| stacks.keep_finishable(&part.grammar))
            .unwrap_or(Ok(()))
    }

    /// Whether the stack can be finished; it stays as it is.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_finishable<P: Parts>(&mut self, parts: &P) -> bool {
        let in_part = self.in_part(parts, |stacks, part| {
            let depth = stacks.storage.depth();
            stacks.heads().iter().any(|head| {
                let need = part
                    .grammar
                    .state(head.state)
                    .map_or(NEVER, |state| state.need);
                need != NEVER && usize::from(head.height) + need as usize <= depth
            })
        });
        in_part.unwrap_or(matches!(self.place, Place::Names { .. }))
    }

    /// Whether the text has ended.
    pub(crate) fn is_finished(&self) -> bool {
        self.place == Place::Outer && self.stacks.heads().is_empty()
    }

    /// Whether the text may end here.
    pub(crate) fn is_complete<P: Parts>(&self, parts: &P) -> bool {
        self.place == Place::Outer && parts.outer(|outer| self.stacks.is_complete(&outer.grammar))
    }

    /// The only byte that can come next, if nothing else can.
    pub(crate) fn forced_byte<P: Parts>(&mut self, parts: &P) -> Option<u8> {
        match self.place {
            Place::Names {
                hole, read, first, ..
            } => parts.names(hole)?.only(first, read),
            _ => self.in_part(parts, |stacks, part| stacks.forced_byte(&part.grammar))?,
        }
    }
}
