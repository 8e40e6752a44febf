//! Refuses tables with which a parser would reduce for ever.
//!
//! Shifts win over reductions and other collisions are refused, so this happens only where a
//! priority has chosen a cycle: of `a: a`, or of nonterminals that derive the empty text. Lark's
//! parser hangs then.
//!
//! Of an endless run consider the lowest stack that it comes back to for ever: from there on the
//! state on top, the nonterminal that goes on top of it and the look-ahead decide. So each such
//! triple that shifts and reductions lead to is tried with nothing below; an endless run
//! takes one of them twice without going below it.

use crate::bnf::Bnf;
use crate::budget::Budget;
use crate::error::{Error, ErrorKind};
use crate::grammar::Grammar;
use crate::lookahead::Lookahead;
use crate::tables::{State, Symbol, Tables};
use std::collections::BTreeSet;

/// Reductions in a row that are looked at; nullable rules can take a power of two of them.
const LONGEST: usize = 1_000_000;

/// Refuses endless reductions.
pub(crate) fn refuse(
    grammar: &Grammar,
    bnf: &Bnf,
    lookahead: &Lookahead,
    tables: &Tables,
    budget: &mut Budget,
) -> Result<(), Error> {
    for (state, nonterminal, symbol) in uncovered(lookahead, tables, budget)? {
        let mut stack = vec![Level::new(state)];
        stack[0].nonterminals.push(nonterminal);
        stack.extend(goto(tables, state, nonterminal).map(Level::new));
        if let Some(production) = cycle(tables, stack, symbol, budget)? {
            let rule = Some(bnf.productions[production as usize].rule);
            let kind = ErrorKind::Endless { lookahead: symbol };
            return Err(Error::conflict(kind, rule, grammar));
        }
    }
    Ok(())
}

/// The states that reductions after a shift, or at the start, uncover, each with the nonterminal
/// reduced to and the look-ahead.
fn uncovered(
    lookahead: &Lookahead,
    tables: &Tables,
    budget: &mut Budget,
) -> Result<BTreeSet<(u32, u32, Symbol)>, Error> {
    let mut visits = Visits::new(tables);
    visits.shifted_to(tables.start);
    let mut found = BTreeSet::new();
    while let Some((state, symbol)) = visits.next(budget)? {
        let Some(production) = reduction(&tables.states[state as usize], symbol) else {
            continue;
        };
        let nonterminal = tables.productions[production as usize].nonterminal;
        let back = &lookahead.back;
        let first = back.partition_point(|&(q, p, _)| (q, p) < (state, production));
        let back = back[first..].iter();
        for &(_, _, node) in back.take_while(|&&(q, p, _)| (q, p) == (state, production)) {
            budget.spend(1)?;
            let from = lookahead.from[node as usize];
            found.insert((from, nonterminal, symbol));
            if let Some(after) = goto(tables, from, nonterminal) {
                visits.reach(after);
                visits.look(after, symbol);
            }
        }
    }
    Ok(found)
}

/// The states that a parser can be in, with look-ahead.
struct Visits<'t> {
    tables: &'t Tables,
    is_reached: Vec<bool>,
    /// Reached states whose shifts are not followed yet.
    unfollowed: Vec<u32>,
    known: BTreeSet<(u32, Symbol)>,
    waiting: Vec<(u32, Symbol)>,
}

impl<'t> Visits<'t> {
    fn new(tables: &'t Tables) -> Self {
        Self {
            tables,
            is_reached: vec![false; tables.states.len()],
            unfollowed: Vec::new(),
            known: BTreeSet::new(),
            waiting: Vec::new(),
        }
    }

    fn reach(&mut self, state: u32) {
        if !std::mem::replace(&mut self.is_reached[state as usize], true) {
            self.unfollowed.push(state);
        }
    }

    fn look(&mut self, state: u32, symbol: Symbol) {
        if self.known.insert((state, symbol)) {
            self.waiting.push((state, symbol));
        }
    }

    /// A state after a shift: any look-ahead can come.
    fn shifted_to(&mut self, state: u32) {
        self.reach(state);
        for &(symbol, _) in &self.tables.states[state as usize].reductions {
            self.look(state, symbol);
        }
    }

    /// A pair that was not returned yet.
    fn next(&mut self, budget: &mut Budget) -> Result<Option<(u32, Symbol)>, Error> {
        while let Some(state) = self.unfollowed.pop() {
            let tables = self.tables;
            for &(_, after) in &tables.states[state as usize].shifts {
                budget.spend(1)?;
                self.shifted_to(after);
            }
        }
        Ok(self.waiting.pop())
    }
}

/// A state on the stack, with the nonterminals that were put on top of it since it is there.
struct Level {
    state: u32,
    nonterminals: Vec<u32>,
}

impl Level {
    fn new(state: u32) -> Self {
        let nonterminals = Vec::new();
        Self {
            state,
            nonterminals,
        }
    }
}

/// A production of an endless run that begins with this stack.
fn cycle(
    tables: &Tables,
    mut stack: Vec<Level>,
    lookahead: Symbol,
    budget: &mut Budget,
) -> Result<Option<u32>, Error> {
    let mut left = LONGEST;
    while let Some(top) = stack.last() {
        budget.spend(1 + stack.len())?;
        left = left.checked_sub(1 + stack.len()).ok_or_else(|| {
            let message = "too many reductions in a row derive the empty text".to_owned();
            Error::too_large(message, None)
        })?;
        let state = &tables.states[top.state as usize];
        let Some(production) = reduction(state, lookahead) else {
            return Ok(None);
        };
        let reduced = tables.productions[production as usize];
        stack.truncate(stack.len().saturating_sub(reduced.length as usize));
        let Some(uncovered) = stack.last().map(|top| top.state) else {
            return Ok(None);
        };
        let pair = |level: &Level| {
            level.state == uncovered && level.nonterminals.contains(&reduced.nonterminal)
        };
        if stack.iter().any(pair) {
            return Ok(Some(production));
        }
        let after = goto(tables, uncovered, reduced.nonterminal);
        let (Some(after), Some(top)) = (after, stack.last_mut()) else {
            return Ok(None);
        };
        top.nonterminals.push(reduced.nonterminal);
        stack.push(Level::new(after));
    }
    Ok(None)
}

fn reduction(state: &State, lookahead: Symbol) -> Option<u32> {
    let reductions = &state.reductions;
    let place = reductions.binary_search_by_key(&lookahead, |&(symbol, _)| symbol);
    place.ok().map(|place| reductions[place].1)
}

fn goto(tables: &Tables, state: u32, nonterminal: u32) -> Option<u32> {
    let gotos = &tables.states[state as usize].gotos;
    let place = gotos.binary_search_by_key(&nonterminal, |&(symbol, _)| symbol);
    place.ok().map(|place| gotos[place].1)
}
