//! Names of calls, told apart.
//!
//! In: the texts around names. Out: entries in the order of their names; how much of what follows a
//! name tells ways of writing a call apart, and how much behind that is the same in all ways. What
//! holds: no name of an entry is the beginning of another one's, unless it is marked as open.

use std::ops::Range;

use super::CallEntry;
use crate::syntax::affixes;

/// Entries ascending by name, with those of equal names joined.
pub(super) fn apart(mut entries: Vec<CallEntry>) -> Result<Vec<CallEntry>, &'static str> {
    const ALIKE: &str = "one name is the beginning of another";
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let mut joined: Vec<CallEntry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match joined.last_mut() {
            Some(last) if last.name == entry.name => {
                let (one, other) = (&mut last.rest, entry.rest);
                let is_same = one.tool == other.tool && one.behind == other.behind;
                if !is_same || !one.is_marked || !other.is_marked {
                    return Err(ALIKE);
                }
                one.ways.extend(other.ways);
            }
            Some(last) if entry.name.starts_with(&last.name) => {
                if !last.rest.is_marked {
                    return Err(ALIKE);
                }
                last.is_open = true;
                joined.push(entry);
            }
            _ => joined.push(entry),
        }
    }
    Ok(joined)
}

/// The text around the name in a call.
pub(super) struct NameText {
    pub(super) text: String,
    /// Where the tool's name stands.
    pub(super) name: Range<usize>,
    /// Where the first name of a special token stands behind it.
    pub(super) token: Option<usize>,
}

impl NameText {
    /// The text behind the name, up to the first special token.
    pub(super) fn behind(&self) -> &str {
        let end = self.token.unwrap_or(self.text.len());
        self.text.get(self.name.end..end).unwrap_or_default()
    }
}

/// The number of bytes that all texts have in common at their ends. Each text comes with a number
/// of bytes at its beginning that do not count.
pub(super) fn shared_end<'t>(texts: impl Iterator<Item = (&'t str, usize)>) -> usize {
    let ends = texts.map(|(text, without)| text.get(without..).unwrap_or_default());
    ends.reduce(affixes::shared_end).map_or(0, str::len)
}

/// How many bytes behind the name tell these texts apart: one character, if there is one text.
/// `None` if they cannot be told apart.
pub(super) fn length_behind<'t>(
    texts: impl Iterator<Item = &'t NameText> + Clone,
) -> Option<usize> {
    let mut rests: Vec<&str> = texts.clone().map(NameText::behind).collect();
    // In this order, those that have most in common are neighbours.
    rests.sort_unstable();
    let pairs = rests.windows(2);
    let shared = pairs.map(|pair| affixes::shared_start(pair[0], pair[1]).len());
    let shared = shared.max().unwrap_or(0);
    let next = |rest: &&str| rest.get(shared..).and_then(|rest| rest.chars().next());
    let longest = rests.iter().filter_map(next).map(char::len_utf8).max();
    let has_token = texts.clone().any(|text| text.token.is_some());
    match (longest, rests.len() < 2 || has_token) {
        (Some(next), _) => Some(shared + next),
        (None, true) => Some(shared + usize::from(has_token)),
        (None, false) => None,
    }
}
