//! The grammars of pieces, read when a text reaches the piece.
//!
//! In: a request. Out: [`Texts`], from which a matcher of the first tier reads the pieces that it
//! needs. What holds: a handle keeps the grammar of a piece that has been read, and no thread waits
//! for another: two threads that need a piece at the same time both read it.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use maskwright_core::link::Names;

use super::NotLinked;
use super::composed::{Composed, ReadParts};
use super::outer::OuterPart;
use super::request::{PieceSource, Request};
use super::slots::HoleNames;
use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::syntax::tools::ToolChoice;

/// What pieces are read from.
pub(super) struct Texts {
    request: Arc<Request>,
    pieces: Vec<PieceText>,
    /// The token that ends pieces.
    exit: u32,
    /// What reading a piece may cost.
    limits: Limits,
}

/// A piece, and its grammar once somebody has needed it.
pub(super) struct PieceText {
    pub(super) rest: PieceSource,
    /// The others that the piece serves: they follow other names.
    pub(super) others: Vec<PieceSource>,
    pub(super) grammar: OnceLock<Arc<Grammar>>,
}

impl Texts {
    pub(super) fn new(
        request: Arc<Request>,
        pieces: Vec<PieceText>,
        exit: u32,
        limits: &Limits,
    ) -> Self {
        Texts {
            request,
            pieces,
            exit,
            limits: limits.clone(),
        }
    }

    /// What reading a piece may cost.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Reads a piece within the time of the request that has begun with these limits, so that
    /// [`composed`](Self::composed) has its grammar.
    ///
    /// # Errors
    /// If it is refused, or cannot be a part.
    pub(super) fn read(
        &self,
        piece: u32,
        outer: &OuterPart,
        limits: &Limits,
    ) -> Result<(), NotLinked> {
        let none = NotLinked::NotAPart("there is no such piece");
        let text = self.pieces.get(piece as usize).ok_or(none)?;
        if text.grammar.get().is_none() {
            let read = || (self.request).piece(&text.rest, self.exit, limits);
            // A panic of the front end does not end a thread that decodes: the piece is then
            // compiled, and refused with the panic's message.
            let read = catch_unwind(AssertUnwindSafe(read));
            let read = read.map_err(|_| NotLinked::NotAPart("it cannot be read"))?;
            let read = read.map_err(|why| self.blame(piece, why))?;
            outer.check_named(&read.grammar, self.exit)?;
            let _ = text.grammar.set(read.grammar.into());
        }
        Ok(())
    }

    /// Reads the pieces of which `is_new` holds, in their order, up to so many bytes of their
    /// texts.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub(super) fn read_ahead(
        &self,
        is_new: impl Fn(usize) -> bool,
        mut bytes: usize,
        outer: &OuterPart,
        limits: &Limits,
    ) -> Result<(), NotLinked> {
        for (at, text) in self.pieces.iter().enumerate().filter(|of| is_new(of.0)) {
            match bytes.checked_sub(self.request.bytes_of(&text.rest)) {
                Some(left) => bytes = left,
                None => return Ok(()),
            }
            self.read(at as u32, outer, limits)?;
        }
        Ok(())
    }

    /// Why a piece cannot be used, with the name of its tool.
    pub(super) fn blame(&self, piece: u32, why: NotLinked) -> NotLinked {
        match (why, self.pieces.get(piece as usize)) {
            (NotLinked::Refused(error), Some(text)) => {
                self.request.blame(&text.rest, *error).into()
            }
            (why, _) => why,
        }
    }

    /// The choice of the tools that none of these pieces serves, if some other can still be called.
    pub(super) fn choice_without(&self, pieces: &[u32]) -> Option<ToolChoice> {
        let pieces = pieces.iter().filter_map(|&at| self.pieces.get(at as usize));
        let served = pieces.flat_map(|text| text.others.iter().chain([&text.rest]));
        self.request.choice_without(&served.collect::<Vec<_>>())
    }

    /// The grammar of the whole request. The pieces that nobody has read are unread in it. `None`
    /// if names are no text, which cannot be.
    pub(super) fn composed(&self, outer: &OuterPart, holes: &[HoleNames]) -> Option<Composed> {
        let holes = holes.iter().map(|hole| Names::view(&hole.words));
        let pieces = self.pieces.iter();
        let read = ReadParts {
            outer: &outer.grammar,
            holes: holes.collect::<Option<_>>()?,
            pieces: pieces.map(|text| text.grammar.get().cloned()).collect(),
            exit: self.exit,
            named: &outer.reserved,
        };
        read.compose()
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Texts")
            .field("pieces", &self.pieces.len())
            .finish_non_exhaustive()
    }
}
