//! Where arguments end in a text that may still grow.
//!
//! In: a style, and a text of which all before a position is read. Out: that the arguments end, and where, or that they may go on behind the end of
//! the text. [`Extent`] keeps how far it has come, so that a text that grows byte by byte is read once, whatever stands in it: raw text that holds
//! what ends a call, elements in elements, keys of any length.

use super::literal::{Found, Search, behind_blanks, search, stands};
use super::part::Span;
use crate::style::{Form, Kind, Style};

/// How far arguments are read.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// The arguments, as far as whole ones are read.
    span: Span,
    at: usize,
    /// How many brackets or elements are open.
    open: usize,
    phase: Phase,
    /// The last key that was read: that of the outermost element, where values are [`Phase::Marked`].
    key: Span,
    end: Option<End>,
}

/// What makes arguments end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Their last bracket, or something that no argument begins with.
    Certain,
    /// The end of the text: without it, more of them might have followed.
    OfText,
}

/// What is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The first bracket, or an element.
    Begin,
    /// In brackets, not in a string.
    Brackets,
    /// In a string, from the first byte that is not read on.
    String,
    /// The rest of a key.
    Key,
    /// What stands behind a key, up to the value.
    Kind,
    /// The rest of a value without elements.
    Value,
    /// A value that may hold elements, each of whose tags begins with a mark that no text contains.
    Marked,
    /// What stands behind the end of the outermost element's value.
    Closing,
}

/// What a step comes to.
enum Step {
    Go,
    /// The text ends.
    Cut,
    /// No argument begins here.
    Stop,
    /// This is no text of the style, however it goes on.
    Wrong,
}

impl Extent {
    pub(super) const fn new(at: usize) -> Extent {
        Extent {
            span: Span::new(at, at),
            at,
            open: 0,
            phase: Phase::Begin,
            key: Span::new(at, at),
            end: None,
        }
    }

    /// What made the arguments end, if they have.
    pub(super) const fn end(&self) -> Option<End> {
        self.end
    }

    /// The byte that is read next.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Where what follows the arguments begins, if they have ended. Blanks behind elements stand between arguments, not in what follows.
    pub(super) fn behind(&self, style: Style, text: &str) -> usize {
        match style.form() {
            Some(_) => behind_blanks(text, self.span.end()),
            None => self.span.end(),
        }
    }

    /// The arguments if they have ended, else all from their beginning to the end of the text.
    pub(super) const fn span(&self, text: &str) -> Span {
        match self.end {
            Some(_) => self.span,
            None => Span::new(self.span.start(), text.len()),
        }
    }

    /// Reads on. If they have ended, [`Self::span`] says where.
    pub(super) fn read(&mut self, style: Style, text: &str, is_finished: bool) -> Found {
        if self.end.is_some() {
            return Found::Yes;
        }
        loop {
            let step = match style.form() {
                None => self.brackets(text),
                Some(form) => self.elements(form, text),
            };
            let is_between = self.phase == Phase::Begin && self.open == 0;
            self.end = match step {
                Step::Go => continue,
                Step::Stop => Some(End::Certain),
                // Only blanks may be left of the text.
                Step::Cut
                    if is_finished
                        && is_between
                        && self.at >= text.len()
                        && style.form().is_some() =>
                {
                    Some(End::OfText)
                }
                Step::Cut => return Found::Cut,
                Step::Wrong => return Found::No,
            };
            return Found::Yes;
        }
    }

    /// JSON: what brackets hold.
    fn brackets(&mut self, text: &str) -> Step {
        if self.phase == Phase::Begin {
            self.at = behind_blanks(text, self.at);
            self.span = Span::new(self.at, self.at);
            match text.as_bytes().get(self.at) {
                Some(b'{' | b'[') => self.phase = Phase::Brackets,
                Some(_) => return Step::Wrong,
                None => return Step::Cut,
            }
        }
        while let Some(&byte) = text.as_bytes().get(self.at) {
            if self.phase == Phase::String {
                match byte {
                    // What is escaped belongs to the escape. It may be missing yet.
                    b'\\' if text.len() - self.at < 2 => return Step::Cut,
                    b'\\' => self.at += 1,
                    b'"' => self.phase = Phase::Brackets,
                    _ => {}
                }
                self.at += 1;
                continue;
            }
            self.at += 1;
            match byte {
                b'"' => self.phase = Phase::String,
                b'{' | b'[' => self.open += 1,
                b'}' | b']' => {
                    self.open = self.open.saturating_sub(1);
                    if self.open == 0 {
                        self.span = Span::new(self.span.start(), self.at);
                        return Step::Stop;
                    }
                }
                _ => {}
            }
        }
        Step::Cut
    }

