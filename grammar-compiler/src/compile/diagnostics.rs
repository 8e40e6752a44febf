//! Errors and warnings of compiling, in the grammar's terms.

use super::lexer::check_unproved;
use crate::automata::empty::WHOLE;
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::{Grammar, Rule};
use crate::limits::{Deadline, LimitExceeded};
use crate::lr::Built;
use crate::nondeterminism;
use crate::options::Options;
use crate::pda::Pda;
use crate::pda::stacks::Stacks;
use crate::source::Span;

/// The error if the root matches no text.
pub(super) fn no_sentence(grammar: &Grammar) -> Diagnostic {
    let name = grammar
        .rules
        .get(grammar.root.0 as usize)
        .map_or("root", |r| r.name.as_str());
    Diagnostic::error(
        Code::UnproductiveRule,
        format!("rule `{name}` matches no text"),
    )
    .help("every alternative leads back to itself or to an empty class; add one that ends")
}

/// The error of a limit, at the rule that takes most of it.
pub(super) fn at_rule(grammar: &Grammar, limit: &LimitExceeded) -> Diagnostic {
    match &limit.rule {
        None => Diagnostic::from(limit),
        Some(name) => at_name(grammar, limit, (name, "this takes most of it")),
    }
}

/// The error of a limit that an automaton as a whole has passed, at the rule that most of its
/// states are in.
pub(super) fn at_largest(grammar: &Grammar, built: &Built, limit: &LimitExceeded) -> Diagnostic {
    // What the time went to may be elsewhere.
    let is_size = !["time", "work"].contains(&limit.limit);
    match built.largest_rule().filter(|_| is_size) {
        None => Diagnostic::from(limit),
        Some(name) => at_name(grammar, limit, (name, "most states are for this")),
    }
}

/// The error of a limit at a rule, with words about that, if it has a place.
fn at_name(grammar: &Grammar, limit: &LimitExceeded, (name, label): (&str, &str)) -> Diagnostic {
    let diagnostic = Diagnostic::from(limit);
    // Parts of a rule that are called have its name, a blank, and what part they are.
    let has_place = |rule: &&Rule| rule.span != Span::default();
    let is_of = |rule: &&Rule| {
        let rest = name.strip_prefix(rule.name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let placed = grammar.rules.iter().filter(has_place);
    let named = placed.filter(is_of).max_by_key(|rule| rule.name.len());
    let root = || grammar.rules.get(grammar.root.0 as usize).filter(has_place);
    match named.or_else(|| root().filter(|_| name == WHOLE)) {
        Some(rule) => diagnostic.at(rule.span, label),
        None => diagnostic,
    }
}

/// Refuses an automaton with more than one stack where the grammar has to be deterministic, and one
/// without a bound where terminals of all readings compete.
pub(super) fn check_stacks(
    grammar: &Grammar,
    pda: &Pda,
    stacks: Stacks,
    options: &Options,
    deadline: &Deadline,
) -> Result<(), Error> {
    match stacks {
        Stacks::Proved(1) => Ok(()),
        _ if options.deterministic => {
            Err(nondeterminism::not_deterministic(grammar, pda, deadline)?.into())
        }
        Stacks::Unproved => Ok(check_unproved(grammar)?),
        Stacks::Proved(_) => Ok(()),
    }
}
