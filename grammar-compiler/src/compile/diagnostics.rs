//! What compiling has to say, in the grammar's terms.

use super::{Automaton, Options};
use crate::compile::report::Breakdown;
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::Grammar;
use crate::nondeterminism;
use crate::pda::Pda;
use crate::pda::stacks::Stacks;

/// A rule is called large if it takes so many bytes of the tables, and more than half of them.
pub const LARGE_RULE_BYTES: usize = 512 * 1024;

/// A compile looks for large rules among so many uses of records; where there are more, `report` still shows whose the bytes are.
const MAX_USES: usize = 2_000_000;

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

/// What is said about more than one stack: nothing, a warning or an error.
pub(super) fn told(
    grammar: &Grammar,
    pda: &Pda,
    stacks: Stacks,
    options: &Options,
) -> Result<Option<Diagnostic>, Error> {
    match stacks {
        Stacks::Proved(1) => Ok(None),
        _ if options.deterministic => Err(nondeterminism::not_deterministic(grammar, pda).into()),
        Stacks::Proved(_) => Ok(None),
        Stacks::Unproved if options.capped => {
            Ok(Some(nondeterminism::capped(grammar, pda, &options.limits)))
        }
        Stacks::Unproved => Err(nondeterminism::unbounded(grammar, pda, &options.limits).into()),
    }
}

/// The rule that takes more than half of large tables.
pub(super) fn large_rule(
    grammar: &Grammar,
    tables: &[u8],
    automaton: &Automaton,
) -> Option<Diagnostic> {
    if tables.len() < LARGE_RULE_BYTES || automaton.network.machines.len() == 1 {
        return None;
    }
    let breakdown = Breakdown::within(tables, automaton, MAX_USES)?;
    let large = breakdown.rules.first()?;
    let is_large = large.bytes >= LARGE_RULE_BYTES && 2 * large.bytes > tables.len();
    if !is_large {
        return None;
    }
    let (name, kilobytes) = (&large.name, large.bytes / 1024);
    let message = format!(
        "rule `{name}` takes {kilobytes} KiB of {} KiB of tables",
        tables.len() / 1024
    );
    let warning = Diagnostic::warning(Code::LargeRule, message).help(
        "shorten its counted repetitions, or make its classes agree with those of other rules; \
         `maskwright report` shows the largest states",
    );
    // A span between delimiters is called by its rule's name and the delimiters.
    let named = grammar
        .rules
        .iter()
        .filter(|rule| name.starts_with(&rule.name));
    let rule = named.max_by_key(|rule| rule.name.len());
    Some(match rule.filter(|rule| rule.span.start < rule.span.end) {
        Some(rule) => warning.at(rule.span, "the largest part of the tables"),
        None => warning,
    })
}
