//! Where engines' masks differ, by what kind of token it is.
//!
//! In: the bitmaps of an engine and of Maskwright at the same steps. Out: counts and an example for
//! each kind; for all of JSON also who is right by [`crate::json`].

use std::collections::BTreeMap;

use peers_common::{Measured, Task, Vocabulary};
use serde::{Deserialize, Serialize};

use crate::json::Json;

/// An engine at work.
pub struct Place<'a> {
    pub vocabulary: &'a str,
    pub engine: &'a str,
    pub free: bool,
}

/// Masks by text and step.
pub type Masks = BTreeMap<(usize, usize), Vec<u8>>;

/// A kind of difference.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    pub vocabulary: String,
    pub engine: String,
    pub free: bool,
    /// `steps` for the counts of steps, else what kind of token.
    pub kind: String,
    /// Who offers the token.
    pub offered_by: String,
    /// Steps compared (kind `steps`), or steps with such a difference.
    pub steps: usize,
    /// Steps that are equal (kind `steps`), or tokens in all.
    pub tokens: usize,
    /// Of the tokens: those after which the text so far is still the beginning of some JSON text.
    pub json: usize,
    pub example: String,
}

/// All differences.
#[derive(Default)]
pub struct Differences {
    rows: BTreeMap<[String; 5], Row>,
}

/// The masks that an engine wrote: of valid texts, in order.
pub fn steps(task: &Task, measured: &Measured, masks: Vec<u8>, vocabulary: &Vocabulary) -> Masks {
    let mut rows = masks.chunks_exact(vocabulary.words() * 4);
    let mut found = Masks::new();
    for (index, (text, result)) in task.texts.iter().zip(&measured.texts).enumerate() {
        if !text.valid {
            continue;
        }
        let end = result.refused_at.map_or(text.tokens.len(), |at| at + 1);
        for step in 0..end {
            let Some(row) = rows.next() else {
                return found;
            };
            found.insert((index, step), row.to_vec());
        }
    }
    found
}

impl Differences {
    pub fn rows(&self) -> Vec<&Row> {
        self.rows.values().collect()
    }

    /// Counts an engine's differences from ours.
    pub fn compare(
        &mut self,
        place: &Place,
        task: &Task,
        vocabulary: &Vocabulary,
        ours: &Masks,
        theirs: &Masks,
    ) {
        for (&(text, step), theirs) in theirs {
            let Some(ours) = ours.get(&(text, step)) else {
                continue;
            };
            let total = self.row(place, "steps", "");
            total.steps += 1;
            total.tokens += usize::from(ours == theirs);
            if ours != theirs {
                let tokens = &task.texts[text].tokens[..step];
                let before: Vec<u8> = bytes(tokens, vocabulary);
                self.step(place, task, vocabulary, &before, ours, theirs);
            }
        }
    }

    fn step(
        &mut self,
        place: &Place,
        task: &Task,
        vocabulary: &Vocabulary,
        before: &[u8],
        ours: &[u8],
        theirs: &[u8],
    ) {
        let mut json = Json::new();
        json.take(before);
        let mut seen = std::collections::BTreeSet::new();
        for (id, token) in vocabulary.tokens.iter().enumerate() {
            let bit = |mask: &[u8]| mask[id / 8] >> (id % 8) & 1 == 1;
            if bit(ours) == bit(theirs) {
                continue;
            }
            let offered_by = if bit(ours) { "maskwright" } else { "the peer" };
            let end = id == vocabulary.eos as usize;
            let kind = if end { "the end" } else { kind(&json, token) };
            let right = if end {
                json.is_complete()
            } else {
                json.clone().take(token)
            };
            let row = self.row(place, kind, offered_by);
            row.tokens += 1;
            row.json += usize::from(right);
            row.steps += usize::from(seen.insert((kind, offered_by)));
            if row.example.is_empty() && crate::work::is_own(&task.name) {
                let tail = &before[before.len().saturating_sub(40)..];
                let token = if end { "end".to_owned() } else { shown(token) };
                row.example = format!("{}: after {} the token {token}", task.name, shown(tail));
            }
        }
    }

    fn row(&mut self, place: &Place, kind: &str, offered_by: &str) -> &mut Row {
        let set = if place.free { "json" } else { "schema" };
        let key = [place.vocabulary, set, place.engine, kind, offered_by].map(str::to_owned);
        self.rows.entry(key).or_insert_with(|| Row {
            vocabulary: place.vocabulary.to_owned(),
            engine: place.engine.to_owned(),
            free: place.free,
            kind: kind.to_owned(),
            offered_by: offered_by.to_owned(),
            ..Row::default()
        })
    }
}

fn bytes(tokens: &[u32], vocabulary: &Vocabulary) -> Vec<u8> {
    tokens
        .iter()
        .flat_map(|&token| vocabulary.tokens[token as usize].clone())
        .collect()
}

fn shown(bytes: &[u8]) -> String {
    format!("`{}`", bytes.escape_ascii())
}

/// What kind of token it is where the text stands.
fn kind(before: &Json, token: &[u8]) -> &'static str {
    let mut json = before.clone();
    let (mut blanks, mut longest, mut escape, mut text, mut outside) = (0, 0, false, false, false);
    for &byte in token {
        if json.in_string() {
            text = true;
            escape |= byte == b'\\';
        } else if byte.is_ascii_whitespace() {
            blanks += 1;
            longest = longest.max(blanks);
        } else {
            blanks = 0;
            outside = true;
        }
        if !json.take(&[byte]) {
            return "no JSON";
        }
    }
    match (longest, escape, text, outside) {
        (2.., ..) => "several blanks between tokens",
        (1, ..) => "a blank between tokens",
        (_, true, ..) => "an escape in a string",
        (_, _, true, _) if std::str::from_utf8(token).is_err() => "part of a character in a string",
        (_, _, true, false) => "text in a string",
        _ => "other",
    }
}
