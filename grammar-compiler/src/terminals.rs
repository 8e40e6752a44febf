//! Tokens as terminals: from sets of ids to strings of bytes that no text has.
//!
//! In: a [`Grammar`] with [`TokenSet`]s, and the vocabulary that it is for. Out: [`Terminals`], and
//! the grammar in which each set is a string of two bytes: a *lead*, which is in no text of the
//! grammar and in no token of several bytes, and a *symbol*, which says which sets the token is in.
//! These two bytes are the *spelling* of a token that is a terminal, and all later stages, from
//! automata to masks, work on bytes alone. What holds after:
//!
//! - a string of tokens matches the new grammar by its spellings if and only if it matched the old
//!   one;
//! - a token that some set names ("these tokens") has no other spelling: it is not text in this
//!   grammar;
//! - a token that is in a set only as one of "all but these" is still text where text may stand;
//! - tokens that end a sequence are in no set of "all but these", and neither are ids that stand
//!   for nothing.
//!
//! A [limit](TokenSet::limit) is spelled by the lead and a symbol of its own, which no token has: a
//! matcher takes both itself.
//!
//! The number of different tokens does not matter, only how many groups of them the grammar tells
//! apart: at most [`MAX_GROUPS`].

mod groups;
pub mod limits;
pub mod overlap;
mod refusals;
mod rewrite;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::error::Error;
use crate::grammar::{Expr, Grammar, Rule, TokenSet};
use crate::limits::Deadline;
use crate::vocabulary::{MAX_IDS, Vocabulary};
use groups::Groups;
use refusals::{check_ids, no_lead, too_many, too_many_limits};
pub use rewrite::LongTokenBytes;
pub(crate) use rewrite::rewrite;
use rewrite::{choose_bytes, collect, spelled};

/// The most groups of tokens that a grammar can tell apart.
pub const MAX_GROUPS: usize = 180;

/// The most limits of different numbers of tokens that a grammar can have.
pub const MAX_LIMITS: usize = 8;

/// Bytes that no UTF-8 text has.
pub const NOT_TEXT: [u8; 13] = [
    0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0xFA, 0xF9, 0xF8, 0xF7, 0xF6, 0xF5, 0xC1, 0xC0,
];

/// How tokens that are terminals of a grammar are spelled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Terminals {
    /// The first byte of every such spelling.
    pub lead: u8,
    /// A byte that neither the grammar nor any spelling has: the lead of a text that is no token is
    /// taken as this one.
    pub dead: u8,
    /// The tokens that some set names, and those that are special: ascending by id.
    pub tokens: Vec<Terminal>,
    /// The symbol of all other tokens that are text, if some set has them.
    pub others: Option<u8>,
    /// Limits on the tokens of a text, ascending.
    pub limits: Vec<Limit>,
    /// What stands for tokens that cross the end of a part, if the grammar is a part of a linked
    /// one.
    pub endings: Vec<Ending>,
}

/// A prefix of tokens with which a part of a linked grammar can end: see [`crate::link`]. It has an
/// id of its own behind those of the vocabulary, and is spelled by the prefix and then the exit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// The bytes of the prefix.
    pub prefix: Vec<u8>,
    /// A token that begins with it.
    pub token: u32,
    /// The symbol of the exit.
    pub symbol: u8,
    /// The id.
    pub id: u32,
}

/// A limit and its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Limit {
    /// The number of tokens.
    pub tokens: u16,
    /// The second byte of its spelling.
    pub symbol: u8,
}

/// A token and its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Terminal {
    /// The token.
    pub id: u32,
    /// The second byte of its spelling; none if it is in no set.
    pub symbol: Option<u8>,
    /// Whether it is text as well.
    pub is_text: bool,
}

impl Terminals {
    /// The spellings of all tokens that are terminals, and of endings, in no order.
    pub fn spellings(&self, vocabulary: &Vocabulary) -> Vec<(Cow<'_, [u8]>, u32)> {
        let spelled = |symbol| Cow::from(vec![self.lead, symbol]);
        let named = self.tokens.iter();
        let named = named.filter_map(|token| Some((spelled(token.symbol?), token.id)));
        let mut all: Vec<_> = named.collect();
        all.extend(self.endings.iter().map(|ending| {
            let exit = [self.lead, ending.symbol];
            ([&ending.prefix[..], &exit].concat().into(), ending.id)
        }));
        if let Some(symbol) = self.others {
            let texts = (0..)
                .zip(vocabulary.iter())
                .filter(|(_, text)| !text.is_empty());
            let others = texts.filter(|(id, _)| self.find(*id).is_none());
            all.extend(others.map(|(id, _)| (spelled(symbol), id)));
        }
        all
    }

    /// Whether a token is text in this grammar. The token of the lead alone is none: no text of the
    /// grammar has that byte.
    pub fn is_text(&self, id: u32, bytes: &[u8]) -> bool {
        bytes != [self.lead] && self.find(id).is_none_or(|token| token.is_text)
    }

    /// The symbol of a token that is a terminal.
    pub fn symbol(&self, id: u32) -> Option<u8> {
        self.find(id)?.symbol
    }

