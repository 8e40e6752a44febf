//! Linked grammars: parts that were compiled by themselves, read as one grammar.
//!
//! In: an *outer* part, whose texts have holes, and *pieces*, each of which fills holes. Out:
//! [`LinkedMatcher`], which follows a text through all of them. What holds throughout: the masks
//! are those of the grammar compiled as a whole.
//!
//! ```text
//! outer    text ( "<call>" HOLE text )*          the format of a model: compiled once
//! names    weather"  →  piece 0                  what a hole begins with: the names of a request, read byte by byte
//!          search"   →  piece 1
//! pieces   , "arguments": {…}</call> EXIT        one a tool: compiled once, whatever other tools there are
//! ```
//!
//! Nothing of one part lies on the stack when another one begins: a matcher is the stack of one
//! part, the name of that part, and the state of the outer part to go back to.
//!
//! # Tokens that cross a boundary
//! A part's tables know of *endings*: prefixes of tokens with which the part can end within a
//! token. An ending is one more id behind those of the vocabulary, so masks are computed for
//! endings as for tokens. Where the mask of a part has an ending, the tokens that go on with what
//! follows are added: see [`Crossing`]. They depend on the ending and on where the text goes on,
//! and on nothing else, so they are few and are found once.

mod language;
mod mask;
mod matcher;
mod names;
#[cfg(feature = "alloc")]
mod owned;
mod part;
mod place;
mod row;
mod saved;
mod sets;
mod stacks;
mod tables;
#[cfg(feature = "alloc")]
mod walk;

pub use mask::LinkedMask;
pub use matcher::LinkedMatcher;
pub use names::Names;
#[cfg(feature = "alloc")]
pub use owned::{OwnedPart, PartView};
pub use part::Part;
pub use place::{Crossing, Place};
#[doc(hidden)]
pub use sets::PartSets;
pub use tables::Linked;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use walk::LinkedWalk;

use core::ops::Deref;

use crate::id::TablesId;
use crate::vocabulary::Vocabulary;

/// The parts of a linked grammar, wherever they are kept.
///
/// [`Linked`] has them in tables that were made when the program was built. A server has them in
/// memory, and finds what crosses boundaries when it is first asked for.
pub trait Parts: Sync + Sized {
    /// How a part is looked at: by reference where it lies in memory as a [`Part`], otherwise by a
    /// `Part` that is made for the purpose.
    type View<'p>: Deref<Target = Part<'p>>
    where
        Self: 'p;
    /// The identity of all parts together: masks of parts with equal ids are equal at equal places.
    fn id(&self) -> TablesId;
    /// The frames that a stack may have. Tokens that cross a boundary are those that fit.
    fn depth(&self) -> usize;
    /// The vocabulary of all parts.
    fn vocabulary(&self) -> Vocabulary<'_>;
    /// The outer part.
    fn outer(&self) -> Self::View<'_>;
    /// A piece; `None` if there is no such piece.
    fn piece(&self, piece: u32) -> Option<Self::View<'_>>;
    /// The part at a place; `None` within names, or if there is no such piece.
    fn part(&self, place: Place) -> Option<Self::View<'_>> {
        match place {
            Place::Outer => Some(self.outer()),
            Place::Names { .. } => None,
            Place::Piece { piece, .. } => self.piece(piece),
        }
    }

    /// What `with` makes of the sets of the part at a place; `None` as for [`part`](Self::part).
    #[doc(hidden)]
    fn sets<R>(&self, place: Place, with: impl FnOnce(&PartSets<'_>) -> R) -> Option<R> {
        let part = self.part(place)?;
        Some(with(&PartSets::of(&part)))
    }
    /// What a hole of the outer part can begin with.
    fn names(&self, hole: u16) -> Option<Names<'_>>;
    /// How often a piece was asked for that is not there yet. A mask that was written while this
    /// number grew lacks tokens, so no row of a pool is known to hold it.
    #[doc(hidden)]
    #[inline]
    fn misses(&self) -> u64 {
        0
    }
    /// Calls `visit` with each token of a crossing whose id lies in `from..to`, ascending.
    fn crossing(&self, crossing: &Crossing, from: u32, to: u32, visit: &mut dyn FnMut(u32));
}
