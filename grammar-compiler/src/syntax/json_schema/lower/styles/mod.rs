//! Arguments as models write them: in brackets, or an element for each property, as the style's
//! [`Form`] says.
//!
//! In: the shape of the arguments, or of a value in an element. Out: right parts. A reader cuts a
//! value's text out up to the first [`Form::end`] behind its tag, so no string and no JSON text in
//! an element contains that. A listed value that a style cannot write is refused.
//!
//! Tags and quotes that are names of tokens in the vocabulary are those tokens, as tokenizers cut
//! texts. Texts do not hold them spelled out.

mod bounded;
mod counted;
mod names;
mod raw;
mod without;

use crate::error::Code;
use maskwright_core::style::{Form, Kind, Notation, Quoting, Style};

use super::super::numbers::NumberSet;
use super::super::options::RawEnds;
use super::super::strings::Language;
use super::super::values::{ANY, NodeId, Problem, StringCase, ValueShape};
use super::layout::Layout;
use super::spot::{ValueSpot, Word};
use super::{SchemaLowering, either};
use crate::grammar::words::WordState;
use crate::grammar::{Expr, TokenSet, Words};
use crate::syntax::spell::TextPiece;
use std::sync::Arc;

pub(super) use bounded::{EndedKey, EndedTexts};
pub(super) use raw::{json_character, listed};
pub(super) use without::{Needles, without};

