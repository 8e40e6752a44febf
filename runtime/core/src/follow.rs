//! Stacks that follow a text: taking tokens, bytes and the end, and what must come next.
//!
//! In: a [`Grammar`] and [`Stacks`], wherever they lie. Out: the stacks after a token. What holds
//! throughout: a method with `&mut self` that fails leaves the stacks as they were only if its
//! documentation says so; for others the caller passes a copy.

use crate::error::{AcceptError, MatcherError};
#[cfg(feature = "graph")]
use crate::graph_stacks::Less;
use crate::layout::END_OF_TEXT;
use crate::stack::{Stacks, Storage};
use crate::step;
use crate::tables::Grammar;
use crate::terminal::Meaning;

impl<S: Storage> Stacks<S> {
    /// Goes to the beginning of a text.
    ///
    /// # Errors
    ///
    /// If there are too few stacks for the grammar, or too few frames for its shortest text.
    #[inline]
    pub(crate) fn begin(&mut self, grammar: &Grammar<'_>) -> Result<(), MatcherError> {
        self.check_stacks(grammar)?;
        self.start_text(grammar);
        self.keep_finishable(grammar)
            .map_err(|_| MatcherError::DepthTooSmall {
                needed: grammar.least_depth(),
            })
    }

    /// Goes to the beginning of a text of a grammar that was admitted.
    #[inline]
    pub(crate) fn start_text(&mut self, grammar: &Grammar<'_>) {
        #[cfg(feature = "graph")]
        if !grammar.stacks_are_proved() {
            return self.start_graph(grammar.header.start);
        }
        self.start(grammar.header.start);
    }

    /// Whether there are enough stacks for the grammar.
    #[inline]
    pub(crate) fn check_stacks(&self, grammar: &Grammar<'_>) -> Result<(), MatcherError> {
        if !grammar.stacks_are_proved() {
            #[cfg(feature = "graph")]
            return self.admit_graph();
            #[cfg(not(feature = "graph"))]
            return Err(MatcherError::StacksNotProved);
        }
        let needed = grammar.max_stacks();
        if needed > self.storage.heads().len() {
            return Err(MatcherError::StacksTooFew {
                needed,
                proved: true,
            });
        }
        Ok(())
    }

    /// Takes a token, or leaves the stacks as they were.
    #[inline]
    pub(crate) fn accept_token(
        &mut self,
        grammar: &Grammar<'_>,
        id: u32,
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError> {
        match self.meaning(grammar, id, Some(scratch))? {
            Meaning::End => self.finish(grammar, Some(scratch)),
            meaning => {
                let taken = S::attempt(self, scratch, |next| next.take(grammar, meaning));
                #[cfg(feature = "graph")]
                if taken == Err(AcceptError::TooManyStacks) && self.is_graph {
                    return first_with_room(|less| {
                        S::attempt(self, scratch, |next| {
                            next.take_with_less(grammar, (id, meaning), less)
                        })
                    });
                }
                taken
            }
        }
    }

    /// Takes bytes, or leaves the stacks as they were.
    #[inline]
    pub(crate) fn accept_bytes(
        &mut self,
        grammar: &Grammar<'_>,
        bytes: &[u8],
        scratch: &mut S::Scratch,
    ) -> Result<(), AcceptError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let taken = S::attempt(self, scratch, |next| next.take_bytes(grammar, bytes));
        #[cfg(feature = "graph")]
        if taken == Err(AcceptError::TooManyStacks) && self.is_graph {
            return S::attempt(self, scratch, |next| {
                next.take_one(grammar, Meaning::Text(bytes))
            });
        }
        taken
    }

    /// Takes the bytes of a token. After an error the stacks are not fit for use.
    #[inline]
    pub(crate) fn take_bytes(
        &mut self,
        grammar: &Grammar<'_>,
        bytes: &[u8],
    ) -> Result<(), AcceptError> {
        #[cfg(feature = "limits")]
        if grammar.limits().1.len() > 0 {
            return self.take_counted(grammar, bytes, false);
        }
        for &byte in bytes {
            self.step(grammar, grammar.class(byte))?;
        }
        self.keep_finishable(grammar)
    }

    /// The length of the longest beginning of `bytes` that would be taken. Afterwards the stacks
    /// are not fit for use.
    pub(crate) fn follow_bytes(&mut self, grammar: &Grammar<'_>, bytes: &[u8]) -> usize {
        let mut fits = 0;
        for (length, byte) in (1..).zip(bytes) {
            #[cfg(feature = "limits")]
            if grammar.limits().1.len() > 0 {
                let taken = self.take_counted(grammar, core::slice::from_ref(byte), false);
                if taken.is_err() {
                    break;
                }
                fits = length;
                continue;
            }
            if self.step(grammar, grammar.class(*byte)).is_err() {
                break;
            }
            if self.can_finish(grammar) {
                fits = length;
            }
        }
        fits
    }

