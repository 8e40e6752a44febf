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
use std::rc::Rc;

/// A delimiter, and how it is written. Copies share the words.
#[derive(Clone)]
pub(super) struct WrittenDelimiter<'f> {
    delimiter: &'f Delimiter,
    words: Rc<DelimiterSymbols>,
}

/// How a delimiter is written.
struct DelimiterSymbols {
    /// In characters.
    spelled: Vec<Symbol>,
    /// In tokens where it names some.
    written: Vec<Symbol>,
}

impl Checker<'_> {
    /// Refuses delimiters of free text that cannot be distinguished.
    pub(super) fn free<'f>(
        &mut self,
        triggers: &[&'f Delimiter],
        excludes: &'f [Delimiter],
        context: &EndContext<'f>,
    ) {
        let bytes = triggers.iter().map(|one| one.steps());
        let steps = triggers.len() + bytes.sum::<usize>();
        for exclude in excludes {
            if self.stops(steps) {
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
        let triggers: Vec<WrittenDelimiter<'f>> = triggers
            .iter()
            .map_while(|trigger| self.written_in_time(trigger))
            .collect();
        if self.ends_a_tag(&triggers, context) || self.deadline.is_over() {
            return;
        }
        let excludes: Vec<WrittenDelimiter<'f>> = excludes
            .iter()
            .map_while(|exclude| self.written_in_time(exclude))
            .collect();
        self.shadows(&triggers, &excludes, context);
    }

    /// Refuses a trigger that is the end of a tag around it; whether there is one.
    fn ends_a_tag(&mut self, triggers: &[WrittenDelimiter<'_>], context: &EndContext<'_>) -> bool {
        // How each trigger is written, the first of those that are written alike.
        let mut written: KeyedMap<&[Symbol], &Delimiter> = KeyedMap::default();
        let mut longest = 0;
        let ends = || context.exits.iter().chain(&context.outer);
        for trigger in triggers.iter().filter(|_| ends().next().is_some()) {
            let word = trigger.words.written.as_slice();
            if self.stops(word.len()) {
                return false;
            }
            longest = longest.max(word.len());
            written.entry(word).or_insert(trigger.delimiter);
        }
        for end in ends() {
            let word = end.words.written.as_slice();
            if self.stops(word.len().min(longest)) {
                return false;
            }
            // To look for a long end takes as long as it is.
            let found = Some(word).filter(|word| word.len() <= longest);
            if let Some(trigger) = found.and_then(|word| written.get(word)) {
                let end = end.delimiter;
                self.refuse(
                    Code::TagEndIsTrigger,
                    format!(
                        "{} is a trigger, and the end of a tag around it",
                        end.shown()
                    ),
                    &[(trigger, "this trigger"), (end, "this end")],
                    "let them differ: a reader cannot know which of the two is meant",
                );
                return true;
            }
        }
        false
    }

    /// Refuses a delimiter that contains another delimiter: the inner one is always complete first.
    fn shadows(
        &mut self,
        triggers: &[WrittenDelimiter<'_>],
        excludes: &[WrittenDelimiter<'_>],
        context: &EndContext<'_>,
    ) {
        let needed = || triggers.iter().chain(&context.exits);
        let others = excludes.iter().chain(&context.outer);
        let all: Vec<&WrittenDelimiter<'_>> = needed().chain(others).collect();
        let count = needed().count();
        let spelled = all.iter().map(|one| one.words.spelled.as_slice());
        let written = all.iter().map(|one| one.words.written.as_slice());
        let words: [Vec<&[Symbol]>; 2] = [spelled.collect(), written.collect()];
        let mut shadowed = BTreeMap::new();
        for words in words {
            // Other delimiters are in the way only of longer ones.
            let longest = words.iter().take(count).map(|word| word.len()).max();
            let longest = longest.unwrap_or(0);
            let is_in_the_way =
                |(at, word): &(usize, &[Symbol])| *at < count || word.len() < longest;
            let words = words.into_iter().enumerate().filter(is_in_the_way);
            let words: Vec<(usize, &[Symbol])> = words.collect();
            if self.stops(all.len()) || words.len() < 2 {
                continue;
            }
            // If there are too many, lowering says so.
            let Ok(trie) = Trie::new(words.iter().map(|(_, word)| *word), self.limits) else {
                return;
            };
            for (at, word) in words.iter().take(count) {
                if self.stops(word.len()) {
                    return;
                }
                if let Some(by) = trie.shadow(word).and_then(|by| words.get(by)) {
                    shadowed.entry(*at).or_insert(by.0);
                }
            }
        }
        for (at, by) in shadowed {
            let (delimiter, by) = (all[at].delimiter, all[by].delimiter);
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

    /// How a delimiter is written, unless the time is over.
    fn written_in_time<'f>(&self, delimiter: &'f Delimiter) -> Option<WrittenDelimiter<'f>> {
        (!self.stops(delimiter.steps())).then(|| self.written(delimiter))
    }

    /// How a delimiter is written.
    pub(super) fn written<'f>(&self, delimiter: &'f Delimiter) -> WrittenDelimiter<'f> {
        let spelled = word(delimiter);
        let written = match delimiter {
            Delimiter::Token(..) => spelled.clone(),
            Delimiter::Text(text) => {
                let pieces = self.speller.pieces(&text.value);
                let symbols = pieces.iter().map(|piece| match piece.token {
                    Some(id) => vec![Symbol::Token(id)],
                    None => characters(piece.text),
                });
                symbols.collect::<Vec<_>>().concat()
            }
        };
        let words = Rc::new(DelimiterSymbols { spelled, written });
        WrittenDelimiter { delimiter, words }
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
