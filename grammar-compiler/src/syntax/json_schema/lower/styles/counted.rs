//! Raw texts of long strings, whose characters are counted beside the automaton of what ends them.
//!
//! In: a bound on the length of strings that may be any, and the end of an element. Out: a rule for
//! the texts with their end, made once for equal bounds. What holds: the texts are those of
//! [`raw_string`](super::raw), with the end behind them; the bound costs blocks of characters, as
//! `max_chars` of free text does.

use super::super::super::values::{Problem, StringCase};
use super::super::SchemaLowering;
use crate::grammar::{Expr, Rule, RuleId};
use crate::syntax::region::{EndPattern, TextRegion, Then};
use crate::syntax::trie::characters;
use maskwright_core::style::Form;

/// States that a character of a bound may take, beside the prefixes of the end.
const STATES: usize = 2;
/// Longer ends are not looked for where strings have a least length.
const LONGEST_END: usize = 60;

impl SchemaLowering<'_, '_> {
    /// The texts of these strings up to the end of their element, and the end; nothing if they are
    /// few enough for an automaton of all lengths, or are not to be counted so: strings of a
    /// pattern or a list, and where a text is excluded.
    pub(super) fn counted_raw(
        &mut self,
        case: &StringCase,
        form: &Form<'_>,
    ) -> Result<Option<Expr>, Problem> {
        if let Some(texts) = self.bounded_raw(case, form)? {
            return Ok(Some(texts));
        }
        let behind = form.closing.map_or("", |closing| closing.0);
        let whole = [form.end, behind].concat();
        let (Some(max), Ok(min)) = (case.max, u32::try_from(case.min)) else {
            return Ok(None);
        };
        let states = (max as usize).saturating_mul(form.end.len() + STATES);
        let is_plain = case.language.is_any() && self.options.excludes.is_empty();
        let fits = states <= self.limits.states / 2 || (min > 0 && whole.len() > LONGEST_END);
        let Ok(max) = u32::try_from(max) else {
            return Ok(None);
        };
        if fits || !is_plain {
            return Ok(None);
        }
        let key = (min, max, whole.clone());
        if let Some(&rule) = self.counted.get(&key) {
            return Ok(Some(Expr::Ref(rule)));
        }
        let words = self.speller.words_of(&self.speller.pieces(&whole));
        let end = characters(form.end);
        let mut patterns: Vec<EndPattern> = Vec::new();
        let never = words.alike.into_iter().chain([end]);
        let never: Vec<_> = never.filter(|word| !words.meant.contains(word)).collect();
        for (words, then) in [
            (words.meant, Then::Done(Expr::Seq(Vec::new()))),
            (never, Then::Never),
        ] {
            patterns.extend(words.into_iter().map(|word| EndPattern {
                word,
                then: then.clone(),
            }));
        }
        let region = TextRegion {
            patterns,
            shared: Vec::new(),
            not_first: Vec::new(),
            may_end: false,
            min_chars: min,
            trimmed: form.trimmed,
            max_chars: Some(max),
            max_tokens: None,
        };
        let next = RuleId(self.rules.len() as u32);
        let lowered = region.lower(self.limits, 0, next);
        let Ok((text, blocks)) = lowered else {
            return Err(self.too_long(case, form.end));
        };
        for block in blocks.into_iter().chain([text]) {
            self.rules.push(Rule::new("text", block));
        }
        let rule = RuleId(self.rules.len() as u32 - 1);
        self.counted.insert(key, rule);
        Ok(Some(Expr::Ref(rule)))
    }
}