    /// Elements: one step.
    fn elements(&mut self, form: &Form, text: &str) -> Step {
        match self.phase {
            Phase::Begin | Phase::Brackets | Phase::String => self.begin(form, text),
            Phase::Key => {
                if !self.find(form.key_end, text) {
                    return Step::Cut;
                }
                self.key = Span::new(self.key.start(), self.at - form.key_end.len());
                self.phase = Phase::Kind;
                match self.key.is_empty() {
                    true => Step::Stop,
                    false => Step::Go,
                }
            }
            Phase::Kind => self.kind(form, text),
            Phase::Value => {
                if !self.find(form.end, text) {
                    return Step::Cut;
                }
                match form.closing {
                    Some(_) => self.phase = Phase::Closing,
                    None => self.whole(),
                }
                Step::Go
            }
            Phase::Marked => self.mark(form, text),
            Phase::Closing => {
                let (before, behind) = form.closing.unwrap_or_default();
                let mut at = self.at;
                for literal in [before, self.key.of(text), behind] {
                    match stands(literal, text, at) {
                        Found::Yes => at += literal.len(),
                        Found::No => return Step::Stop,
                        Found::Cut => return Step::Cut,
                    }
                }
                self.at = at;
                self.whole();
                Step::Go
            }
        }
    }

    /// An element, or in another one its end.
    fn begin(&mut self, form: &Form, text: &str) -> Step {
        self.at = behind_blanks(text, self.at);
        if self.open > 0 {
            match stands(form.end, text, self.at) {
                Found::Yes => {
                    self.at += form.end.len();
                    self.open -= 1;
                    self.whole();
                    return Step::Go;
                }
                Found::Cut => return Step::Cut,
                Found::No => {}
            }
        }
        match stands(form.open, text, self.at) {
            Found::Yes => self.key(form, text),
            Found::Cut => Step::Cut,
            Found::No => {
                let item = form.item.filter(|_| self.open > 0).unwrap_or_default();
                match stands(item, text, self.at) {
                    _ if item.is_empty() => Step::Stop,
                    Found::Yes => {
                        self.at += item.len();
                        self.phase = Phase::Kind;
                        Step::Go
                    }
                    Found::Cut => Step::Cut,
                    Found::No => Step::Stop,
                }
            }
        }
    }

    /// The first character of a key.
    fn key(&mut self, form: &Form, text: &str) -> Step {
        let key = self.at + form.open.len();
        let first = text.get(key..).and_then(|rest| rest.chars().next());
        if first.is_none() && form.not_first.is_some() {
            return Step::Cut;
        }
        if first.is_some() && first == form.not_first {
            return Step::Stop;
        }
        if self.open == 0 && self.span.is_empty() {
            self.span = Span::new(self.at, self.at);
        }
        self.at = key;
        self.key = Span::new(key, key);
        self.phase = Phase::Key;
        Step::Go
    }

    /// The word for the kind of a value, and what stands behind it.
    fn kind(&mut self, form: &Form, text: &str) -> Step {
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
                return Step::Go;
            }
        }
        match is_cut {
            true => Step::Cut,
            false => Step::Stop,
        }
    }

    /// The next mark in a value with elements.
    fn mark(&mut self, form: &Form, text: &str) -> Step {
        if !self.find(form.end, text) {
            return Step::Cut;
        }
        let mark = self.at - form.end.len();
        let (before, _) = form.closing.unwrap_or_default();
        let closes = stands(before, text, self.at);
        if closes == Found::Yes {
            match self.open.checked_sub(1) {
                Some(open) => self.open = open,
                None => self.phase = Phase::Closing,
            }
            return Step::Go;
        }
        let opens = stands(form.open, text, mark);
        let item = stands(form.item.unwrap_or(form.open), text, mark);
        let all = [closes, opens, item];
        if all.contains(&Found::Cut) {
            self.at = mark;
            Step::Cut
        } else if all.contains(&Found::Yes) {
            self.open += 1;
            Step::Go
        } else {
            Step::Stop
        }
    }

    /// An element is whole.
    fn whole(&mut self) {
        self.phase = Phase::Begin;
        if self.open == 0 {
            self.span = Span::new(self.span.start(), self.at);
        }
    }

    /// Moves behind the next of a literal. If there is none, moves to where the text's end may become one.
    fn find(&mut self, literal: &str, text: &str) -> bool {
        match search(&[literal], text, self.at) {
            Search::At(_, end) => {
                self.at = end;
                true
            }
            Search::None(at) => {
                self.at = at;
                false
            }
        }
    }
}
