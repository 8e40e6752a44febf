//! Drafts of several tokens, as in speculative decoding.

use crate::matcher::Matcher;

impl<const DEPTH: usize, const STACKS: usize> Matcher<'_, DEPTH, STACKS> {
    /// How many tokens of `draft`, from its first, would be accepted one after the other.
    pub fn check_draft(&self, draft: &[u32]) -> usize {
        let mut copy = *self;
        copy.accept_draft(draft)
    }

    /// Takes the tokens of `draft` up to the first that is refused; how many were taken.
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        draft
            .iter()
            .take_while(|&&id| self.accept_token(id).is_ok())
            .count()
    }
}
