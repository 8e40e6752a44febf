//! A matcher that owns its grammar, and whose depth and number of stacks are chosen at run time.
//!
//! In: an [`Owner`], then tokens or bytes. Out: at each point the mask, and on request the
//! states before. What holds throughout: as for [`Matcher`](crate::Matcher); an error changes
//! nothing, the history included.

use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;

use crate::error::{
    AcceptError, BufferTooSmall, MatcherError, PoolError, RollbackError, StateError,
};
use crate::language::{Language, Mask};
use crate::pool::{MaskPool, PoolSlot, PooledRow};
use crate::slices::{Heap, Scratch};
use crate::stack::{Stacks, Storage, Text};

use super::Owner;
use super::grammar::OwnedGrammar;
use super::history::History;

/// States that are kept to go back to, unless another number is asked for.
const HISTORY: usize = 256;

/// A [`Matcher`](crate::Matcher) without a lifetime, which owns its grammar. Depth and stacks are
/// chosen at run time, and it can [go back](Self::rollback) by some tokens.
///
/// It is `Send` and `Sync`. A clone is independent, so a tree of drafts is a tree of clones. A
/// [`fork`](Self::fork) has no history, and costs three allocations and a few words to copy. Taking
/// a token allocates nothing once a text of this length has been followed.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// use maskwright_core::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
///
/// let vocabulary = OwnedVocabulary::load(vocabulary)?;
/// let grammar = OwnedGrammar::load(tables)?.with_vocabulary(&vocabulary)?;
/// let mut matcher = OwnedMatcher::new(&grammar, 8)?;
/// drop(grammar); // the matcher keeps what it needs
///
/// // A draft of four tokens: the first three are allowed, and the model agrees with the first two.
/// let draft = [b'[' as u32, 257, b',' as u32, b',' as u32]; // 257 is `12`
/// let accepted = matcher.accept_draft(&draft);
/// assert_eq!(accepted, 3);
/// matcher.rollback(accepted - 2)?;
/// matcher.accept_bytes(b"]")?;
/// assert!(matcher.is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Linked grammars
///
/// A matcher owns whatever an [`Owner`] has: an `OwnedGrammar` unless another one is named. For a
/// linked grammar that is an `Arc` of its parts.
pub struct OwnedMatcher<O: Owner = OwnedGrammar> {
    grammar: O,
    /// The stacks after the text so far; none once the text is finished.
    pub(crate) text: Text<Heap, O::Place>,
    scratch: Scratch<Heap>,
    history: History<O::Place>,
}

impl OwnedMatcher {
    /// A matcher at the beginning of a text, with as many stacks as the grammar needs and stacks of
    /// up to `depth` frames. Where the stacks are a graph, it makes more room as it is needed, up
    /// to 128 KiB.
    ///
    /// # Errors
    ///
    /// If `depth` is too small for the shortest text, or above 65,535; as for
    /// [`Matcher::new`](crate::Matcher::new).
    pub fn new(grammar: &OwnedGrammar, depth: usize) -> Result<Self, MatcherError> {
        let stacks = grammar.view().max_stacks();
        Self::with_stacks(grammar, depth, stacks)
    }

    /// Calls `with` with the mask: the tokens that may come next. The mask is passed to a closure
    /// since it borrows a view of the grammar that is made for this call; a
    /// [`MaskPool`](crate::MaskPool) takes it by [`row_of_mask`](crate::MaskPool::row_of_mask).
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, _) = example::tables();
    /// use maskwright_core::{OwnedGrammar, OwnedMatcher};
    ///
    /// let matcher = OwnedMatcher::new(&OwnedGrammar::load(tables)?, 8)?;
    /// assert!(matcher.with_mask(|mask| mask.contains(b'[' as u32)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn with_mask<R>(&self, with: impl FnOnce(Mask<'_>) -> R) -> R {
        with(Mask::of(&self.grammar.view(), &self.text))
    }
}

impl<O: Owner> OwnedMatcher<O> {
    /// A matcher with this many stacks. More than the grammar needs are of no use.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), and if there are too few stacks for the grammar, or more than
    /// 65,535.
    pub fn with_stacks(grammar: &O, depth: usize, stacks: usize) -> Result<Self, MatcherError> {
        let mut matcher = Self::none(grammar, depth, stacks)?;
        grammar.view().borrow().begin(&mut matcher.text)?;
        Ok(matcher)
    }

