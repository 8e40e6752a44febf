//! What is linked: the tools of a request, or a structural tag.
//!
//! In: either of them, split by its front end. Out: [`Request`], which offers the same for both:
//! holes with names, keys, and grammars of parts.

use std::collections::BTreeSet;

use super::NotLinked;
use crate::digest::{Digest, Digester};
use crate::error::Error;
use crate::limits::Limits;
use crate::syntax::Parsed;
use crate::syntax::structural_tag::parts::TagParts;
use crate::syntax::tools::parts::{Rest as CallRest, ToolParts};
use crate::syntax::tools::{ToolCalls, ToolChoice};

/// What is linked.
#[derive(Debug)]
pub(super) enum Request {
    Tools(Box<ToolParts>),
    Tag(Box<TagParts>),
}

/// A name that a hole begins with.
#[derive(Clone, Debug)]
pub(super) struct HoleEntry {
    pub(super) name: String,
    /// Whether another name goes on where this one ends.
    pub(super) is_open: bool,
    pub(super) rest: PieceSource,
}

/// Where the piece that follows a name comes from.
#[derive(Clone, Debug)]
pub(super) enum PieceSource {
    Call(CallRest),
    /// The piece of this number.
    Tag(usize),
}

impl Request {
    /// What each hole begins with, ascending by name.
    ///
    /// # Errors
    /// Why names cannot be read by themselves.
    pub(super) fn entries(&self) -> Result<Vec<Vec<HoleEntry>>, NotLinked> {
        let tools = match self {
            Request::Tools(tools) => tools,
            Request::Tag(tag) => {
                let holes = tag.holes().map(|names| {
                    let entry = |(name, piece): (&str, usize)| HoleEntry {
                        name: name.to_owned(),
                        is_open: false,
                        rest: PieceSource::Tag(piece),
                    };
                    names.map(entry).collect()
                });
                return Ok(holes.collect());
            }
        };
        let holes = tools.holes().into_iter().map(|ways| {
            let entries = tools.entries(&ways).map_err(NotLinked::NotAPart)?;
            let entries = entries.into_iter().map(|entry| HoleEntry {
                name: entry.name,
                is_open: entry.is_open,
                rest: PieceSource::Call(entry.rest),
            });
            Ok(entries.collect())
        });
        holes.collect()
    }

    /// What tells the outer part from others, but for the vocabulary and the options of the target.
    pub(super) fn outer_key(&self) -> Digest {
        match self {
            Request::Tools(tools) => tools.outer_key(),
            Request::Tag(tag) => tag.outer_key(),
        }
    }

    /// The grammar of the outer part. The hole of each place has the token of that place.
    ///
    /// # Errors
    /// If it is refused; or why it depends on names.
    pub(super) fn outer(&self, holes: &[u32], limits: &Limits) -> Result<Parsed, NotLinked> {
        match self {
            Request::Tools(tools) => {
                Ok(tools.outer(holes, limits).map_err(NotLinked::NotAPart)??)
            }
            // Its holes were made with these tokens.
            Request::Tag(tag) => Ok(tag.outer(limits)?),
        }
    }

    /// The tokens that pieces name, whatever their schemas are, and the outer part does not.
    pub(super) fn named(&self) -> BTreeSet<u32> {
        match self {
            Request::Tools(_) => BTreeSet::new(),
            Request::Tag(tag) => tag.named().clone(),
        }
    }

    /// What tells a piece from others, but for the vocabulary, the options of the target, and
    /// documents. `reserved` are the tokens that are no text.
    pub(super) fn piece_fields(&self, rest: &PieceSource, reserved: &[u32]) -> Option<Digester> {
        match (self, rest) {
            // The format says which tokens these are.
            (Request::Tools(tools), PieceSource::Call(rest)) => tools.piece_fields(rest),
            (Request::Tag(tag), PieceSource::Tag(piece)) => {
                let mut fields = tag.piece_fields(*piece)?;
                fields.field(reserved);
                Some(fields)
            }
            _ => None,
        }
    }

    /// Bytes of the text of a piece.
    pub(super) fn bytes_of(&self, rest: &PieceSource) -> usize {
        match (self, rest) {
            (Request::Tools(tools), PieceSource::Call(rest)) => tools.bytes_of(rest),
            (Request::Tag(tag), PieceSource::Tag(piece)) => tag.bytes_of(*piece),
            _ => 0,
        }
    }

    /// Whether schemas may refer to documents, which no key has.
    pub(super) fn reads_documents(&self) -> bool {
        match self {
            Request::Tools(tools) => tools.reads_documents(),
            Request::Tag(_) => false,
        }
    }

    /// An error of a piece with the name of its tool, for those who know only this request.
    pub(super) fn blame(&self, rest: &PieceSource, error: Error) -> Error {
        match (self, rest) {
            (Request::Tools(tools), PieceSource::Call(rest)) => tools.blame(rest, error),
            _ => error,
        }
    }

    /// The choice of the tools that are none of these pieces' tools, if some other can still be
    /// called.
    pub(super) fn choice_without(&self, pieces: &[&PieceSource]) -> Option<ToolChoice> {
        let Request::Tools(tools) = self else {
            return None;
        };
        let places = pieces.iter().filter_map(|piece| match piece {
            PieceSource::Call(rest) => Some(rest.tool()),
            PieceSource::Tag(_) => None,
        });
        tools.choice_without(&places.collect::<Vec<_>>())
    }

    /// The grammar of what follows a name, which ends with the token `exit`.
    ///
    /// # Errors
    /// If it is refused.
    pub(super) fn piece(
        &self,
        rest: &PieceSource,
        exit: u32,
        limits: &Limits,
    ) -> Result<Parsed, NotLinked> {
        match (self, rest) {
            (Request::Tools(tools), PieceSource::Call(rest)) => {
                Ok(tools.piece(rest, exit, limits)?)
            }
            (Request::Tag(tag), PieceSource::Tag(piece)) => Ok(tag.piece(*piece, limits)?),
            _ => Err(NotLinked::NotAPart("a name has no piece")),
        }
    }

    /// What tells the base from others, but for the vocabulary and the options of the target.
    pub(super) fn base_key(&self, reserved: &[u32]) -> Digest {
        match self {
            Request::Tools(tools) => base_key(tools.options_key(), reserved),
            Request::Tag(tag) => base_key(tag.base_key(), reserved),
        }
    }

    /// The grammar of the base; `None` if there is nothing that pieces have in common.
    pub(super) fn common(&self, exit: u32, limits: &Limits) -> Option<Result<Parsed, Error>> {
        match self {
            Request::Tools(tools) => Some(tools.common(exit, limits)),
            Request::Tag(tag) => tag.common(limits),
        }
    }

    /// What a reader of outputs has to know, if tools are called.
    pub(super) fn calls(&self) -> Option<ToolCalls> {
        match self {
            Request::Tools(tools) => Some(tools.calls()),
            Request::Tag(_) => None,
        }
    }
}

/// The key of a base of the pieces with this key, where these tokens are no text.
fn base_key(key: Digest, reserved: &[u32]) -> Digest {
    let mut digester = Digester::new("base");
    digester.digest(key);
    digester.field(reserved);
    digester.finish()
}
