//! Grammars whose number of stacks has no proved bound, with the feature `capped`.
//!
//! In: a step that leads to more stacks than there is room for, and masks of such grammars. Out:
//! the first stacks that can be finished; masks without the tokens that would be refused. What
//! holds throughout: after each token there is a stack, each can be finished, and the mask holds
//! exactly the tokens that are accepted.
//!
//! *Why no text gets stuck.* Each stack that is kept after a token can be finished. Take one, and a
//! text that finishes it: the vocabulary has a token for each byte (the compiler demands it), so
//! the text's first byte is a token that the stack's mask holds. After it that stack's successor
//! can be finished, so that either it is kept, or as many others as there is room for, all of which
//! can be finished. If the text is empty, the mask holds the end. So some token is accepted, and
//! the same holds after it.
//!
//! *Why masks have to try.* The union of the stacks' sets holds each token that some stack alone
//! can take. Within a token of several bytes, that stack may be dropped in favour of others that
//! die before the token's end. So the union may hold tokens that are refused, and each of its
//! tokens is tried on a copy. The union lacks no token: if a token is accepted, some stack can take
//! it, and the sets of that stack hold it.

use crate::error::AcceptError;
use crate::layout::state::NEVER;
use crate::stack::{Stacks, Storage};
use crate::step::Moved;
use crate::tables::Grammar;
use crate::terminal::Meaning;

/// Stacks that tokens are tried on.
pub(crate) trait Trial: Sync {
    /// Takes the tokens that would be refused out of a window that begins at word `first` of the
    /// mask.
    fn retain(&self, grammar: &Grammar<'_>, window: &mut [u32], first: usize);
}

impl<S: Storage> Trial for Stacks<S> {
    fn retain(&self, grammar: &Grammar<'_>, window: &mut [u32], first: usize) {
        if window.iter().all(|&word| word == 0) {
            return;
        }
        // There are no such masks of stacks without it.
        let Some(mut scratch) = self.storage.scratch() else {
            return window.fill(0);
        };
        for (word, at) in window.iter_mut().zip(first..) {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                if !self.would_accept(grammar, 32 * at as u32 + bit, &mut scratch) {
                    *word &= !(1 << bit);
                }
            }
        }
    }
}

impl<S: Storage> Stacks<S> {
    /// Whether a token would be accepted that is in the set of some stack.
    fn would_accept(&self, grammar: &Grammar<'_>, id: u32, scratch: &mut S::Scratch) -> bool {
        match self.meaning(grammar, id) {
            Err(_) => false,
            // After one byte no stack has been dropped for another that dies.
            Ok(Meaning::End | Meaning::Text([_])) => true,
            Ok(meaning) => S::probe(self, scratch, |next| next.take(grammar, meaning)).is_ok(),
        }
    }

    /// Adds a stack where there is no room left. Stacks that could not be finished make room, and
    /// such a stack is not added itself; if all can be finished, the first ones stay.
    #[cold]
    pub(crate) fn push_capped(
        &mut self,
        grammar: &Grammar<'_>,
        moved: Moved<'_>,
    ) -> Result<(), AcceptError> {
        // If none is left, the one that is added may be the first.
        let _ = self.keep_finishable(grammar);
        let need = grammar.state(moved.state).map_or(NEVER, |state| state.need);
        if need == NEVER || moved.height() + need as usize > self.storage.depth() {
            return Err(AcceptError::TooDeep);
        }
        let _ = self.put(moved);
        Ok(())
    }
}
