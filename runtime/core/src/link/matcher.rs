//! What matchers of linked grammars say besides what all matchers do.

#[cfg(feature = "alloc")]
use alloc::sync::Arc;

#[cfg(feature = "alloc")]
use super::LinkedMask;
use super::{Parts, Place};
#[cfg(feature = "alloc")]
use crate::error::{MatcherError, StateError};
use crate::matcher::Matcher;
#[cfg(feature = "alloc")]
use crate::owned::{OwnedMatcher, Owner};

/// A [`Matcher`] of a linked grammar, of the depth for which its parts were
/// [linked](Parts::depth).
pub type LinkedMatcher<'p, P, const DEPTH: usize> = Matcher<'p, DEPTH, 1, P, Place>;

impl<P: Parts, const DEPTH: usize> LinkedMatcher<'_, P, DEPTH> {
    /// The part in which the text stands.
    pub fn place(&self) -> Place {
        self.text.place
    }
}

#[cfg(feature = "alloc")]
impl<P: Parts> Owner for Arc<P> {
    type Place = Place;
    type Language<'a>
        = P
    where
        P: 'a;
    type View<'a>
        = &'a P
    where
        P: 'a;

    #[inline]
    fn view(&self) -> &P {
        self
    }
}

#[cfg(feature = "alloc")]
impl<P: Parts> OwnedMatcher<Arc<P>> {
    /// A matcher at the beginning of a text of a linked grammar, of the depth for which its parts
    /// were linked.
    ///
    /// # Errors
    ///
    /// If the shortest text needs more frames.
    pub fn linked(parts: Arc<P>) -> Result<Self, MatcherError> {
        let depth = parts.depth();
        Self::with_stacks(&parts, depth, 1)
    }

    /// A matcher of a linked grammar where [`to_bytes`](Self::to_bytes) or
    /// [`Matcher::write_to`](crate::Matcher::write_to) stood: see
    /// [`from_bytes`](Self::from_bytes).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn linked_from_bytes(bytes: &[u8], parts: &Arc<P>) -> Result<Self, StateError> {
        Self::from_bytes(bytes, parts, parts.depth())
    }

    /// The part in which the text stands.
    pub fn place(&self) -> Place {
        self.text.place
    }

    /// The tokens that may come next.
    #[inline]
    pub fn mask(&self) -> LinkedMask<'_, P> {
        LinkedMask::of(&**self.grammar(), &self.text)
    }
}
