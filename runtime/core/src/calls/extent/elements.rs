//! Arguments in elements.

use super::super::literal::{Found, behind_blanks, stands};
use super::super::part::Span;
use super::{Extent, ExtentStep, Phase};
use crate::style::{Form, Kind};

impl Extent {
    /// Elements: one step.
    pub(super) fn elements(&mut self, form: &Form, text: &str) -> ExtentStep {
        match self.phase {
            Phase::Begin | Phase::Brackets | Phase::String(_) | Phase::Raw => {
                self.begin(form, text)
            }
            Phase::Key => {
                if !self.find(form.key_end, text) {
                    return ExtentStep::Cut;
                }
                self.key = Span::new(self.key.start(), self.at - form.key_end.len());
                self.phase = Phase::Kind;
                match self.key.is_empty() {
                    true => ExtentStep::Stop,
                    false => ExtentStep::Go,
                }
            }
            Phase::Kind => self.kind(form, text),
            Phase::Value => {
                if !self.find(form.end, text) {
                    return ExtentStep::Cut;
                }
                match form.closing {
                    Some(_) => self.phase = Phase::Closing,
                    None => self.whole(),
                }
                ExtentStep::Go
            }
            Phase::Marked => self.mark(form, text),
            Phase::Closing => {
                let (before, behind) = form.closing.unwrap_or_default();
                let mut at = self.at;
                for literal in [before, self.key.of(text), behind] {
                    match stands(literal, text, at) {
                        Found::Yes => at += literal.len(),
                        Found::No => return ExtentStep::Stop,
                        Found::Cut => return ExtentStep::Cut,
                    }
                }
                self.at = at;
                self.whole();
                ExtentStep::Go
            }
        }
    }

    /// An element, or in another one its end.
    fn begin(&mut self, form: &Form, text: &str) -> ExtentStep {
        self.at = behind_blanks(text, self.at);
        if self.open > 0 {
            match stands(form.end, text, self.at) {
                Found::Yes => {
                    self.at += form.end.len();
                    self.open -= 1;
                    self.whole();
                    return ExtentStep::Go;
                }
                Found::Cut => return ExtentStep::Cut,
                Found::No => {}
            }
        }
        if self.open == 0 && self.span.is_empty() {
            self.span = Span::new(self.at, self.at);
        }
        match stands(form.open, text, self.at) {
            Found::Yes => self.key(form, text),
            Found::Cut => ExtentStep::Cut,
            Found::No => {
                let item = form.item.unwrap_or_default();
                match stands(item, text, self.at) {
                    _ if item.is_empty() => ExtentStep::Stop,
                    Found::Yes => {
                        self.at += item.len();
                        self.phase = Phase::Kind;
                        ExtentStep::Go
                    }
                    Found::Cut => ExtentStep::Cut,
                    Found::No => ExtentStep::Stop,
                }
            }
        }
    }

    /// The first character of a key.
    fn key(&mut self, form: &Form, text: &str) -> ExtentStep {
        let key = self.at + form.open.len();
        let first = text.get(key..).and_then(|rest| rest.chars().next());
        if first.is_none() && form.not_first.is_some() {
            return ExtentStep::Cut;
        }
        if first.is_some() && first == form.not_first {
            return ExtentStep::Stop;
        }
        self.at = key;
        self.key = Span::new(key, key);
        self.phase = Phase::Key;
        ExtentStep::Go
    }

    /// The word for the kind of a value, and what stands behind it.
    fn kind(&mut self, form: &Form, text: &str) -> ExtentStep {
        if form.gap {
            self.at = behind_blanks(text, self.at);
        }
        let mut is_cut = false;
        for word in form.kinds.into_iter().chain(form.integer) {
            let behind = self.at + word.len();
            let both = match stands(word, text, self.at) {
                Found::Yes => stands(form.kind_end, text, behind),
                other => other,
            };
            is_cut |= both == Found::Cut;
            if both == Found::Yes {
                let is_nested =
                    [Kind::Array, Kind::Object].map(|kind| form.kind(kind) == word) != [false; 2];
                self.at = behind + form.kind_end.len();
                self.phase = match (is_nested && form.item.is_some(), form.closing) {
                    (false, _) => Phase::Value,
                    (true, Some(_)) => Phase::Marked,
                    (true, None) => {
                        self.open += 1;
                        Phase::Begin
                    }
                };
                return ExtentStep::Go;
            }
        }
        match is_cut {
            true => ExtentStep::Cut,
            false => ExtentStep::Stop,
        }
    }

    /// The next mark in a value with elements.
    fn mark(&mut self, form: &Form, text: &str) -> ExtentStep {
        if !self.find(form.end, text) {
            return ExtentStep::Cut;
        }
        let mark = self.at - form.end.len();
        let (before, _) = form.closing.unwrap_or_default();
        let closes = stands(before, text, self.at);
        if closes == Found::Yes {
            match self.open.checked_sub(1) {
                Some(open) => self.open = open,
                None => self.phase = Phase::Closing,
            }
            return ExtentStep::Go;
        }
        let opens = stands(form.open, text, mark);
        let item = stands(form.item.unwrap_or(form.open), text, mark);
        let all = [closes, opens, item];
        if all.contains(&Found::Cut) {
            self.at = mark;
            ExtentStep::Cut
        } else if all.contains(&Found::Yes) {
            self.open += 1;
            ExtentStep::Go
        } else {
            ExtentStep::Stop
        }
    }

    /// An element is whole.
    fn whole(&mut self) {
        self.phase = Phase::Begin;
        if self.open == 0 {
            self.span = Span::new(self.span.start(), self.at);
        }
    }
}
