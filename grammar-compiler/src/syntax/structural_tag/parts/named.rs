//! The tokens that formats name in delimiters and texts.

use std::collections::BTreeSet;

use super::super::ast::{Delimiter, Format, FormatKind, Tag};
use crate::syntax::spell::Speller;

/// The tokens that closed formats name. A grammar in one may name others.
pub(super) fn named(formats: &[Format], speller: &Speller) -> BTreeSet<u32> {
    let mut finder = TokenFinder {
        speller,
        found: BTreeSet::new(),
    };
    formats.iter().for_each(|format| finder.format(format));
    finder.found
}

struct TokenFinder<'s> {
    speller: &'s Speller,
    found: BTreeSet<u32>,
}

impl TokenFinder<'_> {
    fn text(&mut self, text: &str) {
        let pieces = self.speller.pieces(text).into_iter();
        self.found.extend(pieces.filter_map(|piece| piece.token));
    }

    fn tag(&mut self, tag: &Tag) {
        for delimiter in tag.ends.iter().chain([&tag.begin]) {
            match delimiter {
                Delimiter::Text(text) => self.text(&text.value),
                Delimiter::Token(id, _) => {
                    self.found.insert(*id);
                }
            }
        }
        self.format(&tag.content);
    }

    fn format(&mut self, format: &Format) {
        match &format.kind {
            FormatKind::ConstString(text) => self.text(&text.value),
            FormatKind::Sequence(parts) | FormatKind::Or(parts) => {
                parts.iter().for_each(|part| self.format(part));
            }
            FormatKind::Repeat { content, .. } => self.format(content),
            FormatKind::Tag(tag) => self.tag(tag),
            FormatKind::TagsWithSeparator {
                tags, separator, ..
            } => {
                self.text(&separator.value);
                tags.iter().for_each(|tag| self.tag(tag));
            }
            FormatKind::JsonSchema(_)
            | FormatKind::Grammar(_)
            | FormatKind::Regex(_)
            // These are in no closed format.
            | FormatKind::Any { .. }
            | FormatKind::TriggeredTags(_)
            | FormatKind::Dispatch(_)
            | FormatKind::Token(_)
            | FormatKind::ExcludeToken(_) => {}
        }
    }
}
