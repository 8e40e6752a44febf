//! Whether the delimiters of one free text can be told apart.
//!
//! In: its triggers and excludes, and the ends around it. Out: an error for each that is in another
//! one's way.

use super::super::ast::Delimiter;
use super::{Checker, EndContext};
use crate::error::Code;
use crate::maps::KeyedMap;
use crate::syntax::trie::{Symbol, Trie, characters};
use std::collections::BTreeMap;

impl Checker<'_> {
    /// Refuses delimiters of free text that cannot be distinguished.
    pub(super) fn free(
        &mut self,
        triggers: &[&Delimiter],
        excludes: &[Delimiter],
        context: &EndContext<'_>,
    ) {
        for exclude in excludes {
            if self.stops(triggers.len()) {
                return;
            }
            if let Some(trigger) = triggers.iter().find(|trigger| is_within(exclude, trigger)) {
                self.refuse(
                    Code::TagExcludedTrigger,
                    format!(
                        "the trigger {} contains {}, which is excluded",
                        trigger.shown(),
                        exclude.shown()
                    ),
                    &[(exclude, "excluded here"), (trigger, "this trigger")],
                    "leave one of the two out: free text without the excluded text never contains the trigger",
                );
                return;
            }
        }
        let ends = || context.exits.iter().chain(&context.outer).copied();
        // How each trigger is written, the first of those that are written alike.
        let mut written: KeyedMap<Vec<Symbol>, &Delimiter> = KeyedMap::default();
        for &trigger in triggers.iter().filter(|_| ends().next().is_some()) {
            if self.stops(1) {
                return;
            }
            written.entry(self.written(trigger)).or_insert(trigger);
        }
        for end in ends() {
            if self.stops(1) {
                return;
            }
            if let Some(trigger) = written.get(&self.written(end)) {
                self.refuse(
                    Code::TagEndIsTrigger,
                    format!(
                        "{} is a trigger, and the end of a tag around it",
                        end.shown()
                    ),
                    &[(trigger, "this trigger"), (end, "this end")],
                    "let them differ: a reader cannot know which of the two is meant",
                );
                return;
            }
        }
        self.shadows(triggers, excludes, context);
    }

    /// Refuses a delimiter that contains another delimiter: the inner one is always complete first.
    fn shadows(
        &mut self,
        triggers: &[&Delimiter],
        excludes: &[Delimiter],
        context: &EndContext<'_>,
    ) {
        let needed = triggers.iter().chain(&context.exits).copied();
        let others = excludes.iter().chain(context.outer.iter().copied());
        let all: Vec<&Delimiter> = needed.clone().chain(others).collect();
        // In characters; and as it is written, in tokens where it names some.
        let spelled = all.iter().map(|delimiter| word(delimiter)).collect();
        let written = all
            .iter()
            .map(|delimiter| self.written(delimiter))
            .collect();
        let words: [Vec<Vec<Symbol>>; 2] = [spelled, written];
        let mut shadowed = BTreeMap::new();
        for words in words {
            // If there are too many, lowering says so.
            let Ok(trie) = Trie::new(words.iter().map(Vec::as_slice), self.limits) else {
                return;
            };
            for (at, word) in (0..needed.clone().count()).zip(&words) {
                if self.stops(word.len()) {
                    return;
                }
                if let Some(by) = trie.shadow(word) {
                    shadowed.entry(at).or_insert(by);
                }
            }
        }
        for (at, by) in shadowed {
            let (delimiter, by) = (all[at], all[by]);
            self.refuse(
                Code::TagShadowed,
                format!(
                    "{} can never be complete: {}, a part of it, is complete first",
                    delimiter.shown(),
                    by.shown()
                ),
                &[(delimiter, "this one"), (by, "is complete before it")],
                "leave one of them out",
            );
        }
    }

    /// A delimiter as it is written: in tokens where it names some.
    fn written(&self, delimiter: &Delimiter) -> Vec<Symbol> {
        let Delimiter::Text(text) = delimiter else {
            return word(delimiter);
        };
        let pieces = self.speller.pieces(&text.value);
        let symbols = pieces.iter().map(|piece| match piece.token {
            Some(id) => vec![Symbol::Token(id)],
            None => characters(piece.text),
        });
        symbols.collect::<Vec<_>>().concat()
    }
}

/// A delimiter as it is written without tokens for texts.
fn word(delimiter: &Delimiter) -> Vec<Symbol> {
    match delimiter {
        Delimiter::Text(text) => characters(&text.value),
        Delimiter::Token(id, _) => vec![Symbol::Token(*id)],
    }
}

/// Whether `inner` occurs in `outer`.
fn is_within(inner: &Delimiter, outer: &Delimiter) -> bool {
    match (inner.text(), outer.text()) {
        (Some(inner), Some(outer)) => outer.contains(inner),
        _ => inner.is(outer),
    }
}
