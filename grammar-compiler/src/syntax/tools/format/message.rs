//! What tells a call from the other messages of an output.
//!
//! In: a format whose calls stand among messages, without sections. Out: what else a message begins
//! with, and the names that no tool can have because of it. What holds: a call of a tool with
//! another name does not begin as reasoning or a text does, nor these as the call.

use super::template::{Piece, Place, Template};
use super::{Layout, ToolFormat};
use crate::limits::Deadline;
use crate::syntax::fields::{DOING, FieldReader, FieldText};
use maskwright_core::calls::is_name_char;

impl ToolFormat {
    /// What reasoning and texts begin with, where calls stand among them.
    fn messages(&self) -> impl Iterator<Item = (&'static str, &FieldText)> {
        let is_alone = self.layout == Layout::Messages && self.sections.is_empty();
        let reasoning = self.reasoning.iter();
        let reasoning = reasoning.map(|reasoning| ("reasoning", &reasoning.begin));
        let texts = self.texts.iter().map(|text| ("a text", &text.begin));
        reasoning.chain(texts).filter(move |_| is_alone)
    }

    /// Whether it is the tool's name that tells a call from reasoning or a text.
    pub(in super::super) fn is_told_by_name(&self) -> bool {
        let mut calls = self.calls.iter().map(Template::begin_text);
        calls.any(|begin| {
            let mut messages = self.messages();
            messages.any(|(_, other)| other.value.starts_with(begin))
        })
    }

    /// What a call of a tool with this name would be taken for, and what that begins with. Where
    /// the time is over, the next look says so.
    pub(in super::super) fn taken_for(
        &self,
        name: &str,
        deadline: &Deadline,
    ) -> Option<(&'static str, &str)> {
        let mut calls = self.calls.iter();
        calls.find_map(|call| {
            let (before, text) = (call.begin_text(), begin_with(call, name));
            let is_alike = |other: &str| {
                let rest = other.strip_prefix(before).unwrap_or_default();
                let word = rest.find(|c: char| !is_name_char(c));
                let word = word.and_then(|end| rest.get(..end));
                // Other blanks than the template's may follow the name.
                text.starts_with(other) || other.starts_with(&text) || word == Some(name)
            };
            let messages = self.messages();
            let mut messages = messages
                .take_while(|(_, other)| !deadline.stops_after(1 + other.value.len(), DOING));
            let other = messages.find(|(_, other)| is_alike(&other.value));
            other.map(|(what, begin)| (what, begin.value.as_str()))
        })
    }
}

/// What a call of a tool with this name begins with, up to its identifier or its arguments.
fn begin_with(call: &Template, name: &str) -> String {
    let pieces = call.pieces().iter().map_while(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        Piece::Place(Place::Name) => Some(name),
        Piece::Place(_) => None,
    });
    pieces.collect()
}

/// Marks reasoning and texts that begin as calls do, unless the tool's name follows what both begin
/// with.
pub(super) fn check(reader: &mut FieldReader<'_>, format: &ToolFormat) {
    for (what, other) in format.messages() {
        if (reader.deadline).stops_after(format.calls.len() * (1 + other.value.len()), DOING) {
            return;
        }
        let mut calls = format.calls.iter();
        let alike = calls.find(|call| {
            let begin = call.begin_text();
            let is_longer = other.value.len() > begin.len();
            let is_told = || call.has_name_first() && is_longer;
            begin.starts_with(&other.value) || other.value.starts_with(begin) && !is_told()
        });
        if let Some(call) = alike {
            let begin = call.begin_text();
            let message = format!("{what} begins as a call does, with `{begin}`");
            let help = "let the tool's name follow what both begin with, or neither be the \
                        beginning of the other: a reader could not tell them apart";
            reader.malformed(other.span, message, help);
        }
    }
}
