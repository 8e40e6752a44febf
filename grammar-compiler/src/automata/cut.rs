//! Cuts right parts at matching delimiters.
//!
//! In: a [`Grammar`]. Out: [`Cut`]: the same language, in which every span of a sequence that runs
//! from an opening delimiter to its closing one is a rule of its own. Such a span begins and ends
//! with bytes of its own, so calling it pushes and pops frames at the same bytes in every
//! alternative. Which spans are called is decided later, in [`super::recursion`]. A text that is
//! limited in tokens becomes a rule too, and is called. So a matcher that is in it can be told from
//! one that is not.
//!
//! A span of an [automaton](Graph) over symbols is cut where all its ends lead to one state, by
//! `graph`.

mod graph;

use crate::maps::KeyedMap;
use std::sync::Arc;

use super::MachineId;
use super::share::is_regular;
use crate::grammar::{Expr, Grammar, Graph, Rule, RuleId};
use crate::limits::{Deadline, LimitExceeded};

/// A grammar whose delimited spans are rules.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The grammar's rules under their old numbers, then one for each span.
    pub rules: Vec<CutRule>,
    /// The spans: the machine of the rule and its opening delimiter.
    pub spans: Vec<(MachineId, char)>,
    /// The machines of texts that are limited in tokens.
    pub limited: Vec<MachineId>,
}

/// A rule without a place in the source.
#[derive(Clone, Debug)]
pub struct CutRule {
    /// Its name.
    pub name: String,
    /// Its right part.
    pub expr: Expr,
}

/// The delimiters, opening and closing.
const DELIMITERS: [(char, char); 6] = [
    ('{', '}'),
    ('[', ']'),
    ('(', ')'),
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
];

/// Which parts are delimiters.
#[derive(Clone, Copy, Debug)]
pub enum Delimiters<'a> {
    /// Characters, as they stand in texts.
    OfText,
    /// Of the symbols of a grammar with a lexer: for each number the bracket that it is.
    OfSymbols(&'a [Option<char>]),
}

/// Cuts all rules of `grammar`.
///
/// # Errors
///
/// If the deadline passes.
pub fn cut(
    grammar: Grammar,
    delimiters: Delimiters<'_>,
    deadline: &Deadline,
) -> Result<Cut, LimitExceeded> {
    let mut cutter = Cutter {
        delimiters,
        deadline,
        rules: Vec::new(),
        spans: Vec::new(),
        limited: Vec::new(),
        first: grammar.rules.len() as u32,
        ids: KeyedMap::default(),
    };
    let mut rules = Vec::with_capacity(grammar.rules.len());
    for Rule { name, expr, .. } in grammar.rules {
        let expr = cutter.expr(expr, &name)?;
        rules.push(CutRule { name, expr });
    }
    rules.append(&mut cutter.rules);
    Ok(Cut {
        rules,
        spans: cutter.spans,
        limited: cutter.limited,
    })
}

struct Cutter<'a> {
    delimiters: Delimiters<'a>,
    deadline: &'a Deadline,
    rules: Vec<CutRule>,
    spans: Vec<(MachineId, char)>,
    limited: Vec<MachineId>,
    /// The number of the first span's rule.
    first: u32,
    ids: KeyedMap<Expr, u32>,
}

/// A delimiter that has been opened in a sequence and not closed yet.
struct OpenDelimiter {
    delimiter: char,
    /// Where it stands in the output.
    at: usize,
}

