//! A grammar as text.
//!
//! In: a [`Grammar`]. Out: text in the language of [`crate::syntax::ebnf`] that parses back to a
//! grammar with the same rules in the same order, and the same expressions up to sequences and
//! alternatives of one part; limits on the tokens of a text have no syntax of their own, and are
//! printed as `TokenLimit(…)`, and terminals of a lexer as `Terminal(…)`. States of [`Words`] and
//! [`Graph`] become right-linear rules, which follow the grammar's own. A name that the language
//! cannot write is changed into one that it can.

use super::digest;
use super::names::is_name;
use super::{Expr, Grammar, Graph, RuleId, TokenSet, Words};
use crate::digest::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// A terminal that never matches.
const NOTHING: &str = r"/[^\s\S]/";
/// What the names of automata begin with, and those of no printed rule.
const AUTOMATON: &str = "automaton-";
/// The byte that can never match.
const NO_BYTE: &str = r"/(?-u:[^\x00-\xFF])/";

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = printable_names(self);
        for (rule, name) in self.rules.iter().zip(&names) {
            write!(f, "{name} ::= ")?;
            Printer {
                names: &names,
                out: f,
            }
            .expr(&rule.expr, PrintContext::Rule)?;
            writeln!(f)?;
        }
        let mut printer = Printer {
            names: &names,
            out: f,
        };
        let mut seen = BTreeSet::new();
        (self.rules.iter()).try_for_each(|rule| printer.states(&rule.expr, &mut seen))
    }
}

/// The name of `id`, as the printed text calls it: what to choose as root when reading it back.
pub fn printed_name(grammar: &Grammar, id: RuleId) -> Option<String> {
    printable_names(grammar).into_iter().nth(id.0 as usize)
}

/// A distinct name in the language for each rule; its own where that is one that no rule before
/// has.
fn printable_names(grammar: &Grammar) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let own = |name: &str| is_name(name) && !name.starts_with(AUTOMATON);
    taken.extend(
        grammar
            .rules
            .iter()
            .filter(|rule| own(&rule.name))
            .map(|rule| rule.name.clone()),
    );
    let mut given: BTreeSet<&str> = BTreeSet::new();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let name = |name| {
        if own(name) && given.insert(name) {
            return name.to_owned();
        }
        let word: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        // Numbers below this one are taken.
        let count: &mut u32 = counts.entry(word.clone()).or_insert(1);
        loop {
            let candidate = format!("r-{word}-{count}");
            *count += 1;
            if taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    };
    grammar
        .rules
        .iter()
        .map(|rule| rule.name.as_str())
        .map(name)
        .collect()
}

/// The name of an automaton, the same for equal ones and for no others: texts from outside make
/// automata.
fn automaton_name(automaton: &Expr) -> String {
    let mut fields = Vec::new();
    digest::expr(automaton, &mut fields);
    let [high, low] = Digest::of("automaton", &fields).halves();
    format!("{AUTOMATON}{high:016x}{low:016x}")
}

/// What stands around an expression: what must be put into parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum PrintContext {
    /// A whole rule.
    Rule,
    /// One of several alternatives.
    Alternative,
    /// Part of a sequence.
    Part,
    /// Before a repetition operator.
    Repeated,
}

struct Printer<'a, 'f> {
    names: &'a [String],
    out: &'a mut fmt::Formatter<'f>,
}

impl Printer<'_, '_> {
    fn expr(&mut self, expr: &Expr, context: PrintContext) -> fmt::Result {
        match expr {
            Expr::Literal(text) => self.literal(text),
            Expr::Class(ranges) => self.class(ranges),
            Expr::Bytes(ranges) => self.bytes(ranges),
            Expr::Tokens(set) => self.tokens(set),
            Expr::Terminal(id) => write!(self.out, "Terminal({})", id.0),
            Expr::Words(words) if words.states.is_empty() => self.out.write_str(NOTHING),
            Expr::Words(_) => write!(self.out, "{}-0", automaton_name(expr)),
            Expr::Bounded(words) if words.is_empty() => self.out.write_str(NOTHING),
            Expr::Bounded(_) => write!(self.out, "{}-0", automaton_name(expr)),
            Expr::Graph(graph) if graph.states.is_empty() => self.out.write_str(NOTHING),
            Expr::Graph(_) => write!(self.out, "{}-0", automaton_name(expr)),
            Expr::Ref(id) => match self.names.get(id.0 as usize) {
                Some(name) => self.out.write_str(name),
                None => self.out.write_str(NOTHING),
            },
            Expr::Seq(parts) => match parts.as_slice() {
                [] => self.out.write_str("()"),
                [only] => self.expr(only, context),
                parts => self.list(
                    parts,
                    " ",
                    PrintContext::Part,
                    context >= PrintContext::Part,
                ),
            },
            Expr::Alt(parts) => match parts.as_slice() {
                [] => self.out.write_str(NOTHING),
                [only] => self.expr(only, context),
                parts => self.list(
                    parts,
                    " | ",
                    PrintContext::Alternative,
                    context != PrintContext::Rule,
                ),
            },
            Expr::Repeat { expr, min, max } => {
                let parentheses = context == PrintContext::Repeated;
                self.enclosed(parentheses, |this| {
                    this.expr(expr, PrintContext::Repeated)?;
                    this.count(*min, *max)
                })
            }
        }
    }

