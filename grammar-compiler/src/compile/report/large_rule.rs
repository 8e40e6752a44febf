//! The warning about a rule that takes most of large tables.
//!
//! In: a grammar, its tables and its automaton. Out: the warning, if the tables are large and one
//! rule takes more than half of them.

use super::breakdown::Breakdown;
use crate::compile::automaton::Automaton;
use crate::error::{Code, Diagnostic};
use crate::grammar::Grammar;

/// A rule is large if it takes at least this many bytes of the tables, and more than half of them.
const LARGE_RULE_BYTES: usize = 512 * 1024;

/// The most uses of records among which a compile looks for large rules. If there are more,
/// `report` still shows how the bytes are shared.
const MAX_USES: usize = 2_000_000;

/// The rule that takes more than half of large tables.
pub(in crate::compile) fn large_rule(
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
