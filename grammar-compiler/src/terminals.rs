//! Tokens as terminals: from sets of ids to strings of bytes that no text has.
//!
//! In: a [`Grammar`] with [`TokenSet`]s, and the vocabulary that it is for. Out: [`Terminals`], and the grammar in which each set is a string of two bytes: a *lead*, which
//! is in no text of the grammar and in no token of several bytes, and a *symbol*, which says which sets the token is in. A token that is a terminal then has these two bytes as
//! a spelling, and everything behind this stage, from automata to masks, works on bytes alone. What holds after:
//!
//! - a string of tokens matches the new grammar by its spellings if and only if it matched the old one;
//! - a token that some set names ("these tokens") has no other spelling: it is not text in this grammar;
//! - a token that is in a set only as one of "all but these" is still text where text may stand;
//! - tokens that end a sequence are in no set of "all but these", and neither are ids that stand for nothing.
//!
//! A [limit](TokenSet::limit) is spelled by the lead and a symbol of its own, which no token has: a matcher takes both itself.
//!
//! The number of different tokens does not matter, only how many groups of them the grammar tells apart: at most [`MAX_GROUPS`].

pub mod limits;
pub mod overlap;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::{Code, Diagnostic, Error};
use crate::grammar::{Expr, Grammar, Graph, GraphState, Rule, TokenSet, WordState, Words};
use crate::vocabulary::{MAX_IDS, TokenNameError, Vocabulary};

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
    /// A byte that neither the grammar nor any spelling has: the lead of a text that is no token is taken as this one.
    pub dead: u8,
    /// The tokens that some set names, and those that are special: ascending by id.
    pub tokens: Vec<Terminal>,
    /// The symbol of all other tokens that are text, if some set has them.
    pub others: Option<u8>,
    /// Limits on the tokens of a text, ascending.
    pub limits: Vec<Limit>,
    /// What stands for tokens that cross the end of a part, if the grammar is a part of a linked one.
    pub endings: Vec<Ending>,
}

/// A prefix of tokens with which a part of a linked grammar can end: see [`crate::link`]. It has an id of its own behind those of the vocabulary, and is spelled by the prefix and then
/// the exit.
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

    /// Whether a token is text in this grammar. The token of the lead alone is none: no text of the grammar has that byte.
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

/// The grammar with spellings in the place of sets, and what these are; `None` if no rule has a set. Tokens that are `reserved` are not text, as if a set named them.
///
/// # Errors
/// If a set names an id that the vocabulary does not have, or the grammar tells too many groups of tokens apart.
pub fn resolve(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    reserved: &[u32],
) -> Result<Option<(Grammar, Terminals)>, Error> {
    let mut sets = BTreeSet::new();
    let mut used = [false; 256];
    for rule in &grammar.rules {
        check_ids(rule, vocabulary)?;
        collect(&rule.expr, &mut sets, &mut used);
    }
    if sets.is_empty() {
        return Ok(None);
    }
    let (limits, sets): (Vec<TokenSet>, Vec<TokenSet>) = sets
        .into_iter()
        .partition(|set| set.tokens_before().is_some());
    let (lead, dead, symbols) = choose_bytes(&used, vocabulary).ok_or_else(no_lead)?;
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
    let groups = Groups::new(&sets, vocabulary, reserved);
    if groups.members.len() > MAX_GROUPS.min(symbols.len()) {
        return Err(too_many(groups.members.len()));
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
        let of_set = groups.filter(|(_, sets)| sets.contains(&at));
        spelled(lead, of_set.filter_map(|(group, _)| symbol_of(group)))
    };
    let rules = grammar.rules.iter().map(|rule| Rule {
        expr: rewrite(&rule.expr, &words),
        ..rule.clone()
    });
    let grammar = Grammar {
        rules: rules.collect(),
        root: grammar.root,
    };
    Ok(Some((grammar, terminals)))
}

/// The tokens that a grammar names, ascending: those that some set says, but for sets of all but these.
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
pub fn resolve_alone(grammar: &Grammar) -> Result<Option<(Grammar, Terminals)>, Error> {
    let (mut sets, mut used) = (BTreeSet::new(), [false; 256]);
    let rules = grammar.rules.iter();
    rules.for_each(|rule| collect(&rule.expr, &mut sets, &mut used));
    let greatest = sets.iter().filter_map(|set| set.ids().last()).max();
    let Some(&greatest) = greatest.filter(|&&id| (id as usize) < MAX_IDS) else {
        return match sets.is_empty() {
            true => Ok(None),
            false => resolve(
                grammar,
                &Vocabulary::from_tokens(vec![vec![b'a']], Vec::new()),
                &[],
            ),
        };
    };
    let tokens = vec![vec![b'a']; greatest as usize + 1];
    resolve(grammar, &Vocabulary::from_tokens(tokens, Vec::new()), &[])
}

