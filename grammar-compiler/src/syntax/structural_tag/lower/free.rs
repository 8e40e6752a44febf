//! Free text, and what can stand in it.
//!
//! In: formats of free text, with or without tags in it, and what is around them. Out: one
//! automaton for each ([`region`](crate::syntax::region)): its delimiters are the excludes, the
//! triggers and the ends that come right behind.

use super::super::ast::{Delimiter, Dispatch, TriggeredTags, Unit};
use super::super::check::is_prefix;
use super::spell::{DelimiterWords, TextPiece};
use super::{EndsAround, LoweredFormat, TagLowering};
use crate::grammar::{Expr, RuleId};
use crate::source::Span;
use crate::syntax::region::{EndPattern, SharedPart, TextRegion, Then, of_tokens};
use crate::syntax::trie::characters;

/// Free text that is not lowered yet.
pub(super) struct Free<'f> {
    unit: Unit,
    pub(super) delimiters: Vec<(&'f Delimiter, Then)>,
    shared: Vec<SharedPart>,
    words: Vec<EndPattern>,
    /// What the text does not begin with.
    pub(super) not_first: Vec<String>,
    may_end: bool,
    pub(super) max_chars: Option<u32>,
    pub(super) max_tokens: Option<u16>,
    /// Whether a delimiter may be more than one word.
    spelled: bool,
}

impl Free<'_> {
    /// What follows a trigger: `rest` and then `expr`, which comes behind `first`, too, if the free
    /// text begins with that. An expression that follows several words stands in the automaton
    /// once: otherwise each level of tags in tags would double it.
    fn then(&mut self, first: Option<Expr>, rest: Vec<Expr>, expr: Expr, goes_on: bool) -> Then {
        if first.is_none() && !self.spelled {
            let parts = rest.into_iter().chain([expr]);
            return Then::new(Expr::Seq(parts.collect()), goes_on);
        }
        self.shared.push(SharedPart {
            first,
            expr,
            goes_on,
        });
        Then::Shared(Expr::Seq(rest), self.shared.len() - 1)
    }
}

