//! From LALR(1) tables to a grammar with the same sentences.
//!
//! In: [`Tables`]. Out: [`SplitGrammar`]: a nonterminal for each state in which one of the tables'
//! nonterminals can begin, the equal ones of these once. So each terminal in it stands in one state
//! of the parser, and is written together with what the parser can take after it: that decides
//! which terminals a contextual lexer looks for.
//!
//! The rules of the tables derive all texts of the grammar. The parser does not read all of them: a
//! conflict costs a state reductions on some symbols. Such a production ends with a *guard*: none
//! of these symbols may follow. So a derivation is one of the parser's runs, and the other way
//! round.

use std::collections::BTreeSet;

use maskwright_lalr::{Part, Symbol, Tables};

use crate::grammar::{Expr, Grammar, Rule, RuleId};
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::lr::Guards;

/// The stage, as a passed limit names it.
const DOING: &str = "turning LALR tables into a grammar";

/// The most symbols and guards that there may be: each is a byte.
const MOST_SYMBOLS: usize = 256;

/// The end of the text among terminals.
const END: u32 = u32::MAX;

/// A grammar over symbols with the sentences of an LALR(1) parser.
#[derive(Debug)]
pub(crate) struct SplitGrammar {
    /// The rules, over symbols and then guards.
    pub(crate) grammar: Grammar,
    /// For each symbol its terminal, and the number of the set of terminals that the parser can
    /// take after it.
    pub(crate) symbols: Vec<(u32, u32)>,
    /// Sets of terminals that the parser can take.
    pub(crate) sets: Vec<Vec<u32>>,
    /// The number of the set at the start.
    pub(crate) at_start: u32,
    /// For each guard the terminals that must not follow; the end of the text is [`END`]. Guards
    /// are numbered after the symbols.
    guards: Vec<Vec<u32>>,
}

impl SplitGrammar {
    /// For each guard the bytes that it forbids.
    pub(crate) fn forbidden(&self) -> Vec<Vec<u16>> {
        let of = |forbidden: &Vec<u32>| {
            let symbols = (0u16..).zip(&self.symbols);
            let symbols = symbols.filter(|(_, of)| forbidden.contains(&of.0));
            let end = forbidden.contains(&END).then_some(Guards::END);
            symbols.map(|(symbol, _)| symbol).chain(end).collect()
        };
        self.guards.iter().map(of).collect()
    }
}

/// The grammar of these tables; `None` if it would be too large. `names` are those of the rules.
/// Where what the parser can take makes no difference, `one_set` says so.
///
/// # Errors
///
/// If the deadline passes.
pub(crate) fn split(
    tables: &Tables,
    names: &dyn Fn(u32) -> String,
    one_set: bool,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Option<SplitGrammar>, LimitExceeded> {
    let Some(root) = root(tables) else {
        return Ok(None);
    };
    let mut splitter = Splitter {
        tables,
        one_set,
        of: productions_of(tables),
        copies: Interner::new(),
        symbols: Interner::new(),
        sets: Interner::new(),
        guards: Interner::new(),
        deadline,
    };
    let at_start = splitter.set(tables.start);
    splitter.copies.intern((tables.start, root));
    let mut rights: Vec<Vec<Right>> = Vec::new();
    while rights.len() < splitter.copies.values.len() {
        if rights.len() >= limits.states {
            return Ok(None);
        }
        let copy = splitter.copies.values[rights.len()];
        match splitter.rights(copy)? {
            Some(of) => rights.push(of),
            None => return Ok(None),
        }
    }
    let symbols = splitter.symbols.values.len();
    if symbols + splitter.guards.values.len() > MOST_SYMBOLS {
        return Ok(None);
    }
    let nonterminals: Vec<u32> = splitter.copies.values.iter().map(|copy| copy.1).collect();
    let blocks = blocks(&nonterminals, &rights, deadline)?;
    let mut rules: Vec<Rule> = Vec::new();
    for (place, &block) in blocks.iter().enumerate() {
        if block as usize == rules.len() {
            let alternatives = rights[place].iter();
            let alternatives = alternatives.map(|right| expr(right, &blocks, symbols));
            let name = names(tables.rules[nonterminals[place] as usize]);
            rules.push(Rule::new(&name, Expr::Alt(alternatives.collect())));
        }
    }
    Ok(Some(SplitGrammar {
        grammar: Grammar::new(rules, RuleId(blocks[0])),
        symbols: splitter.symbols.values,
        sets: splitter.sets.values,
        at_start,
        guards: splitter.guards.values,
    }))
}

/// The nonterminal that the whole text is.
fn root(tables: &Tables) -> Option<u32> {
    let gotos = &tables.states[tables.start as usize].gotos;
    let whole = gotos
        .iter()
        .find(|goto| tables.states[goto.1 as usize].accepts);
    whole.map(|goto| goto.0)
}

/// For each nonterminal its productions.
fn productions_of(tables: &Tables) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); tables.rules.len()];
    for (number, production) in (0..).zip(&tables.productions) {
        of[production.nonterminal as usize].push(number);
    }
    of
}

/// One part of a right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum RightPart {
    /// A symbol, by number.
    Symbol(u32),
    /// A nonterminal in a state, by number.
    Copy(u32),
    /// A guard, by number.
    Guard(u32),
    /// The end of the right side, where several stand in a row.
    End,
}

crate::maps::own_keys!(RightPart);

