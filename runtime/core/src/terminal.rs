//! Tokens that are terminals of a grammar.
//!
//! In: a token id, and stacks. Out: the [`Meaning`] of the token for these stacks: the end of the
//! text, a terminal, or its bytes.

use crate::error::AcceptError;
use crate::layout::token::{ID_SHIFT, IS_TEXT, LEAD, NO_CLASS, OTHERS_SHIFT};
#[cfg(feature = "link")]
use crate::layout::token::{LIMITS, LIMITS_SHIFT};
use crate::stack::{Stacks, Storage};
use crate::tables::Grammar;
use crate::words::Words;

/// The meaning of a token for some stacks.
#[derive(Clone, Copy)]
pub(crate) enum Meaning<'t> {
    /// The end of the text.
    End,
    /// A terminal: two steps by these classes.
    Terminal([u32; 2]),
    /// Text.
    Text(&'t [u8]),
    /// Text, in a grammar that limits the tokens of some text.
    #[cfg(feature = "limits")]
    Counted(&'t [u8]),
}

/// A token of a grammar that has terminals.
struct Listed {
    /// The class of its symbol, if it is a terminal.
    class: Option<u32>,
    is_text: bool,
}

impl Listed {
    /// The entry of a token, from the section's first word and its entries.
    fn read(classes: u32, entries: Words<'_>, id: u32) -> Listed {
        let class = |class: u32| (class != NO_CLASS).then_some(class);
        let at = entries.partition_point(|entry| entry >> ID_SHIFT < id);
        match entries.get(at).filter(|entry| entry >> ID_SHIFT == id) {
            Some(entry) => Listed {
                class: class(entry & NO_CLASS),
                is_text: entry & IS_TEXT != 0,
            },
            None => Listed {
                class: class(classes >> OTHERS_SHIFT),
                is_text: true,
            },
        }
    }
}

impl<'t> Grammar<'t> {
    /// The bytes of a token.
    fn text(&self, id: u32) -> Result<&'t [u8], AcceptError> {
        match self
            .vocabulary()
            .ok_or(AcceptError::NoVocabulary)?
            .bytes(id)
        {
            [] => Err(AcceptError::NotAllowed),
            bytes => Ok(bytes),
        }
    }
}

#[cfg(feature = "link")]
impl Grammar<'_> {
    /// Whether a token is text and nothing else, wherever it stands.
    pub(crate) fn is_only_text(&self, id: u32) -> bool {
        let listed = self.tokens.split_first().map(|(classes, entries)| {
            let limits = (classes >> LIMITS_SHIFT & LIMITS) as usize;
            Listed::read(classes, entries.tail(limits).unwrap_or(entries), id)
        });
        !self.is_eos(id) && listed.is_none_or(|token| token.is_text)
    }
}

impl<S: Storage> Stacks<S> {
    /// The meaning of a token here. In grammars without terminals this reads the token's text once,
    /// and makes one test.
    ///
    /// # Errors
    ///
    /// If the token is not allowed here, or no vocabulary is attached.
    #[inline]
    pub(crate) fn meaning<'t>(
        &self,
        grammar: &Grammar<'t>,
        id: u32,
        scratch: Option<&mut S::Scratch>,
    ) -> Result<Meaning<'t>, AcceptError> {
        let text = grammar.text(id);
        if grammar.tokens.len() > 0
            && let Some(meaning) = self.listed_meaning(grammar, (id, text), scratch)
        {
            return meaning;
        }
        match grammar.is_eos(id) {
            true => Ok(Meaning::End),
            false => text.map(Meaning::Text),
        }
    }

    /// [`Self::meaning`] in grammars with terminals; `None` if the token is its text or the end, as
    /// in other grammars.
    #[cold]
    #[inline(never)]
    fn listed_meaning<'t>(
        &self,
        grammar: &Grammar<'t>,
        (id, text): (u32, Result<&'t [u8], AcceptError>),
        mut scratch: Option<&mut S::Scratch>,
    ) -> Option<Result<Meaning<'t>, AcceptError>> {
        let (classes, entries) = grammar.tokens.split_first()?;
        #[cfg(feature = "limits")]
        let (_, limits) = grammar.limits();
        #[cfg(feature = "limits")]
        let entries = entries.tail(limits.len())?;
        let listed = Listed::read(classes, entries, id);
        let is_eos = grammar.is_eos(id);
        // The compiler refuses grammars in which a token could be a terminal and text, or a
        // terminal and the end, in one place (`terminals::overlap`). So one symbol tells which of
        // the two a token can be, without a copy of the stacks.
        let can_begin = |bytes: &[u8]| {
            let class = bytes.first().map(|&byte| grammar.class(byte));
            class.is_some_and(|class| self.can_take(grammar, class, scratch.as_deref_mut()))
        };
        let may_be_text = listed.is_text && text.is_ok_and(can_begin);
        let may_end = is_eos && self.could_end(grammar, scratch);
        if let Some(class) = listed.class
            && !may_be_text
            && !may_end
            // An id without bytes is a terminal only if it has an entry of its own: the others are
            // padding.
            && (!listed.is_text || text.is_ok())
        {
            return Some(Ok(Meaning::Terminal([classes & LEAD, class])));
        }
        if !listed.is_text && !is_eos {
            return Some(Err(AcceptError::NotAllowed));
        }
        #[cfg(feature = "limits")]
        if limits.len() > 0 && !is_eos {
            return Some(text.map(Meaning::Counted));
        }
        None
    }

    /// Takes a token that is not the end. After an error the stacks are not fit for use.
    #[inline]
    pub(crate) fn take(
        &mut self,
        grammar: &Grammar<'_>,
        meaning: Meaning<'_>,
    ) -> Result<(), AcceptError> {
        match meaning {
            Meaning::End => return self.finish(grammar, None),
            Meaning::Text(bytes) => {
                for &byte in bytes {
                    self.step(grammar, grammar.class(byte))?;
                }
            }
            #[cfg(feature = "limits")]
            Meaning::Counted(bytes) => return self.take_counted(grammar, bytes, true),
            // Calls of `step` from one place only are inlined where code is optimised for size.
            Meaning::Terminal(classes) => {
                #[cfg(feature = "limits")]
                let tokens = self.heads().first().map_or(0, |head| head.tokens);
                for class in classes {
                    self.step_all(grammar, class)?;
                }
                #[cfg(feature = "limits")]
                self.count(grammar, tokens, true)?;
            }
        }
        self.keep_finishable(grammar)
    }
}
