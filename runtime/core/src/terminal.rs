//! Tokens that are terminals of a grammar.
//!
//! In: a token id, and stacks. Out: what the token is there ([`Meaning`]): the end of the text, a terminal, or its bytes.

use crate::error::AcceptError;
use crate::layout::token::{ID_SHIFT, IS_TEXT, LEAD, NO_CLASS, OTHERS_SHIFT};
use crate::stack::Stacks;
use crate::storage::Storage;
use crate::tables::Grammar;

/// What a token is where some stacks stand.
#[derive(Clone, Copy)]
pub(crate) enum Meaning<'t> {
    /// The end of the text.
    End,
    /// A terminal: two steps by these classes.
    Terminal([u32; 2]),
    /// Text.
    Text(&'t [u8]),
}

/// A token of a grammar that has terminals.
struct Listed {
    /// The class of its symbol, if it is a terminal.
    class: Option<u32>,
    is_text: bool,
}

impl<'t> Grammar<'t> {
    /// The class of the lead, and what is said of a token; nothing in grammars without terminals.
    #[inline]
    fn listed(&self, id: u32) -> Option<(u32, Listed)> {
        let (classes, entries) = self.tokens.split_first()?;
        let class = |class: u32| (class != NO_CLASS).then_some(class);
        let at = entries.partition_point(|entry| entry >> ID_SHIFT < id);
        let listed = match entries.get(at).filter(|entry| entry >> ID_SHIFT == id) {
            Some(entry) => Listed {
                class: class(entry & NO_CLASS),
                is_text: entry & IS_TEXT != 0,
            },
            None => Listed {
                class: class(classes >> OTHERS_SHIFT),
                is_text: true,
            },
        };
        Some((classes & LEAD, listed))
    }

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

impl<S: Storage> Stacks<S> {
    /// What a token is here.
    ///
    /// # Errors
    ///
    /// If it is nothing here.
    #[inline]
    pub(crate) fn meaning<'t>(
        &self,
        grammar: &Grammar<'t>,
        id: u32,
    ) -> Result<Meaning<'t>, AcceptError> {
        if let Some((lead, listed)) = grammar.listed(id) {
            if let Some(meaning) = self.as_terminal(grammar, id, lead, &listed) {
                return Ok(meaning);
            }
            if !listed.is_text && !grammar.is_eos(id) {
                return Err(AcceptError::NotAllowed);
            }
        }
        match grammar.is_eos(id) {
            true => Ok(Meaning::End),
            false => grammar.text(id).map(Meaning::Text),
        }
    }

    /// The terminal that a token is, if it is one and nothing else here.
    #[cold]
    fn as_terminal<'t>(
        &self,
        grammar: &Grammar<'t>,
        id: u32,
        lead: u32,
        listed: &Listed,
    ) -> Option<Meaning<'t>> {
        let class = listed.class?;
        // A token without an entry is a terminal only if it is one at all: ids without bytes are listed, or padding.
        let may_be_other = listed.is_text || grammar.is_eos(id);
        let is_terminal =
            !may_be_other || self.can_take(grammar, lead) && !self.ends_at(grammar, id);
        (is_terminal && (!listed.is_text || grammar.text(id).is_ok()))
            .then_some(Meaning::Terminal([lead, class]))
    }

    /// Whether a token ends the text here.
    fn ends_at(&self, grammar: &Grammar<'_>, id: u32) -> bool {
        grammar.is_eos(id) && self.is_complete(grammar)
    }

    /// Takes a token that is not the end. After an error the stacks are not fit for use.
    #[inline]
    pub(crate) fn take(
        &mut self,
        grammar: &Grammar<'_>,
        meaning: Meaning<'_>,
    ) -> Result<(), AcceptError> {
        match meaning {
            Meaning::End => self.finish(grammar),
            Meaning::Text(bytes) => self.take_bytes(grammar, bytes),
            Meaning::Terminal(classes) => {
                for class in classes {
                    self.step(grammar, class)?;
                }
                self.keep_finishable(grammar)
            }
        }
    }
}
