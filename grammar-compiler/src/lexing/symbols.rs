//! Symbols: sets of terminals that match the same text.
//!
//! In: a grammar over terminals, and bytes that stand in it besides (of embedded grammars and
//! tokens). Out: [`SymbolGrammar`]: the same grammar in which each terminal is one "byte": one of
//! the symbols that it belongs to. A text is a sentence of the one if and only if the symbols of
//! its terminals are a sentence of the other.

use std::collections::BTreeSet;
use std::sync::Arc;

use maskwright_lalr::Tables;
use maskwright_regular::{Accept, State, TerminalDfa};

use super::obligation::ScanState;
use super::scanner::{Competitor, Scanner};
use crate::bits::Bits;
use crate::grammar::lexer::Discipline;
use crate::grammar::{Expr, Grammar, Graph, GraphState, Lexer, Rule, TerminalId, WordState, Words};
use crate::lalr::{self, SplitGrammar};
use crate::limits::{Deadline, LimitExceeded, Limits};

/// The stage, as a passed limit names it.
const DOING: &str = "finding which terminals match the same text";

/// The most symbols: the parser reads each as a byte.
const MOST_SYMBOLS: usize = 256;

/// What opens and closes a span.
const BRACKETS: [char; 6] = ['{', '}', '[', ']', '(', ')'];

/// The most terminals that match one text and still depend on what follows.
const MOST_CONDITIONS: usize = 8;

/// A grammar over symbols.
pub(crate) struct SymbolGrammar {
    pub(crate) grammar: Grammar,
    pub(super) lexer: Arc<Lexer>,
    /// Terminals of one byte for bytes that stand in the grammar; they are numbered after those of
    /// the lexer.
    pub(super) raw: Vec<TerminalDfa>,
    /// For each symbol its terminals, ascending.
    pub(super) symbols: Vec<Vec<u16>>,
    /// The terminals that may stand anywhere without the parser knowing.
    ignored: Bits,
    /// Where the parser has tables: the grammar of its runs, if it is not too large.
    pub(crate) split: Option<SplitGrammar>,
}

impl SymbolGrammar {
    /// What competes, by number.
    pub(super) fn competitors(&self) -> Vec<Competitor<'_>> {
        competitors(&self.lexer, &self.raw)
    }

    /// Whether a terminal may stand anywhere without the parser knowing.
    pub(super) fn is_ignored(&self, terminal: u16) -> bool {
        self.ignored.contains(usize::from(terminal))
    }

    /// Whether one of these is ignored.
    pub(super) fn has_ignored(&self, terminals: &[u16]) -> bool {
        terminals.iter().any(|&terminal| self.is_ignored(terminal))
    }

    /// For each symbol of the grammar of the parser's runs the bracket that its terminal is.
    pub(crate) fn brackets(&self, split: &SplitGrammar) -> Vec<Option<char>> {
        let of_terminals = self.brackets_of_terminals();
        let of_symbol = |of: &(u32, u32)| match self.symbols[of.0 as usize][..] {
            [terminal] => of_terminals[usize::from(terminal)],
            _ => None,
        };
        split.symbols.iter().map(of_symbol).collect()
    }

    fn brackets_of_terminals(&self) -> Vec<Option<char>> {
        let of_lexer = self.lexer.terminals.iter().map(|terminal| &*terminal.dfa);
        let all = of_lexer.chain(&self.raw);
        let bracket = |dfa: &TerminalDfa| {
            let is = |bracket: &char| dfa.longest(bracket.to_string().as_bytes()) == Some(1);
            let only = dfa.max_width == Some(1);
            let mut found = BRACKETS.iter().filter(|&bracket| only && is(bracket));
            found.next().copied().filter(|_| found.next().is_none())
        };
        all.map(bracket).collect()
    }

    /// The tables of the parser, if it has some.
    pub(crate) fn tables(&self) -> Option<&Tables> {
        self.lexer.tables.as_deref()
    }

    /// For each symbol its terminals, those that are ignored left out.
    pub(crate) fn parsed(&self) -> Vec<Vec<u16>> {
        let parsed = |set: &Vec<u16>| {
            let parsed = set.iter().filter(|&&terminal| !self.is_ignored(terminal));
            parsed.copied().collect()
        };
        self.symbols.iter().map(parsed).collect()
    }
}

