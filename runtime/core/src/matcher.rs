//! The matcher: where a text stands in a grammar.
//!
//! In: a [`Language`], then tokens or bytes. Out: at each point the [`Mask`] of the tokens that may
//! come next. What holds throughout: the text so far can be finished with `DEPTH` frames; an error
//! changes nothing.

use core::fmt;

use crate::error::{AcceptError, MatcherError, StateError};
use crate::language::{Language, Mask};
use crate::saved::most_bytes;
use crate::stack::FixedText;
use crate::tables::Grammar;

/// Where a text stands in a grammar.
///
/// `DEPTH` is the number of frames that a stack may have. A token is allowed if and only if some
/// sequence of tokens after it ends the text, and no stack has more than `DEPTH` frames on the way,
/// not even inside a token. If there are several stacks, one that would have more is dropped. So no
/// mask is empty before the end, at any depth from [`Grammar::least_depth`] on.
///
/// # Several stacks
///
/// `STACKS` is the number of stacks run side by side; it must be at least
/// [`Grammar::max_stacks`], which is 1 for deterministic grammars.
///
/// Where no number is [proved](Grammar::stacks_are_proved) to be enough, and with the feature
/// `graph`, the stacks are a graph (the graph-structured stack of Tomita, 1985) in the memory of
/// `STACKS` stacks, at least 8: stacks with equal frames below share them, so the work for a byte
/// grows with the nodes of the graph and not with the readings of the text. Masks are exact as long
/// as the graph has room. Where a token needs more, the matcher keeps one stack for which the mask
/// has the token, and drops the others: from then on it may refuse some sentences of the grammar.
/// No text gets stuck. `DEPTH` is at most 1,024 there.
/// [`OwnedMatcher`](https://docs.rs/maskwright/latest/maskwright/struct.OwnedMatcher.html) makes
/// room as it is needed, up to 128 KiB.
///
/// # Linked grammars
///
/// `G` is what the matcher follows: a whole [`Grammar`], unless another one is named. For the parts of a
/// linked grammar (feature `link`) it is their type, and `P` is `Place`; `LinkedMatcher` is short
/// for that. A linked grammar needs one stack, of the depth for which its parts were linked.
///
/// A matcher is small and `Copy`: a checkpoint or a fork is a copy, and
/// [`rollback`](Self::rollback) (or a plain assignment) goes back to it.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// use maskwright_core::{Grammar, Matcher, Vocabulary};
///
/// let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
/// let mut matcher = Matcher::<8>::new(&grammar)?;
/// let mut logits = vec![0.0; grammar.vocab_size() as usize];
/// (logits[b'x' as usize], logits[b'[' as usize]) = (9.0, 1.0); // what the model says
/// let token = matcher.mask().argmax(&logits);
/// assert_eq!(token, Some(b'[' as u32)); // `x` is not allowed
/// matcher.accept_token(b'[' as u32)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Matcher<'t, const DEPTH: usize, const STACKS: usize = 1, G = Grammar<'t>, P = ()> {
    pub(crate) language: &'t G,
    /// The stacks after the text so far; none once the text is finished.
    pub(crate) text: FixedText<P, DEPTH, STACKS>,
}

