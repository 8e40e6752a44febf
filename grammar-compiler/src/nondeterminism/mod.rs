//! Why a grammar is not deterministic: for messages.
//!
//! In: a [`Grammar`] and its [`Pda`]. Out: a [`Diagnostic`] that shows a text after which several
//! readings are open, and where in the grammar two of them come apart. Tables do not depend on
//! anything here. It does not run for grammars that never split.
//!
//! | step | |
//! |---|---|
//! | [`search`] | a short text after which there are two stacks, and how each of them can end |
//! | [`forest`] | the trees of both texts, by the grammar as it stands |
//! | [`readings`] | where these differ first |
//! | [`way`] | which part of the rule's right part each of them has reached there |

pub mod ambiguity;
pub mod forest;
pub mod readings;
pub mod search;
pub mod way;

use crate::error::{Code, Diagnostic};
use crate::grammar::{Grammar, RuleId};
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::Pda;
use forest::Forest;
use readings::{Parting, Side, parting};
use search::{FoundText, TextSearch};

/// Expressions that a forest may look at.
const FOREST_BUDGET: usize = 2_000_000;
/// Longer texts are shown in part.
const MAX_SHOWN: usize = 120;

/// The error if the grammar has to be deterministic and is not.
///
/// # Errors
/// If the time is over before it is known what to show.
pub fn not_deterministic(
    grammar: &Grammar,
    pda: &Pda,
    deadline: &Deadline,
) -> Result<Diagnostic, LimitExceeded> {
    let search = TextSearch::new(pda, deadline);
    let found = search.split();
    let message = match &found {
        Some(found) => format!(
            "the grammar is not deterministic: after {} it has two readings at once",
            shown(&found.text)
        ),
        None => "the grammar is not deterministic: some text has two readings at once".to_owned(),
    };
    let diagnostic = Diagnostic::error(Code::NotDeterministic, message);
    let placed = place(diagnostic, grammar, &search, found.as_ref());
    deadline.confirm(search::DOING)?;
    Ok(placed.help("make the readings differ earlier, or leave out `deterministic`"))
}

/// Adds where two of the readings come apart.
fn place(
    diagnostic: Diagnostic,
    grammar: &Grammar,
    search: &TextSearch<'_>,
    found: Option<&FoundText>,
) -> Diagnostic {
    match found.and_then(|found| come_apart(grammar, search, found)) {
        Some(parting) => describe(diagnostic, grammar, parting),
        None => diagnostic,
    }
}

/// Where two of the stacks come apart, by trees of texts that one of them can end.
fn come_apart(grammar: &Grammar, search: &TextSearch<'_>, found: &FoundText) -> Option<Parting> {
    let (one, other) = (found.stacks.first()?, found.stacks.last()?);
    let whole = |stack| Some([found.text.as_slice(), &search.completion(stack)?].concat());
    let (one, other) = (whole(one)?, whole(other)?);
    let one = Forest::new(grammar, &one, FOREST_BUDGET, search.deadline)?;
    let other = Forest::new(grammar, &other, FOREST_BUDGET, search.deadline)?;
    let pairs = (one.roots().iter()).flat_map(|&a| other.roots().iter().map(move |&b| (a, b)));
    pairs
        .filter_map(|(a, b)| parting((&one, a), (&other, b)))
        .min_by_key(|parting| parting.at)
}

/// Adds to the message, and to the places, how two readings go on.
pub fn describe(diagnostic: Diagnostic, grammar: &Grammar, parting: Parting) -> Diagnostic {
    let name = |id: RuleId| {
        let rule = grammar.rules.get(id.0 as usize);
        rule.map_or("", |rule| rule.name.as_str())
    };
    let is_at = |side: Side| match side {
        Side::Begins(id, _) => format!("goes on with `{}`", name(id)),
        Side::Within(id, _) => format!("is still within `{}`", name(id)),
        Side::Text(_) => "goes on with text of its own".to_owned(),
        Side::Ended => "ends the rule".to_owned(),
    };
    let Parting {
        rule,
        at,
        one,
        other,
    } = parting;
    let mut out = diagnostic.note(&format!(
        "in rule `{}`, from byte {at}, one {}, another {}",
        name(rule),
        is_at(one),
        is_at(other)
    ));
    for (number, side) in [("one reading", one), ("another", other)] {
        let (place, label) = match side {
            Side::Begins(_, place) | Side::Text(place) => (Some(place), "goes on here"),
            Side::Within(_, place) => (Some(place), "is still in here"),
            Side::Ended => {
                let rule = grammar.rules.get(rule.0 as usize);
                (rule.map(|rule| rule.span), "ends this rule")
            }
        };
        if let Some(place) = place.filter(|place| place.start < place.end) {
            out = out.at(place, format!("{number} {label}"));
        }
    }
    out
}

/// A text in quotes.
pub fn shown(text: &[u8]) -> String {
    let (text, more) = match text.get(..MAX_SHOWN) {
        Some(begin) if text.len() > MAX_SHOWN => (begin, "…"),
        _ => (text, ""),
    };
    match std::str::from_utf8(text) {
        Ok(text) => format!("`{}{more}`", text.escape_debug()),
        Err(_) => format!("`{}{more}`", text.escape_ascii()),
    }
}

/// The warning that some text has two readings, if one is found.
pub fn ambiguous(grammar: &Grammar, limits: &Limits, deadline: &Deadline) -> Option<Diagnostic> {
    let found = ambiguity::find(grammar, limits, deadline)?;
    let message = format!(
        "the grammar is ambiguous: {} has two readings",
        shown(&found.text)
    );
    let diagnostic = Diagnostic::warning(Code::Ambiguous, message);
    let help = "masks do not depend on the reading; if one is meant, take out the other";
    Some(describe(diagnostic, grammar, found.parting).help(help))
}

#[cfg(test)]
mod tests;
