//! The tokens of crossings, found ahead of time and without compiling a piece.
//!
//! In: an outer part, perhaps with the tools that are linked to it, and a [`Crossing`]. Out: its
//! tokens, unless they depend on names or pieces that are missing.

use std::sync::atomic::{AtomicBool, Ordering};

use maskwright_core::link::{Crossing, Names, OwnedPart, PartView, Parts};
use maskwright_core::{OwnedVocabulary, TablesId, Vocabulary};

use super::crossings;
use super::outer::OuterPart;
use super::part::PartVocabulary;
use super::tools::LinkedTools;

/// The parts that are available: the outer part, and perhaps names and compiled pieces.
struct KnownParts<'a> {
    outer: &'a OuterPart,
    vocabulary: &'a OwnedVocabulary,
    tools: Option<&'a LinkedTools>,
    /// Whether the walk needed a part that is missing.
    has_missed: AtomicBool,
}

/// The tokens of a crossing; `None` if they depend on names while there are no tools, or on a piece
/// that has not been compiled.
pub(super) fn tokens(
    outer: &OuterPart,
    (vocabulary, tokens): (&OwnedVocabulary, &PartVocabulary),
    tools: Option<&LinkedTools>,
    crossing: &Crossing,
) -> Option<Box<[u32]>> {
    let known = KnownParts {
        outer,
        vocabulary,
        tools,
        has_missed: AtomicBool::new(false),
    };
    let trie = tokens.whole().trie();
    let behind_name = |piece, byte| tools?.behind_name(piece, byte);
    let found = crossings::tokens(&known, &behind_name, trie, &outer.reserved, crossing);
    (!known.has_missed.into_inner()).then_some(found)
}

impl OuterPart {
    /// Finds the tokens that lead here from a piece. Pieces of one format mostly have the same
    /// endings: then they have been found for another piece.
    pub(super) fn find_behind(
        &self,
        piece: &OwnedPart,
        vocabulary: &OwnedVocabulary,
        tokens: &PartVocabulary,
    ) {
        let slots = self.slots.of_piece(piece);
        for (crossing, slot) in self.slots.crossings(&slots) {
            slot.get_or_init(|| self::tokens(self, (vocabulary, tokens), None, &crossing));
        }
    }
}

impl<'a> KnownParts<'a> {
    /// Notes whether something is missing.
    fn there<T>(&self, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.has_missed.store(true, Ordering::Relaxed);
        }
        found
    }

    /// A piece that has been compiled and fits.
    fn ready(&self, piece: u32) -> Option<&'a OwnedPart> {
        let tools = self.tools?;
        let part = tools.compiled(piece)?;
        (part.least_depth() <= tools.depth).then_some(part)
    }
}

impl Parts for KnownParts<'_> {
    type View<'p>
        = PartView<'p>
    where
        Self: 'p;

    fn id(&self) -> TablesId {
        let outer = || self.outer.part.view().grammar().id();
        self.tools.map_or_else(outer, |tools| tools.id)
    }

    fn depth(&self) -> usize {
        // An outer part has no frames.
        self.tools.map_or(1, |tools| tools.depth)
    }

    fn vocabulary(&self) -> Vocabulary<'_> {
        self.vocabulary.view()
    }

    fn outer(&self) -> PartView<'_> {
        PartView::from(&self.outer.part)
    }

    fn piece(&self, piece: u32) -> Option<PartView<'_>> {
        self.there(self.ready(piece)).map(PartView::from)
    }

    fn names(&self, hole: u16) -> Option<Names<'_>> {
        self.there(self.tools.and_then(|tools| tools.names(hole)))
    }

    /// Walks ask for no crossings. None is known here.
    fn crossing(&self, _: &Crossing, _: u32, _: u32, _: &mut dyn FnMut(u32)) {
        self.has_missed.store(true, Ordering::Relaxed);
    }
}