impl<G, P: Copy, const DEPTH: usize, const STACKS: usize> Clone
    for Matcher<'_, DEPTH, STACKS, G, P>
{
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, P: Copy, const DEPTH: usize, const STACKS: usize> Copy
    for Matcher<'_, DEPTH, STACKS, G, P>
{
}

impl<'t, G: Language, const DEPTH: usize, const STACKS: usize>
    Matcher<'t, DEPTH, STACKS, G, G::Place>
{
    /// A matcher at the beginning of a text.
    ///
    /// # Errors
    ///
    /// If `DEPTH` is too small for the shortest text, or `STACKS` for the grammar; if `DEPTH` is
    /// not the depth for which the parts of a linked grammar were linked.
    pub fn new(grammar: &'t G) -> Result<Self, MatcherError> {
        let mut text = FixedText::none();
        grammar.begin(&mut text)?;
        Ok(Matcher {
            language: grammar,
            text,
        })
    }

    /// The grammar.
    pub fn grammar(&self) -> &'t G {
        self.language
    }

    /// The tokens that may come next, the end-of-sequence tokens included where the text is
    /// complete. Nothing is computed yet: the mask borrows the matcher and is worked out by its
    /// methods.
    #[inline]
    pub fn mask(&self) -> Mask<'_, G, G::Place> {
        Mask::of(self.language, &self.text)
    }

    /// Takes a token: one that is in the [`mask`](Self::mask).
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// let [open, one, close, end] = [b'[' as u32, b'1' as u32, b']' as u32, 259];
    /// for token in [open, one, close, end] {
    ///     matcher.accept_token(token)?;
    /// }
    /// assert!(matcher.is_finished());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the grammar does not allow the token here, if the text could not be finished with `DEPTH`
    /// frames after it, if it would need more than `STACKS` stacks, or if no vocabulary is
    /// attached. The matcher is then as it was.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        self.language.accept_token(&mut self.text, id, &mut ())
    }

    /// Takes bytes, without regard to tokens. They may end inside a character. They are refused if
    /// no tokens of the vocabulary that the grammar was compiled for could finish the text after
    /// them.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// use maskwright_core::AcceptError;
    ///
    /// matcher.accept_bytes(b"[12,[tr")?;
    /// assert_eq!(matcher.accept_bytes(b"uth"), Err(AcceptError::NotAllowed));
    /// matcher.accept_bytes(b"ue")?; // the `u` of `uth` was not kept
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`accept_token`](Self::accept_token). The matcher is then as it was, even if only the
    /// last byte is refused.
    #[inline]
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        self.language.accept_bytes(&mut self.text, bytes, &mut ())
    }

    /// How many of these bytes would be accepted: where [`accept_bytes`](Self::accept_bytes)
    /// refuses them, the byte at this offset is the one that the grammar does not allow. The
    /// matcher stays where it is.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let matcher = Matcher::<8>::new(&grammar)?;
    /// assert_eq!(matcher.accepted_prefix(b"[12,[trap]"), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accepted_prefix(&self, bytes: &[u8]) -> usize {
        self.language.follow_bytes(&mut { self.text }, bytes)
    }

    /// Ends the text, as an end-of-sequence token does.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// assert!(matcher.finish().is_err());
    /// matcher.accept_bytes(b"[1]")?;
    /// matcher.finish()?;
    /// assert!(matcher.is_finished() && matcher.mask().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not complete. The matcher is then as it was.
    pub fn finish(&mut self) -> Result<(), AcceptError> {
        if !self.is_complete() {
            return Err(AcceptError::NotAllowed);
        }
        self.text.stacks.clear();
        Ok(())
    }

    /// Whether the text may end here: an end-of-sequence token would be accepted.
    pub fn is_complete(&self) -> bool {
        self.language.could_end(&self.text, None)
    }

    /// Whether the text has ended: an end-of-sequence token was accepted. The mask is then empty.
    pub fn is_finished(&self) -> bool {
        G::is_finished(&self.text)
    }

    /// Goes back to a checkpoint: a copy made earlier.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// let checkpoint = matcher;
    /// matcher.accept_bytes(b"[1,2")?;
    /// matcher.rollback(&checkpoint);
    /// matcher.accept_bytes(b"[")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rollback(&mut self, checkpoint: &Self) {
        *self = *checkpoint;
    }

    /// Goes back to the beginning of a text.
    pub fn reset(&mut self) {
        self.language.restart(&mut self.text);
    }

    /// The most bytes that [`write_to`](Self::write_to) writes.
    pub const MAX_BYTES: usize = G::MORE_BYTES + most_bytes(DEPTH, STACKS);

    /// Writes where the text stands to the beginning of a buffer; returns the number of bytes. For
    /// a whole grammar the form is that of [`State::write_to`](crate::State::write_to).
    ///
    /// # Errors
    ///
    /// If the buffer is too short. Nothing is written then.
    pub fn write_to(&self, buffer: &mut [u8]) -> Result<usize, StateError> {
        self.language.write_to(&self.text, buffer)
    }

    /// Reads what [`write_to`](Self::write_to) wrote, or a matcher of another kind of the same
    /// grammar. The bytes are not trusted: see [`State::read_from`](crate::State::read_from). Where
    /// the text stands in a piece of a linked grammar, that piece is needed.
    ///
    /// # Errors
    ///
    /// If the bytes are not a whole state of this grammar, or one that needs more frames or stacks.
    pub fn read_from(bytes: &[u8], grammar: &'t G) -> Result<Self, StateError> {
        let mut text = FixedText::none();
        grammar.read_from(&mut text, bytes)?;
        Ok(Matcher {
            language: grammar,
            text,
        })
    }
}

impl<G, P: fmt::Debug, const DEPTH: usize, const STACKS: usize> fmt::Debug
    for Matcher<'_, DEPTH, STACKS, G, P>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matcher")
            .field("stacks", &self.text.stacks)
            .field("place", &self.text.place)
            .finish_non_exhaustive()
    }
}
