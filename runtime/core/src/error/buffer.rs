//! What can go wrong when masks are written.

use core::fmt;

/// A buffer is too short for a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BufferTooSmall {
    /// The words that a mask takes: [`Grammar::mask_words`](crate::Grammar::mask_words).
    pub needed: usize,
    /// The words of the buffer.
    pub found: usize,
}

impl BufferTooSmall {
    /// The error of a buffer of `found` words where `needed` are needed.
    pub const fn new(needed: usize, found: usize) -> Self {
        BufferTooSmall { needed, found }
    }
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a mask takes {} words, the buffer has {}",
            self.needed, self.found
        )
    }
}

impl core::error::Error for BufferTooSmall {}

/// Why a pool has no row for a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoolError {
    /// Its rows are too short for the mask.
    RowTooShort(BufferTooSmall),
    /// All of its rows hold masks of this step.
    Full {
        /// The number of rows.
        rows: usize,
    },
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoolError::RowTooShort(error) => error.fmt(f),
            PoolError::Full { rows } => write!(
                f,
                "all {rows} rows hold masks of this step: give the pool as many rows as there are sequences, and call begin_step at each step"
            ),
        }
    }
}

impl core::error::Error for PoolError {}
