//! Raw texts of long strings, as an automaton whose characters are counted.
//!
//! In: a set of strings, bounds on their length, and the end of an element. Out: the texts with
//! their end: [`BoundedWords`] over the automaton of the text and what ends it, so the bound costs
//! what it costs in JSON. What holds: a text ends where its end first occurs; the characters of the
//! end are counted with those of the text, so the bounds are greater by their number.
//!
//! Where an end begins with a token, what comes before the token stands for the end.

use super::super::super::strings::{Language, LanguageError, LanguageState, raw_text_of};
use super::super::super::values::{DOING, StringCase};
use super::super::SchemaLowering;
use super::written;
use crate::grammar::{BoundedCore, BoundedWords, Expr, Rule, RuleId, Words};
use crate::lengths::{Lengths, NEVER};
use crate::limits::Deadline;
use maskwright_core::style::Form;
use std::sync::Arc;

/// States that all lengths of a string take in an automaton, at least, if it is counted.
const STATES: u64 = 1_000;

/// States between two characters that a counted automaton may have.
const BOUNDARIES: usize = 128;

/// Texts up to what ends them.
#[derive(Clone, Debug)]
pub(in super::super) struct EndedTexts {
    words: Arc<Words>,
    /// The states of `words` below this number stand between two characters that count.
    boundaries: u32,
    core: Arc<BoundedCore>,
}

impl EndedTexts {
    /// Those whose strings have between `min` and `max` characters, where the end has `more`.
    fn within(&self, min: u32, max: Option<u32>, more: u32) -> Option<BoundedWords> {
        let (words, core) = (self.words.clone(), self.core.clone());
        let min = match min {
            0 => 0,
            min => min.checked_add(more)?,
        };
        match max {
            None => BoundedWords::endless((words, self.boundaries), min, core),
            Some(max) => {
                let words = BoundedWords::new(words, self.boundaries, max.checked_add(more)?)?;
                words.beside(min, core)
            }
        }
    }
}

/// Which texts: the strings, what ends them, and whether line feeds around them do not count.
pub(in super::super) type EndedKey = (Language, String, bool);

impl SchemaLowering<'_, '_> {
    /// The texts of these strings up to the end of their element, and the end; nothing if they are
    /// few, or if their automaton is too large to be counted.
    pub(super) fn bounded_raw(
        &mut self,
        case: &StringCase,
        form: &Form<'_>,
    ) -> Result<Option<Expr>, LanguageError> {
        let (Ok(min), Ok(max)) = (
            u32::try_from(case.min),
            case.max.map(u32::try_from).transpose(),
        ) else {
            return Ok(None);
        };
        let whole = [form.end, form.closing.map_or("", |closing| closing.0)].concat();
        let states = case.language.states().len() + form.end.len();
        let few = STATES.min(self.limits.states as u64 / 2);
        let counted = u64::from(max.unwrap_or(min));
        let is_short = counted.saturating_mul(states as u64) < few;
        let is_finite = case.language.lengths().is_none_or(|of| of.1.is_some());
        if is_short || is_finite || form.end.is_empty() {
            return Ok(None);
        }
        let key = (case.clone(), whole);
        if let Some(&rule) = self.bounded_raws.get(&key) {
            return Ok(Some(Expr::Ref(rule)));
        }
        let whole = &key.1;
        let pieces = self.speller.pieces(whole);
        let before: Vec<&str> = (pieces.iter())
            .take_while(|piece| piece.token.is_none())
            .map(|piece| piece.text)
            .collect();
        let plain = before.concat().len();
        if plain < whole.len() && self.speller.spelled {
            return Ok(None);
        }
        let cut = plain.min(form.end.len());
        let (end, behind) = whole.split_at(cut);
        let Some(texts) = self.ended_texts(&case.language, (form, end))? else {
            return Ok(None);
        };
        let more = end.chars().count() as u32;
        let Some(words) = texts
            .within(min, max, more)
            .filter(|words| !words.is_empty())
        else {
            return Ok(None);
        };
        let mut parts = vec![Expr::Bounded(Arc::new(words))];
        // No name of a token lies across the cut: the first one begins behind it.
        parts.extend(self.speller.pieces(behind).iter().map(written));
        let rule = RuleId(self.rules.len() as u32);
        self.rules.push(Rule::new("text", Expr::Seq(parts)));
        self.bounded_raws.insert(key, rule);
        Ok(Some(Expr::Ref(rule)))
    }

