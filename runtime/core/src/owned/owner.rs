//! What a matcher can own.

use core::borrow::Borrow;
use core::fmt;
use core::hash::Hash;

use crate::language::Language;
use crate::tables::Grammar;

use super::OwnedGrammar;

/// A grammar without a lifetime, which an [`OwnedMatcher`](crate::OwnedMatcher) shares: an
/// [`OwnedGrammar`], or an `Arc` of the parts of a linked grammar.
pub trait Owner: Clone {
    /// Where a text stands besides its stacks: see [`Language::Place`].
    type Place: Copy + Default + Eq + Hash + fmt::Debug + Send + Sync;
    /// What a matcher follows.
    type Language<'a>: Language<Place = Self::Place>
    where
        Self: 'a;
    /// The language, or a view of it that is made for the purpose.
    type View<'a>: Borrow<Self::Language<'a>>
    where
        Self: 'a;

    /// The language.
    fn view(&self) -> Self::View<'_>;

    /// The stacks that a text needs.
    fn stacks(&self) -> usize {
        1
    }
}

impl Owner for OwnedGrammar {
    type Place = ();
    type Language<'a> = Grammar<'a>;
    type View<'a> = Grammar<'a>;

    #[inline]
    fn view(&self) -> Grammar<'_> {
        OwnedGrammar::view(self)
    }

    fn stacks(&self) -> usize {
        OwnedGrammar::view(self).max_stacks()
    }
}
