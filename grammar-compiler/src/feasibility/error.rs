//! Messages about texts that a vocabulary cannot spell, in the grammar's terms.

use std::fmt::Write;

use crate::error::{Code, Diagnostic};
use crate::grammar::{Expr, Grammar, Graph, Words};
use crate::limits::LimitExceeded;
use crate::pda::{Class, Classes};

/// At most this many bytes are named.
const MAX_NAMED: usize = 4;
/// Classes of more characters are taken to have some that can be spelled.
const MAX_CLASS: usize = 256;

/// Why a grammar cannot be used with a vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeasibilityError {
    /// A limit was passed.
    Limit(LimitExceeded),
    /// No sequence of tokens is a sentence.
    Unspellable {
        /// Classes of which one token of one byte would be enough for a sentence; empty if more is
        /// missing.
        helpful: Vec<Class>,
        /// All classes that some sentence takes and that have no token of one byte.
        missing: Vec<Class>,
    },
}

impl From<LimitExceeded> for FeasibilityError {
    fn from(limit: LimitExceeded) -> Self {
        FeasibilityError::Limit(limit)
    }
}

/// The error if no sequence of tokens is a sentence.
pub fn unspellable(
    grammar: &Grammar,
    classes: &Classes,
    helpful: &[Class],
    missing: &[Class],
    names_tokens: bool,
) -> Diagnostic {
    let at_fault = if helpful.is_empty() { missing } else { helpful };
    let place = place(grammar, classes, at_fault);
    Diagnostic::error(
        Code::Unspellable,
        format!("no sequence of the vocabulary's tokens is a sentence: it cannot spell {place}"),
    )
    .help(match names_tokens {
        false => "use a vocabulary with a token for each byte, or let the grammar do without",
        true => "a token that the grammar names is text nowhere in it: name no token whose text the grammar needs; or use a vocabulary with a token for each byte",
    })
}

/// The warning if something in the grammar needs a class that is in no token.
pub fn in_no_token(grammar: &Grammar, classes: &Classes, never: &[Class]) -> Option<Diagnostic> {
    let is_never = |byte: u8| never.contains(&classes.of(byte));
    let (byte, rule) =
        (grammar.rules.iter()).find_map(|rule| Some((demanded(&rule.expr, &is_never)?, rule)))?;
    let byte = named(byte);
    let name = &rule.name;
    let message = format!("rule `{name}` needs {byte}, which is in no token of the vocabulary");
    let warning = Diagnostic::warning(Code::Unspellable, message)
        .help("what needs it is never offered; use a vocabulary with a token for each byte");
    Some(match rule.span.start < rule.span.end {
        true => warning.at(rule.span, format!("needs {byte}")),
        false => warning,
    })
}

/// One of these bytes without which some part of an expression matches nothing.
fn demanded(expr: &Expr, is_never: &impl Fn(u8) -> bool) -> Option<u8> {
    match expr {
        Expr::Literal(text) => text.bytes().find(|&b| is_never(b)),
        Expr::Class(ranges) => {
            let size = ranges
                .iter()
                .map(|r| r.1 as usize - r.0 as usize + 1)
                .sum::<usize>();
            let mut chars = ranges.iter().flat_map(|&(low, high)| low..=high);
            let first = |c: char| c.encode_utf8(&mut [0; 4]).bytes().find(|&b| is_never(b));
            let some = chars.clone().next().and_then(first)?;
            (size <= MAX_CLASS && chars.all(|c| first(c).is_some())).then_some(some)
        }
        Expr::Bytes(ranges) => {
            let mut bytes = ranges.iter().flat_map(|&(low, high)| low..=high);
            let some = bytes.clone().next()?;
            bytes.all(is_never).then_some(some)
        }
        Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().find_map(|p| demanded(p, is_never)),
        Expr::Graph(graph) => parts_of(graph).find_map(|p| demanded(p, is_never)),
        Expr::Repeat { expr, .. } => demanded(expr, is_never),
        Expr::Tokens(_) | Expr::Terminal(_) | Expr::Words(_) | Expr::Bounded(_) | Expr::Ref(_) => {
            None
        }
    }
}

fn named(byte: u8) -> String {
    match byte {
        b'!'..=b'~' => format!("`{}` (0x{byte:02X})", byte as char),
        _ => format!("0x{byte:02X}"),
    }
}

/// The bytes of some classes, and a rule that has one of them.
fn place(grammar: &Grammar, of: &Classes, classes: &[Class]) -> String {
    let bytes: Vec<u8> = (0..=255).filter(|&b| classes.contains(&of.of(b))).collect();
    let mut out = bytes
        .iter()
        .take(MAX_NAMED)
        .map(|&byte| named(byte))
        .collect::<Vec<_>>()
        .join(", ");
    if bytes.len() > MAX_NAMED {
        // Writing to a string does not fail.
        let _ = write!(out, " and {} more bytes", bytes.len() - MAX_NAMED);
    }
    let rule = grammar
        .rules
        .iter()
        .find(|rule| has_byte(&rule.expr, &bytes));
    if let Some(rule) = rule {
        let _ = write!(out, " of rule `{}`", rule.name);
    }
    out
}

/// Whether an expression has one of these bytes. Expressions nest no deeper than front ends allow.
fn has_byte(expr: &Expr, bytes: &[u8]) -> bool {
    match expr {
        Expr::Literal(text) => text.bytes().any(|b| bytes.contains(&b)),
        Expr::Class(ranges) => bytes.iter().any(|&b| {
            let is_ascii = |c: char| c <= char::from(b) && b < 128;
            ranges
                .iter()
                .any(|&(low, high)| is_ascii(low) && char::from(b) <= high)
        }),
        Expr::Bytes(ranges) => bytes
            .iter()
            .any(|b| ranges.iter().any(|(low, high)| (low..=high).contains(&b))),
        Expr::Words(words) => words_have_byte(words, bytes),
        Expr::Bounded(words) => words_have_byte(words.words(), bytes),
        Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().any(|part| has_byte(part, bytes)),
        Expr::Graph(graph) => parts_of(graph).any(|part| has_byte(part, bytes)),
        Expr::Repeat { expr, .. } => has_byte(expr, bytes),
        Expr::Tokens(_) | Expr::Terminal(_) | Expr::Ref(_) => false,
    }
}

fn words_have_byte(words: &Words, bytes: &[u8]) -> bool {
    let has = |&(low, high, _): &(u8, u8, u32)| bytes.iter().any(|b| (low..=high).contains(b));
    words.edges().any(has)
}

fn parts_of(graph: &Graph) -> impl Iterator<Item = &Expr> {
    graph
        .states
        .iter()
        .flat_map(|state| state.edges.iter().map(|edge| &edge.0))
}
