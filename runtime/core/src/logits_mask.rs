//! What all matchers do.

use crate::argmax::Best;
use crate::error::{AcceptError, BufferTooSmall, PoolError};
use crate::language::{Language, apply_word};
use crate::logit::Logit;
use crate::pool::{MaskPool, PoolSlot, PooledRow};
use crate::{BorrowedMatcher, Matcher};

/// What all matchers do, whichever they are: those of this crate, of whole grammars and of linked
/// ones, and those of its compiler. An engine that is generic over it serves all of them.
///
/// What differs between matchers is how they go back: a [`Matcher`] is a copy of itself, and
/// matchers that are owned have a `rollback` by a number of tokens.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// # use maskwright_core::{Grammar, LogitsMask, Matcher, Vocabulary};
/// /// A step of an engine: `sample` has the logits of a model.
/// fn step<M: LogitsMask>(matcher: &mut M, words: &mut [u32], logits: &mut [f32]) -> Option<u32> {
///     let token = matcher.best_token(words, logits).ok()??;
///     matcher.accept_token(token).ok()?;
///     Some(token)
/// }
///
/// let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
/// let mut matcher = Matcher::<8>::new(&grammar)?;
/// let mut words = vec![0; grammar.mask_words()];
/// let mut logits = vec![0.0; grammar.vocab_size() as usize];
/// logits[b'x' as usize] = 3.0;
/// assert_eq!(step(&mut matcher, &mut words, &mut logits), Some(b'[' as u32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LogitsMask {
    /// Why there is no mask.
    type NoMask: core::error::Error;
    /// Why no row of a pool holds the mask.
    type NoRow: core::error::Error;
    /// Why a token was not taken.
    type NotTaken: core::error::Error;

    /// Writes the mask into the first words of a buffer, and zeros into the others: bit `id % 32`
    /// of word `id / 32` is token `id`.
    ///
    /// # Errors
    /// If the buffer is too short, or the matcher has no mask.
    fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), Self::NoMask>;

    /// The row of a pool that holds the mask: see [`MaskPool::row_of`].
    ///
    /// # Errors
    /// As there; or if the matcher has no mask.
    fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, Self::NoRow>
    where
        Self: Sized,
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>;

    /// Takes a token.
    ///
    /// # Errors
    /// If the mask does not have it. The matcher is then as it was.
    fn accept_token(&mut self, id: u32) -> Result<(), Self::NotTaken>;

    /// Takes bytes, without regard to tokens.
    ///
    /// # Errors
    /// If they cannot come next. The matcher is then as it was.
    fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), Self::NotTaken>;

    /// Takes the tokens of a draft up to the first that is refused; returns how many.
    fn accept_draft(&mut self, draft: &[u32]) -> usize {
        draft
            .iter()
            .take_while(|&&id| self.accept_token(id).is_ok())
            .count()
    }

    /// How many tokens of a draft, from its first, would be taken one after the other. The matcher
    /// stays where it is.
    fn check_draft(&mut self, draft: &[u32]) -> usize;

    /// Writes the bytes that must come next, as far as the buffer goes; returns how many. The
    /// matcher stays where it is.
    fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize;

    /// Writes the tokens that must come next, each as the only one of its mask, as far as the
    /// buffer goes; returns how many. The matcher stays where it is.
    fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize;

    /// Whether the text may end here.
    fn is_complete(&mut self) -> bool;

    /// Whether the text has ended: no token may come.
    fn is_finished(&self) -> bool;

    /// Sets the logits of all tokens that may not come next to minus infinity. `words` is a buffer
    /// for the mask; tokens past its end may not come.
    ///
    /// # Errors
    /// As for [`fill_mask`](Self::fill_mask). The logits are then as they were.
    fn mask_logits<L: Logit>(
        &mut self,
        words: &mut [u32],
        logits: &mut [L],
    ) -> Result<(), Self::NoMask>
    where
        Self: Sized,
    {
        self.fill_mask(words)?;
        let masked = logits.len().min(words.len().saturating_mul(32));
        let (logits, rest) = logits.split_at_mut(masked);
        rest.fill(L::NEG_INFINITY);
        for (&word, logits) in words.iter().zip(logits.chunks_mut(32)) {
            apply_word(word, logits);
        }
        Ok(())
    }

    /// The token of the highest logit among those that may come next; of equal ones the first. A
    /// NaN is lower than everything else. `None` if no token that may come next has a logit.
    /// `words` is a buffer for the mask.
    ///
    /// # Errors
    /// As for [`fill_mask`](Self::fill_mask).
    fn best_token<L: Logit>(
        &mut self,
        words: &mut [u32],
        logits: &[L],
    ) -> Result<Option<u32>, Self::NoMask>
    where
        Self: Sized,
    {
        self.fill_mask(words)?;
        let mut best = Best::default();
        for ((first, &word), logits) in (0..).step_by(32).zip(&*words).zip(logits.chunks(32)) {
            best.update(first, word, logits);
        }
        Ok(best.found.map(|(id, _)| id))
    }
}

/// The trait by the methods of the type itself.
macro_rules! logits_mask {
    ({$($generics:tt)*} $matcher:ty, $this:ident => $fill:expr, $row:expr) => {
        impl<$($generics)*> LogitsMask for $matcher {
            type NoMask = BufferTooSmall;
            type NoRow = PoolError;
            type NotTaken = AcceptError;

            #[inline]
            fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), BufferTooSmall> {
                let $this = self;
                $fill(words)
            }

            #[inline]
            fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, PoolError>
            where
                W: AsRef<[u32]> + AsMut<[u32]>,
                S: AsMut<[PoolSlot]>,
            {
                let $this = self;
                $row(pool)
            }

            #[inline]
            fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
                <$matcher>::accept_token(self, id)
            }

            #[inline]
            fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
                <$matcher>::accept_bytes(self, bytes)
            }

            #[inline]
            fn check_draft(&mut self, draft: &[u32]) -> usize {
                <$matcher>::check_draft(self, draft)
            }

            #[inline]
            fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
                <$matcher>::forced_bytes(self, buffer)
            }

            #[inline]
            fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
                <$matcher>::forced_tokens(self, buffer)
            }

            #[inline]
            fn is_complete(&mut self) -> bool {
                <$matcher>::is_complete(self)
            }

            #[inline]
            fn is_finished(&self) -> bool {
                <$matcher>::is_finished(self)
            }
        }
    };
}

logits_mask!({G: Language, const DEPTH: usize, const STACKS: usize}
    Matcher<'_, DEPTH, STACKS, G, G::Place>,
    matcher => |words| matcher.mask().fill(words),
    |pool: &mut MaskPool<_, _>| pool.row_of_mask(matcher.mask()));
logits_mask!({} BorrowedMatcher<'_>,
    matcher => |words| matcher.mask().fill(words),
    |pool: &mut MaskPool<_, _>| pool.row_of_mask(matcher.mask()));
#[cfg(feature = "alloc")]
logits_mask!({O: crate::Owner} crate::OwnedMatcher<O>,
    matcher => |words| matcher.fill(words),
    |pool: &mut MaskPool<_, _>| crate::OwnedMatcher::row_of(matcher, pool));
