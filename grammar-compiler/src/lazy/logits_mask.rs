//! What engines need of a matcher of the first tier.

use maskwright_core::{LogitsMask, MaskPool, PoolSlot, PooledRow};

use super::tiered::write_mask;
use super::{AcceptFailure, LazyMatcher, MaskError};

impl LogitsMask for LazyMatcher {
    type NoMask = MaskError;
    type NoRow = MaskError;
    type NotTaken = AcceptFailure;

    fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), MaskError> {
        let mask = self.mask().map_err(|_| MaskError::GaveUp)?;
        Ok(write_mask(&mask, words)?)
    }

    /// Rows are not shared: nothing is known of a mask but its words.
    fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, MaskError>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        let mask = self.mask().map_err(|_| MaskError::GaveUp)?;
        Ok(pool.row_of_words(&mask)?)
    }

    fn accept_token(&mut self, id: u32) -> Result<(), AcceptFailure> {
        LazyMatcher::accept_token(self, id)
    }

    fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptFailure> {
        LazyMatcher::accept_bytes(self, bytes)
    }

    fn check_draft(&mut self, draft: &[u32]) -> usize {
        LazyMatcher::check_draft(self, draft)
    }

    fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        LazyMatcher::forced_bytes(self, buffer)
    }

    fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        LazyMatcher::forced_tokens(self, buffer)
    }

    fn is_complete(&mut self) -> bool {
        LazyMatcher::is_complete(self)
    }

    fn is_finished(&self) -> bool {
        LazyMatcher::is_finished(self)
    }
}
