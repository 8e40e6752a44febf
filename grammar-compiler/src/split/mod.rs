//! Why a grammar needs several stacks: for messages.
//!
//! In: a [`Grammar`] and its [`Pda`]. Out: a [`Diagnostic`] that shows a text after which several readings are open, and where
//! in the grammar two of them come apart. Nothing here has an influence on tables. Grammars that never
//! split do not come here.
//!
//! | step | |
//! |---|---|
//! | [`search`] | a short text after which there are two stacks, or more than a matcher carries; and how two of them can end |
//! | [`forest`] | the trees of both texts, by the grammar as it stands |
//! | [`readings`] | where these differ first |

pub mod ambiguity;
pub mod forest;
pub mod readings;
pub mod search;

use std::fmt::Write;

use crate::error::Diagnostic;
use crate::grammar::{Grammar, Rule, RuleId};
use crate::limits::{Deadline, Limits};
use crate::pda::Pda;
use forest::Forest;
use readings::{Parting, parting};
use search::{Found, Search};

/// Expressions that a forest may look at.
const FOREST_BUDGET: usize = 2_000_000;
/// Longer texts are shown in part.
const MAX_SHOWN: usize = 120;

/// The warning that more stacks may be needed than matchers carry.
pub fn unbounded(grammar: &Grammar, pda: &Pda, limits: &Limits) -> Diagnostic {
    let cap = limits.stacks;
    let search = Search::new(pda);
    let found = search.widest(cap + 1);
    let message = match &found {
        Some(found) if found.stacks.len() > cap => format!(
            "the grammar is not deterministic: after {} it has {} readings at once, and a matcher follows {cap}; text that \
             needs more is refused",
            shown(&found.text),
            found.stacks.len()
        ),
        Some(found) => format!(
            "the grammar is not deterministic: after {} it has {} readings at once, and some text may have more than the \
             {cap} that a matcher follows; it is then refused",
            shown(&found.text),
            found.stacks.len()
        ),
        None => format!(
            "the grammar is not deterministic: some text may have more than the {cap} readings at once that a matcher \
             follows; it is then refused"
        ),
    };
    let diagnostic = Diagnostic::warning("unbounded-stacks", message);
    place(diagnostic, grammar, &search, found.as_ref())
        .help("make the readings differ earlier, or raise `Limits::stacks`")
}

/// The error that a grammar which is to be deterministic is not.
pub fn not_deterministic(grammar: &Grammar, pda: &Pda) -> Diagnostic {
    let search = Search::new(pda);
    let found = search.widest(2);
    let message = match &found {
        Some(found) => format!(
            "the grammar is not deterministic: after {} it has two readings at once",
            shown(&found.text)
        ),
        None => "the grammar is not deterministic: some text has two readings at once".to_owned(),
    };
    let diagnostic = Diagnostic::error("not-deterministic", message);
    place(diagnostic, grammar, &search, found.as_ref())
        .help("make the readings differ earlier, or leave out `deterministic`")
}

/// Adds where two of the readings come apart.
fn place(
    diagnostic: Diagnostic,
    grammar: &Grammar,
    search: &Search<'_>,
    found: Option<&Found>,
) -> Diagnostic {
    match found.and_then(|found| come_apart(grammar, search, found)) {
        Some(parting) => describe(diagnostic, grammar, parting),
        None => diagnostic,
    }
}

/// Where two of the stacks come apart, by trees of texts that one of them can end.
fn come_apart(grammar: &Grammar, search: &Search<'_>, found: &Found) -> Option<Parting> {
    let (one, other) = (found.stacks.first()?, found.stacks.last()?);
    let whole = |stack| Some([found.text.as_slice(), &search.completion(stack)?].concat());
    let (one, other) = (whole(one)?, whole(other)?);
    let one = Forest::new(grammar, &one, FOREST_BUDGET)?;
    let other = Forest::new(grammar, &other, FOREST_BUDGET)?;
    let pairs = (one.roots().iter()).flat_map(|&a| other.roots().iter().map(move |&b| (a, b)));
    pairs
        .filter_map(|(a, b)| parting((&one, a), (&other, b)))
        .min_by_key(|p| p.one.or(p.other).map(|at| at.1))
}

/// Says at the rules' places, and in the message, which rules two readings are in.
pub fn describe(diagnostic: Diagnostic, grammar: &Grammar, parting: Parting) -> Diagnostic {
    let rule = |id: RuleId| grammar.rules.get(id.0 as usize);
    let name = |id: RuleId| rule(id).map_or("", |r| r.name.as_str());
    let mut text = String::new();
    let go_on = |at: Option<(RuleId, usize)>| match at {
        Some((id, start)) => format!("goes on with `{}` from byte {start}", name(id)),
        None => "does not".to_owned(),
    };
    let (one, other) = match parting.one {
        None => (parting.other, None),
        one => (one, parting.other),
    };
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "in rule `{}` one {}, another {}",
        name(parting.rule),
        go_on(one),
        go_on(other)
    );
    let has_place = |r: &&Rule| r.span.start < r.span.end;
    let place = |id: RuleId| rule(id).filter(has_place).map(|r| r.span);
    let mut out = diagnostic.note(&text);
    if let Some(span) = place(parting.rule) {
        out = out.at(span, "the readings come apart in this rule");
    }
    for (at, label) in [(one, "one goes on here"), (other, "another goes on here")] {
        if let Some((id, _)) = at.filter(|at| at.0 != parting.rule)
            && let Some(span) = place(id)
        {
            out = out.at(span, label);
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
    let diagnostic = Diagnostic::warning("ambiguous", message);
    let help = "masks do not depend on the reading; if one is meant, take out the other";
    Some(describe(diagnostic, grammar, found.parting).help(help))
}

#[cfg(test)]
mod tests;
