//! What engines need of the matcher of a request.

use maskwright_core::{AcceptError, LogitsMask, MaskPool, PoolSlot, PooledRow};

use super::ServedMatcher;
use crate::lazy::{MaskError, OrRefused};

/// Where the request is refused, drafts are refused and nothing is forced; the next mask or token
/// says why.
impl LogitsMask for ServedMatcher {
    type NoMask = MaskError;
    type NoRow = MaskError;
    type NotTaken = OrRefused<AcceptError>;

    fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), MaskError> {
        self.fill(words)
    }

    fn row_of<W, S>(&mut self, pool: &mut MaskPool<W, S>) -> Result<PooledRow, MaskError>
    where
        W: AsRef<[u32]> + AsMut<[u32]>,
        S: AsMut<[PoolSlot]>,
    {
        ServedMatcher::row_of(self, pool)
    }

    fn accept_token(&mut self, id: u32) -> Result<(), OrRefused<AcceptError>> {
        ServedMatcher::accept_token(self, id)
    }

    fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), OrRefused<AcceptError>> {
        ServedMatcher::accept_bytes(self, bytes)
    }

    fn check_draft(&mut self, draft: &[u32]) -> usize {
        ServedMatcher::check_draft(self, draft).unwrap_or_default()
    }

    fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        ServedMatcher::forced_bytes(self, buffer).unwrap_or_default()
    }

    fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        ServedMatcher::forced_tokens(self, buffer).unwrap_or_default()
    }

    fn is_complete(&mut self) -> bool {
        ServedMatcher::is_complete(self)
    }

    fn is_finished(&self) -> bool {
        ServedMatcher::is_finished(self)
    }
}