    fn tokens(&mut self, set: &TokenSet) -> fmt::Result {
        if let Some(tokens) = set.tokens_before() {
            return write!(self.out, "TokenLimit({tokens})");
        }
        let name = match set.is_all_but() {
            true => "ExcludeToken",
            false => "Token",
        };
        let ids: Vec<String> = set.ids().iter().map(u32::to_string).collect();
        write!(self.out, "{name}({})", ids.join(", "))
    }

    /// The rules of the states of all automata in `expr`.
    fn states(&mut self, expr: &Expr, seen: &mut BTreeSet<String>) -> fmt::Result {
        match expr {
            Expr::Words(words) => self.words(automaton_name(expr), words, seen),
            Expr::Bounded(words) => self.words(automaton_name(expr), &words.to_words(), seen),
            Expr::Graph(graph) => self.graph(automaton_name(expr), graph, seen),
            Expr::Seq(parts) | Expr::Alt(parts) => {
                parts.iter().try_for_each(|part| self.states(part, seen))
            }
            Expr::Repeat { expr, .. } => self.states(expr, seen),
            Expr::Literal(_)
            | Expr::Class(_)
            | Expr::Bytes(_)
            | Expr::Tokens(_)
            | Expr::Terminal(_)
            | Expr::Ref(_) => Ok(()),
        }
    }

    fn words(&mut self, name: String, words: &Words, seen: &mut BTreeSet<String>) -> fmt::Result {
        if !seen.insert(name.clone()) {
            return Ok(());
        }
        for (at, state) in words.states.iter().enumerate() {
            self.state(&name, at, state.is_final)?;
            for &(low, high, target) in &state.edges {
                self.out.write_str(" | ")?;
                self.bytes(&[(low, high)])?;
                write!(self.out, " {name}-{target}")?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn graph(&mut self, name: String, graph: &Graph, seen: &mut BTreeSet<String>) -> fmt::Result {
        if !seen.insert(name.clone()) {
            return Ok(());
        }
        for (at, state) in graph.states.iter().enumerate() {
            self.state(&name, at, state.is_final)?;
            for (part, target) in &state.edges {
                self.out.write_str(" | ")?;
                self.expr(part, PrintContext::Part)?;
                write!(self.out, " {name}-{target}")?;
            }
            writeln!(self.out)?;
        }
        let parts = graph.states.iter().flat_map(|s| &s.edges);
        for (part, _) in parts {
            self.states(part, seen)?;
        }
        Ok(())
    }

    fn state(&mut self, name: &str, at: usize, is_final: bool) -> fmt::Result {
        write!(self.out, "{name}-{at} ::= ")?;
        self.out.write_str(if is_final { "()" } else { NOTHING })
    }

    fn enclosed(
        &mut self,
        parentheses: bool,
        inner: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        if !parentheses {
            return inner(self);
        }
        self.out.write_char('(')?;
        inner(self)?;
        self.out.write_char(')')
    }

    fn list(
        &mut self,
        parts: &[Expr],
        between: &str,
        context: PrintContext,
        parentheses: bool,
    ) -> fmt::Result {
        self.enclosed(parentheses, |this| {
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    this.out.write_str(between)?;
                }
                this.expr(part, context)?;
            }
            Ok(())
        })
    }

    fn count(&mut self, min: u32, max: Option<u32>) -> fmt::Result {
        match (min, max) {
            (0, None) => self.out.write_char('*'),
            (1, None) => self.out.write_char('+'),
            (0, Some(1)) => self.out.write_char('?'),
            (min, None) => write!(self.out, "{{{min},}}"),
            (min, Some(max)) if min == max => write!(self.out, "{{{min}}}"),
            (min, Some(max)) => write!(self.out, "{{{min},{max}}}"),
        }
    }

    fn literal(&mut self, text: &str) -> fmt::Result {
        self.out.write_char('"')?;
        for c in text.chars() {
            match c {
                '"' | '\\' => write!(self.out, "\\{c}")?,
                _ => self.char(c)?,
            }
        }
        self.out.write_char('"')
    }

    fn class(&mut self, ranges: &[(char, char)]) -> fmt::Result {
        match ranges {
            [] => return self.out.write_str(NOTHING),
            [('\0', char::MAX)] => return self.out.write_char('.'),
            _ => self.out.write_char('[')?,
        }
        for &(first, last) in ranges {
            self.class_char(first)?;
            if first != last {
                self.out.write_char('-')?;
                self.class_char(last)?;
            }
        }
        self.out.write_char(']')
    }

    fn class_char(&mut self, c: char) -> fmt::Result {
        match c {
            '\\' | ']' | '[' | '^' | '-' => write!(self.out, "\\{c}"),
            _ => self.char(c),
        }
    }

    fn bytes(&mut self, ranges: &[(u8, u8)]) -> fmt::Result {
        if ranges.is_empty() {
            return self.out.write_str(NO_BYTE);
        }
        self.out.write_str("/(?-u:[")?;
        for &(first, last) in ranges {
            write!(self.out, "\\x{first:02X}-\\x{last:02X}")?;
        }
        self.out.write_str("])/")
    }

    /// A character as it is if it can be seen and is no delimiter, or an escape.
    fn char(&mut self, c: char) -> fmt::Result {
        match c {
            '\n' => self.out.write_str("\\n"),
            '\r' => self.out.write_str("\\r"),
            '\t' => self.out.write_str("\\t"),
            ' '..='~' => self.out.write_char(c),
            _ if c.is_alphanumeric() => self.out.write_char(c),
            '\0'..='\u{FFFF}' => write!(self.out, "\\u{:04X}", u32::from(c)),
            _ => write!(self.out, "\\U{:08X}", u32::from(c)),
        }
    }
}

#[cfg(test)]
mod tests;
