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
//!
//! 1. `prefixes`: the right sides of each nonterminal as a tree.
//! 2. `walk`: a *node* is a state of the tables with a prefix, and says what may follow. There are
//!    about as many as states, however many right sides there are.
//! 3. `blocks`: nodes that the same follows become one; those of a nonterminal are an automaton.

mod blocks;
mod prefixes;
mod walk;

use maskwright_lalr::Tables;

use self::blocks::Blocks;
use self::prefixes::Prefixes;
use self::walk::Splitter;
use crate::grammar::{Grammar, RuleId};
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
    let prefixes = Prefixes::new(tables, deadline)?;
    let mut splitter = Splitter::new(tables, &prefixes, one_set, deadline);
    let at_start = splitter.set(tables.start);
    splitter.start(tables.start, root);
    let mut walked = 0;
    while let Some(&start) = splitter.starts.get(walked) {
        let is_large = walked > 0 && splitter.nodes.values.len() >= limits.states;
        if is_large || !splitter.walk(start)? {
            return Ok(None);
        }
        walked += 1;
    }
    let symbols = splitter.symbols.values.len();
    if symbols + splitter.guards.values.len() > MOST_SYMBOLS {
        return Ok(None);
    }
    let blocks = Blocks::new(&splitter, deadline)?;
    let rules = blocks.rules(&splitter, names);
    Ok(Some(SplitGrammar {
        grammar: Grammar::new(rules, RuleId(0)),
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