impl Cutter<'_> {
    fn expr(&mut self, expr: Expr, name: &str) -> Result<Expr, LimitExceeded> {
        Ok(match expr {
            Expr::Literal(ref text) if text.chars().any(is_delimiter) => {
                self.sequence(vec![expr], name)?
            }
            Expr::Literal(_)
            | Expr::Class(_)
            | Expr::Bytes(_)
            | Expr::Tokens(_)
            | Expr::Terminal(_)
            | Expr::Words(_)
            | Expr::Bounded(_)
            | Expr::Ref(_) => expr,
            Expr::Graph(mut graph) => {
                let states = &mut Arc::<Graph>::make_mut(&mut graph).states;
                for (part, _) in states.iter_mut().flat_map(|state| &mut state.edges) {
                    let whole = std::mem::replace(part, Expr::Seq(Vec::new()));
                    *part = self.expr(whole, name)?;
                }
                if let Delimiters::OfSymbols(_) = self.delimiters {
                    self.graph(states, name)?;
                }
                match graph.is_limited() {
                    true => self.limited(Expr::Graph(graph), name),
                    false => Expr::Graph(graph),
                }
            }
            Expr::Seq(items) => self.sequence(items, name)?,
            Expr::Alt(items) => {
                let items = items.into_iter();
                let items = items.map(|item| self.expr(item, name));
                Expr::Alt(items.collect::<Result<_, _>>()?)
            }
            Expr::Repeat { expr, min, max } => Expr::Repeat {
                expr: Box::new(self.expr(*expr, name)?),
                min,
                max,
            },
        })
    }

    /// Cuts a sequence: where a delimiter closes the last one open, what lies between becomes a
    /// rule.
    fn sequence(&mut self, items: Vec<Expr>, name: &str) -> Result<Expr, LimitExceeded> {
        let mut out: Vec<Expr> = Vec::new();
        let mut open: Vec<OpenDelimiter> = Vec::new();
        for unit in units(items) {
            let delimiter = self.delimiter_of(&unit);
            out.push(if delimiter.is_some() {
                unit
            } else {
                self.expr(unit, name)?
            });
            let Some(char) = delimiter else { continue };
            match open.last() {
                Some(last) if closes(last.delimiter, char) => {
                    let OpenDelimiter { delimiter, at } = OpenDelimiter { ..*last };
                    open.pop();
                    self.close(&mut out, at, delimiter, name);
                }
                _ if opens(char) => open.push(OpenDelimiter {
                    delimiter: char,
                    at: out.len() - 1,
                }),
                _ => open.clear(),
            }
        }
        Ok(Expr::Seq(out))
    }

    fn delimiter_of(&self, unit: &Expr) -> Option<char> {
        let Delimiters::OfSymbols(of) = self.delimiters else {
            return delimiter_of(unit);
        };
        let Expr::Bytes(ranges) = unit else {
            return None;
        };
        let mut all = ranges.iter().flat_map(|&(low, high)| low..=high);
        let of = |symbol: u8| of.get(usize::from(symbol)).copied().flatten();
        let first = all.next().and_then(of)?;
        all.all(|symbol| of(symbol) == Some(first)).then_some(first)
    }

    /// Makes `out[at..]` a rule, unless it is a quoted text without any choice, as a fixed key is.
    fn close(&mut self, out: &mut Vec<Expr>, at: usize, delimiter: char, name: &str) {
        let is_quote = closes(delimiter, delimiter);
        if is_quote
            && out[at..]
                .iter()
                .all(|unit| matches!(unit, Expr::Literal(_)))
        {
            return;
        }
        let span = out.split_off(at);
        let id = self.span(Expr::Seq(span), delimiter, name);
        out.push(Expr::Ref(RuleId(id)));
    }

    /// The rule of a text that is limited in tokens.
    fn limited(&mut self, expr: Expr, name: &str) -> Expr {
        let id = self.first + self.rules.len() as u32;
        self.rules.push(CutRule {
            name: format!("{name} text"),
            expr,
        });
        self.limited.push(MachineId::new(id));
        Expr::Ref(RuleId(id))
    }

    /// The rule of a span; equal spans share one, if they refer to no rule.
    fn span(&mut self, expr: Expr, delimiter: char, name: &str) -> u32 {
        let next = self.first + self.rules.len() as u32;
        let id = match is_regular(&expr) {
            true => *self.ids.entry(expr.clone()).or_insert(next),
            false => next,
        };
        if id == next {
            self.rules.push(CutRule {
                name: format!("{name} {delimiter}"),
                expr,
            });
            self.spans.push((MachineId::new(id), delimiter));
        }
        id
    }
}

/// The items of a sequence, nested sequences flattened and literals split around delimiters.
fn units(items: Vec<Expr>) -> Vec<Expr> {
    let mut out = Vec::new();
    for item in items {
        match item {
            Expr::Seq(inner) => out.append(&mut units(inner)),
            Expr::Literal(text) => {
                for piece in text.split_inclusive(is_delimiter) {
                    let body = piece.trim_end_matches(is_delimiter);
                    if !body.is_empty() {
                        out.push(Expr::Literal(body.to_owned()));
                    }
                    out.extend(
                        piece[body.len()..]
                            .chars()
                            .map(|c| Expr::Literal(c.to_string())),
                    );
                }
            }
            _ => out.push(item),
        }
    }
    out
}

fn delimiter_of(unit: &Expr) -> Option<char> {
    let char = match unit {
        Expr::Literal(text) => text.chars().next().filter(|c| c.len_utf8() == text.len()),
        Expr::Class(ranges) => match ranges.as_slice() {
            [(low, high)] if low == high => Some(*low),
            _ => None,
        },
        _ => None,
    };
    char.filter(|&c| is_delimiter(c))
}

fn is_delimiter(char: char) -> bool {
    DELIMITERS.iter().any(|d| d.0 == char || d.1 == char)
}

fn opens(char: char) -> bool {
    DELIMITERS.iter().any(|d| d.0 == char)
}

fn closes(open: char, char: char) -> bool {
    DELIMITERS.contains(&(open, char))
}
