//! The ids of a mask, one after the other.

use core::fmt;

use crate::tables::Grammar;

use super::{Language, Mask};

/// Words that are worked out at a time.
const WINDOW: usize = 32;

/// The ids of the tokens that may come next, ascending, each once: see [`Mask::iter`].
pub struct Ids<'a, G = Grammar<'a>, P = ()> {
    mask: Mask<'a, G, P>,
    /// A window of the mask, without the ids that were given.
    window: [u32; WINDOW],
    /// The word of the mask that the window begins at.
    first: usize,
    /// The word of the window to look at next.
    at: usize,
}

impl<'a, G: Language> Mask<'a, G, G::Place> {
    /// The ids of the tokens that may come next, ascending. Few ids take a few steps each; in a
    /// linked grammar the whole mask is worked out.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// matcher.accept_bytes(b"[tr")?;
    /// let ids: Vec<u32> = matcher.mask().iter().collect();
    /// assert_eq!(ids, [b'u' as u32]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> Ids<'a, G, G::Place> {
        Ids::new(*self)
    }
}

impl<'a, G: Language> IntoIterator for Mask<'a, G, G::Place> {
    type Item = u32;
    type IntoIter = Ids<'a, G, G::Place>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<G, P: Copy> Clone for Ids<'_, G, P> {
    fn clone(&self) -> Self {
        Ids { ..*self }
    }
}

impl<'a, G: Language> Ids<'a, G, G::Place> {
    pub(crate) fn new(mask: Mask<'a, G, G::Place>) -> Self {
        let mut ids = Ids {
            mask,
            window: [0; WINDOW],
            first: 0,
            at: WINDOW,
        };
        ids.refill(0);
        ids
    }

    /// Works out the window in which the first id from `id` on lies; `None` if there is none.
    fn refill(&mut self, id: u32) -> Option<()> {
        let next = G::next_candidate(&self.mask, id)?;
        self.first = next as usize / 32;
        self.at = 0;
        let words = self.mask.words().saturating_sub(self.first).min(WINDOW);
        self.window = [0; WINDOW];
        self.mask.write(self.window.get_mut(..words)?, self.first);
        Some(())
    }
}

impl<G: Language> Iterator for Ids<'_, G, G::Place> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        loop {
            let Some(word) = self.window.get_mut(self.at) else {
                self.refill(u32::try_from(32 * (self.first + WINDOW)).ok()?)?;
                continue;
            };
            if *word == 0 {
                self.at += 1;
                continue;
            }
            let bit = word.trailing_zeros();
            *word &= *word - 1;
            return u32::try_from(32 * (self.first + self.at))
                .ok()
                .map(|first| first + bit);
        }
    }
}

impl<G: Language> core::iter::FusedIterator for Ids<'_, G, G::Place> {}

impl<G: Language> fmt::Debug for Ids<'_, G, G::Place> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ids")
            .field("mask", &self.mask)
            .finish_non_exhaustive()
    }
}
