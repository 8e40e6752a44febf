//! The automaton and its look-ahead → tables.
//!
//! Conflicts are resolved as in Lark, in this order: of several reductions on one symbol that of
//! the highest priority wins, and there must be one, also where the symbol can be shifted; then a
//! shift wins over a reduction, unless the options refuse that.

use crate::automaton::Automaton;
use crate::bnf::{Bnf, Laid, Next};
use crate::budget::Budget;
use crate::digraph::columns;
use crate::error::{Error, ErrorKind};
use crate::grammar::Grammar;
use crate::lookahead::Lookahead;
use crate::tables::{Part, Production, State, Symbol, Tables};
use crate::{Conflicts, Options};

/// Makes the tables; says too whether a priority has decided anything.
pub(crate) fn tables(
    grammar: &Grammar,
    bnf: &Bnf,
    automaton: &Automaton,
    lookahead: &Lookahead,
    options: &Options,
    budget: &mut Budget,
) -> Result<(Tables, bool), Error> {
    let mut resolver = Resolver {
        grammar,
        bnf,
        automaton,
        decided: false,
        refused: None,
    };
    let mut states: Vec<State> = Vec::new();
    for transitions in &automaton.transitions {
        budget.spend(transitions.len())?;
        states.push(moves(bnf, transitions));
    }
    if let Some(accepting) = automaton.after(0, bnf.next[bnf.root().first as usize]) {
        states[accepting as usize].accepts = true;
    }
    for back in lookahead.back.chunk_by(|a, b| a.0 == b.0) {
        let state = back[0].0;
        let candidates = candidates(back, lookahead, budget)?;
        resolver.resolve(state, &mut states[state as usize], &candidates, options)?;
    }
    if let Some(error) = resolver.refused {
        return Err(error);
    }
    // The root's production comes last and is never reduced.
    let productions = &bnf.productions[..bnf.productions.len() - 1];
    let productions = productions.iter().map(|laid| Production {
        nonterminal: laid.nonterminal,
        length: laid.length,
    });
    let tables = Tables {
        states,
        start: 0,
        productions: productions.collect(),
        rights: rights(bnf),
        rules: rules(bnf),
    };
    Ok((tables, resolver.decided))
}

/// The symbols of each production but the root's.
fn rights(bnf: &Bnf) -> Vec<Vec<Part>> {
    let right = |laid: &Laid| {
        let items = laid.first as usize..(laid.first + laid.length) as usize;
        let parts = bnf.next[items].iter().filter_map(|next| match next {
            Next::Terminal(terminal) => Some(Part::Terminal(bnf.terminals[*terminal as usize])),
            Next::Nonterminal(nonterminal) => Some(Part::Nonterminal(*nonterminal)),
            Next::End(_) => None,
        });
        parts.collect()
    };
    let productions = &bnf.productions[..bnf.productions.len() - 1];
    productions.iter().map(right).collect()
}

/// The rule of each nonterminal.
fn rules(bnf: &Bnf) -> Vec<u32> {
    let mut rules = vec![0; bnf.of.len()];
    for laid in &bnf.productions {
        rules[laid.nonterminal as usize] = laid.rule as u32;
    }
    rules
}

/// A state without its reductions.
fn moves(bnf: &Bnf, transitions: &[(Next, u32)]) -> State {
    let mut state = State::default();
    for &(symbol, after) in transitions {
        match symbol {
            Next::Terminal(terminal) => {
                state.shifts.push((bnf.terminals[terminal as usize], after));
            }
            Next::Nonterminal(nonterminal) => state.gotos.push((nonterminal, after)),
            Next::End(_) => {}
        }
    }
    state
}