/// A right side.
type Right = Vec<RightPart>;

struct Splitter<'a> {
    tables: &'a Tables,
    one_set: bool,
    of: Vec<Vec<u32>>,
    /// Nonterminals, each in a state in which it can begin.
    copies: Interner<(u32, u32)>,
    symbols: Interner<(u32, u32)>,
    sets: Interner<Vec<u32>>,
    guards: Interner<Vec<u32>>,
    deadline: &'a Deadline,
}

impl Splitter<'_> {
    /// The number of the set of terminals that a state can take.
    fn set(&mut self, state: u32) -> u32 {
        if self.one_set {
            return self.sets.intern(Vec::new());
        }
        let state = &self.tables.states[state as usize];
        let reduced = state.reductions.iter().filter_map(|of| match of.0 {
            Symbol::Terminal(terminal) => Some(terminal),
            Symbol::End => None,
        });
        let all = state.shifts.iter().map(|shift| shift.0).chain(reduced);
        let all: BTreeSet<u32> = all.collect();
        self.sets.intern(all.into_iter().collect())
    }

    /// The right sides of a nonterminal in a state; `None` if the tables do not have them.
    fn rights(
        &mut self,
        (state, nonterminal): (u32, u32),
    ) -> Result<Option<Vec<Right>>, LimitExceeded> {
        let mut rights = Vec::new();
        for production in self.of[nonterminal as usize].clone() {
            match self.right(state, production)? {
                Some(right) => rights.push(right),
                None => return Ok(None),
            }
        }
        rights.sort_unstable();
        rights.dedup();
        Ok(Some(rights))
    }

    /// The right side of a production that begins in a state.
    fn right(&mut self, mut state: u32, production: u32) -> Result<Option<Right>, LimitExceeded> {
        let tables = self.tables;
        let parts = &tables.rights[production as usize];
        self.deadline.ticks(1 + parts.len(), DOING)?;
        let mut right = Vec::with_capacity(parts.len() + 1);
        for &part in parts {
            let of = &tables.states[state as usize];
            let (list, key) = match part {
                Part::Terminal(terminal) => (&of.shifts, terminal),
                Part::Nonterminal(nonterminal) => (&of.gotos, nonterminal),
            };
            let Ok(at) = list.binary_search_by_key(&key, |to| to.0) else {
                return Ok(None);
            };
            let next = list[at].1;
            right.push(match part {
                Part::Terminal(terminal) => {
                    let set = self.set(next);
                    RightPart::Symbol(self.symbols.intern((terminal, set)))
                }
                Part::Nonterminal(nonterminal) => {
                    RightPart::Copy(self.copies.intern((state, nonterminal)))
                }
            });
            state = next;
        }
        let dropped = tables.states[state as usize].dropped.iter();
        let dropped = dropped.filter(|of| of.1 == production);
        let number = |symbol| match symbol {
            Symbol::Terminal(terminal) => terminal,
            Symbol::End => END,
        };
        let dropped: Vec<u32> = dropped.map(|of| number(of.0)).collect();
        if !dropped.is_empty() {
            right.push(RightPart::Guard(self.guards.intern(dropped)));
        }
        Ok(Some(right))
    }
}

/// Numbers the nonterminals so that those that derive the same have one number: a partition that is
/// refined until it is stable. Numbers are in the order of the first members.
fn blocks(
    nonterminals: &[u32],
    rights: &[Vec<Right>],
    deadline: &Deadline,
) -> Result<Vec<u32>, LimitExceeded> {
    let mut known: Interner<u32> = Interner::new();
    let mut blocks: Vec<u32> = nonterminals.iter().map(|&of| known.intern(of)).collect();
    let mut count = known.values.len();
    loop {
        let mut known: Interner<(u32, Right)> = Interner::new();
        let mut next = Vec::with_capacity(blocks.len());
        for (&block, rights) in blocks.iter().zip(rights) {
            deadline.ticks(1 + rights.len(), DOING)?;
            let mut renamed: Vec<Right> = rights
                .iter()
                .map(|right| right.iter().map(|&part| renamed(part, &blocks)).collect())
                .collect();
            renamed.sort_unstable();
            renamed.dedup();
            let in_a_row = renamed.into_iter().flat_map(|right| {
                let end = [RightPart::End];
                right.into_iter().chain(end)
            });
            next.push(known.intern((block, in_a_row.collect())));
        }
        blocks = next;
        if known.values.len() == count {
            return Ok(blocks);
        }
        count = known.values.len();
    }
}

fn renamed(part: RightPart, blocks: &[u32]) -> RightPart {
    match part {
        RightPart::Copy(copy) => RightPart::Copy(blocks[copy as usize]),
        RightPart::Symbol(_) | RightPart::Guard(_) | RightPart::End => part,
    }
}

/// A right side as an expression.
fn expr(right: &Right, blocks: &[u32], symbols: usize) -> Expr {
    let byte = |number: u32| Expr::Bytes(vec![(number as u8, number as u8)]);
    let parts = right.iter().filter_map(|&part| match part {
        RightPart::Symbol(symbol) => Some(byte(symbol)),
        RightPart::Guard(guard) => Some(byte(symbols as u32 + guard)),
        RightPart::Copy(copy) => Some(Expr::Ref(RuleId(blocks[copy as usize]))),
        RightPart::End => None,
    });
    Expr::Seq(parts.collect())
}