/// Tokens that no set tells apart.
struct Groups {
    /// For each group the sets that it is in, ascending by their number.
    members: Vec<Vec<usize>>,
    /// Tokens that are named or special, ascending: the group of each, if it is in a set, and whether it is text too.
    tokens: Vec<(u32, Option<usize>, bool)>,
    /// The group of all others.
    others: Option<usize>,
}

impl Groups {
    fn new(sets: &[TokenSet], vocabulary: &Vocabulary, reserved: &[u32]) -> Self {
        let named = sets.iter().flat_map(|set| set.ids());
        let mut listed: Vec<u32> = named.chain(reserved).copied().collect();
        let all_but = sets.iter().any(TokenSet::is_all_but);
        if all_but {
            listed.extend(vocabulary.special().map(|(id, _)| id));
            listed.extend(vocabulary.eos());
        }
        listed.sort_unstable();
        listed.dedup();
        let mut groups = Groups {
            members: Vec::new(),
            tokens: Vec::new(),
            others: None,
        };
        for id in listed {
            let ends = vocabulary.eos().binary_search(&id).is_ok();
            let within = |set: &TokenSet| set.contains(id) && !(ends && set.is_all_but());
            let of = (0..).zip(sets).filter(|(_, set)| within(set));
            let group = groups.group(of.map(|(at, _)| at).collect());
            let is_named = reserved.contains(&id)
                || sets.iter().any(|set| !set.is_all_but() && set.contains(id));
            let is_text = !is_named && !vocabulary.bytes(id).is_empty();
            groups.tokens.push((id, group, is_text));
        }
        let of = (0..).zip(sets).filter(|(_, set)| set.is_all_but());
        groups.others = groups.group(of.map(|(at, _)| at).collect());
        groups
    }

    fn group(&mut self, sets: Vec<usize>) -> Option<usize> {
        if sets.is_empty() {
            return None;
        }
        let known = self.members.iter().position(|known| *known == sets);
        Some(known.unwrap_or_else(|| {
            self.members.push(sets);
            self.members.len() - 1
        }))
    }
}

/// A lead, a dead byte, and bytes for symbols, those that no text has first.
fn choose_bytes(used: &[bool; 256], vocabulary: &Vocabulary) -> Option<(u8, u8, Vec<u8>)> {
    let mut within = [false; 256];
    for token in vocabulary.iter().filter(|token| token.len() > 1) {
        token.iter().for_each(|&byte| within[byte as usize] = true);
    }
    let mut free = NOT_TEXT.into_iter().filter(|&byte| !used[byte as usize]);
    let lead = free.find(|&byte| !within[byte as usize])?;
    let mut free = (NOT_TEXT.into_iter()).filter(|&byte| byte != lead && !used[byte as usize]);
    let dead = free.next()?;
    // Bytes that only go on with a character are left out: walks take them for that.
    let others =
        (0..=255u8).filter(|byte| !NOT_TEXT.contains(byte) && !(0x80..=0xBF).contains(byte));
    Some((lead, dead, free.chain(others).collect()))
}

/// The string of the lead and one of these symbols.
fn spelled(lead: u8, symbols: impl Iterator<Item = u8>) -> Expr {
    let mut symbols: Vec<u8> = symbols.collect();
    symbols.sort_unstable();
    if symbols.is_empty() {
        return Expr::Class(Vec::new());
    }
    let state = |edges, is_final| WordState { is_final, edges };
    let symbols = symbols.into_iter().map(|symbol| (symbol, symbol, 2));
    Expr::Words(Arc::new(Words {
        states: vec![
            state(vec![(lead, lead, 1)], false),
            state(symbols.collect(), false),
            state(Vec::new(), true),
        ],
    }))
}

/// Collects the sets of an expression, and the bytes beyond UTF-8 that it uses.
fn collect(expr: &Expr, sets: &mut BTreeSet<TokenSet>, used: &mut [bool; 256]) {
    let mut mark = |low: u8, high: u8| (low..=high).for_each(|byte| used[byte as usize] = true);
    match expr {
        Expr::Tokens(set) => drop(sets.insert(set.clone())),
        Expr::Bytes(ranges) => ranges.iter().for_each(|&(low, high)| mark(low, high)),
        Expr::Words(words) => {
            let edges = words.states.iter().flat_map(|state| &state.edges);
            edges.for_each(|&(low, high, _)| mark(low, high));
        }
        Expr::Seq(parts) | Expr::Alt(parts) => {
            parts.iter().for_each(|part| collect(part, sets, used));
        }
        Expr::Repeat { expr, .. } => collect(expr, sets, used),
        Expr::Graph(graph) => {
            let parts = graph.states.iter().flat_map(|state| &state.edges);
            parts.for_each(|(part, _)| collect(part, sets, used));
        }
        // Characters: never one of these bytes.
        Expr::Literal(_) | Expr::Class(_) | Expr::Ref(_) => {}
    }
}