    /// The texts of strings up to `end`, which is the end of the element or the part of it before
    /// a token.
    fn ended_texts(
        &mut self,
        language: &Language,
        (form, end): (&Form<'_>, &str),
    ) -> Result<Option<EndedTexts>, LanguageError> {
        let key = (language.clone(), end.to_owned(), form.trimmed);
        if let Some(known) = self.ended.get(&key) {
            return Ok(known.clone());
        }
        let excludes = &self.options.excludes;
        let is_plain = language.is_any() && excludes.is_empty() && !end.contains('\n');
        let found = match form.trimmed && !(is_plain && end == form.end) {
            true => Ok(None),
            false => {
                let deadline = self.values.deadline();
                let texts = texts_to(language, (form.end, end), excludes, deadline);
                texts.map(|texts| counted(&texts, form.trimmed))
            }
        };
        self.values.deadline().confirm(DOING)?;
        let found = match found {
            Err(LanguageError::TooLarge { .. }) => None,
            found => found?,
        };
        self.ended.insert(key, found.clone());
        Ok(found)
    }
}

/// The texts of strings with `end` behind them, in which neither `whole`, which begins with `end`,
/// stands earlier nor anything that is excluded.
fn texts_to(
    language: &Language,
    (whole, end): (&str, &str),
    excludes: &[String],
    deadline: &Deadline,
) -> Result<Language, LanguageError> {
    let any = Language::any();
    let holding = |text: &str| any.concat(&Language::literal(text), deadline);
    let mut texts = language.clone();
    for excluded in excludes {
        let with = holding(excluded)?.concat(&any, deadline)?;
        texts = texts.minus(&with, deadline)?;
    }
    let ended = texts.concat(&Language::literal(end), deadline)?;
    let mut early = holding(whole)?;
    if whole == end {
        let character = Language::class(&[('\0', char::MAX)]);
        early = early.concat(&character, deadline)?;
    }
    ended.minus(&early.concat(&any, deadline)?, deadline)
}

/// How such texts are counted; nothing if they have too many states.
fn counted(texts: &Language, is_trimmed: bool) -> Option<EndedTexts> {
    let states = texts.states();
    if texts.is_empty() || states.len() > BOUNDARIES {
        return None;
    }
    let words = Arc::new(raw_text_of(states));
    let boundaries = states.len() as u32;
    if is_trimmed {
        let trimmed = Trimmed::new(states)?;
        let core = BoundedCore::new(words, boundaries, trimmed.of);
        return Some(EndedTexts {
            words: Arc::new(raw_text_of(&trimmed.states)),
            boundaries: trimmed.boundaries,
            core: Arc::new(core),
        });
    }
    let core = BoundedCore::new(words.clone(), boundaries, (0..boundaries).collect());
    Some(EndedTexts {
        words,
        boundaries,
        core: Arc::new(core),
    })
}

/// The automaton in which a line feed at the beginning of a text does not count, nor one before its
/// end. Edges to the states behind those that count do not count.
///
/// A line feed before the end counts when it is read, and the last character of the end does not
/// count then. So for each prefix of the end there is a state for texts that have a line feed
/// before it.
struct Trimmed {
    states: Vec<LanguageState>,
    boundaries: u32,
    /// For each state that counts the one of the automaton in which all line feeds count.
    of: Vec<u32>,
}

impl Trimmed {
    /// For the automaton of any text with an end that has no line feed.
    fn new(states: &[LanguageState]) -> Option<Self> {
        let count = states.len() as u32;
        let end = states.iter().position(|state| state.is_final)? as u32;
        let rests =
            (states.iter()).map(|state| (state.is_final, state.edges.iter().map(|edge| edge.2)));
        let rests = Lengths::new(rests, |_| true);
        // The characters of the end with which the text of a state ends.
        let length = |state: u32| rests.least(0) - rests.least(state);
        // The beginning, states without such a line feed, and with one.
        let (plain, fed) = (|state: u32| 1 + state, |state: u32| 1 + count + state);
        let boundaries = 1 + 2 * count;
        let (begun, ended) = (boundaries, boundaries + 1);
        let behind = |from: u32, is_fed: bool, to: u32, is_line_feed: bool| {
            if to == end {
                return if is_fed { ended } else { plain(end) };
            }
            let goes_on = is_fed && length(to) == length(from) + 1;
            match (length(to) == 0 && is_line_feed) || goes_on {
                true => fed(to),
                false => plain(to),
            }
        };
        let edges = |from: u32, is_fed: bool, is_start: bool| {
            let mut edges = Vec::new();
            for &(low, high, to) in &states[from as usize].edges {
                for (low, high) in around_line_feed(low, high) {
                    let to = match low == '\n' && is_start {
                        true => begun,
                        false => behind(from, is_fed, to, low == '\n'),
                    };
                    edges.push((low, high, to));
                }
            }
            edges
        };
        let state = |is_final, edges| LanguageState { is_final, edges };
        let mut made = vec![state(false, edges(0, false, true))];
        for is_fed in [false, true] {
            made.extend((0..count).map(|at| state(at == end, edges(at, is_fed, false))));
        }
        made.push(state(false, edges(0, false, false)));
        made.push(state(true, Vec::new()));
        // The beginning is not met again.
        let of = [NEVER].into_iter().chain(0..count).chain(0..count);
        Some(Trimmed {
            states: made,
            boundaries,
            of: of.collect(),
        })
    }
}

/// A range of characters with the line feed in a range for itself.
fn around_line_feed(low: char, high: char) -> Vec<(char, char)> {
    let parts = [
        (low, '\t'.min(high)),
        ('\n', '\n'),
        ('\u{b}'.max(low), high),
    ];
    match low <= '\n' && '\n' <= high {
        true => (parts.into_iter())
            .filter(|(from, to)| from <= to)
            .collect(),
        false => vec![(low, high)],
    }
}

#[cfg(test)]
mod tests;
