//! The way in which a call is written: a text with places, such as
//! `<call>{{name}}: {{arguments}}</call>`.
//!
//! In: the text of a field. Out: [`Template`]. What holds: something marks where the call begins;
//! the name stands before the arguments, which stand once; a text follows every place, unless
//! arguments follow that begin with a mark of their own, or the call ends there.

use crate::error::{Code, Diagnostic};
use crate::similar;
use crate::source::Span;
use crate::syntax::fields::FieldText;
use crate::syntax::json_schema::Style;
use maskwright_core::style::{Keys, Notation};

/// A call in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Template {
    pieces: Vec<Piece>,
    span: Span,
}

/// Where calls stand, which says what may mark the beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// Text, in which only a text of the call's marks it.
    Text,
    /// Other messages: a separator stands before each call, and the tool's name may be what tells
    /// the call from those.
    Messages,
    /// A section.
    Section,
}

/// A piece of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// This text, which is not empty.
    Text(String),
    /// What differs from call to call.
    Place(Place),
}

/// What differs from call to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The tool's name.
    Name,
    /// The call's identifier.
    Id,
    /// The arguments.
    Arguments,
}

impl Place {
    const ALL: [Place; 3] = [Place::Name, Place::Id, Place::Arguments];

    /// As templates write it between braces.
    pub fn name(self) -> &'static str {
        match self {
            Place::Name => "name",
            Place::Id => "id",
            Place::Arguments => "arguments",
        }
    }
}

impl Template {
    /// The pieces of a text.
    ///
    /// # Errors
    /// If a place is unknown, or the pieces could not be told apart.
    pub(super) fn parse(
        text: &FieldText,
        style: Style,
        surroundings: Surroundings,
    ) -> Result<Self, Diagnostic> {
        let template = Template {
            pieces: pieces(text)?,
            span: text.span,
        };
        template.check(style, surroundings)?;
        Ok(template)
    }

    pub(in super::super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The pieces up to the arguments, these included.
    pub(in super::super) fn up_to_arguments(&self) -> &[Piece] {
        let mut pieces = self.pieces.iter();
        let arguments = pieces.position(|piece| *piece == Piece::Place(Place::Arguments));
        let behind = arguments.map_or(self.pieces.len(), |at| at + 1);
        self.pieces.get(..behind).unwrap_or_default()
    }

    /// The pieces before the tool's name, of which only identifiers are places, and those behind
    /// it.
    pub(in super::super) fn around_name(&self) -> (&[Piece], &[Piece]) {
        let mut pieces = self.pieces.iter();
        let name = pieces.position(|piece| *piece == Piece::Place(Place::Name));
        let (before, name) = self.pieces.split_at(name.unwrap_or(self.pieces.len()));
        (before, name.get(1..).unwrap_or_default())
    }

    pub(in super::super) fn span(&self) -> Span {
        self.span
    }

    /// Whether the tool's name stands in double quotes.
    pub(super) fn quotes_name(&self) -> bool {
        self.pieces.windows(2).any(|pair| match pair {
            [Piece::Text(text), Piece::Place(Place::Name)] => text.ends_with('"'),
            _ => false,
        })
    }

    /// How often the tool's name stands in it.
    pub(in super::super) fn names(&self) -> usize {
        let names = self.pieces.iter();
        names
            .filter(|piece| **piece == Piece::Place(Place::Name))
            .count()
    }

    /// Whether the tool's name is the first place.
    pub(super) fn has_name_first(&self) -> bool {
        let mut pieces = self.pieces.iter();
        let place = pieces.find(|piece| matches!(piece, Piece::Place(_)));
        place == Some(&Piece::Place(Place::Name))
    }

    /// The text before the first place.
    pub(in super::super) fn begin(&self) -> FieldText {
        FieldText {
            value: self.begin_text().to_owned(),
            span: self.span,
        }
    }

    /// The same without its place.
    pub(super) fn begin_text(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    fn check(&self, style: Style, surroundings: Surroundings) -> Result<(), Diagnostic> {
        let refuse = |message: &str, help: &str| {
            Err(Diagnostic::error(Code::FormatMalformed, message)
                .at(self.span, "")
                .help(help))
        };
        let of = |place: Place| {
            let places = self.pieces.iter().enumerate();
            places
                .filter(move |(_, piece)| **piece == Piece::Place(place))
                .map(|(at, _)| at)
        };
        let (Some(name), Some(arguments), None) = (
            of(Place::Name).next(),
            of(Place::Arguments).next(),
            of(Place::Arguments).nth(1),
        ) else {
            return refuse(
                "a call needs the tool's name and, once, its arguments",
                "write `{{name}}` and `{{arguments}}` where they stand",
            );
        };
        if name > arguments {
            return refuse(
                "the arguments stand before the tool's name",
                "put `{{name}}` first: a reader has to know the tool whose arguments they are",
            );
        }
        let is_marked = match (surroundings, self.pieces.first()) {
            (Surroundings::Section, _) | (_, Some(Piece::Text(_))) => true,
            (Surroundings::Messages, first) => first == Some(&Piece::Place(Place::Name)),
            (Surroundings::Text, _) => false,
        };
        if !is_marked {
            return refuse(
                "nothing marks where a call begins",
                "begin it with a text, or frame calls by a `section`",
            );
        }
        let is_call = |notation: &Notation| notation.keys == Keys::Arguments;
        let marked = !style.notation().is_some_and(is_call);
        for pair in self.pieces.windows(2) {
            if let [Piece::Place(_), Piece::Place(then)] = pair
                && !(*then == Place::Arguments && marked)
            {
                return refuse(
                    "two places follow each other, so none can tell where the first one ends",
                    "put a text between them",
                );
            }
        }
        Ok(())
    }
}

fn pieces(text: &FieldText) -> Result<Vec<Piece>, Diagnostic> {
    let mut pieces = Vec::new();
    let mut rest = text.value.as_str();
    while let Some((before, behind)) = rest.split_once("{{") {
        // `{{{name}}` is a brace, then a place.
        let braces = behind.len() - behind.trim_start_matches('{').len();
        let (before, behind) = match behind.get(braces..) {
            Some(behind) if braces > 0 => (format!("{before}{}", "{".repeat(braces)), behind),
            _ => (before.to_owned(), behind),
        };
        let Some((name, behind)) = behind.split_once("}}") else {
            let message = "a place does not end";
            return Err(Diagnostic::error(Code::FormatMalformed, message)
                .at(text.span, "")
                .help("write `{{name}}`, `{{id}}` or `{{arguments}}`"));
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        pieces.push(Piece::Place(place(name, text.span)?));
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}

fn place(name: &str, span: Span) -> Result<Place, Diagnostic> {
    let mut all = Place::ALL.into_iter();
    all.find(|place| place.name() == name).ok_or_else(|| {
        let help = match similar::closest(name, Place::ALL.map(Place::name)) {
            Some(close) => format!("did you mean `{{{{{close}}}}}`?"),
            None => "the places of a call are `{{name}}`, `{{id}}` and `{{arguments}}`".to_owned(),
        };
        let message = format!("a call has no place `{name}`");
        Diagnostic::error(Code::FormatMalformed, message)
            .at(span, "")
            .help(help)
    })
}