fn rewrite(expr: &Expr, words: &impl Fn(&TokenSet) -> Expr) -> Expr {
    let all = |parts: &[Expr]| parts.iter().map(|part| rewrite(part, words)).collect();
    match expr {
        Expr::Tokens(set) => words(set),
        Expr::Seq(parts) => Expr::Seq(all(parts)),
        Expr::Alt(parts) => Expr::Alt(all(parts)),
        Expr::Repeat { expr, min, max } => Expr::Repeat {
            expr: Box::new(rewrite(expr, words)),
            min: *min,
            max: *max,
        },
        Expr::Graph(graph) => {
            let states = graph.states.iter().map(|state| GraphState {
                is_final: state.is_final,
                edges: (state.edges.iter())
                    .map(|(part, to)| (rewrite(part, words), *to))
                    .collect(),
            });
            Expr::Graph(Arc::new(Graph {
                states: states.collect(),
            }))
        }
        Expr::Literal(_) | Expr::Class(_) | Expr::Bytes(_) | Expr::Words(_) | Expr::Ref(_) => {
            expr.clone()
        }
    }
}

fn check_ids(rule: &Rule, vocabulary: &Vocabulary) -> Result<(), Error> {
    let mut wrong = None;
    rule.expr.any(&mut |part| {
        if let Expr::Tokens(set) = part {
            let mut ids = set.ids().iter();
            wrong = ids
                .find(|&&id| id >= vocabulary.size())
                .map(|&id| (id, part));
        }
        wrong.is_some()
    });
    let Some((id, part)) = wrong else {
        return Ok(());
    };
    let size = vocabulary.size();
    let error = TokenNameError::OutOfRange { id, size };
    Err(Diagnostic::error(error.code(), error.to_string())
        .at(rule.place_of(part), "")
        .help("compile the grammar for the vocabulary that it was read for")
        .into())
}

fn too_many(groups: usize) -> Error {
    let message =
        format!("the grammar tells {groups} groups of tokens apart, more than {MAX_GROUPS}");
    Diagnostic::error(Code::LimitExceeded, message)
        .help("name fewer tokens one by one: tokens that always stand together are one group")
        .into()
}

fn too_many_limits(limits: usize) -> Error {
    let message =
        format!("the grammar has {limits} different limits of tokens, more than {MAX_LIMITS}");
    Diagnostic::error(Code::LimitExceeded, message)
        .help("give several texts the same limit")
        .into()
}

fn no_lead() -> Error {
    let message = "the grammar names tokens, and uses or meets every byte that no text has";
    Diagnostic::error(Code::LimitExceeded, message)
        .help("take raw bytes from 0xF5 to 0xFF out of the grammar")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::RuleId;

    /// Tokens a, b, the byte FF, a special one, and an end.
    fn vocabulary() -> Vocabulary {
        let tokens = [&b"a"[..], b"b", b"\xFF", b"", b"<x>", b""];
        let tokens = tokens.iter().map(|token| token.to_vec()).collect();
        Vocabulary::from_tokens(tokens, vec![5]).with_special(vec![(3, "<|s|>".to_owned())])
    }

    fn grammar(expr: Expr) -> Grammar {
        let rule = Rule {
            name: "root".to_owned(),
            expr,
            span: Default::default(),
            places: Vec::new(),
        };
        Grammar {
            rules: vec![rule],
            root: RuleId(0),
        }
    }

    #[test]
    fn a_grammar_without_sets_stays_as_it_is() {
        let grammar = grammar(Expr::Literal("a".to_owned()));
        assert_eq!(resolve(&grammar, &vocabulary(), &[]).unwrap(), None);
    }

    #[test]
    fn groups_are_as_few_as_the_sets_tell_apart() {
        let sets = [
            TokenSet::of([3, 4]),
            TokenSet::of([4]),
            TokenSet::all_but([0]),
        ];
        let all = grammar(Expr::Alt(sets.map(Expr::Tokens).to_vec()));
        let (_, terminals) = resolve(&all, &vocabulary(), &[]).unwrap().unwrap();
        let symbol = |id| {
            terminals
                .find(id)
                .map(|token| (token.symbol, token.is_text))
        };
        // 0 is in no set, and text; 3 and 4 are in different ones; 5 ends a sequence.
        assert_eq!(symbol(0), Some((None, true)));
        assert_ne!(symbol(3), symbol(4));
        assert_eq!(symbol(3).map(|found| found.1), Some(false));
        assert_eq!(symbol(5), Some((None, false)));
        let spelled: Vec<u32> = terminals
            .spellings(&vocabulary())
            .iter()
            .map(|s| s.1)
            .collect();
        assert_eq!(spelled, [3, 4, 1, 2]);
        assert!(!terminals.is_text(2, b"\xFF") && terminals.is_text(1, b"b"));
        assert_eq!(terminals.lead, 0xFF);
    }

    #[test]
    fn ids_beyond_the_vocabulary_are_refused() {
        let all = grammar(Expr::Tokens(TokenSet::of([6])));
        assert_eq!(
            resolve(&all, &vocabulary(), &[]).unwrap_err().code(),
            "unknown-token"
        );
    }
}
