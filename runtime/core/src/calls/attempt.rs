//! An attempt to read something that a format says, piece by piece.
//!
//! In: pieces, and a text of which all before a position is read. Out: whether they stand there, or
//! that the text ends before that is known. An [`Attempt`] keeps how far it has come, so that a
//! text that grows is read once.

use super::extent::{End, Extent};
use super::format::{Piece, is_name_char};
use super::literal::{Found, head, matches, stands};
use super::part::{Begun, Span};
use crate::style::ArgumentStyle;

/// How far an attempt has come.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// Which of the ways that are open is tried.
    pub(super) way: usize,
    piece: usize,
    /// Where the piece begins.
    begin: usize,
    /// How many bytes of a literal are matched.
    matched: usize,
    /// The byte that is read next.
    at: usize,
    name: Option<Span>,
    id: Option<Span>,
    arguments: Option<Extent>,
}

impl Attempt {
    pub(super) const fn new(way: usize, at: usize) -> Attempt {
        Attempt {
            way,
            piece: 0,
            begin: at,
            matched: 0,
            at,
            name: None,
            id: None,
            arguments: None,
        }
    }

    /// The byte behind the last one that was read.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The byte at which the attempt failed: the start of the piece that does not fit, or the end
    /// of the arguments that were read, if that is later.
    pub(super) fn failed_at(&self) -> usize {
        let arguments = self.arguments.as_ref().map(Extent::at);
        self.begin.max(arguments.unwrap_or(0))
    }

    pub(super) const fn name(&self) -> Option<Span> {
        self.name
    }

    pub(super) const fn id(&self) -> Option<Span> {
        self.id
    }

    /// The arguments if they are whole.
    pub(super) fn arguments(&self, text: &str) -> Option<Span> {
        let arguments = self.arguments.as_ref()?;
        arguments.end().map(|_| arguments.span(text))
    }

    /// Whether the name and the arguments are whole, and nothing but literals is left to read.
    pub(super) fn is_said(&self, pieces: &[Piece<'_>]) -> bool {
        let left = pieces.get(self.piece..).unwrap_or_default();
        let ended = self.arguments.as_ref().and_then(Extent::end);
        let is_whole = self.name.is_some() && ended == Some(End::Certain);
        is_whole && left.iter().all(|piece| matches!(piece, Piece::Text(_)))
    }

    /// How much of a call is known: nothing; its name; its name and that its arguments have begun.
    pub(super) fn known(&self) -> usize {
        let arguments = self.arguments.as_ref();
        match self.name {
            Some(_) => {
                1 + usize::from(arguments.is_some())
                    + usize::from(arguments.is_some_and(|arguments| arguments.end().is_some()))
            }
            None => 0,
        }
    }

    /// The pieces so far of a call that begins at `at`.
    pub(super) fn begun<'t>(&self, text: &'t str, at: usize) -> Begun<'t> {
        Begun {
            text,
            at,
            name: self.name,
            id: self.id,
            arguments: self.arguments.as_ref().map(|extent| extent.span(text)),
        }
    }

    /// Reads a literal whose blanks are as they are.
    pub(super) fn read_exactly(&mut self, literal: &str, text: &str) -> Found {
        let found = stands(literal, text, self.begin);
        if found == Found::Yes {
            self.at = self.begin.saturating_add(literal.len());
        }
        found
    }

    /// Reads on.
    pub(super) fn read(
        &mut self,
        pieces: &[Piece<'_>],
        style: &ArgumentStyle<'_>,
        text: &str,
        is_finished: bool,
    ) -> Found {
        while let Some(piece) = pieces.get(self.piece) {
            let found = match piece {
                Piece::Text(literal) => {
                    let state = (&mut self.matched, &mut self.at);
                    matches(literal, text, state, is_finished)
                }
                Piece::Name | Piece::Id => {
                    let next = pieces.get(self.piece.saturating_add(1));
                    self.word(next, text, is_finished)
                }
                Piece::Arguments => {
                    let begin = self.begin;
                    let arguments = self.arguments.get_or_insert(Extent::new(begin));
                    let found = arguments.read(style, text, is_finished);
                    if found == Found::Yes {
                        self.at = arguments.behind(style, text);
                    }
                    found
                }
            };
            if found != Found::Yes {
                return found;
            }
            let span = Span::new(self.begin, self.at);
            match piece {
                Piece::Name => self.name = Some(span),
                Piece::Id => self.id = Some(span),
                Piece::Text(_) | Piece::Arguments => {}
            }
            self.piece = self.piece.saturating_add(1);
            self.begin = self.at;
            self.matched = 0;
        }
        Found::Yes
    }

    /// Reads a name or an identifier. It ends where the next literal begins, or at a character that
    /// no name has.
    fn word(&mut self, next: Option<&Piece<'_>>, text: &str, is_finished: bool) -> Found {
        let head = match next {
            Some(Piece::Text(literal)) => head(literal),
            _ => "",
        };
        let mut chars = text.get(self.at..).unwrap_or_default().chars();
        loop {
            let has_begun = self.at > self.begin;
            let char = chars.next();
            match char.filter(|&char| is_name_char(char)) {
                Some(char) => {
                    if has_begun && !head.is_empty() {
                        match stands(head, text, self.at) {
                            Found::Yes => return Found::Yes,
                            Found::Cut if !is_finished => return Found::Cut,
                            Found::Cut | Found::No => {}
                        }
                    }
                    self.at = self.at.saturating_add(char.len_utf8());
                }
                None if char.is_none() => {
                    return match is_finished && next.is_none() && has_begun {
                        true => Found::Yes,
                        false => Found::Cut,
                    };
                }
                None if has_begun => return Found::Yes,
                None => return Found::No,
            }
        }
    }
}
