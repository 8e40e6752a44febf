//! What is legal and probably not meant.
//!
//! In: a [`Grammar`] whose rules can all finish. Out: warnings, each at the name of a rule. Each is true of the
//! grammar's language: nothing is guessed from names or style. Takes time linear in the size of the grammar but for
//! alternatives, which are compared by hash.

mod blanks;
mod facts;

use std::collections::HashMap;

use super::{Expr, Grammar, Rule, check};
use crate::error::Diagnostic;
use facts::Facts;

/// Unbounded whitespace in more rules than this is not pointed at rule by rule.
const MAX_PLACES: usize = 4;

/// All warnings about `grammar`, by rule, in its order.
pub fn lint(grammar: &Grammar) -> Vec<Diagnostic> {
    let unused = check::unused_rules(grammar);
    let is_used = |index: usize| {
        let id = super::RuleId(index as u32);
        unused.binary_search(&id).is_err()
    };
    let facts = Facts::new(grammar);
    let mut found: Vec<Diagnostic> = unused
        .iter()
        .filter_map(|id| grammar.rules.get(id.0 as usize))
        .map(|rule| never_used(grammar, rule))
        .collect();
    let mut blanks = Vec::new();
    for (index, rule) in grammar.rules.iter().enumerate().filter(|r| is_used(r.0)) {
        if !facts.can_consume(index) {
            found.push(only_empty(rule));
        }
        duplicates(rule, &rule.expr, &facts, &mut found);
        if blanks::run_on(grammar, index, &facts) {
            blanks.push(rule);
        }
    }
    found.extend(unbounded_blanks(&blanks));
    found.sort_by_key(Diagnostic::span);
    found
}

fn never_used(grammar: &Grammar, rule: &Rule) -> Diagnostic {
    let root = grammar.rules.get(grammar.root.0 as usize);
    let root = root.map_or("root", |rule| rule.name.as_str());
    Diagnostic::warning("unused-rule", format!("rule `{}` is never used", rule.name))
        .at(rule.span, format!("not reached from `{root}`"))
        .help("remove it, or refer to it")
}

fn only_empty(rule: &Rule) -> Diagnostic {
    let message = format!("rule `{}` matches only the empty text", rule.name);
    Diagnostic::warning("empty-rule", message)
        .at(rule.span, "consumes nothing, whatever the text")
        .help("remove it where it is used, or give it something to match")
}

/// Alternatives that add nothing: equal to one before them, or without any text.
fn duplicates(rule: &Rule, expr: &Expr, facts: &Facts, found: &mut Vec<Diagnostic>) {
    match expr {
        Expr::Alt(parts) => {
            let mut first: HashMap<&Expr, usize> = HashMap::new();
            for (at, part) in (1..).zip(parts) {
                if !facts.is_productive(part) {
                    found.push(never_matched(rule, at));
                } else if let Some(&earlier) = first.get(part) {
                    found.push(repeated(rule, at, earlier));
                } else {
                    first.insert(part, at);
                    duplicates(rule, part, facts, found);
                }
            }
        }
        Expr::Seq(parts) => parts
            .iter()
            .for_each(|part| duplicates(rule, part, facts, found)),
        Expr::Repeat { expr, .. } => duplicates(rule, expr, facts, found),
        _ => {}
    }
}

fn never_matched(rule: &Rule, at: usize) -> Diagnostic {
    let message = format!("alternative {at} in rule `{}` matches no text", rule.name);
    Diagnostic::warning("unreachable-alternative", message)
        .at(rule.span, "it needs a character of a class that has none")
        .help("remove the alternative, or put a character into the class")
}

fn repeated(rule: &Rule, at: usize, earlier: usize) -> Diagnostic {
    let message = format!(
        "alternative {at} in rule `{}` is the same as alternative {earlier}",
        rule.name
    );
    Diagnostic::warning("unreachable-alternative", message)
        .at(rule.span, "what it matches, the other one matches already")
        .help("remove one of them; if they should differ, one is mistyped")
}

/// One warning for all rules: grammars tend to say the same thing in many places.
fn unbounded_blanks(rules: &[&Rule]) -> Option<Diagnostic> {
    let (first, others) = rules.split_first()?;
    let message = match others.len() {
        0 => format!("rule `{}` lets blanks go on without end", first.name),
        1 => format!(
            "rules `{}` and `{}` let blanks go on without end",
            first.name, others[0].name
        ),
        more => format!(
            "rule `{}` and {more} others let blanks go on without end",
            first.name
        ),
    };
    let mut warning = Diagnostic::warning("unbounded-whitespace", message)
        .at(first.span, "a loop over white space only");
    for rule in others.iter().take(MAX_PLACES - 1) {
        warning = warning.at(rule.span, "and here");
    }
    Some(warning.help("a model can run away in blanks, which a mask always allows; bound them, such as `[ \\n]{0,8}`"))
}

#[cfg(test)]
mod tests;
