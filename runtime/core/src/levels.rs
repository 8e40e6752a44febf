//! The ids of at least some level: the base of most sets that are no lists.
//!
//! In: planes, each of which holds one bit of the level of each id. Out: [`Levels`], whose ids are
//! written into words of a mask. What holds: ids past the end have the level 0.

use crate::layout::set::MAX_PLANES;
use crate::words::Words;

/// Words of a mask that are worked out at a time.
const RUN: usize = 64;

/// The ids of at least some level. A bitmap alone gives its ids the level 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels<'t> {
    /// Each plane holds one bit of the level of each id, low bits first; unused planes are empty.
    pub(crate) planes: [Words<'t>; MAX_PLANES],
    /// Number of planes.
    pub(crate) count: usize,
    /// The least level, not 0.
    pub(crate) least: u32,
}

impl<'t> Levels<'t> {
    /// No levels.
    pub(crate) const NONE: Self = Levels {
        planes: [Words::EMPTY; MAX_PLANES],
        count: 0,
        least: 0,
    };

    /// The ids of a bitmap.
    #[inline]
    pub(crate) fn of(bitmap: Words<'t>) -> Self {
        let mut levels = Levels::NONE;
        levels.be_bitmap(bitmap);
        levels
    }

    /// Becomes the levels of a bitmap.
    #[inline]
    pub(crate) fn be_bitmap(&mut self, bitmap: Words<'t>) {
        (self.planes[0], self.count, self.least) = (bitmap, 1, 1);
    }

    /// Whether the level of an id is high enough; ids past the end have the level 0.
    #[cfg_attr(not(target_os = "none"), inline)]
    pub(crate) fn contains(&self, id: u32) -> bool {
        let is_set = |plane: &Words<'_>| {
            (plane.get(id as usize / 32)).is_some_and(|word| word >> (id % 32) & 1 == 1)
        };
        let planes = self.planes.iter().take(self.count).enumerate();
        // Equal so far; the first bit that differs from the least level decides.
        planes.fold(true, |above, (bit, plane)| match self.least >> bit & 1 {
            1 => is_set(plane) && above,
            _ => is_set(plane) || above,
        })
    }

    /// A word of the ids, bit by bit as in [`contains`](Self::contains).
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u32 {
        let planes = self.planes.iter().take(self.count).enumerate();
        planes.fold(u32::MAX, |above, (bit, plane)| {
            let word = plane.get(at).unwrap_or(0);
            match self.least >> bit & 1 {
                1 => word & above,
                _ => word | above,
            }
        })
    }

    /// Writes the ids into a window that begins at word `first` of the mask. A plane below the
    /// lowest 1 of the least level decides nothing. Those above add ids to what the planes below
    /// decide where the least level has a 0, and keep what they have in common with it where it has
    /// a 1.
    pub(crate) fn write(&self, window: &mut [u32], first: usize) {
        let lowest = self.least.trailing_zeros() as usize;
        let planes = self.planes.iter().enumerate().take(self.count);
        for (bit, plane) in planes.skip(lowest) {
            if bit == lowest {
                combine(window, plane, first, |to, word| *to = word);
            } else if self.least >> bit & 1 == 1 {
                combine(window, plane, first, |to, word| *to &= word);
            } else {
                combine(window, plane, first, |to, word| *to |= word);
            }
        }
    }

    /// Adds the ids to a window that begins at word `first` of the mask.
    pub(crate) fn unite(&self, window: &mut [u32], first: usize) {
        if self.count == 1 {
            return combine(window, &self.planes[0], first, |to, word| *to |= word);
        }
        let mut ids = [0; RUN];
        for (at, window) in (first..).step_by(RUN).zip(window.chunks_mut(RUN)) {
            // No more words than asked for: where ids are removed, the window is one word.
            let ids = ids.get_mut(..window.len()).unwrap_or(&mut []);
            self.write(ids, at);
            window.iter_mut().zip(ids).for_each(|(to, ids)| *to |= *ids);
        }
    }
}

/// Combines each word of a window that begins at word `first` of the mask with a plane's.
#[inline]
fn combine(window: &mut [u32], plane: &Words<'_>, first: usize, with: impl Fn(&mut u32, u32)) {
    let words = plane.tail(first).unwrap_or(Words::EMPTY).raw();
    let pairs = window.iter_mut().zip(words);
    pairs.for_each(|(to, word)| with(to, u32::from_le_bytes(*word)));
}
