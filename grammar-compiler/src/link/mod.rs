//! Linked grammars: parts that are compiled by themselves and put together in microseconds.
//!
//! In: the tools of a request and a format, or a structural tag. Out: [`LinkedTools`], whose masks are those of the whole request compiled as one grammar. What holds: a part depends on its own text, the
//! format, the options and the vocabulary, and on nothing that stands beside it, so it can be kept and used again.
//!
//! ```text
//! request ── split ──▶ outer part, names, pieces ── compile_part ──▶ parts ── link ──▶ LinkedTools
//! ```
//!
//! How a text is followed through parts: [`maskwright_core::Parts`].

mod cell;
mod compiles;
mod composed;
mod crossings;
mod known;
#[allow(clippy::module_inception)]
mod link;
mod outer;
mod part;
mod ready;
pub mod registry;
mod request;
mod slots;
mod tables;
mod target;
#[cfg(test)]
mod tests;
mod texts;
mod tools;

#[doc(hidden)]
pub use cell::PartCell;
#[doc(hidden)]
pub use outer::OuterPart;
pub(crate) use part::PartVocabulary;
use part::{CompiledPart, Role, compile_part};
pub use ready::ReadyParts;
pub use tables::LinkTables;
pub use target::LinkTarget;
use target::{Base, BaseCell};
#[doc(hidden)]
pub use target::{PartStore, Unshared};
pub use tools::LinkedTools;

use std::fmt;

use crate::error::Error;
use crate::source::Sources;

/// Why parts are not linked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotLinked {
    /// A grammar is refused, as it would be if it was compiled as a whole.
    Refused(Box<Error>),
    /// A grammar is fine, but it cannot be a part: compile it as a whole.
    NotAPart(&'static str),
    /// A part needs more frames than matchers were said to have.
    TooDeep {
        /// The least depth for it.
        needed: usize,
    },
}

impl NotLinked {
    /// About how many bytes it takes: an error holds the texts that it is about.
    fn memory(&self) -> usize {
        match self {
            NotLinked::Refused(error) => error.sources().map_or(0, Sources::bytes),
            NotLinked::NotAPart(_) | NotLinked::TooDeep { .. } => 0,
        }
    }
}

impl From<Error> for NotLinked {
    fn from(error: Error) -> Self {
        NotLinked::Refused(Box::new(error))
    }
}

impl fmt::Display for NotLinked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotLinked::Refused(error) => error.fmt(f),
            NotLinked::NotAPart(why) => write!(f, "the parts cannot be linked: {why}"),
            NotLinked::TooDeep { needed } => {
                write!(
                    f,
                    "a part needs {needed} frames: link for a depth of {needed} or more"
                )
            }
        }
    }
}

impl std::error::Error for NotLinked {}