    /// A matcher without stacks yet, with room for so many of this depth.
    fn none(grammar: &O, depth: usize, stacks: usize) -> Result<Self, MatcherError> {
        const MOST: usize = u16::MAX as usize;
        if depth > MOST || stacks > MOST {
            return Err(MatcherError::TooLarge { most: MOST });
        }
        // Too few stacks are an error before there is room for any.
        let needed = grammar.stacks();
        let room = if stacks < needed { 0 } else { depth };
        let stacks = Stacks::none(Heap::new(room, stacks));
        Ok(OwnedMatcher {
            grammar: grammar.clone(),
            scratch: stacks.storage.same_scratch(),
            text: Text::new(stacks),
            history: History::new(HISTORY),
        })
    }

    /// The same matcher with another number of states to go back to, 0 for none. States that were
    /// kept so far are dropped.
    pub fn with_history(mut self, states: usize) -> Self {
        self.history = History::new(states);
        self
    }

    /// The grammar.
    pub fn grammar(&self) -> &O {
        &self.grammar
    }

    /// The frames that a stack may have.
    pub fn depth(&self) -> usize {
        self.text.stacks.storage.depth()
    }

    /// The stacks that there is room for.
    pub fn stacks(&self) -> usize {
        self.text.stacks.storage.heads().len()
    }

    /// Writes the mask into the first words of a buffer, and zeros into the others: see
    /// [`Mask::fill`](crate::Mask::fill).
    ///
    /// # Errors
    ///
    /// If the buffer is too short. Nothing is written then.
    pub fn fill(&self, buffer: &mut [u32]) -> Result<(), BufferTooSmall> {
        Mask::of(self.grammar.view().borrow(), &self.text).fill(buffer)
    }