impl<'o> TagLowering<'o> {
    /// Free text with these excludes, up to the exits; it may end anywhere if there are none.
    pub(super) fn region<'f>(
        &self,
        unit: Unit,
        excludes: &'f [Delimiter],
        around: &EndsAround<'f>,
    ) -> Free<'f> {
        let never = excludes.iter().chain(around.forbidden.iter().copied());
        let never = never.map(|delimiter| (delimiter, Then::Never));
        let exits = around
            .exits
            .iter()
            .map(|exit| (exit.end, Then::Done(exit.after.clone())));
        Free {
            unit,
            delimiters: never.chain(exits).collect(),
            shared: Vec::new(),
            words: Vec::new(),
            not_first: Vec::new(),
            may_end: around.exits.is_empty(),
            max_chars: None,
            max_tokens: None,
            spelled: self.speller.spelled,
        }
    }

    /// The automaton of free text.
    pub(super) fn finish(&mut self, free: Free<'_>, span: Span) -> LoweredFormat {
        if free.unit == Unit::Tokens {
            return self.finish_tokens(free, span);
        }
        let mut patterns = free.words;
        for (delimiter, then) in free.delimiters {
            self.in_time(delimiter.steps(), span)?;
            self.add_words(&mut patterns, self.speller.words(delimiter), &then);
        }
        let region = TextRegion {
            patterns,
            shared: free.shared,
            // A token that the text does not name is not text. So the spelled names of tokens are
            // forbidden.
            not_first: free.not_first.iter().map(|text| characters(text)).collect(),
            may_end: free.may_end,
            min_chars: 0,
            trimmed: false,
            max_chars: free.max_chars,
            max_tokens: free.max_tokens,
        };
        let next = RuleId(self.rules.len() as u32);
        let lowered = region.lower(&self.options.limits, self.options.tags.block, next);
        let (text, blocks) =
            lowered.map_err(|refused| refused.diagnostic().at(span, "this text"))?;
        for block in blocks {
            self.rule("text", block, span);
        }
        Ok(text)
    }

    fn finish_tokens(&self, free: Free<'_>, span: Span) -> LoweredFormat {
        let mut tokens: Vec<(u32, Then)> = Vec::new();
        // Texts that are not one token are not seen among tokens; those behind the region are read
        // as they are.
        let mut others = Vec::new();
        for (delimiter, then) in free.delimiters {
            self.in_time(delimiter.steps(), span)?;
            match (self.speller.whole_token(delimiter), then) {
                (Some(id), then) => tokens.push((id, then)),
                (None, Then::Done(after)) => {
                    self.copies(delimiter, 1)?;
                    others.push(Expr::Seq(vec![self.speller.delimiter(delimiter), after]));
                }
                (None, _) => {}
            }
        }
        Ok(of_tokens(
            &tokens,
            &free.shared,
            &others,
            free.may_end,
            free.max_tokens,
        ))
    }

    fn add_words(&self, patterns: &mut Vec<EndPattern>, words: DelimiterWords, then: &Then) {
        patterns.extend(words.meant.into_iter().map(|word| EndPattern {
            word,
            then: then.clone(),
        }));
        patterns.extend(words.alike.map(|word| EndPattern {
            word,
            then: Then::Never,
        }));
    }

    pub(super) fn triggered_tags<'f>(
        &mut self,
        format: &'f TriggeredTags,
        around: &EndsAround<'f>,
        span: Span,
    ) -> LoweredFormat {
        let TriggeredTags {
            unit,
            triggers,
            tags,
            at_least_one,
            stop_after_first,
            excludes,
        } = format;
        let inner = match stop_after_first {
            true => around.clone(),
            false => around.inner(),
        };
        if *at_least_one && *stop_after_first {
            return self.one_of(tags, &inner);
        }
        let mut free = self.region(*unit, excludes, around);
        for tag in tags {
            let body = self.body(tag, &inner)?;
            let first = at_least_one.then(|| self.speller.delimiter(&tag.begin));
            let trigger = triggers
                .iter()
                .find(|trigger| is_prefix(trigger, &tag.begin));
            match (trigger, &tag.begin) {
                (Some(Delimiter::Text(trigger)), Delimiter::Text(begin)) => {
                    let (before, after) = self.cut(&begin.value, trigger.value.len());
                    let rest = after.iter().map(|piece| self.speller.piece(piece));
                    let then = free.then(first, rest.collect(), body, !stop_after_first);
                    let words = self.speller.words_of(&before);
                    self.add_words(&mut free.words, words, &then);
                }
                (Some(trigger), _) => {
                    let then = free.then(first, Vec::new(), body, !stop_after_first);
                    free.delimiters.push((trigger, then));
                }
                (None, _) => {}
            }
        }
        self.finish(free, span)
    }

    /// The pieces of a begin that hold its trigger, and those behind.
    fn cut<'t>(&self, begin: &'t str, trigger: usize) -> (Vec<TextPiece<'t>>, Vec<TextPiece<'t>>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut at = 0;
        for piece in self.speller.pieces(begin) {
            let end = at + piece.text.len();
            if at >= trigger {
                after.push(piece);
            } else if end <= trigger || piece.token.is_some() {
                before.push(piece);
            } else {
                let (one, other) = piece.text.split_at(trigger - at);
                before.push(TextPiece {
                    text: one,
                    token: None,
                });
                after.push(TextPiece {
                    text: other,
                    token: None,
                });
            }
            at = end;
        }
        (before, after)
    }

    pub(super) fn dispatch<'f>(
        &mut self,
        format: &'f Dispatch,
        around: &EndsAround<'f>,
        span: Span,
    ) -> LoweredFormat {
        let Dispatch {
            unit,
            rules,
            is_loop,
            excludes,
        } = format;
        let inner = match is_loop {
            true => around.inner(),
            false => around.clone(),
        };
        let mut free = self.region(*unit, excludes, around);
        for (trigger, format) in rules {
            let expr = self.format(format, &inner)?;
            let then = free.then(None, Vec::new(), expr, *is_loop);
            free.delimiters.push((trigger, then));
        }
        self.finish(free, span)
    }
}
