//! The matcher: where a text stands in a grammar.
//!
//! In: a [`Grammar`], then tokens or bytes. Out: at each point the [`Mask`] of the tokens that may come next.
//! What holds throughout: the text so far can be finished with `DEPTH` frames; an error changes nothing.

use crate::error::{AcceptError, MatcherError};
use crate::mask::Mask;
use crate::stack::Stacks;
use crate::step;
use crate::tables::Grammar;

/// Where a text stands in a grammar.
///
/// `DEPTH` is the number of frames that a stack may have: texts that would nest deeper are never offered by a mask and
/// are refused. `STACKS` is the number of stacks run side by side; it must be at least
/// [`Grammar::max_stacks`], which is 1 for deterministic grammars.
///
/// A matcher is small and `Copy`: a checkpoint or a fork is a copy, and [`rollback`](Self::rollback) (or a plain
/// assignment) goes back to it.
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
#[derive(Clone, Copy, Debug)]
pub struct Matcher<'t, const DEPTH: usize, const STACKS: usize = 1> {
    grammar: &'t Grammar<'t>,
    /// The stacks after the text so far; none once the text is finished.
    stacks: Stacks<DEPTH, STACKS>,
}

impl<'t, const DEPTH: usize, const STACKS: usize> Matcher<'t, DEPTH, STACKS> {
    /// A matcher at the beginning of a text.
    ///
    /// # Errors
    ///
    /// If `DEPTH` is too small for the shortest text, or `STACKS` for the grammar.
    pub fn new(grammar: &'t Grammar<'t>) -> Result<Self, MatcherError> {
        let needed = grammar.max_stacks();
        if needed > STACKS {
            return Err(MatcherError::StacksTooFew {
                needed,
                proved: grammar.stacks_are_proved(),
            });
        }
        let mut stacks = Stacks::start(grammar.header.start);
        match stacks.keep_finishable(grammar) {
            Ok(()) => Ok(Matcher { grammar, stacks }),
            Err(_) => Err(MatcherError::DepthTooSmall {
                needed: grammar.least_depth(),
            }),
        }
    }

    /// The grammar.
    pub fn grammar(&self) -> &'t Grammar<'t> {
        self.grammar
    }

    /// The tokens that may come next, the end-of-sequence tokens included where the text is complete.
    /// Nothing is computed yet: the mask borrows the matcher and is worked out by its methods.
    #[inline]
    pub fn mask(&self) -> Mask<'_> {
        Mask::new(
            self.grammar,
            self.stacks.heads(),
            self.stacks.flattened(),
            DEPTH,
        )
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
    /// If the grammar does not allow the token here, if the text could not be finished with `DEPTH` frames after it,
    /// if it would need more than `STACKS` stacks, or if no vocabulary is attached. The matcher is then as it was.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        if self.grammar.eos.iter().any(|eos| eos == id) {
            return self.finish();
        }
        let Some(vocabulary) = self.grammar.vocabulary() else {
            return Err(AcceptError::NoVocabulary);
        };
        match vocabulary.bytes(id) {
            [] => Err(AcceptError::NotAllowed),
            bytes => self.accept_bytes(bytes),
        }
    }

    /// Takes bytes, whatever tokens they may come from; they may end inside of a character, but not where no tokens
    /// of the vocabulary that the grammar was compiled for could finish the text.
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
    /// As for [`accept_token`](Self::accept_token). The matcher is then as it was, also where only the last byte is
    /// refused.
    #[inline]
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut next = self.stacks;
        for &byte in bytes {
            next.step(self.grammar, self.grammar.class(byte))?;
        }
        next.keep_finishable(self.grammar)?;
        self.stacks = next;
        Ok(())
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
        self.stacks = Stacks::NONE;
        Ok(())
    }

    /// Whether the text may end here: an end-of-sequence token would be accepted.
    pub fn is_complete(&self) -> bool {
        self.can_take(self.grammar.header.end_class)
    }

    /// Whether the text has ended: an end-of-sequence token was accepted. The mask is then empty.
    pub fn is_finished(&self) -> bool {
        self.stacks.heads().is_empty()
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
        self.stacks = Stacks::start(self.grammar.header.start);
    }

    /// Takes one byte, whether or not the text could be finished after it. After an error the matcher is not fit for use.
    pub(crate) fn step_byte(&mut self, byte: u8) -> Result<(), AcceptError> {
        self.stacks.step(self.grammar, self.grammar.class(byte))
    }

    /// Whether some stack can take a symbol of `class`.
    pub(crate) fn can_take(&self, class: u32) -> bool {
        self.stacks
            .iter()
            .any(|(state, frames)| step::can_take(self.grammar, state, frames, class, DEPTH))
    }
}