/// The reductions of a state: columns of look-ahead and productions, sorted.
fn candidates(
    back: &[(u32, u32, u32)],
    lookahead: &Lookahead,
    budget: &mut Budget,
) -> Result<Vec<(usize, u32)>, Error> {
    let mut candidates = Vec::new();
    for of_production in back.chunk_by(|a, b| a.1 == b.1) {
        let mut union: Vec<u64> = Vec::new();
        for &(_, _, node) in of_production {
            let row = lookahead.follow.row(node as usize);
            budget.spend(row.len())?;
            union.resize(row.len(), 0);
            for (word, more) in union.iter_mut().zip(row) {
                *word |= more;
            }
        }
        candidates.extend(columns(&union).map(|column| (column, of_production[0].1)));
    }
    budget.spend(candidates.len())?;
    candidates.sort_unstable();
    Ok(candidates)
}

struct Resolver<'r> {
    grammar: &'r Grammar,
    bnf: &'r Bnf,
    automaton: &'r Automaton,
    /// Whether a priority has decided anything.
    decided: bool,
    /// The first shift/reduce conflict, if these are refused.
    refused: Option<Error>,
}

impl Resolver<'_> {
    /// Gives a state its reductions.
    fn resolve(
        &mut self,
        number: u32,
        state: &mut State,
        candidates: &[(usize, u32)],
        options: &Options,
    ) -> Result<(), Error> {
        for on_symbol in candidates.chunk_by(|a, b| a.0 == b.0) {
            let terminal = self.bnf.terminals.get(on_symbol[0].0).copied();
            let symbol = terminal.map_or(Symbol::End, Symbol::Terminal);
            let production = self.best(symbol, on_symbol)?;
            let others = on_symbol.iter().filter(|of| of.1 != production);
            state.dropped.extend(others.map(|of| (symbol, of.1)));
            let is_shifted = terminal.is_some_and(|terminal| {
                let shifts = &state.shifts;
                shifts
                    .binary_search_by_key(&terminal, |&(other, _)| other)
                    .is_ok()
            });
            if is_shifted {
                if options.conflicts == Conflicts::Refuse && self.refused.is_none() {
                    let column = on_symbol[0].0 as u32;
                    self.refused = Some(self.shift_reduce(number, column, production));
                }
                state.dropped.push((symbol, production));
            } else if symbol == Symbol::End && state.accepts {
                // Lark's parser asks whether it is done before it looks for a reduction.
                state.dropped.push((symbol, production));
            } else {
                state.reductions.push((symbol, production));
            }
        }
        state.dropped.sort_unstable();
        Ok(())
    }

    /// The production of the highest priority.
    fn best(&mut self, lookahead: Symbol, on_symbol: &[(usize, u32)]) -> Result<u32, Error> {
        let priority = |production: u32| self.bnf.productions[production as usize].priority;
        let productions = on_symbol.iter().map(|&(_, production)| production);
        let highest = productions.clone().map(priority).max();
        let mut best = productions
            .clone()
            .filter(|&p| Some(priority(p)) == highest);
        if let (Some(only), None) = (best.next(), best.next()) {
            self.decided |= on_symbol.len() > 1;
            return Ok(only);
        }
        let rules = self.rules(productions.filter(|&p| Some(priority(p)) == highest));
        let rule = rules.first().copied();
        let kind = ErrorKind::ReduceReduce { rules, lookahead };
        Err(Error::conflict(kind, rule, self.grammar))
    }

    fn shift_reduce(&self, state: u32, column: u32, production: u32) -> Error {
        let rule = self.bnf.productions[production as usize].rule;
        let mut rules = vec![rule];
        if let Some(after) = self.automaton.after(state, Next::Terminal(column)) {
            let kernel = self.automaton.kernels[after as usize].iter();
            let mut shifted: Vec<usize> =
                kernel.map(|&item| self.bnf.production(item).rule).collect();
            shifted.sort_unstable();
            shifted.dedup();
            rules.extend(shifted);
        }
        let terminal = self.bnf.terminals[column as usize];
        let kind = ErrorKind::ShiftReduce { rules, terminal };
        Error::conflict(kind, Some(rule), self.grammar)
    }

    /// The rules of productions, each once.
    fn rules(&self, productions: impl Iterator<Item = u32>) -> Vec<usize> {
        let mut rules: Vec<usize> = productions
            .map(|production| self.bnf.productions[production as usize].rule)
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}
