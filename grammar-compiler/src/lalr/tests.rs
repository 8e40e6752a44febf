//! The grammar of a parser's runs beside the parser itself, on random grammars.

use maskwright_lalr::{Expr, Grammar, Options, Rule, Symbol, Tables};

use super::split;
use crate::automata;
use crate::limits::{Deadline, Limits, Tuning};
use crate::lr::{self, Guards, Positions};
use crate::pda::Pda;
use crate::pda::interpret::{Stack, step};
use crate::threads::Threads;

const TERMINALS: u32 = 3;
const LONGEST: usize = 6;

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % bound
    }

    /// A grammar of a few rules.
    fn grammar(&mut self) -> Grammar {
        let rules = 1 + self.below(3) as usize;
        let rule = |at: usize, numbers: &mut Numbers| {
            let alternatives = (0..1 + numbers.below(3)).map(|_| {
                let parts = (0..numbers.below(4)).map(|_| match numbers.below(5) {
                    0 | 1 => Expr::Rule(numbers.below(rules as u64) as usize),
                    _ => Expr::Terminal(numbers.below(TERMINALS.into()) as u32),
                });
                Expr::Sequence(parts.collect())
            });
            Rule {
                name: format!("r{at}"),
                body: Expr::Union(alternatives.collect()),
                priority: numbers.below(3) as i32,
            }
        };
        Grammar {
            rules: (0..rules).map(|at| rule(at, self)).collect(),
            starts: vec![0],
        }
    }
}

/// The stack of the parser after a symbol, as the tables say; `None` if it is refused.
fn taken(tables: &Tables, stack: &[u32], symbol: Symbol) -> Option<Vec<u32>> {
    let mut stack = stack.to_vec();
    loop {
        let state = &tables.states[*stack.last()? as usize];
        match symbol {
            Symbol::End if state.accepts => return Some(stack),
            Symbol::Terminal(terminal) => {
                if let Ok(at) = state.shifts.binary_search_by_key(&terminal, |of| of.0) {
                    stack.push(state.shifts[at].1);
                    return Some(stack);
                }
            }
            Symbol::End => {}
        }
        let at = state
            .reductions
            .binary_search_by_key(&symbol, |of| of.0)
            .ok()?;
        let production = tables.productions[state.reductions[at].1 as usize];
        stack.truncate(stack.len() - production.length as usize);
        let gotos = &tables.states[*stack.last()? as usize].gotos;
        let goto = gotos.iter().find(|goto| goto.0 == production.nonterminal)?;
        stack.push(goto.1);
    }
}

/// What the tables accept, beside what the automaton does.
struct Compared<'a> {
    tables: &'a Tables,
    pda: &'a Pda,
    symbols: &'a [(u32, u32)],
    texts: usize,
    accepted: usize,
}

impl Compared<'_> {
    fn compare(&mut self, text: &mut Vec<u32>, parser: &[u32], stacks: &[Stack]) {
        self.texts += 1;
        let accepts = taken(self.tables, parser, Symbol::End).is_some();
        let ends = step(self.pda, stacks, self.pda.classes.end());
        assert_eq!(!ends.is_empty(), accepts, "{text:?} {:?}", self.tables);
        self.accepted += usize::from(accepts);
        if text.len() == LONGEST {
            return;
        }
        for terminal in 0..TERMINALS {
            let mut all: Vec<Vec<Stack>> = Vec::new();
            for (symbol, of) in (0u8..=255).zip(self.symbols) {
                if of.0 == terminal {
                    all.push(step(self.pda, stacks, self.pda.classes.of(symbol)));
                }
            }
            all.retain(|stacks| !stacks.is_empty());
            text.push(terminal);
            let shifted = taken(self.tables, parser, Symbol::Terminal(terminal));
            // A terminal is taken as one symbol.
            assert!(all.len() <= 1, "{text:?} {:?}", self.tables);
            // The parser also shifts what no text goes on from, where a rule derives none.
            assert!(
                all.is_empty() || shifted.is_some(),
                "{text:?} {:?}",
                self.tables
            );
            if let Some(parser) = shifted {
                self.compare(text, &parser, &all.pop().unwrap_or_default());
            }
            text.pop();
        }
    }
}

#[test]
fn the_split_grammar_derives_what_the_parser_reads() {
    let mut numbers = Numbers(1);
    let limits = Limits::default();
    let (mut with_guards, mut texts, mut accepted) = (0, 0, 0);
    for _ in 0..6_000 {
        let grammar = numbers.grammar();
        let deadline = Deadline::start(&limits);
        let made = maskwright_lalr::tables(&grammar, &Options::default(), &mut || true);
        let Ok(tables) = made else {
            continue;
        };
        let name = |rule: u32| format!("r{rule}");
        let found = split(&tables, &name, false, &limits, &deadline);
        let found = found.unwrap().expect("the tables are small");
        let tuning = Tuning::default();
        let mut threads = Threads::up_to(1);
        let network = automata::build(&found.grammar, &limits, &tuning, &mut threads, &deadline);
        let Ok(network) = network else {
            continue;
        };
        let forbidden = found.forbidden();
        let guards = Guards {
            first: found.symbols.len(),
            forbid: &forbidden,
        };
        let positions = Positions::guarded(&network, guards, &deadline).unwrap();
        if !positions.calls_take_symbols() {
            continue;
        }
        let built = lr::build(positions, &limits, &deadline).unwrap();
        let mut compared = Compared {
            tables: &tables,
            pda: &built.pda,
            symbols: &found.symbols,
            texts: 0,
            accepted: 0,
        };
        let stacks = vec![(built.pda.start, Vec::new())];
        compared.compare(&mut Vec::new(), &[tables.start], &stacks);
        with_guards += usize::from(!forbidden.is_empty());
        texts += compared.texts;
        accepted += compared.accepted;
    }
    let counts = (with_guards, texts, accepted);
    assert!(
        with_guards > 100 && texts > 10_000 && accepted > 1_000,
        "{counts:?}"
    );
}
