//! The lexer of a grammar whose rules are written over terminals.
//!
//! In: automata of terminals, by [`maskwright_regular`]. Out: [`Lexer`], which says how a text is
//! cut into terminals. It is never run: the stage `lexing` compiles it into the automaton.

use std::sync::Arc;

use maskwright_lalr::{Part, Symbol, Tables};
use maskwright_regular::{Accept, After, TerminalDfa};

use crate::source::Span;

/// Index of a terminal in [`Lexer::terminals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerminalId(pub u16);

impl TerminalId {
    /// Its place among the terminals.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// How a text is cut into terminals.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lexer {
    /// The terminals.
    pub terminals: Vec<LexerTerminal>,
    /// Which cuts of a text count.
    pub discipline: Discipline,
    /// Whether a terminal competes with all others, or only with those that the parser may take
    /// where it begins.
    pub all_compete: bool,
    /// Terminals that may stand anywhere without the rules saying so.
    pub ignored: Vec<TerminalId>,
    /// The tables of an LALR(1) parser, whose sentences count then in the place of the rules'.
    pub tables: Option<Arc<Tables>>,
}

impl Lexer {
    /// The lexer of these terminals.
    pub fn new(terminals: Vec<LexerTerminal>, discipline: Discipline, all_compete: bool) -> Self {
        Lexer {
            terminals,
            discipline,
            all_compete,
            ignored: Vec::new(),
            tables: None,
        }
    }

    /// The same with a parser that has these tables and knows nothing of ignored terminals.
    #[must_use]
    pub fn with_tables(self, tables: Tables, ignored: Vec<TerminalId>) -> Self {
        Lexer {
            ignored,
            tables: Some(Arc::new(tables)),
            ..self
        }
    }

    /// A terminal.
    pub fn terminal(&self, id: TerminalId) -> &LexerTerminal {
        &self.terminals[id.index()]
    }
}

/// A terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexerTerminal {
    /// Its name, as messages show it.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// What it matches. Never the empty text.
    pub dfa: Arc<TerminalDfa>,
    /// Its place in the order in which [`Discipline::OneWinner`] tries terminals; lower ones first.
    pub rank: u32,
    /// The terminals whose text this one is a keyword of, for [`Discipline::OneWinner`]: where one
    /// of them wins with a text that this one matches too, this one is the winner.
    pub keyword_of: Vec<TerminalId>,
    /// Whether it is tried only as a keyword where one of [`keyword_of`](Self::keyword_of) is
    /// tried.
    pub only_keyword: bool,
    /// Whether it is tried only as a keyword, wherever: an ignored terminal takes its text, which
    /// is then left out.
    pub is_hidden: bool,
    /// Whether no terminal goes on where it matches, for [`Discipline::LongestOfAll`].
    pub is_lazy: bool,
}

/// Which cuts of a text into terminals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Discipline {
    /// All cuts.
    AllCuts,
    /// Those in which no terminal could have been longer, each by itself: Lark's `dynamic`.
    LongestEach,
    /// Those in which each terminal is the longest match of all terminals that compete; if several
    /// match the same text, each of them counts.
    LongestOfAll,
    /// The one in which each terminal is the first in order that matches at all, and as long as it
    /// then matches: Lark's `contextual` and `basic`.
    OneWinner,
}

/// Writes a lexer to `out`, as [`super::digest`] writes a grammar.
pub(super) fn write(lexer: &Lexer, out: &mut Vec<u8>) {
    let mut number = |number: u32| out.extend(number.to_le_bytes());
    number(lexer.discipline as u32);
    number(lexer.all_compete.into());
    number(lexer.terminals.len() as u32);
    for terminal in &lexer.terminals {
        number(terminal.rank);
        number(terminal.only_keyword.into());
        number(terminal.is_hidden.into());
        number(terminal.is_lazy.into());
        number(terminal.keyword_of.len() as u32);
        terminal
            .keyword_of
            .iter()
            .for_each(|of| number(of.0.into()));
        number(terminal.dfa.states.len() as u32);
        for state in &terminal.dfa.states {
            match state.accept {
                Accept::Never => number(0),
                Accept::Always => number(1),
                Accept::If(condition) => number(condition + 2),
            }
            number(state.next.len() as u32);
            for &(low, high, to) in &state.next {
                [low.into(), high.into(), to]
                    .into_iter()
                    .for_each(&mut number);
            }
        }
        number(terminal.dfa.conditions.len() as u32);
        for condition in &terminal.dfa.conditions {
            number(condition.at_end.into());
            number(condition.next.len() as u32);
            for &(low, high, after) in &condition.next {
                [low.into(), high.into()].into_iter().for_each(&mut number);
                number(match after {
                    After::Holds => 0,
                    After::Fails => 1,
                    After::Depends(condition) => condition + 2,
                });
            }
        }
    }
    number(lexer.ignored.len() as u32);
    lexer.ignored.iter().for_each(|of| number(of.0.into()));
    number(lexer.tables.is_some().into());
    if let Some(tables) = &lexer.tables {
        write_tables(tables, &mut number);
    }
}

fn write_tables(tables: &Tables, number: &mut impl FnMut(u32)) {
    number(tables.start);
    number(tables.states.len() as u32);
    for state in &tables.states {
        number(state.accepts.into());
        number(state.shifts.len() as u32);
        for &(terminal, to) in &state.shifts {
            [terminal, to].into_iter().for_each(&mut *number);
        }
        number(state.reductions.len() as u32);
        for &(symbol, production) in &state.reductions {
            number(match symbol {
                Symbol::End => 0,
                Symbol::Terminal(terminal) => terminal + 1,
            });
            number(production);
        }
        number(state.dropped.len() as u32);
        for &(symbol, production) in &state.dropped {
            number(match symbol {
                Symbol::End => 0,
                Symbol::Terminal(terminal) => terminal + 1,
            });
            number(production);
        }
        number(state.gotos.len() as u32);
        for &(nonterminal, to) in &state.gotos {
            [nonterminal, to].into_iter().for_each(&mut *number);
        }
    }
    number(tables.productions.len() as u32);
    for production in &tables.productions {
        [production.nonterminal, production.length]
            .into_iter()
            .for_each(&mut *number);
    }
    for right in &tables.rights {
        for part in right {
            match *part {
                Part::Terminal(terminal) => number(2 * terminal),
                Part::Nonterminal(nonterminal) => number(2 * nonterminal + 1),
            }
        }
    }
}