/// The grammar over symbols of a grammar over terminals; `None` if it has no lexer.
///
/// # Errors
///
/// If there are more symbols than bytes, or a limit is passed.
pub(crate) fn over_symbols(
    grammar: &Grammar,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Option<SymbolGrammar>, LimitExceeded> {
    let Some(lexer) = &grammar.lexer else {
        return Ok(None);
    };
    let raw = RawBytes::of(grammar, deadline)?;
    let symbols = symbols(lexer, &raw.terminals, limits, deadline)?;
    let all = (lexer.terminals.len() + raw.terminals.len()) as u16;
    let of_terminal = |terminal: u16| {
        deadline.ticks(symbols.len(), DOING)?;
        let symbols = (0u8..=255).zip(&symbols);
        let has = symbols.filter(|(_, set)| set.binary_search(&terminal).is_ok());
        let ranges: Vec<(u8, u8)> = has.map(|(symbol, _)| (symbol, symbol)).collect();
        Ok(Expr::Bytes(ranges))
    };
    let of = (0..all).map(of_terminal);
    let of = of.collect::<Result<Vec<Expr>, LimitExceeded>>()?;
    let writer = SymbolWriter {
        raw: &raw,
        of: &of,
        lexer_terminals: lexer.terminals.len(),
        deadline,
    };
    let rules = grammar.rules.iter().map(|rule| Rule {
        expr: writer.expr(&rule.expr),
        ..rule.clone()
    });
    let split = match &lexer.tables {
        // Only where one terminal wins each is a symbol of itself.
        Some(tables) if lexer.discipline == Discipline::OneWinner => {
            let name = |rule: u32| match grammar.rules.get(rule as usize + 1) {
                Some(rule) => rule.name.clone(),
                None => String::new(),
            };
            lalr::split(tables, &name, lexer.all_compete, limits, deadline)?
        }
        _ => None,
    };
    let grammar = Grammar::new(rules.collect(), grammar.root);
    deadline.confirm(DOING)?;
    let mut ignored = Bits::default();
    for terminal in &lexer.ignored {
        ignored.insert(usize::from(terminal.0));
    }
    Ok(Some(SymbolGrammar {
        grammar,
        lexer: lexer.clone(),
        raw: raw.terminals,
        symbols,
        ignored,
        split,
    }))
}

/// The limit that too many symbols pass.
fn too_many_symbols() -> LimitExceeded {
    LimitExceeded::new(
        "terminals",
        MOST_SYMBOLS,
        format!(
            "its terminals, and the sets of them that match the same text, are more than \
             {MOST_SYMBOLS}; make similar ones a single terminal"
        ),
    )
}

fn competitors<'a>(lexer: &'a Lexer, raw: &'a [TerminalDfa]) -> Vec<Competitor<'a>> {
    let terminals = lexer.terminals.iter().map(|terminal| Competitor {
        dfa: &terminal.dfa,
        rank: terminal.rank,
        keyword_of: terminal.keyword_of.iter().map(|id| id.0).collect(),
        only_keyword: terminal.only_keyword,
        is_hidden: terminal.is_hidden,
        is_lazy: terminal.is_lazy,
        is_raw: false,
    });
    let raw = raw.iter().map(|dfa| Competitor {
        dfa,
        rank: u32::MAX,
        keyword_of: Vec::new(),
        only_keyword: false,
        is_hidden: false,
        is_lazy: false,
        is_raw: true,
    });
    terminals.chain(raw).collect()
}

/// All symbols: each terminal alone where only one counts, otherwise all sets of terminals that
/// match the same text.
fn symbols(
    lexer: &Lexer,
    raw: &[TerminalDfa],
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Vec<Vec<u16>>, LimitExceeded> {
    let all: Vec<u16> = (0..(lexer.terminals.len() + raw.len()) as u16).collect();
    let alone = |discipline| matches!(discipline, Discipline::OneWinner | Discipline::LongestEach);
    if alone(lexer.discipline) {
        return match all.len() <= MOST_SYMBOLS {
            true => Ok(all.into_iter().map(|terminal| vec![terminal]).collect()),
            false => Err(too_many_symbols()),
        };
    }
    let mut scanner = Scanner::new(competitors(lexer, raw), Discipline::AllCuts, deadline)?;
    let mut sets = BTreeSet::new();
    scanner.start(&all);
    let mut at = 0;
    while at < scanner.count() {
        let state = ScanState::at(at);
        at += 1;
        deadline.ticks(scanner.classes.count(), DOING)?;
        scanner.check()?;
        if at > limits.automaton_states {
            return Err(LimitExceeded::new(
                "automaton_states",
                limits.automaton_states,
                "the terminals overlap in too many ways",
            ));
        }
        // Each of them may hold or not, so sets double with every one.
        if scanner.conditions(state).len() > MOST_CONDITIONS {
            return Err(LimitExceeded::new(
                "terminals",
                MOST_CONDITIONS,
                "too many terminals match the same text with a look-ahead at its end",
            ));
        }
        sets.extend(scanner.sets(state));
        if sets.len() > MOST_SYMBOLS {
            return Err(too_many_symbols());
        }
        for class in 0..scanner.classes.count() {
            scanner.next(state, class as u8);
            scanner.check()?;
        }
    }
    // Whether a lazy terminal may be taken must be known of it alone: it ends the others.
    let lazy = (0u16..).zip(&lexer.terminals).filter(|of| of.1.is_lazy);
    sets.extend(lazy.map(|(terminal, _)| vec![terminal]));
    match sets.len() <= MOST_SYMBOLS {
        true => Ok(sets.into_iter().collect()),
        false => Err(too_many_symbols()),
    }
}

/// The bytes that stand in a grammar over terminals, in intervals that it does not tell apart.
struct RawBytes {
    /// For each byte the number of its interval.
    interval: [u16; 256],
    terminals: Vec<TerminalDfa>,
}

impl RawBytes {
    fn of(grammar: &Grammar, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let (mut is_first, mut is_used) = ([false; 257], [false; 256]);
        let mut mark = |low: u8, high: u8| {
            is_first[usize::from(low)] = true;
            is_first[usize::from(high) + 1] = true;
            is_used[usize::from(low)..=usize::from(high)].fill(true);
        };
        for rule in &grammar.rules {
            each_range(&rule.expr, deadline, &mut mark);
            deadline.confirm(DOING)?;
        }
        let mut raw = RawBytes {
            interval: [0; 256],
            terminals: Vec::new(),
        };
        let mut low = 0u8;
        for byte in 0..=255u8 {
            if is_first[usize::from(byte)] {
                low = byte;
            }
            if is_used[usize::from(byte)] {
                raw.interval[usize::from(byte)] = raw.terminals.len() as u16;
                if is_first[usize::from(byte) + 1] || byte == u8::MAX {
                    raw.terminals.push(one_byte(low, byte));
                }
            }
        }
        Ok(raw)
    }
}

/// The automaton of one byte.
fn one_byte(low: u8, high: u8) -> TerminalDfa {
    let state = |next, accept| State { next, accept };
    TerminalDfa {
        states: vec![
            state(vec![(low, high, 1)], Accept::Never),
            state(Vec::new(), Accept::Always),
        ],
        conditions: Vec::new(),
        max_width: Some(1),
    }
}

/// Calls `visit` with each range of bytes in an expression, until the time is over.
fn each_range(expr: &Expr, deadline: &Deadline, visit: &mut impl FnMut(u8, u8)) {
    if deadline.stops_after(weight(expr), DOING) {
        return;
    }
    match expr {
        Expr::Literal(text) => text.bytes().for_each(|byte| visit(byte, byte)),
        Expr::Bytes(ranges) => ranges.iter().for_each(|&(low, high)| visit(low, high)),
        Expr::Class(ranges) => {
            let sequences = utf8(ranges);
            sequences
                .iter()
                .flatten()
                .for_each(|&(low, high)| visit(low, high));
        }
        Expr::Words(words) => words.edges().for_each(|&(low, high, _)| visit(low, high)),
        Expr::Bounded(words) => {
            let edges = words.words().edges();
            edges.for_each(|&(low, high, _)| visit(low, high));
        }
        Expr::Graph(graph) => {
            let parts = graph.states.iter().flat_map(|state| &state.edges);
            parts.for_each(|(part, _)| each_range(part, deadline, visit));
        }
        Expr::Seq(parts) | Expr::Alt(parts) => {
            parts
                .iter()
                .for_each(|part| each_range(part, deadline, visit));
        }
        Expr::Repeat { expr, .. } => each_range(expr, deadline, visit),
        Expr::Tokens(_) | Expr::Terminal(_) | Expr::Ref(_) => {}
    }
}

/// The work that an expression takes, without its parts.
fn weight(expr: &Expr) -> usize {
    match expr {
        Expr::Literal(text) => 1 + text.len(),
        Expr::Bytes(ranges) => 1 + ranges.len(),
        // A range of characters is some sequences of up to four bytes.
        Expr::Class(ranges) => 1 + 16 * ranges.len(),
        Expr::Words(words) => 1 + words.edges().count(),
        Expr::Bounded(words) => 1 + words.words().edges().count(),
        _ => 1,
    }
}

/// The sequences of bytes of a class of characters.
fn utf8(ranges: &[(char, char)]) -> Vec<Vec<(u8, u8)>> {
    let sequences = ranges
        .iter()
        .flat_map(|&(low, high)| regex_syntax::utf8::Utf8Sequences::new(low, high));
    let bytes = |sequence: regex_syntax::utf8::Utf8Sequence| {
        let ranges = sequence.as_slice().iter();
        ranges.map(|range| (range.start, range.end)).collect()
    };
    sequences.map(bytes).collect()
}

/// Writes expressions over symbols.
struct SymbolWriter<'a> {
    raw: &'a RawBytes,
    /// For each terminal its symbols.
    of: &'a [Expr],
    lexer_terminals: usize,
    deadline: &'a Deadline,
}

impl SymbolWriter<'_> {
    /// The symbols of a range of bytes.
    fn range(&self, low: u8, high: u8) -> Vec<(u8, u8)> {
        let first = self.raw.interval[usize::from(low)];
        let last = self.raw.interval[usize::from(high)];
        let mut symbols = Vec::new();
        for interval in first..=last {
            if let Expr::Bytes(ranges) = &self.of[self.lexer_terminals + usize::from(interval)] {
                symbols.extend(ranges);
            }
        }
        symbols.sort_unstable();
        symbols
    }

    fn bytes(&self, ranges: &[(u8, u8)]) -> Expr {
        let mut symbols: Vec<(u8, u8)> = (ranges.iter())
            .flat_map(|&(low, high)| self.range(low, high))
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        Expr::Bytes(symbols)
    }

    fn words(&self, words: &Words) -> Words {
        let states = words.states.iter().map(|state| {
            let edges = state.edges.iter().flat_map(|&(low, high, to)| {
                let symbols = self.range(low, high).into_iter();
                symbols.map(move |(low, high)| (low, high, to))
            });
            let mut edges: Vec<(u8, u8, u32)> = edges.collect();
            edges.sort_unstable();
            WordState {
                is_final: state.is_final,
                edges,
            }
        });
        Words {
            states: states.collect(),
        }
    }

    /// The same over symbols; something else once the time is over.
    fn expr(&self, expr: &Expr) -> Expr {
        if self.deadline.stops_after(weight(expr), DOING) {
            return Expr::Seq(Vec::new());
        }
        let all = |parts: &[Expr]| parts.iter().map(|part| self.expr(part)).collect();
        match expr {
            Expr::Terminal(TerminalId(id)) => self.of[usize::from(*id)].clone(),
            Expr::Literal(text) => {
                let bytes = text.bytes().map(|byte| self.bytes(&[(byte, byte)]));
                Expr::Seq(bytes.collect())
            }
            Expr::Bytes(ranges) => self.bytes(ranges),
            Expr::Class(ranges) => {
                let sequence = |sequence: Vec<(u8, u8)>| {
                    let bytes = sequence.into_iter().map(|range| self.bytes(&[range]));
                    Expr::Seq(bytes.collect())
                };
                Expr::Alt(utf8(ranges).into_iter().map(sequence).collect())
            }
            Expr::Words(words) => Expr::Words(Arc::new(self.words(words))),
            Expr::Graph(graph) => {
                let states = graph.states.iter().map(|state| GraphState {
                    is_final: state.is_final,
                    edges: (state.edges.iter())
                        .map(|(part, to)| (self.expr(part), *to))
                        .collect(),
                });
                Expr::Graph(Arc::new(Graph {
                    states: states.collect(),
                }))
            }
            Expr::Seq(parts) => Expr::Seq(all(parts)),
            Expr::Alt(parts) => Expr::Alt(all(parts)),
            Expr::Repeat { expr, min, max } => Expr::Repeat {
                expr: Box::new(self.expr(expr)),
                min: *min,
                max: *max,
            },
            Expr::Bounded(words) => Expr::Words(Arc::new(self.words(&words.to_words()))),
            Expr::Tokens(_) | Expr::Ref(_) => expr.clone(),
        }
    }
}
