//! What the first half of the pipeline does besides for a grammar with a lexer.
//!
//! In: a grammar over terminals. Out: item sets over symbols, then the automaton over bytes; the
//! errors that only such grammars have. The stages are those of [`lexing`](crate::lexing) and
//! [`lalr`].

use super::stage::{BuildItemSets, Stage, timed};
use crate::automata::{Delimiters, Network};
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::Grammar;
use crate::grammar::lexer::Discipline;
use crate::lalr;
use crate::limits::{Deadline, Limits};
use crate::lr::{Built, Guards, Positions};

pub(super) use crate::lexing::{SymbolGrammar, over_bytes, over_symbols};

/// The item sets of the grammar over symbols, by `item_sets`, or the automaton of its tables.
pub(super) fn parsed(
    of: &mut SymbolGrammar,
    item_sets: &mut BuildItemSets<'_>,
    limits: &Limits,
    stages: &mut Vec<Stage>,
    deadline: &Deadline,
) -> Result<Option<(Network, Built)>, Error> {
    if let Some(split) = of.split.take() {
        let forbidden = split.forbidden();
        let guards = Guards {
            first: split.symbols.len(),
            forbid: &forbidden,
        };
        let brackets = of.brackets(&split);
        let delimiters = Delimiters::OfSymbols(&brackets);
        let found = item_sets(&split.grammar, delimiters, guards, stages)?;
        let take_symbols = |(_, built): &(_, Built)| built.positions.calls_take_symbols();
        if found.as_ref().is_none_or(take_symbols) {
            of.split = Some(split);
            return Ok(found);
        }
    }
    match of.tables() {
        None => item_sets(&of.grammar, Delimiters::OfText, Guards::NONE, stages),
        Some(tables) => timed(stages, "item sets", || {
            let pda = lalr::automaton(tables, &of.parsed(), limits, deadline)?;
            let network = Network::of_tables();
            let positions = Positions::new(&network, deadline)?;
            Ok(Some((network, Built::of_tables(pda, positions))))
        }),
    }
}

/// The error if no text is cut into terminals that are a sentence.
pub(super) fn never_cut(grammar: &Grammar) -> Diagnostic {
    let message = "no text is a sentence: terminals take what those behind them would need";
    let longest = grammar.lexer.iter().flat_map(|lexer| &lexer.terminals);
    let diagnostic = Diagnostic::error(Code::NeverMatches, message);
    // The terminal that goes on the longest is most likely the one.
    let unbounded = longest.filter(|terminal| terminal.dfa.max_width.is_none());
    let diagnostic = match unbounded
        .max_by_key(|terminal| terminal.dfa.states.first().map_or(0, |s| s.next.len()))
    {
        Some(terminal) => diagnostic.at(terminal.span, "this one may go on for ever"),
        None => diagnostic,
    };
    diagnostic.help(
        "a terminal goes on as long as it can: exclude from it what may follow, end it with `lazy` \
         or `suffix`, or let all cuts count (the lexer `dynamic_complete`)",
    )
}

/// Refuses a grammar without a bound on its stacks where the terminals of all readings compete:
/// each stack knows only its reading.
pub(super) fn check_unproved(grammar: &Grammar) -> Result<(), Diagnostic> {
    let lexer = grammar.lexer.as_ref();
    if lexer.is_none_or(|lexer| lexer.discipline != Discipline::LongestOfAll) {
        return Ok(());
    }
    let message = "the lexer `longest` lets the terminals of all readings compete, \
                   and no number of readings at once is proved to be enough for every text";
    Err(Diagnostic::error(Code::LarkUnsupported, message).help(
        "make the readings differ earlier, or choose the lexer `dynamic`, \
         in which each terminal ends by itself",
    ))
}
