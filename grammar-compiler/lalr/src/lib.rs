//! The LALR(1) tables of a grammar, exactly as Lark's LALR parser makes them.
//!
//! In: a [`Grammar`]: rules over terminals, with repetitions. Out: [`Tables`], or an [`Error`] that
//! names the rules which collide. What holds after: the tables accept the sequences of terminals
//! that `lark.Lark(…, parser="lalr")` accepts, and each state has an action on the terminals on
//! which Lark's has one, so that a contextual lexer looks for the same ones.
//!
//! The stages, each in a file or folder of its name:
//!
//! 1. `bnf`: rules → productions, repetitions in Lark's way.
//! 2. `automaton`: productions → LR(0) automaton.
//! 3. `lookahead`: automaton → look-ahead of each reduction, with the sets of `digraph`.
//! 4. `actions`: conflicts resolved → tables.
//! 5. `endless`: refuses what never ends.
//!
//! What is not as in Lark:
//!
//! - Lark makes a start state for each start; see [`tables()`].
//! - `[x]` is `x?`. In Lark two of them in one rule can be an error ("Rules defined twice"), for
//!   it counts the symbols left out; here equal alternatives are one, as they are for `x?`.
//! - `x{m,}`, which Lark does not have, is `x~m x*`.
//! - Where priorities make Lark's parser reduce for ever, the grammar is refused.

#![forbid(unsafe_code)]

mod actions;
mod automaton;
mod bnf;
mod budget;
mod digraph;
mod endless;
mod error;
pub mod grammar;
mod lookahead;
mod sort;
pub mod tables;
#[cfg(test)]
mod tests;

pub use error::{Error, ErrorKind};
pub use grammar::{Expr, Grammar, Rule};
pub use tables::{Part, Production, State, Symbol, Tables};

/// What becomes of a terminal that can be shifted, or a production reduced on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conflicts {
    /// It is shifted, as in Lark.
    #[default]
    Shift,
    /// The grammar is refused, as in Lark with `strict=True`.
    Refuse,
}

/// How tables are made, and how large they may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What becomes of shift/reduce conflicts.
    pub conflicts: Conflicts,
    /// How many states there may be.
    pub states: usize,
    /// How many productions there may be.
    pub productions: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            conflicts: Conflicts::Shift,
            states: 100_000,
            productions: 250_000,
        }
    }
}

/// Makes the tables of a grammar.
///
/// A grammar with several starts gets one more nonterminal, with one production for each of them.
/// Lark makes a start state for each instead, and its caller chooses: there a text of one start
/// cannot collide with a text of another, here it can.
///
/// `clock` is asked about every thousand steps whether to go on; once it says no, an error of
/// [`ErrorKind::OutOfTime`] comes back.
pub fn tables(
    grammar: &Grammar,
    options: &Options,
    clock: &mut dyn FnMut() -> bool,
) -> Result<Tables, Error> {
    let mut budget = budget::Budget::new(clock);
    let bnf = bnf::productions(grammar, options, &mut budget)?;
    let automaton = automaton::build(&bnf, options, &mut budget)?;
    let lookahead = lookahead::lookahead(&bnf, &automaton, &mut budget)?;
    let (tables, decided) =
        actions::tables(grammar, &bnf, &automaton, &lookahead, options, &mut budget)?;
    if decided {
        endless::refuse(grammar, &bnf, &lookahead, &tables, &mut budget)?;
    }
    Ok(tables)
}
