//! Rules of the grammar language that can never finish, and parts of rules that are probably
//! mistakes.
//!
//! In: a grammar with all that it embeds. Out: warnings, or errors. What holds after: every rule
//! that was written in the grammar language can finish.

use std::ops::Range;

use super::embed::JoinedGrammar;
use super::{ParseOptions, control_tokens};
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::{Grammar, RuleId, check, lint::Linter};
use crate::limits::Deadline;

/// What is being done.
const DOING: &str = "checking rules";

/// Checks the rules of all texts in the grammar language, and adds the warnings of the lints.
///
/// # Errors
/// If a rule can never finish, or the deadline passes.
pub(super) fn check_embedded(
    joined: &mut JoinedGrammar,
    options: &ParseOptions,
) -> Result<(), Error> {
    let deadline = Deadline::start(&options.limits);
    deadline.check(DOING)?;
    let unproductive = check::unproductive_rules(&joined.grammar);
    let linter = Linter::new(&joined.grammar);
    for rules in &joined.ebnf {
        deadline.check(DOING)?;
        let errors = never_finishing(&joined.grammar, &unproductive, rules);
        if !errors.is_empty() {
            let all = errors.into_iter().chain(joined.warnings.drain(..));
            return Err(Error::in_sources(&joined.sources, sorted(all.collect())));
        }
        joined.warnings.extend(linter.lint(rules, &deadline));
        let spelled =
            control_tokens::lint(&joined.grammar, rules.clone(), &options.tokens, &deadline);
        joined.warnings.extend(spelled);
    }
    Ok(())
}

/// An error for each rule of a range that can never finish.
fn never_finishing(
    grammar: &Grammar,
    unproductive: &[RuleId],
    rules: &Range<usize>,
) -> Vec<Diagnostic> {
    let place = |index: usize| unproductive.partition_point(|id| (id.0 as usize) < index);
    let ids = &unproductive[place(rules.start)..place(rules.end)];
    let mut diagnostics = Vec::new();
    for id in ids {
        let Some(rule) = grammar.rules.get(id.0 as usize) else {
            continue;
        };
        let mut needed: Option<RuleId> = None;
        check::for_each_ref(&rule.expr, &mut |other| {
            if needed != Some(*id) && ids.binary_search(&other).is_ok() {
                needed = Some(if other == *id {
                    other
                } else {
                    needed.unwrap_or(other)
                });
            }
        });
        let name = &rule.name;
        let label = match needed.and_then(|needed| grammar.rules.get(needed.0 as usize)) {
            Some(other) if other.name == *name => {
                format!("every way through `{name}` comes back to `{name}`")
            }
            Some(other) => format!(
                "every way through it needs `{}`, which can never finish either",
                other.name
            ),
            None => "every way through it needs a character that does not exist".to_owned(),
        };
        diagnostics.push(
            Diagnostic::error(
                Code::UnproductiveRule,
                format!("rule `{name}` can never finish, so it matches no text"),
            )
            .at(rule.span, label)
            .help("add an alternative that ends, such as `| \"\"`"),
        );
    }
    diagnostics
}

/// In the order of the source.
pub(super) fn sorted(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.sort_by_key(Diagnostic::span);
    found
}
