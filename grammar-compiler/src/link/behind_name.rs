//! What is known of names in front of a piece.
//!
//! In: a piece that has been compiled, and the last byte of a name. Out: [`BehindName`], the tokens
//! that begin with this byte and go on in the piece. What holds: they are the same behind all names
//! that end with the byte, and at every depth at which the piece can be used.

use std::sync::atomic::{AtomicBool, Ordering};

use maskwright_core::link::{Crossing, Names, OwnedPart, PartView, Parts, Place};
use maskwright_core::{OwnedVocabulary, TablesId, Vocabulary};

use super::crossings;
use super::outer::OuterPart;
use super::part::PartVocabulary;

/// The tokens that begin with the last byte of a name and go on in the piece behind it. Where a
/// name is all but read, its piece has not been looked at for long: to walk through its tables
/// takes several microseconds then.
#[derive(Debug)]
pub(super) struct BehindName {
    byte: u8,
    tokens: Box<[u32]>,
    /// The least depth of the piece. The tokens are the same at all greater ones.
    least_depth: usize,
}

impl BehindName {
    /// The tokens behind a name that ends with `byte`; `None` if they depend on what stands behind
    /// the piece, or on the depth.
    pub(super) fn new(
        byte: u8,
        piece: &OwnedPart,
        outer: &OuterPart,
        (vocabulary, tokens): (&OwnedVocabulary, &PartVocabulary),
    ) -> Option<Self> {
        let trie = tokens.whole().trie();
        let find = |depth| {
            let parts = LonePiece {
                piece,
                outer,
                vocabulary,
                depth,
                has_missed: AtomicBool::new(false),
            };
            let found = crossings::behind_byte(&parts, trie, byte, &PIECE);
            (!parts.has_missed.into_inner()).then_some(found)
        };
        let least_depth = piece.least_depth();
        let tokens = find(least_depth)?;
        // A byte pushes one frame at most, and no state needs more than a byte can say: no token
        // needs more frames.
        let deep = least_depth + trie.nodes.longest() as usize + usize::from(u8::MAX);
        (find(deep)? == tokens).then_some(BehindName {
            byte,
            tokens,
            least_depth,
        })
    }

    /// About how many bytes the tokens take.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.tokens)
    }

    /// The tokens, if the name ends with this byte and the piece can be used at this depth.
    pub(super) fn tokens(&self, byte: u8, depth: usize) -> Option<&[u32]> {
        (self.byte == byte && self.least_depth <= depth).then_some(&self.tokens)
    }
}

/// The beginning of the only piece.
const PIECE: Crossing = Crossing {
    ending: 0,
    place: Place::Piece { piece: 0, after: 0 },
    state: 0,
    piece: None,
};

/// A piece without what stands around it.
struct LonePiece<'a> {
    piece: &'a OwnedPart,
    outer: &'a OuterPart,
    vocabulary: &'a OwnedVocabulary,
    depth: usize,
    /// Whether the walk left the piece.
    has_missed: AtomicBool,
}

impl LonePiece<'_> {
    fn missed<T>(&self) -> Option<T> {
        self.has_missed.store(true, Ordering::Relaxed);
        None
    }
}

impl Parts for LonePiece<'_> {
    type View<'p>
        = PartView<'p>
    where
        Self: 'p;

    fn id(&self) -> TablesId {
        self.piece.view().grammar().id()
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn vocabulary(&self) -> Vocabulary<'_> {
        self.vocabulary.view()
    }

    fn outer(&self) -> PartView<'_> {
        PartView::from(&self.outer.part)
    }

    fn piece(&self, _: u32) -> Option<PartView<'_>> {
        Some(PartView::from(self.piece))
    }

    fn part(&self, place: Place) -> Option<PartView<'_>> {
        match place {
            Place::Piece { piece, .. } => self.piece(piece),
            _ => self.missed(),
        }
    }

    fn names(&self, _: u16) -> Option<Names<'_>> {
        self.missed()
    }

    fn crossing(&self, _: &Crossing, _: u32, _: u32, _: &mut dyn FnMut(u32)) {
        self.missed().unwrap_or_default()
    }
}
