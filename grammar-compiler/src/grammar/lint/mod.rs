//! Lints: parts of a grammar that are legal and probably not meant.
//!
//! In: a [`Grammar`] whose rules can all finish. Out: warnings, each at the part of a rule that it
//! is about. Each is true of the grammar's language: nothing is guessed from names or style. Takes
//! time linear in the size of the grammar; alternatives are compared by hash.

mod blanks;
mod digits;
mod facts;

pub use digits::unbounded_digits;

use crate::maps::{KeyedMap, KeyedSet};
use std::ops::Range;

use super::{Expr, Grammar, Rule, RuleId, check};
use crate::error::{Code, Diagnostic, shown};
use crate::limits::Deadline;
use crate::source::Span;
use facts::RuleFacts;

/// The steps that a rule takes.
const STEPS: usize = 32;

/// Unbounded whitespace in more rules than this is not pointed at rule by rule.
const MAX_PLACES: usize = 4;

/// What is known of a grammar, for warnings about any of its rules: worked out once, however many
/// texts it was joined from.
pub struct Linter<'g> {
    grammar: &'g Grammar,
    /// Ascending.
    unused: Vec<RuleId>,
    facts: RuleFacts,
}

impl<'g> Linter<'g> {
    /// A linter of a grammar.
    pub fn new(grammar: &'g Grammar) -> Self {
        Linter {
            grammar,
            unused: check::unused_rules(grammar),
            facts: RuleFacts::new(grammar),
        }
    }

    /// All warnings about these rules, in their order. When the deadline passes, it stops early.
    pub fn lint(&self, rules: &Range<usize>, deadline: &Deadline) -> Vec<Diagnostic> {
        let Linter {
            grammar,
            unused,
            facts,
        } = self;
        let is_used = |index: usize| unused.binary_search(&RuleId(index as u32)).is_err();
        // A rule that a front end made from a part of another rule stands at the same place; the
        // author of the grammar does not know it.
        let mut places = KeyedSet::default();
        let own = grammar.rules.get(rules.clone()).unwrap_or(&[]);
        let own = rules.clone().zip(own);
        let own = own.filter(|(_, rule)| places.insert(rule.span));
        let (used, unused): (Vec<_>, Vec<_>) = own.partition(|r| is_used(r.0));
        let mut found: Vec<Diagnostic> = unused
            .iter()
            .map(|(_, rule)| never_used(grammar, rule))
            .collect();
        let mut blanks = Vec::new();
        for (index, rule) in used {
            if deadline
                .ticks(STEPS, "looking for what is probably not meant")
                .is_err()
            {
                break;
            }
            if !facts.can_consume(index) {
                found.push(only_empty(rule));
            }
            found.extend(useless(rule, facts));
            if let Some(part) = blanks::run_on(grammar, index, facts) {
                blanks.push((rule, rule.place_of(part)));
            }
        }
        found.extend(unbounded_blanks(&blanks));
        found.sort_by_key(Diagnostic::span);
        found
    }
}

/// All warnings about a grammar that is written in one text.
pub fn lint(grammar: &Grammar, deadline: &Deadline) -> Vec<Diagnostic> {
    Linter::new(grammar).lint(&(0..grammar.rules.len()), deadline)
}

fn never_used(grammar: &Grammar, rule: &Rule) -> Diagnostic {
    let root = grammar.rules.get(grammar.root.0 as usize);
    let root = shown(root.map_or("root", |rule| rule.name.as_str()));
    Diagnostic::warning(
        Code::UnusedRule,
        format!("rule `{}` is never used", shown(&rule.name)),
    )
    .at(rule.span, format!("not reached from `{root}`"))
    .help("remove it, or refer to it")
}

fn only_empty(rule: &Rule) -> Diagnostic {
    let message = format!("rule `{}` matches only the empty text", shown(&rule.name));
    Diagnostic::warning(Code::EmptyRule, message)
        .at(rule.span, "consumes nothing, whatever the text")
        .help("remove it where it is used, or give it something to match")
}

/// The most alternatives of one rule that warnings name.
const MOST_USELESS: usize = 100;

/// An alternative: its number, from 1, and what it is.
type Numbered<'g> = (usize, &'g Expr);