    /// Whether some stack can be finished with the frames that there are.
    fn can_finish(&self, grammar: &Grammar<'_>) -> bool {
        let depth = self.storage.depth();
        #[cfg(feature = "graph")]
        if self.is_graph {
            let mut heads = self.graph_heads();
            return heads.any(|head| grammar.can_finish(head, depth));
        }
        let mut heads = self.heads().iter();
        heads.any(|head| grammar.can_finish(*head, depth))
    }

    /// Takes a token. After an error the stacks are not fit for use.
    pub(crate) fn take_token(&mut self, grammar: &Grammar<'_>, id: u32) -> Result<(), AcceptError> {
        let meaning = self.meaning(grammar, id, None)?;
        #[cfg(feature = "graph")]
        if self.is_graph {
            let before = self.copied().ok_or(AcceptError::TooManyStacks)?;
            let taken = self.take(grammar, meaning);
            if taken != Err(AcceptError::TooManyStacks) {
                return taken;
            }
            return first_with_room(|less| {
                *self = before.copied().ok_or(AcceptError::TooManyStacks)?;
                self.take_with_less(grammar, (id, meaning), less)
            });
        }
        self.take(grammar, meaning)
    }

    /// Ends the text, or leaves the stacks as they were.
    #[inline]
    pub(crate) fn finish(
        &mut self,
        grammar: &Grammar<'_>,
        scratch: Option<&mut S::Scratch>,
    ) -> Result<(), AcceptError> {
        if !self.could_end(grammar, scratch) {
            return Err(AcceptError::NotAllowed);
        }
        self.clear();
        Ok(())
    }

    /// Whether the text may end here, with scratch for what is tried.
    #[inline]
    pub(crate) fn could_end(
        &self,
        grammar: &Grammar<'_>,
        scratch: Option<&mut S::Scratch>,
    ) -> bool {
        self.can_take(grammar, grammar.header.end_class, scratch)
    }

    /// Whether some stack can take a symbol of `class`.
    #[cfg_attr(not(feature = "graph"), allow(unused_variables))]
    pub(crate) fn can_take(
        &self,
        grammar: &Grammar<'_>,
        class: u32,
        scratch: Option<&mut S::Scratch>,
    ) -> bool {
        #[cfg(feature = "graph")]
        if self.is_graph {
            return S::ask(self, scratch, |copy| copy.could_take(grammar, class));
        }
        let depth = self.storage.depth();
        self.iter()
            .any(|(state, frames)| step::can_take(grammar, state, frames, class, depth))
    }

    /// Takes and writes the bytes that must come next, as far as `buffer` goes; returns how many.
    /// Afterwards the stacks are not fit for use.
    pub(crate) fn force_bytes(&mut self, grammar: &Grammar<'_>, buffer: &mut [u8]) -> usize {
        let mut len = 0;
        for slot in buffer {
            let Some(byte) = self.forced_byte(grammar) else {
                break;
            };
            if self.step(grammar, grammar.class(byte)).is_err() {
                break;
            }
            *slot = byte;
            len += 1;
        }
        len
    }

    /// The only symbol that can come next, if it is a byte. Afterwards a graph may not be in the one
    /// order that its stacks have.
    pub(crate) fn forced_byte(&mut self, grammar: &Grammar<'_>) -> Option<u8> {
        #[cfg(feature = "graph")]
        if self.is_graph {
            return only_byte(grammar, |class| self.could_take(grammar, class));
        }
        only_byte(grammar, |class| self.can_take(grammar, class, None))
    }
}

/// The result of the first attempt that has room.
#[cfg(feature = "graph")]
#[cold]
fn first_with_room(
    mut attempt: impl FnMut(Less) -> Result<(), AcceptError>,
) -> Result<(), AcceptError> {
    match attempt(Less::Stacks) {
        Err(AcceptError::TooManyStacks) => attempt(Less::Readings),
        taken => taken,
    }
}

/// The byte of the only symbol that can be taken, if that is one byte.
#[inline]
fn only_byte(grammar: &Grammar<'_>, mut can_take: impl FnMut(u32) -> bool) -> Option<u8> {
    let end = grammar.header.end_class;
    let mut possible =
        (0..grammar.header.classes.min(END_OF_TEXT as u32 + 1)).filter(|&class| can_take(class));
    let class = possible.next().filter(|&class| class != end)?;
    if possible.next().is_some() {
        return None;
    }
    let mut bytes = (0..=u8::MAX).filter(|&byte| grammar.class(byte) == class);
    let byte = bytes.next()?;
    bytes.next().is_none().then_some(byte)
}