    fn find(&self, id: u32) -> Option<&Terminal> {
        let at = self
            .tokens
            .binary_search_by_key(&id, |token| token.id)
            .ok()?;
        self.tokens.get(at)
    }
}

/// The grammar with spellings in the place of sets, and what these are; `None` if no rule has a
/// set. `long` are the bytes of the vocabulary's longer tokens. Tokens that are `reserved` are not
/// text, as if a set named them.
///
/// # Errors
/// If a set names an id that the vocabulary does not have, or the grammar tells too many groups of
/// tokens apart.
pub fn resolve(
    grammar: &Grammar,
    (vocabulary, long): (&Vocabulary, &LongTokenBytes),
    reserved: &[u32],
    deadline: &Deadline,
) -> Result<Option<(Grammar, Terminals)>, Error> {
    let mut sets = BTreeSet::new();
    let mut used = [false; 256];
    for rule in &grammar.rules {
        deadline.ticks(1 + rule.expr.size(), "looking for tokens in rules")?;
        check_ids(rule, vocabulary)?;
        collect(&rule.expr, &mut sets, &mut used);
    }
    if sets.is_empty() {
        return Ok(None);
    }
    let (limits, sets): (Vec<TokenSet>, Vec<TokenSet>) = sets
        .into_iter()
        .partition(|set| set.tokens_before().is_some());
    let (lead, dead, symbols) = choose_bytes(&used, long).ok_or_else(no_lead)?;
    if limits.len() > MAX_LIMITS {
        return Err(too_many_limits(limits.len()));
    }
    // Limits come first: bytes that no text has.
    let (of_limits, symbols) = symbols.split_at(limits.len().min(symbols.len()));
    let numbers = limits.iter().filter_map(TokenSet::tokens_before);
    let limits: Vec<Limit> = numbers
        .zip(of_limits)
        .map(|(tokens, &symbol)| Limit { tokens, symbol })
        .collect();
    let groups = Groups::new(&sets, vocabulary, reserved, deadline)?;
    if groups.members.len() > MAX_GROUPS.min(symbols.len()) {
        return Err(too_many(MAX_GROUPS.min(symbols.len())));
    }
    let symbol_of = |group: usize| symbols.get(group).copied();
    let terminals = Terminals {
        lead,
        dead,
        tokens: groups
            .tokens
            .iter()
            .map(|&(id, group, is_text)| Terminal {
                id,
                symbol: group.and_then(symbol_of),
                is_text,
            })
            .collect(),
        others: groups.others.and_then(symbol_of),
        limits,
        endings: Vec::new(),
    };
    let words = |set: &TokenSet| {
        if let Some(tokens) = set.tokens_before() {
            let mut limits = terminals.limits.iter();
            let found = limits.find(|limit| limit.tokens == tokens);
            let spelling = found.map(|limit| [lead, limit.symbol]);
            return Expr::Tokens(spelling.map_or(set.clone(), |spelling| set.spelled(spelling)));
        }
        let at = sets.binary_search(set).unwrap_or(usize::MAX);
        let groups = groups.members.iter().enumerate();
        let of_set = groups.filter(|(_, sets)| sets.binary_search(&at).is_ok());
        spelled(lead, of_set.filter_map(|(group, _)| symbol_of(group)))
    };
    let rules = grammar.rules.iter().map(|rule| Rule {
        expr: rewrite(&rule.expr, &words),
        ..rule.clone()
    });
    let grammar = Grammar {
        rules: rules.collect(),
        root: grammar.root,
        lexer: grammar.lexer.clone(),
    };
    Ok(Some((grammar, terminals)))
}

/// The tokens that a grammar names, ascending: those that some set says, but for sets of all but
/// these.
pub fn named(grammar: &Grammar) -> BTreeSet<u32> {
    let (mut sets, mut used) = (BTreeSet::new(), [false; 256]);
    let rules = grammar.rules.iter();
    rules.for_each(|rule| collect(&rule.expr, &mut sets, &mut used));
    let named = sets.iter().filter(|set| !set.is_all_but());
    named.flat_map(|set| set.ids().iter().copied()).collect()
}

/// The same where no vocabulary is known: for automata that are looked at, not for masks.
///
/// # Errors
/// As [`resolve`], but that ids are not compared with a size.
pub fn resolve_alone(
    grammar: &Grammar,
    deadline: &Deadline,
) -> Result<Option<(Grammar, Terminals)>, Error> {
    let (mut sets, mut used) = (BTreeSet::new(), [false; 256]);
    let rules = grammar.rules.iter();
    rules.for_each(|rule| collect(&rule.expr, &mut sets, &mut used));
    let resolve_for = |tokens: usize| {
        let vocabulary = Vocabulary::from_tokens(vec![vec![b'a']; tokens], Vec::new());
        let long = LongTokenBytes::of(&vocabulary);
        resolve(grammar, (&vocabulary, &long), &[], deadline)
    };
    let greatest = sets.iter().filter_map(|set| set.ids().last()).max();
    match greatest.filter(|&&id| (id as usize) < MAX_IDS) {
        Some(&greatest) => resolve_for(greatest as usize + 1),
        None if sets.is_empty() => Ok(None),
        None => resolve_for(1),
    }
}

#[cfg(test)]
mod tests;