/// An alternative that adds nothing: it equals an earlier one, which is named, or matches no text.
type Useless<'g> = (Numbered<'g>, Option<Numbered<'g>>);

fn useless(rule: &Rule, facts: &RuleFacts) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    find_useless(&rule.expr, facts, &mut found);
    let more = found.len().saturating_sub(MOST_USELESS);
    found.truncate(MOST_USELESS);
    let mut parts = Vec::new();
    for &((_, part), first) in &found {
        parts.extend([part, first.map_or(part, |first| first.1)]);
    }
    let places = rule.places_of(&parts);
    let warn = |((at, earlier), places): (&Useless<'_>, &[Span])| match (earlier, places) {
        (Some((first, _)), &[place, earlier]) => repeated(rule, (at.0, place), (*first, earlier)),
        (_, places) => never_matched(rule, at.0, places.first().copied().unwrap_or(rule.span)),
    };
    let mut warnings: Vec<_> = found.iter().zip(places.chunks(2)).map(warn).collect();
    if more > 0 {
        warnings.push(not_named(rule, more));
    }
    warnings
}

fn not_named(rule: &Rule, more: usize) -> Diagnostic {
    let name = shown(&rule.name);
    let message = format!("{more} more alternatives in rule `{name}` add nothing");
    Diagnostic::warning(Code::UnreachableAlternative, message)
        .at(rule.span, "only the first are named")
}

fn find_useless<'g>(expr: &'g Expr, facts: &RuleFacts, found: &mut Vec<Useless<'g>>) {
    match expr {
        Expr::Alt(parts) => {
            let mut first: KeyedMap<&Expr, (usize, &Expr)> = KeyedMap::default();
            for (at, part) in (1..).zip(parts) {
                if !facts.is_productive(part) {
                    found.push(((at, part), None));
                } else if let Some(&earlier) = first.get(part) {
                    found.push(((at, part), Some(earlier)));
                } else {
                    first.insert(part, (at, part));
                    find_useless(part, facts, found);
                }
            }
        }
        Expr::Seq(parts) => parts
            .iter()
            .for_each(|part| find_useless(part, facts, found)),
        Expr::Repeat { expr, .. } => find_useless(expr, facts, found),
        _ => {}
    }
}

fn never_matched(rule: &Rule, at: usize, place: Span) -> Diagnostic {
    let message = format!(
        "alternative {at} in rule `{}` matches no text",
        shown(&rule.name)
    );
    Diagnostic::warning(Code::UnreachableAlternative, message)
        .at(place, "needs a character of a class that has none")
        .help("remove the alternative, or put a character into the class")
}

fn repeated(rule: &Rule, (at, place): (usize, Span), earlier: (usize, Span)) -> Diagnostic {
    let message = format!(
        "alternative {at} in rule `{}` is the same as alternative {}",
        shown(&rule.name),
        earlier.0
    );
    let warning = Diagnostic::warning(Code::UnreachableAlternative, message)
        .at(place, "what it matches, the other one matches already")
        .help("remove one of them; if they should differ, one is mistyped");
    match place == earlier.1 {
        true => warning,
        false => warning.at(earlier.1, "the other one"),
    }
}

/// One warning for all rules: grammars tend to say the same thing in many places.
fn unbounded_blanks(rules: &[(&Rule, Span)]) -> Option<Diagnostic> {
    let ((first, place), others) = rules.split_first()?;
    let message = match others {
        [] => format!("rule `{}` lets blanks go on without end", first.name),
        [(other, _)] => format!(
            "rules `{}` and `{}` let blanks go on without end",
            first.name, other.name
        ),
        more => format!(
            "rule `{}` and {} others let blanks go on without end",
            first.name,
            more.len()
        ),
    };
    let mut warning = Diagnostic::warning(Code::UnboundedWhitespace, message)
        .at(*place, "a loop over white space only");
    for (_, place) in others.iter().take(MAX_PLACES - 1) {
        warning = warning.at(*place, "and here");
    }
    Some(warning.help("a model can run away in blanks, which a mask always allows; bound them, such as `[ \\n]{0,8}`"))
}

#[cfg(test)]
mod tests;
