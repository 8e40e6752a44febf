//! What engines need of the matchers of the first tier.

use maskwright_core::{AcceptError, LogitsMask};

use super::tiered::write_mask;
use super::{LazyMatcher, MaskError, OrRefused, TieredMatcher, Untaken};

impl LogitsMask for TieredMatcher {
    type NoMask = MaskError;
    type NotTaken = OrRefused<AcceptError>;

    fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), MaskError> {
        self.fill(words)
    }

    fn accept_token(&mut self, id: u32) -> Result<(), OrRefused<AcceptError>> {
        TieredMatcher::accept_token(self, id)
    }

    fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        TieredMatcher::forced_tokens(self, buffer)
    }

    fn is_finished(&self) -> bool {
        TieredMatcher::is_finished(self)
    }
}

impl LogitsMask for LazyMatcher {
    type NoMask = MaskError;
    type NotTaken = Untaken;

    fn fill_mask(&mut self, words: &mut [u32]) -> Result<(), MaskError> {
        let mask = self.mask().map_err(|_| MaskError::Beyond)?;
        Ok(write_mask(&mask, words)?)
    }

    fn accept_token(&mut self, id: u32) -> Result<(), Untaken> {
        LazyMatcher::accept_token(self, id)
    }

    fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        LazyMatcher::forced_tokens(self, buffer)
    }

    fn is_finished(&self) -> bool {
        LazyMatcher::is_finished(self)
    }
}
