//! Why there are no tables.

use crate::grammar::Grammar;
use crate::tables::Symbol;
use std::fmt;

/// The kind of an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Several productions can be reduced on the same look-ahead, and no priority tells which.
    ReduceReduce {
        /// The rules of these productions, without duplicates; a repetition counts as the rule in
        /// which it stands first.
        rules: Vec<usize>,
        /// The look-ahead.
        lookahead: Symbol,
    },
    /// A terminal can be shifted, or a production reduced on it
    /// ([`Conflicts::Refuse`](crate::Conflicts::Refuse)).
    ShiftReduce {
        /// The rule of the production, then the rules in which the terminal would be shifted.
        rules: Vec<usize>,
        /// The terminal.
        terminal: u32,
    },
    /// The parser would reduce for ever without taking a symbol.
    Endless {
        /// The look-ahead.
        lookahead: Symbol,
    },
    /// The grammar or its tables pass a limit.
    TooLarge,
    /// The grammar refers to a rule that it does not have.
    Undefined,
    /// The caller's clock said no.
    OutOfTime,
}

/// Why there are no tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong, one line. Terminals are given as numbers; see [`Error::message_with`].
    pub message: String,
    /// How to mend it; empty if nothing is known.
    pub help: String,
    /// The rule concerned, if there is one.
    pub rule: Option<usize>,
}

impl Error {
    pub(crate) fn out_of_time() -> Self {
        Self {
            kind: ErrorKind::OutOfTime,
            message: "the construction of the LALR tables was stopped by the caller".to_owned(),
            help: "allow more time, or make the grammar smaller".to_owned(),
            rule: None,
        }
    }

    pub(crate) fn too_large(message: String, rule: Option<usize>) -> Self {
        let help = "write large counts and optional parts in a row as rules of their own";
        Self {
            kind: ErrorKind::TooLarge,
            message,
            help: help.to_owned(),
            rule,
        }
    }

    pub(crate) fn undefined(index: usize, rule: Option<usize>) -> Self {
        Self {
            kind: ErrorKind::Undefined,
            message: format!("the grammar has no rule with the index {index}"),
            help: String::new(),
            rule,
        }
    }

    /// A conflict or an endless reduction, with its message.
    pub(crate) fn conflict(kind: ErrorKind, rule: Option<usize>, grammar: &Grammar) -> Self {
        let help = match kind {
            ErrorKind::ReduceReduce { .. } => {
                "give one of the rules a higher priority, or join what they have in common in one \
                 rule"
            }
            ErrorKind::ShiftReduce { .. } => {
                "rewrite the rules so that one terminal of look-ahead decides, or let the parser \
                 shift"
            }
            _ => "take away the priority, or the part of the rule that derives the empty text",
        };
        let mut error = Self {
            kind,
            message: String::new(),
            help: help.to_owned(),
            rule,
        };
        error.message = error.message_with(grammar, &|terminal| format!("terminal {terminal}"));
        error
    }

    /// The message with names for terminals; `grammar` is the one that the error is about.
    pub fn message_with(&self, grammar: &Grammar, name: &dyn Fn(u32) -> String) -> String {
        let symbol = |symbol: &Symbol| match symbol {
            Symbol::Terminal(terminal) => name(*terminal),
            Symbol::End => "the end of the text".to_owned(),
        };
        match &self.kind {
            ErrorKind::ReduceReduce { rules, lookahead } => format!(
                "{} can end before {}, and nothing says which (a reduce/reduce conflict)",
                alternatives(grammar, rules),
                symbol(lookahead)
            ),
            ErrorKind::ShiftReduce { rules, terminal } => {
                let ends = quoted(grammar, rules.iter().take(1));
                let goes_on = quoted(grammar, rules.iter().skip(1));
                format!(
                    "before {}, {ends} can end or {goes_on} go on (a shift/reduce conflict)",
                    name(*terminal)
                )
            }
            ErrorKind::Endless { lookahead } => {
                let rule = quoted(grammar, self.rule.iter());
                format!(
                    "before {}, {rule} is derived again and again from no text: the priorities \
                     choose a cycle",
                    symbol(lookahead)
                )
            }
            _ => self.message.clone(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.help.is_empty() {
            Ok(())
        } else {
            write!(f, "; {}", self.help)
        }
    }
}

impl std::error::Error for Error {}

/// The rules of productions that collide.
fn alternatives(grammar: &Grammar, rules: &[usize]) -> String {
    let names = quoted(grammar, rules.iter());
    if rules.len() == 1 {
        format!("several alternatives or repetitions of {names}")
    } else {
        names
    }
}

/// Names of rules that a message shows.
const SHOWN: usize = 4;

/// Names of rules, in quotes.
fn quoted<'r>(grammar: &Grammar, rules: impl Iterator<Item = &'r usize>) -> String {
    let mut names: Vec<String> = rules
        .filter_map(|&rule| grammar.rules.get(rule))
        .map(|rule| format!("`{}`", rule.name))
        .collect();
    if names.len() > SHOWN {
        let more = names.len() - SHOWN;
        names.truncate(SHOWN);
        names.push(format!("{more} more"));
    }
    match names.pop() {
        None => "a rule".to_owned(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
    }
}
