//! Linked grammars: parts that are compiled separately and put together in microseconds.
//!
//! In: the tools of a request and a format, or a structural tag. Out: [`LinkedTools`], whose masks
//! are those of the whole request compiled as one grammar. What holds: a part depends on its own
//! text, the format, the options and the vocabulary, but not on the other parts of a request, so it
//! can be kept and used for other requests.
//!
//! ```text
//! request ── split ──▶ outer part, names, pieces ── compile_part ──▶ parts ── link ──▶ LinkedTools
//! ```
//!
//! [`maskwright_core::link::Parts`] explains how a matcher follows a text through parts. The
//! modules, each after those that it imports:
//!
//! | module | what it has |
//! |---|---|
//! | **a request** | |
//! | `request` | a request of either kind as linking sees it: holes with names, keys, and grammars of parts |
//! | `composed` | the grammar of the whole request, put together from the grammars of its parts |
//! | **one part** | |
//! | `base` | the part whose token sets the pieces of a format share |
//! | `part` | compiling a part |
//! | `compiles` | running a compile once, however many threads ask for it, and counting it |
//! | `behind_name` | the tokens that begin with the last byte of a name and go on in a piece, kept with the piece |
//! | `cell` | a piece that is compiled when it is first needed |
//! | `digests` | digests of pieces that have been asked for before |
//! | `slots` | where the tokens of each crossing are kept |
//! | `outer` | the outer part, with its holes and slots |
//! | **all parts** | |
//! | `texts` | the grammars of pieces, read when the first tier needs them |
//! | `tools` | [`LinkedTools`]: the linked parts of a request |
//! | `target` | [`LinkTarget`]: the vocabulary and options that all parts are compiled for, and the stores of parts |
//! | `assemble` | from a request to [`LinkedTools`] |
//! | **masks** | |
//! | `crossings` | the tokens that cross a boundary, by walking the trie |
//! | `known` | the same, as far as they can be found without compiling a piece |
//! | `in_memory` | [`LinkedTools`] as [`maskwright_core::link::Parts`] |
//! | `ready` | the same without the pieces that have not been compiled, so that no caller waits |
//! | `tables` | linked parts as bytes, for programs that have them built in |
//! | **a server** | |
//! | [`registry`] | parts and whole grammars that are compiled once and shared by requests |

mod assemble;
mod base;
mod behind_name;
mod cell;
mod compiles;
mod composed;
mod crossings;
mod digests;
mod in_memory;
mod known;
mod outer;
mod part;
mod ready;
#[cfg(feature = "serve")]
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
pub use ready::ReadyParts;
pub use tables::LinkTables;
pub use target::LinkTarget;
#[doc(hidden)]
pub use target::{Lease, MakeOuter, NoStore, PartStore};
pub use tools::LinkedTools;

use std::fmt;

use crate::error::Error;

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
            NotLinked::Refused(error) => error.memory(),
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