impl<'v> SchemaLowering<'v, '_> {
    /// The whole text: the properties of an object.
    pub(super) fn arguments(&mut self, shape: &ValueShape) -> Result<Expr, Problem> {
        if shape.objects.is_empty() && *shape != ValueShape::never() {
            if let (Some(_), Some(ends)) = (self.form, &self.options.raw_ends)
                && !self.options.arguments
            {
                return self.raw_value(shape, ends);
            }
            let style = self.options.style_name();
            let is_json = self.form.is_none() && self.options.style == Style::Json;
            let (what, help) = match is_json {
                true => (
                    "the arguments of a tool are".to_owned(),
                    "read a schema that is of no tool without the option `arguments`",
                ),
                false => (
                    format!("in the style `{style}` a text is the properties of"),
                    "take the style `json`",
                ),
            };
            let problem = Problem::keyword(
                Code::SchemaStyle,
                "type",
                format!("{what} an object, and no object satisfies this schema"),
                format!("describe an object, by `\"type\": \"object\"`, or {help}"),
            );
            return Err(self.values.blame(problem, &["type", "const", "enum"]));
        }
        let objects = shape.objects.iter();
        let cases: Result<Vec<Expr>, Problem> = objects
            .map(|case| self.object(case, ValueSpot::Arguments))
            .collect();
        Ok(either(cases?))
    }

    /// The texts of a shape without objects as the content of an element that the first of `ends`
    /// ends: without the end, unless there are strings whose characters are counted with it.
    fn raw_value(&mut self, shape: &ValueShape, ends: &RawEnds) -> Result<Expr, Problem> {
        let end = ends.texts.first().map_or("", String::as_str);
        let form = Form { end, ..Form::PLAIN };
        let (mut cases, mut counted) = (Vec::new(), Vec::new());
        for case in &shape.strings {
            let held = match ends.may_be_held {
                true => self.counted_raw(case, &form)?,
                false => None,
            };
            match held {
                Some(expr) => counted.push(expr),
                None => cases.push(self.raw_string(case, end, false)?),
            }
        }
        // Any raw text may be one that says something else in JSON.
        if !has_any_string(shape) {
            cases.extend(self.plain_scalars(shape)?);
            cases.extend(self.composites(shape, ValueSpot::Json(0))?);
        }
        if counted.is_empty() {
            return Ok(either(cases));
        }
        self.holds_end = true;
        if !cases.is_empty() {
            counted.push(Expr::Seq(vec![either(cases), self.markup(&[end])]));
        }
        Ok(either(counted))
    }

    /// The element of a property with one of these names; nothing if there is none in this style.
    pub(super) fn argument(
        &mut self,
        layout: &Layout<'v>,
        form: &'v Form<'v>,
        names: &Language,
        value: NodeId,
    ) -> Result<Option<Expr>, Problem> {
        let Some(keys) = self.keys(form, names, value)? else {
            return Ok(None);
        };
        let mut cases = Vec::new();
        for key in keys {
            let key = Expr::Words(Arc::new(key));
            let mut parts = vec![
                self.markup(&[form.open]),
                key.clone(),
                self.markup(&[form.key_end]),
            ];
            if form.gap {
                parts.push(layout.gap(form));
            }
            parts.push(self.element(form, value)?);
            if let Some((_, behind)) = form.closing {
                parts.extend([key, self.markup(&[behind])]);
            }
            cases.push(Expr::Seq(parts));
        }
        Ok(Some(either(cases)))
    }

    /// The element of an array's item.
    pub(super) fn element_item(
        &mut self,
        form: &'v Form<'v>,
        value: NodeId,
    ) -> Result<Expr, Problem> {
        let mut parts = vec![self.markup(&[form.item.unwrap_or_default()])];
        parts.push(self.element(form, value)?);
        if let Some((_, behind)) = form.closing {
            parts.push(self.markup(&[Form::ITEM, behind]));
        }
        Ok(Expr::Seq(parts))
    }

    /// An element from the word for its value's kind on: an alternative for each word.
    fn element(&mut self, form: &'v Form<'v>, value: NodeId) -> Result<Expr, Problem> {
        let shape = self.values.shape(value, false);
        let shape = shape.map_err(|problem| {
            let place = self.values.place_of(value);
            problem.or_at(|| place)
        })?;
        let mut words: Vec<Word> = Vec::new();
        for kind in Kind::ALL.into_iter().filter(|&kind| has(&shape, kind)) {
            let word = word(form, kind);
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if words.is_empty() {
            // Without a value there is no element; its rule says so.
            words.push(Word::Kind(0));
        }
        if value == ANY && form.integer.is_some() {
            words.push(Word::Integer);
        }
        let case = |word: Word| {
            let tag = self.markup(&[word.text(form), form.kind_end]);
            Expr::Seq(vec![tag, self.reference(value, ValueSpot::Element(word))])
        };
        Ok(either(words.into_iter().map(case).collect()))
    }

    /// The values of a shape for which a word stands, each up to the end of its element.
    pub(super) fn element_value(
        &mut self,
        form: &'v Form<'v>,
        kind: Word,
        shape: &ValueShape,
    ) -> Result<Expr, Problem> {
        let shape = of_word(form, kind, shape)?;
        let mut cases = Vec::new();
        // Strings whose characters are counted, with the end of the element.
        let mut counted = Vec::new();
        for case in &shape.strings {
            match self.counted_raw(case, form)? {
                Some(expr) => counted.push(expr),
                None => cases.push(self.raw_string(case, form.end, form.trimmed)?),
            }
        }
        // Among all raw texts are those that say something else in JSON: a reader has to choose.
        let is_any = has_any_string(&shape);
        let mut json = Vec::new();
        if !is_any {
            json = self.plain_scalars(&shape)?;
        }
        match form.item {
            Some(_) => cases.extend(self.composites(&shape, ValueSpot::Element(kind))?),
            None if !is_any => json.extend(self.composites(&shape, ValueSpot::Json(0))?),
            None => {}
        }
        if !json.is_empty() {
            let json = either(json);
            cases.push(match form.blanks {
                true => {
                    let gap = || self.layout(ValueSpot::Element(kind)).gap(form);
                    Expr::Seq(vec![gap(), json, gap()])
                }
                false => json,
            });
        }
        if !cases.is_empty() || counted.is_empty() {
            let end = self.markup(&[form.end, form.closing.map_or("", |closing| closing.0)]);
            counted.push(Expr::Seq(vec![either(cases), end]));
        }
        Ok(either(counted))
    }
}

impl SchemaLowering<'_, '_> {
    /// A text of tags, in the tokens whose names it holds. Where those may be spelled out too,
    /// either all are or none is.
    fn markup(&self, parts: &[&str]) -> Expr {
        let text = parts.concat();
        let pieces = self.speller.pieces(&text);
        if pieces.iter().all(|piece| piece.token.is_none()) {
            return spelled(&text);
        }
        let tokens = Expr::Seq(pieces.iter().map(written).collect());
        match self.speller.spelled {
            true => Expr::Alt(vec![tokens, spelled(&text)]),
            false => tokens,
        }
    }

