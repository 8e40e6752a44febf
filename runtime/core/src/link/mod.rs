//! Linked grammars: parts that were compiled by themselves, read as one grammar.
//!
//! In: an *outer* part, whose texts have holes, and *pieces*, each of which fills holes. Out: [`LinkedMatcher`], which follows a text through all of them. What holds throughout:
//! the masks are those of the grammar compiled as a whole.
//!
//! ```text
//! outer    text ( "<call>" HOLE text )*          the format of a model: compiled once
//! names    weather"  →  piece 0                  what a hole begins with: the names of a request, read byte by byte
//!          search"   →  piece 1
//! pieces   , "arguments": {…}</call> EXIT        one a tool: compiled once, whatever other tools there are
//! ```
//!
//! Nothing of one part lies on the stack when another one begins: a matcher is the stack of one part, the name of that part, and the state of the outer part to go back to.
//!
//! # Tokens that cross a boundary
//! A part's tables know of *endings*: prefixes of tokens with which the part can end within a token. An ending is one more id behind those of the vocabulary, so masks are computed
//! for endings as for tokens. Where the mask of a part has an ending, the tokens that go on with what follows are added: see [`Crossing`]. They depend on the ending and on where the text goes
//! on, and on nothing else, so they are few and are found once.

mod mask;
mod matcher;
mod names;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
mod owned_matcher;
mod part;
mod place;
mod saved;
mod stacks;
mod tables;
#[cfg(feature = "alloc")]
mod walk;

pub use mask::LinkedMask;
pub use matcher::LinkedMatcher;
pub use names::Names;
#[cfg(feature = "alloc")]
pub use owned::OwnedPart;
#[cfg(feature = "alloc")]
pub use owned_matcher::OwnedLinkedMatcher;
pub use part::Part;
pub use place::{Crossing, Place};
pub use tables::Linked;
#[cfg(feature = "alloc")]
pub use walk::LinkedWalk;

use crate::id::TablesId;
use crate::vocabulary::Vocabulary;

/// The parts of a linked grammar, wherever they are kept.
///
/// [`Linked`] has them in tables that were made when the program was built. A server has them in memory, and finds what crosses boundaries when it is first asked for.
pub trait Parts: Sync {
    /// The identity of all parts together: masks of parts with equal ids are equal at equal places.
    fn id(&self) -> TablesId;
    /// The frames that a stack may have. Tokens that cross a boundary are those that fit.
    fn depth(&self) -> usize;
    /// The vocabulary of all parts.
    fn vocabulary(&self) -> Vocabulary<'_>;
    /// The outer part.
    fn outer<R>(&self, with: impl FnOnce(&Part<'_>) -> R) -> R;
    /// A piece; `None` if there is no such piece.
    fn piece<R>(&self, piece: u32, with: impl FnOnce(&Part<'_>) -> R) -> Option<R>;
    /// The part at a place; `None` within names, or if there is no such piece.
    fn part<R>(&self, place: Place, with: impl FnOnce(&Part<'_>) -> R) -> Option<R> {
        match place {
            Place::Outer => Some(self.outer(with)),
            Place::Names { .. } => None,
            Place::Piece { piece, .. } => self.piece(piece, with),
        }
    }
    /// What a hole of the outer part can begin with.
    fn names(&self, hole: u16) -> Option<Names<'_>>;
    /// Calls `visit` with each token of a crossing whose id lies in `from..to`, ascending.
    fn crossing(&self, crossing: &Crossing, from: u32, to: u32, visit: &mut dyn FnMut(u32));
}
