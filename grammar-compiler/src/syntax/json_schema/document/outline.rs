//! Where the values of a JSON text lie, without a node of its own for each.
//!
//! In: JSON text. Out: [`Outline`]: the place of each value, in the order of the text. What holds:
//! an outline exists only for a text that [`parse`](super::parse()) accepts. Some texts that it
//! accepts have none either: those with an escape in a key. A caller without an outline calls
//! `parse`, which has the messages.
//!
//! An outline takes 12 bytes for each value and key, and one pass over the text.

use super::scan::{OutlineEntry, scan};
use crate::limits::{Deadline, Limits};
use crate::source::{Source, Span};

/// The places of all values and keys of a text. A key is followed by its value.
#[derive(Debug)]
pub(crate) struct Outline<'t> {
    text: &'t str,
    entries: Vec<OutlineEntry>,
}

/// A value of an outline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutlineValue<'o> {
    outline: &'o Outline<'o>,
    at: usize,
}

impl<'t> Outline<'t> {
    /// The outline of a text; none when the deadline passes, which `parse` then says.
    pub(crate) fn read(source: &'t Source, limits: &Limits) -> Option<Self> {
        let text = source.text();
        if text.len() > limits.grammar_bytes || u32::try_from(text.len()).is_err() {
            return None;
        }
        let entries = scan(text, &Deadline::start(limits))?;
        Some(Outline { text, entries })
    }

    /// The value that is the whole text.
    pub(crate) fn root(&self) -> OutlineValue<'_> {
        OutlineValue {
            outline: self,
            at: 0,
        }
    }
}

impl<'o> OutlineValue<'o> {
    fn entry(self) -> OutlineEntry {
        let none = OutlineEntry {
            start: 0,
            end: 0,
            next: 0,
        };
        self.outline.entries.get(self.at).copied().unwrap_or(none)
    }

    /// Its place.
    pub(crate) fn span(self) -> Span {
        let OutlineEntry { start, end, .. } = self.entry();
        Span::new(start as usize, end as usize)
    }

    /// As it is written.
    pub(crate) fn text(self) -> &'o str {
        let Span { start, end } = self.span();
        self.outline.text.get(start..end).unwrap_or_default()
    }

    /// The byte that it begins with, which says the kind of value.
    pub(crate) fn first(self) -> u8 {
        let start = self.span().start;
        let bytes = self.outline.text.as_bytes();
        bytes.get(start).copied().unwrap_or_default()
    }

    /// The text of a string without escapes; `None` of other values, and of strings with escapes.
    pub(crate) fn plain_string(self) -> Option<&'o str> {
        let text = self.text().strip_prefix('"')?.strip_suffix('"')?;
        (!text.contains('\\')).then_some(text)
    }

    /// What it holds: items, or keys each followed by its value.
    fn parts(self) -> impl Iterator<Item = OutlineValue<'o>> {
        let (outline, end) = (self.outline, self.entry().next as usize);
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let part = OutlineValue { outline, at };
            (at < end).then(|| {
                // An entry that follows another one in the text follows it in the list.
                at = (part.entry().next as usize).max(at + 1);
                part
            })
        })
    }

    /// The items, if this is an array.
    pub(crate) fn items(self) -> Option<impl Iterator<Item = OutlineValue<'o>>> {
        (self.first() == b'[').then(|| self.parts())
    }

    /// The keys and values, if this is an object.
    pub(crate) fn members(
        self,
    ) -> Option<impl Iterator<Item = (OutlineValue<'o>, OutlineValue<'o>)>> {
        let mut parts = (self.first() == b'{').then(|| self.parts())?;
        Some(std::iter::from_fn(move || {
            Some((parts.next()?, parts.next()?))
        }))
    }

    /// The text of a key: keys have no escapes.
    pub(crate) fn key(self) -> &'o str {
        let text = self.text();
        text.get(1..text.len().saturating_sub(1))
            .unwrap_or_default()
    }

    /// The value of a member, if this is an object that has it.
    pub(crate) fn get(self, key: &str) -> Option<OutlineValue<'o>> {
        let mut members = self.members()?;
        let found = members.find(|(name, _)| name.key() == key);
        found.map(|(_, value)| value)
    }
}
