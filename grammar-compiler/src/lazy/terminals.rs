//! Tokens as terminals in the first tier.
//!
//! In: a grammar that names tokens. Out: the grammar in which each of them is two bytes that no
//! text has (see [`crate::terminals`]), and [`TokenTerminals`], which completes masks that were
//! walked for text alone, and says what a token means in a situation. What holds: masks and
//! meanings are those of tables. Where a token could be meant in two ways, the first tier does not
//! follow, since the tables are refused, too.

use std::sync::Arc;

use super::GaveUp;
use super::masks::allow;
use super::situations::{DEAD, Row, SituationId, Situations};
use super::vocabulary::LazyVocabulary;
use crate::grammar::Grammar;
use crate::limits::{Deadline, Limits};
use crate::terminals::{Terminal, Terminals};
use crate::vocabulary::Vocabulary;

/// The tokens that a grammar names, as the first tier needs them.
#[derive(Debug)]
pub(super) struct TokenTerminals {
    terminals: Terminals,
    /// A bit for each id that is no text in this grammar.
    not_text: Vec<u32>,
    /// A bit for each id that no set names.
    others: Vec<u32>,
    eos: Vec<u32>,
}

/// What a token means in a situation.
pub(super) enum Meaning {
    End,
    /// These two bytes.
    Terminal([u8; 2]),
    Text,
}

/// What a situation can read.
#[derive(Default)]
struct Readings {
    /// The situation that the lead leads to.
    behind: Option<Box<Row>>,
    is_complete: bool,
}

impl TokenTerminals {
    /// The grammar with spellings in place of sets.
    ///
    /// # Errors
    /// If the grammar limits tokens, a byte has no token that is text, or the sets are refused,
    /// which compiling says.
    pub(super) fn new(
        grammar: &Grammar,
        vocabulary: &LazyVocabulary,
    ) -> Result<(Arc<Grammar>, Self), GaveUp> {
        let prepared = vocabulary.prepared();
        let (words, trie) = (prepared.vocabulary(), prepared.trie());
        let deadline = Deadline::start(&Limits::default());
        let resolved = prepared.resolve(grammar, &[], &deadline);
        let resolved = resolved.map_err(|_| GaveUp)?;
        let (grammar, terminals) = resolved.ok_or(GaveUp)?;
        if !terminals.limits.is_empty() {
            return Err(GaveUp);
        }
        let mut not_text = vec![0; trie.all.len()];
        if let Some(lead) = trie.nodes.child(0, terminals.lead.into()) {
            allow(&mut not_text, trie.ending_at(&trie.nodes[lead]));
        }
        for token in terminals.tokens.iter().filter(|token| !token.is_text) {
            let bytes = words.bytes(token.id);
            if bytes.len() == 1 && bytes != [terminals.lead] {
                return Err(GaveUp);
            }
            if !bytes.is_empty() {
                allow(&mut not_text, &[token.id]);
            }
        }
        let mut others = Vec::new();
        if terminals.others.is_some() {
            others.clone_from(&trie.all);
            let named = terminals.tokens.iter().map(|token| token.id);
            for id in named.chain(words.eos().iter().copied()) {
                others[id as usize / 32] &= !(1 << (id % 32));
            }
        }
        let terminals = TokenTerminals {
            terminals,
            not_text,
            others,
            eos: words.eos().to_vec(),
        };
        Ok((grammar.into(), terminals))
    }

    /// The byte that begins the spelling of each terminal.
    pub(super) fn lead(&self) -> u8 {
        self.terminals.lead
    }

    /// Makes the mask of a situation from that of its texts.
    ///
    /// # Errors
    /// If a bound is passed, or a token could be meant in two ways.
    pub(super) fn correct(
        &self,
        situations: &mut Situations,
        at: SituationId,
        mask: &mut [u32],
    ) -> Result<(), GaveUp> {
        for (word, not) in mask.iter_mut().zip(&self.not_text) {
            *word &= !not;
        }
        let readings = self.readings(situations, at)?;
        if readings.is_complete {
            allow(mask, &self.eos);
        }
        let named = self.terminals.tokens.iter();
        for token in named.filter(|token| readings.takes(token.symbol)) {
            allow(mask, &[token.id]);
        }
        if readings.takes(self.terminals.others) {
            for (word, others) in mask.iter_mut().zip(&self.others) {
                *word |= others;
            }
        }
        Ok(())
    }

    /// What a token means in a situation; `None` if it is not allowed.
    ///
    /// # Errors
    /// If a bound is passed, or a token could be meant in two ways.
    pub(super) fn meaning(
        &self,
        (situations, at): (&mut Situations, SituationId),
        vocabulary: &Vocabulary,
        id: u32,
    ) -> Result<Option<Meaning>, GaveUp> {
        let named = find(&self.terminals, id);
        let has_text = !vocabulary.bytes(id).is_empty();
        let (symbol, is_text) = match named {
            Some(token) => (token.symbol, token.is_text),
            None => (self.terminals.others.filter(|_| has_text), true),
        };
        let is_eos = self.eos.contains(&id);
        if let Some(symbol) = symbol {
            let readings = self.readings(situations, at)?;
            if readings.takes(Some(symbol)) {
                return Ok(Some(Meaning::Terminal([self.terminals.lead, symbol])));
            }
        }
        Ok(match (is_eos, is_text && has_text) {
            (true, _) => Some(Meaning::End),
            (false, true) => Some(Meaning::Text),
            (false, false) => None,
        })
    }

    /// What a situation can read.
    fn readings(&self, situations: &mut Situations, at: SituationId) -> Result<Readings, GaveUp> {
        let is_complete = situations.is_complete(at);
        let row = situations.row(at)?;
        let behind = row[usize::from(self.terminals.lead)];
        if behind == DEAD {
            return Ok(Readings {
                behind: None,
                is_complete,
            });
        }
        let takes_text =
            (0..=255u8).any(|byte| byte != self.terminals.lead && row[usize::from(byte)] != DEAD);
        let readings = Readings {
            behind: Some(Box::new(*situations.row(behind)?)),
            is_complete,
        };
        let named = self.terminals.tokens.iter();
        let mut named = named.filter(|token| readings.takes(token.symbol));
        let is_twice = |token: &Terminal| match self.eos.contains(&token.id) {
            true => is_complete,
            false => token.is_text && takes_text,
        };
        let others = takes_text && readings.takes(self.terminals.others);
        match others || named.any(is_twice) {
            true => Err(GaveUp),
            false => Ok(readings),
        }
    }
}

impl Readings {
    /// Whether terminals with a symbol may come next.
    fn takes(&self, symbol: Option<u8>) -> bool {
        let behind = self.behind.as_deref().zip(symbol);
        behind.is_some_and(|(row, symbol)| row[usize::from(symbol)] != DEAD)
    }
}

/// What the terminals say about a token that is named or special.
fn find(terminals: &Terminals, id: u32) -> Option<&Terminal> {
    let at = terminals.tokens.binary_search_by_key(&id, |token| token.id);
    terminals.tokens.get(at.ok()?)
}
