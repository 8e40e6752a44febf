//! Finished masks that the grammars of one vocabulary share.
//!
//! In: a mask, and a row of the caller's. Out: the row, written whole. What holds: the caller's
//! memory is never taken for something that was written before. What is kept is memory of our own,
//! a bounded number of rows, made at the first mask. A grammar's rows have its number, which no
//! other grammar of the vocabulary is given.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use maskwright_core::{BufferTooSmall, MaskPool, OwnedMatcher, PoolSlot};

/// Free rows that are kept: as many threads write masks side by side without a new one.
const FREE_ROWS: usize = 16;

/// Rows that are kept, each of a bit for every token. Many more would leave the cache of a core.
const ROWS: usize = 96;

type Pool = MaskPool<Vec<u32>, Vec<PoolSlot>>;

/// The masks of a vocabulary's grammars.
#[derive(Debug, Default)]
pub(crate) struct SharedMasks {
    /// Number of the next grammar.
    next: AtomicU64,
    pool: Mutex<Option<Pool>>,
    /// Rows that masks were written to on their way to a row of the caller's.
    free: Mutex<Vec<Vec<u32>>>,
}

impl SharedMasks {
    /// A number for a grammar.
    pub(crate) fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Calls `then` with a row of this many words, in which anything may stand.
    pub(crate) fn with_row<R>(&self, words: usize, then: impl FnOnce(&mut [u32]) -> R) -> R {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut row = free().pop().unwrap_or_default();
        row.resize(words, 0);
        let result = then(&mut row);
        let mut free = free();
        if free.len() < FREE_ROWS {
            free.push(row);
        }
        result
    }

    /// The masks for this thread. None if another thread has them: a mask is soon written without
    /// them.
    pub(crate) fn held(&self) -> Held<'_> {
        Held {
            pool: self.pool.try_lock().ok(),
        }
    }
}

/// The masks, for one thread.
pub(crate) struct Held<'a> {
    pool: Option<MutexGuard<'a, Option<Pool>>>,
}

impl Held<'_> {
    /// Writes the mask of a matcher, of the grammar with this number, into a row.
    pub(crate) fn fill(
        &mut self,
        matcher: &OwnedMatcher,
        number: u64,
        row: &mut [u32],
    ) -> Result<(), BufferTooSmall> {
        matcher.with_mask(|mask| match &mut self.pool {
            Some(pool) => {
                let pool = pool.get_or_insert_with(|| {
                    let words = vec![0; ROWS * mask.words()];
                    MaskPool::new(words, vec![PoolSlot::default(); ROWS], mask.words())
                });
                pool.copy_to(mask, number, row)
            }
            None => mask.fill(row),
        })
    }
}