    /// A string between two marks.
    pub(super) fn marked_string(&mut self, case: &StringCase) -> Result<Expr, Problem> {
        let mark = self.notation.quote;
        let marks = Form {
            end: mark,
            ..Form::PLAIN
        };
        if let Some(text) = self.counted_raw(case, &marks)? {
            return Ok(Expr::Seq(vec![self.markup(&[mark]), text]));
        }
        let text = self.raw_string(case, mark, false)?;
        Ok(Expr::Seq(vec![
            self.markup(&[mark]),
            text,
            self.markup(&[mark]),
        ]))
    }
}

/// All texts of tags and quotes that arguments can have, as they are written in one piece: see
/// [`SchemaLowering::markup`].
pub(crate) fn markups(form: Option<&Form<'_>>, notation: Option<&Notation>) -> Vec<String> {
    let raw = notation.filter(|notation| notation.quoting == Quoting::Raw);
    let quote = raw.map(|notation| notation.quote.to_owned());
    let mut all: Vec<String> = quote.into_iter().collect();
    let Some(form) = form else {
        return all;
    };
    let (before, behind) = form.closing.unwrap_or_default();
    let words = form.kinds.iter().copied().chain(form.integer);
    all.extend(words.map(|word| [word, form.kind_end].concat()));
    let tags = [
        form.open,
        form.key_end,
        form.item.unwrap_or_default(),
        behind,
    ];
    all.extend(tags.map(str::to_owned));
    all.push([form.end, before].concat());
    all.push([Form::ITEM, behind].concat());
    all
}

/// Whether every string is in a shape.
fn has_any_string(shape: &ValueShape) -> bool {
    let is_any = |case: &StringCase| case.language.is_any() && case.min == 0 && case.max.is_none();
    shape.strings.iter().any(is_any)
}

/// The word that stands for a kind.
fn word(form: &Form<'_>, kind: Kind) -> Word {
    let mut words = form.kinds.iter();
    let first = words.position(|&word| word == form.kind(kind));
    Word::Kind(first.unwrap_or(0) as u8)
}

/// Whether values of a kind are in a shape.
fn has(shape: &ValueShape, kind: Kind) -> bool {
    match kind {
        Kind::Null => shape.null,
        Kind::Boolean => shape.booleans != [false; 2],
        Kind::Number => !shape.numbers.is_empty() || !shape.plain_integers.is_empty(),
        Kind::String => !shape.strings.is_empty(),
        Kind::Array => !shape.arrays.is_empty(),
        Kind::Object => !shape.objects.is_empty(),
    }
}

/// The values of a shape for which a word stands.
fn of_word(form: &Form<'_>, kind: Word, shape: &ValueShape) -> Result<ValueShape, Problem> {
    let mut kept = ValueShape::never();
    if kind == Word::Integer {
        kept.numbers = shape.numbers.intersect(&NumberSet::integers())?;
        return Ok(kept);
    }
    for of in Kind::ALL.into_iter().filter(|&of| word(form, of) == kind) {
        match of {
            Kind::Null => kept.null = shape.null,
            Kind::Boolean => kept.booleans = shape.booleans,
            Kind::Number => {
                kept.numbers = shape.numbers.clone();
                kept.plain_integers = shape.plain_integers.clone();
            }
            Kind::String => kept.strings.clone_from(&shape.strings),
            Kind::Array => kept.arrays.clone_from(&shape.arrays),
            Kind::Object => kept.objects.clone_from(&shape.objects),
        }
    }
    Ok(kept)
}

/// A piece of a text of tags: its token, if it is the name of one.
fn written(piece: &TextPiece<'_>) -> Expr {
    match piece.token {
        Some(id) => Expr::Tokens(TokenSet::of([id])),
        None => spelled(piece.text),
    }
}

/// A text of tags. Not a literal: quotes and brackets in tags are none that spans are cut at.
fn spelled(text: &str) -> Expr {
    let bytes = text.bytes();
    let mut states: Vec<WordState> = (1..)
        .zip(bytes)
        .map(|(to, byte)| WordState {
            is_final: false,
            edges: vec![(byte, byte, to)],
        })
        .collect();
    states.push(WordState {
        is_final: true,
        edges: Vec::new(),
    });
    Expr::Words(Arc::new(Words { states }))
}
