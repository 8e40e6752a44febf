//! Text that is limited in tokens.
//!
//! In: a [`Grammar`] with limits, a stack, and a token or bytes. Out: the stack, with the tokens of
//! the text counted in its head. A state is *in* a limited text if it has an edge by the limit's
//! symbol, which no token spells. The matcher takes this edge when the count reaches the limit. The
//! states behind it allow nothing but the end of the text, so masks need not know of the count.
//!
//! Each token counts that ends inside the text, after at least one byte of it; bytes that are given
//! without tokens do not count. What holds throughout: the count is less than the limit, and 0
//! outside of such texts. The compiler allows limits only in grammars of one stack, where the text
//! has no other reading, and where ending it at once needs no more frames than ending it later.

use crate::error::AcceptError;
use crate::layout::token::{LEAD, LIMIT_SHIFT, LIMITS, LIMITS_SHIFT, NO_CLASS};
use crate::stack::{Stacks, Storage};
use crate::step;
use crate::tables::Grammar;
use crate::words::Words;

/// The limit of the text that a stack stands in.
pub(crate) struct Limit {
    /// The tokens that the text may have.
    pub(crate) tokens: u16,
    /// What the matcher takes to end it: two steps by these classes.
    symbols: [u32; 2],
}

impl<'t> Grammar<'t> {
    /// The first word of the section of tokens and its words for limits; none if the grammar has no
    /// limit.
    pub(crate) fn limits(&self) -> (u32, Words<'t>) {
        let Some((classes, rest)) = self.tokens.split_first() else {
            return (0, Words::EMPTY);
        };
        let count = classes >> LIMITS_SHIFT & LIMITS;
        (
            classes,
            rest.slice(0, count as usize).unwrap_or(Words::EMPTY),
        )
    }

    /// The limit of the text that `state` is in.
    pub(crate) fn limit(&self, state: u32) -> Option<Limit> {
        let (classes, limits) = self.limits();
        limits.iter().find_map(|limit| {
            let symbols = [classes & LEAD, limit & NO_CLASS];
            step::has_two(self, state, symbols).then_some(Limit {
                tokens: (limit >> LIMIT_SHIFT) as u16,
                symbols,
            })
        })
    }
}

impl<S: Storage> Stacks<S> {
    /// Takes bytes, or those of a token, in a grammar with limits. After an error the stacks are
    /// not fit for use.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_counted(
        &mut self,
        grammar: &Grammar<'_>,
        bytes: &[u8],
        is_token: bool,
    ) -> Result<(), AcceptError> {
        let mut tokens = self.heads().first().map_or(0, |head| head.tokens);
        for &byte in bytes {
            self.step(grammar, grammar.class(byte))?;
            if self.limit(grammar).is_none() {
                tokens = 0;
            }
        }
        self.count(grammar, tokens, is_token)?;
        self.keep_finishable(grammar)
    }

    /// Sets the count of tokens: `tokens` before, and one more if one was taken. At the limit the
    /// text is closed. Does nothing in a grammar without limits: in a graph, the node of the frames
    /// stands in place of the count.
    pub(crate) fn count(
        &mut self,
        grammar: &Grammar<'_>,
        tokens: u16,
        is_token: bool,
    ) -> Result<(), AcceptError> {
        if grammar.limits().1.len() == 0 {
            return Ok(());
        }
        let mut counted = 0;
        if let Some(limit) = self.limit(grammar) {
            counted = tokens.saturating_add(is_token.into());
            if counted >= limit.tokens {
                counted = 0;
                for class in limit.symbols {
                    self.step(grammar, class)?;
                }
            }
        }
        if let Some(head) = self.storage.heads_mut().first_mut() {
            head.tokens = counted;
        }
        Ok(())
    }

    /// The limit of the text that the stack stands in.
    fn limit(&self, grammar: &Grammar<'_>) -> Option<Limit> {
        grammar.limit(self.heads().first()?.state)
    }
}
