//! Free text, and what can stand in it.
//!
//! In: formats of free text, with or without tags in it, and what is around them. Out: one automaton for each ([`region`](super::region)): its delimiters are the excludes, the triggers
//! and the ends that come right behind.

use super::super::ast::{Delimiter, Dispatch, TriggeredTags, Unit};
use super::super::check::is_prefix;
use super::super::trie::characters;
use super::region::{EndPattern, TextRegion, Then, of_tokens};
use super::spell::{DelimiterWords, TextPiece};
use super::{EndsAround, LoweredFormat, TagLowering};
use crate::grammar::{Expr, RuleId};
use crate::source::Span;

/// Free text that is not lowered yet.
pub(super) struct Free<'f> {
    unit: Unit,
    first: Option<Expr>,
    pub(super) delimiters: Vec<(&'f Delimiter, Then)>,
    words: Vec<EndPattern>,
    /// What the text does not begin with.
    pub(super) not_first: Vec<String>,
    may_end: bool,
    pub(super) max_chars: Option<u32>,
    pub(super) max_tokens: Option<u16>,
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
            first: None,
            delimiters: never.chain(exits).collect(),
            words: Vec::new(),
            not_first: Vec::new(),
            may_end: around.exits.is_empty(),
            max_chars: None,
            max_tokens: None,
        }
    }

    /// The automaton of free text.
    pub(super) fn finish(&mut self, free: Free<'_>, span: Span) -> LoweredFormat {
        if free.unit == Unit::Tokens {
            return Ok(self.finish_tokens(free));
        }
        let mut patterns = free.words;
        for (delimiter, then) in free.delimiters {
            self.add_words(&mut patterns, self.speller.words(delimiter), &then);
        }
        let region = TextRegion {
            first: free.first,
            patterns,
            // A token that the text does not name is not text. So the spelled names of tokens are forbidden.
            not_first: free.not_first.iter().map(|text| characters(text)).collect(),
            may_end: free.may_end,
            max_chars: free.max_chars,
            max_tokens: free.max_tokens,
        };
        let next = RuleId(self.rules.len() as u32);
        let lowered = region.lower(&self.options.limits, &self.options.tags, next);
        let (text, blocks) =
            lowered.map_err(|refused| refused.diagnostic().at(span, "this text"))?;
        for block in blocks {
            self.rule("text", block, span);
        }
        Ok(text)
    }

    fn finish_tokens(&self, free: Free<'_>) -> Expr {
        let mut tokens: Vec<(u32, Then)> = Vec::new();
        // Texts that are not one token are not seen among tokens; those behind the region are read as they are.
        let mut others = Vec::new();
        for (delimiter, then) in free.delimiters {
            match (self.speller.whole_token(delimiter), then) {
                (Some(id), then) => tokens.push((id, then)),
                (None, Then::Done(after)) => {
                    others.push(Expr::Seq(vec![self.speller.delimiter(delimiter), after]));
                }
                (None, _) => {}
            }
        }
        of_tokens(free.first, &tokens, &others, free.may_end, free.max_tokens)
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
        let bodies: Result<Vec<Expr>, _> = tags.iter().map(|tag| self.body(tag, &inner)).collect();
        let bodies = bodies?;
        let whole = || {
            let tags = tags.iter().zip(&bodies);
            Expr::Alt(
                tags.map(|(tag, body)| {
                    Expr::Seq(vec![self.speller.delimiter(&tag.begin), body.clone()])
                })
                .collect(),
            )
        };
        if *at_least_one && *stop_after_first {
            return Ok(whole());
        }
        let first = at_least_one.then(whole);
        let mut free = self.region(*unit, excludes, around);
        free.first = first;
        for (tag, body) in tags.iter().zip(bodies) {
            let then = |rest: Vec<Expr>| {
                let expr = Expr::Seq(rest.into_iter().chain([body.clone()]).collect());
                Then::new(expr, !stop_after_first)
            };
            let trigger = triggers
                .iter()
                .find(|trigger| is_prefix(trigger, &tag.begin));
            match (trigger, &tag.begin) {
                (Some(Delimiter::Text(trigger)), Delimiter::Text(begin)) => {
                    let (before, after) = self.cut(&begin.value, trigger.value.len());
                    let rest = after
                        .iter()
                        .map(|piece| self.speller.piece(piece))
                        .collect();
                    let words = self.speller.words_of(&before);
                    self.add_words(&mut free.words, words, &then(rest));
                }
                (Some(trigger), _) => free.delimiters.push((trigger, then(Vec::new()))),
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
            free.delimiters.push((trigger, Then::new(expr, *is_loop)));
        }
        self.finish(free, span)
    }
}