    /// The row of a pool that holds the mask: see [`MaskPool::row_of`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn row_of<W, S>(&self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, PoolError>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        pool.row_of_mask(Mask::of(self.grammar.view().borrow(), &self.text))
    }

    /// Takes a token: see [`Matcher::accept_token`](crate::Matcher::accept_token).
    ///
    /// # Errors
    ///
    /// As there. The matcher is then as it was.
    #[inline]
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        let (view, place) = (self.grammar.view(), self.text.place);
        let grammar = view.borrow();
        if grammar.is_end(&self.text, id)? {
            drop(view);
            return self.finish();
        }
        grammar.accept_token(&mut self.text, id, &mut self.scratch)?;
        self.history.push(&self.scratch.0, place);
        Ok(())
    }

    /// Takes bytes: see [`Matcher::accept_bytes`](crate::Matcher::accept_bytes).
    /// [`rollback`](Self::rollback) counts them as one token, or as none if there are no bytes.
    ///
    /// # Errors
    ///
    /// As there. The matcher is then as it was.
    #[inline]
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (view, place) = (self.grammar.view(), self.text.place);
        (view.borrow()).accept_bytes(&mut self.text, bytes, &mut self.scratch)?;
        self.history.push(&self.scratch.0, place);
        Ok(())
    }

    /// How many of these bytes would be accepted: see
    /// [`Matcher::accepted_prefix`](crate::Matcher::accepted_prefix).
    pub fn accepted_prefix(&self, bytes: &[u8]) -> usize {
        let view = self.grammar.view();
        view.borrow().follow_bytes(&mut self.text.clone(), bytes)
    }

    /// Takes the tokens of a draft up to the first that is refused; returns how many.
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        let is_taken = |&&id: &&u32| self.accept_token(id).is_ok();
        draft.iter().take_while(is_taken).count()
    }

    /// How many tokens of a draft, from its first, would be accepted one after the other. The
    /// matcher stays where it is; the copy it is tried on is allocated.
    pub fn check_draft(&self, draft: &[u32]) -> usize {
        let view = self.grammar.view();
        view.borrow().follow_draft(&mut self.text.clone(), draft)
    }

    /// Ends the text: see [`Matcher::finish`](crate::Matcher::finish).
    ///
    /// # Errors
    ///
    /// If the text is not complete. The matcher is then as it was.
    pub fn finish(&mut self) -> Result<(), AcceptError> {
        if !self.is_complete() {
            return Err(AcceptError::NotAllowed);
        }
        self.history.push(&self.text.stacks, self.text.place);
        self.text.stacks.clear();
        Ok(())
    }

    /// Goes back by `tokens` tokens; the end of the text counts as one.
    ///
    /// # Errors
    ///
    /// If fewer states are [kept](Self::history_len). The matcher is then as it was.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), RollbackError> {
        if tokens == 0 {
            return Ok(());
        }
        let kept = self.history.len();
        self.history
            .pop(tokens, &mut self.text)
            .ok_or(RollbackError { tokens, kept })
    }

    /// How many tokens [`rollback`](Self::rollback) can go back by: at most 256, or the number
    /// given to [`with_history`](Self::with_history).
    pub fn history_len(&self) -> usize {
        self.history.len()
    }

    /// Goes back to the beginning of a text, and forgets the states before.
    pub fn reset(&mut self) {
        self.grammar.view().borrow().restart(&mut self.text);
        self.history.clear();
    }

    /// A copy that has no states to go back to.
    pub fn fork(&self) -> Self {
        OwnedMatcher {
            grammar: self.grammar.clone(),
            text: self.text.clone(),
            scratch: self.text.stacks.storage.same_scratch(),
            history: History::new(self.history.limit()),
        }
    }

    /// Whether the text may end here.
    pub fn is_complete(&self) -> bool {
        self.grammar.view().borrow().could_end(&self.text, None)
    }

    /// Whether the text has ended: an end-of-sequence token was accepted.
    pub fn is_finished(&self) -> bool {
        O::Language::is_finished(&self.text)
    }

    /// Writes the bytes that must come next: see
    /// [`Matcher::forced_bytes`](crate::Matcher::forced_bytes).
    pub fn forced_bytes(&self, buffer: &mut [u8]) -> usize {
        let view = self.grammar.view();
        view.borrow().force_bytes(&mut self.text.clone(), buffer)
    }

    /// Writes the tokens that come next while the mask holds exactly one: see
    /// [`Matcher::forced_tokens`](crate::Matcher::forced_tokens).
    pub fn forced_tokens(&self, buffer: &mut [u32]) -> usize {
        let view = self.grammar.view();
        view.borrow().force_tokens(&mut self.text.clone(), buffer)
    }

    /// Where the text stands: for a whole grammar in the form that
    /// [`State::write_to`](crate::State::write_to) describes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; O::Language::saved_len(&self.text)];
        // The buffer is as long as the state.
        let written = (self.grammar.view().borrow()).write_to(&self.text, &mut bytes);
        debug_assert_eq!(written, Ok(bytes.len()));
        bytes
    }

    /// The matcher that [`to_bytes`](Self::to_bytes) or [`State::write_to`](crate::State::write_to)
    /// wrote, without states to go back to. The bytes are not trusted.
    ///
    /// # Errors
    ///
    /// As for [`State::read_from`](crate::State::read_from).
    pub fn from_bytes(bytes: &[u8], grammar: &O, depth: usize) -> Result<Self, StateError> {
        let matcher = Self::none(grammar, depth, grammar.stacks());
        let mut matcher = matcher.map_err(StateError::NoMatcher)?;
        (grammar.view().borrow()).read_from(&mut matcher.text, bytes)?;
        Ok(matcher)
    }
}

impl<O: Owner> Clone for OwnedMatcher<O> {
    fn clone(&self) -> Self {
        OwnedMatcher {
            history: self.history.clone(),
            ..self.fork()
        }
    }
}

/// Equal if the grammars are equal and the text stands at the same point. Depth and history do not
/// matter.
impl PartialEq for OwnedMatcher {
    fn eq(&self, other: &Self) -> bool {
        self.grammar.rows_id() == other.grammar.rows_id() && self.text.stacks == other.text.stacks
    }
}

impl Eq for OwnedMatcher {}

impl<O: Owner> fmt::Debug for OwnedMatcher<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedMatcher")
            .field("depth", &self.depth())
            .field("stacks", &self.text.stacks)
            .field("place", &self.text.place)
            .field("history", &self.history_len())
            .finish_non_exhaustive()
    }
}
