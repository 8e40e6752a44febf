//! One token set: reading it, and putting it into words of a mask.
//!
//! In: the words of a set. Out: [`TokenSet`], which is the same for all kinds: a base (nothing, ids
//! by their level or everything), ids added to it and ids removed from it. Words of a mask are
//! written for any *window*: a run of words that begins at some word of the whole mask.

use crate::layout::set::{
    ACCEPT, BITMAP, KIND, LEAST_SHIFT, LEVELS, PLANES, PLANES_SHIFT, REJECT, SHARED, SHARED_SHIFT,
};
use crate::levels::Levels;
use crate::list::{IS_SMALL, List, clear};
use crate::sets::Sets;
use crate::tables::Grammar;
use crate::words::Words;

/// How many removed ids can be marked as having been in the mask before.
const MAX_MARKS: usize = 1_024;

/// A set of token ids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenSet<'t> {
    base: Base,
    /// The levels, if the base has any.
    levels: Levels<'t>,
    added: List<'t>,
    removed: List<'t>,
    vocab_size: u32,
}

/// The base of a set, which differs from the set in a few ids.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_os = "none", repr(u32))]
enum Base {
    Nothing,
    Levels,
    Everything,
}

impl<'t> Grammar<'t> {
    /// The set with an id; `None` if its words are no set.
    #[inline]
    pub(crate) fn set(&self, id: u32) -> Option<TokenSet<'t>> {
        let (head, words, sets) = self.set_words(id, &self.sets)?;
        match IS_SMALL {
            true => self.set_in_place(head, words, sets),
            false => self.set_of_parts(head, words, sets),
        }
    }

    /// The set whose first word is `head`, made of parts that a processor keeps in registers.
    #[inline]
    fn set_of_parts(&self, head: u32, words: Words<'t>, sets: &Sets<'t>) -> Option<TokenSet<'t>> {
        let vocab_size = self.vocab_size();
        let (mut base, mut levels) = (Base::Nothing, Levels::NONE);
        let (mut added, mut removed) = (List::EMPTY, List::EMPTY);
        match head {
            BITMAP => {
                let bitmap = words.slice(0, self.mask_words())?;
                (base, levels) = (Base::Levels, Levels::of(bitmap));
            }
            ACCEPT => added = List::new(words, vocab_size),
            REJECT => (base, removed) = (Base::Everything, List::new(words, vocab_size)),
            _ => {
                let lists;
                base = Base::Levels;
                (levels, lists) = self.levels(head, words, sets)?;
                let rest;
                (added, rest) = List::split(lists, vocab_size)?;
                removed = List::new(rest, vocab_size);
            }
        }
        Some(TokenSet {
            base,
            levels,
            added,
            removed,
            vocab_size,
        })
    }

    /// [`set_of_parts`](Self::set_of_parts), written to where the set is kept, since copies take
    /// code.
    #[inline]
    fn set_in_place(&self, head: u32, words: Words<'t>, sets: &Sets<'t>) -> Option<TokenSet<'t>> {
        let vocab_size = self.vocab_size();
        let mut set = TokenSet {
            base: Base::Nothing,
            levels: Levels::NONE,
            added: List::EMPTY,
            removed: List::EMPTY,
            vocab_size,
        };
        match head {
            BITMAP => {
                set.base = Base::Levels;
                set.levels.be_bitmap(words.slice(0, self.mask_words())?);
            }
            ACCEPT => set.added = List::new(words, vocab_size),
            REJECT => {
                set.base = Base::Everything;
                set.removed = List::new(words, vocab_size);
            }
            _ => {
                set.base = Base::Levels;
                let lists = self.read_levels(&mut set.levels, head, words, sets)?;
                let rest;
                (set.added, rest) = List::split(lists, vocab_size)?;
                set.removed = List::new(rest, vocab_size);
            }
        }
        Some(set)
    }

    /// The id of a set in the tables that these stand beside, if it is one of them.
    #[cfg(feature = "link")]
    pub(crate) fn shared_set(&self, id: u32) -> Option<u32> {
        let (head, _) = self.sets.record(id)?;
        (head & KIND == SHARED).then_some(head >> SHARED_SHIFT)
    }

    /// The words of a set that is a bitmap.
    fn bitmap(&self, id: u32, sets: &Sets<'t>) -> Option<Words<'t>> {
        let (BITMAP, words, _) = self.set_words(id, sets)? else {
            return None;
        };
        words.slice(0, self.mask_words())
    }

    /// The levels of a set whose first word is `head` and whose other words begin `words`, and the
    /// words after the ids of the planes.
    pub(crate) fn levels(
        &self,
        head: u32,
        words: Words<'t>,
        sets: &Sets<'t>,
    ) -> Option<(Levels<'t>, Words<'t>)> {
        let mut levels = Levels::NONE;
        let rest = self.read_levels(&mut levels, head, words, sets)?;
        Some((levels, rest))
    }

    /// [`levels`](Self::levels), written to where they are kept, since copies take code.
    #[inline]
    fn read_levels(
        &self,
        levels: &mut Levels<'t>,
        head: u32,
        words: Words<'t>,
        sets: &Sets<'t>,
    ) -> Option<Words<'t>> {
        levels.count = (head >> PLANES_SHIFT & PLANES) as usize;
        levels.least = head >> LEAST_SHIFT;
        // Few enough planes for the shift below.
        let planes = levels.planes.get_mut(..levels.count)?;
        if head & KIND != LEVELS || levels.least == 0 || levels.least >> levels.count != 0 {
            return None;
        }
        for (plane, id) in planes.iter_mut().zip(words.slice(0, levels.count)?.iter()) {
            *plane = self.bitmap(id, sets)?;
        }
        words.tail(levels.count)
    }

    /// The first word of a set, the words after it to the end of the section, and the sets that it
    /// lies among: those of the base tables, if it is shared.
    fn set_words<'s>(
        &'s self,
        id: u32,
        sets: &'s Sets<'t>,
    ) -> Option<(u32, Words<'t>, &'s Sets<'t>)> {
        let (head, words) = sets.record(id)?;
        if head & KIND != SHARED {
            return Some((head, words, sets));
        }
        let (head, words) = self.beside.record(head >> SHARED_SHIFT)?;
        Some((head, words, &self.beside))
    }
}

/// What tools ask of the sets of tables.
impl Grammar<'_> {
    /// Number of token sets, of which masks are unions.
    pub const fn set_count(&self) -> u32 {
        self.sets.index.len() as u32
    }

    /// Writes a token set into the first [`mask_words`](Self::mask_words) words of a buffer, as
    /// masks are written. Returns its kind, one of [`layout::set`](crate::layout::set); `None` if
    /// there is no such set or the buffer is too short.
    pub fn fill_set(&self, id: u32, buffer: &mut [u32]) -> Option<u32> {
        let words = buffer.get_mut(..self.mask_words())?;
        self.set(id)?.write(words, 0);
        Some(self.sets.record(id)?.0 & KIND)
    }
}

impl<'t> TokenSet<'t> {
    /// Whether the set is more than a list.
    #[inline]
    pub(crate) fn has_base(&self) -> bool {
        !matches!(self.base, Base::Nothing)
    }

    /// The ids of a set that is a list.
    pub(crate) fn as_list(&self) -> Option<List<'t>> {
        match self.base {
            Base::Nothing => Some(self.added),
            _ => None,
        }
    }

    /// Whether `id` is in the set.
    #[cfg_attr(not(target_os = "none"), inline)]
    pub(crate) fn contains(&self, id: u32) -> bool {
        let in_base = match self.base {
            Base::Nothing => false,
            Base::Levels => self.levels.contains(id),
            Base::Everything => id < self.vocab_size,
        };
        if in_base {
            !self.removed.contains(id)
        } else {
            self.added.contains(id)
        }
    }

    /// The least id from `id` on that may be in the set: exact for lists, `id` itself otherwise.
    pub(crate) fn next_candidate(&self, id: u32) -> Option<u32> {
        if self.has_base() {
            (id < self.vocab_size).then_some(id)
        } else {
            self.added.next(id)
        }
    }

    /// Writes the set into a window that begins at word `first` of the mask.
    pub(crate) fn write(&self, window: &mut [u32], first: usize) {
        if IS_SMALL {
            window.fill(0);
            return self.union_into(window, first);
        }
        let len = window.len();
        match self.base {
            Base::Levels => self.levels.write(window, first),
            _ => {
                window.fill(0);
                self.union_base(window, first, 0, len);
            }
        }
        self.removed.remove_from(window, first);
        self.insert_added(window, first);
    }

    /// Adds the set to a window that begins at word `first` of the mask.
    pub(crate) fn union_into(&self, window: &mut [u32], first: usize) {
        if IS_SMALL {
            self.union_by_word(window, first);
        } else {
            self.union_by_part(window, first);
        }
        self.insert_added(window, first);
    }

    /// Adds the base without the removed ids, word by word.
    fn union_by_word(&self, window: &mut [u32], first: usize) {
        let (len, mut done, mut before) = (window.len(), 0, 0);
        self.removed.each_in(first, len, |at, bit| {
            if at >= done {
                before = window.get(at).copied().unwrap_or(0);
                self.union_base(window, first, done, at + 1);
                done = at + 1;
            }
            clear(window, at, bit & !before);
        });
        self.union_base(window, first, done, len);
    }

    /// Adds the whole base, then removes those of the removed ids that were not in the window
    /// before.
    fn union_by_part(&self, window: &mut [u32], first: usize) {
        let (len, mut count) = (window.len(), 0);
        let mut was_there = [0u32; MAX_MARKS / 32];
        self.removed.each_in(first, len, |at, bit| {
            if window.get(at).is_some_and(|word| word & bit != 0) {
                insert(&mut was_there, count / 32, 1 << (count % 32));
            }
            count += 1;
        });
        if count > MAX_MARKS {
            return self.union_by_word(window, first);
        }
        self.union_base(window, first, 0, len);
        count = 0;
        self.removed.each_in(first, len, |at, bit| {
            let marks = was_there.get(count / 32).unwrap_or(&0);
            if marks >> (count % 32) & 1 == 0 {
                clear(window, at, bit);
            }
            count += 1;
        });
    }

    #[inline]
    fn insert_added(&self, window: &mut [u32], first: usize) {
        if !IS_SMALL && first == 0 && window.len() * 32 >= self.vocab_size as usize {
            return self.added.add_to(window);
        }
        self.added
            .each_in(first, window.len(), |at, bit| insert(window, at, bit));
    }

    /// Adds the base to the words from `start` to `end` of a window.
    #[inline]
    fn union_base(&self, window: &mut [u32], first: usize, start: usize, end: usize) {
        let Some(window) = window.get_mut(start..end) else {
            return;
        };
        if IS_SMALL {
            if self.has_base() {
                let words = window.iter_mut().zip(first + start..);
                words.for_each(|(word, at)| *word |= self.base_word(at));
            }
            return;
        }
        match self.base {
            Base::Nothing => {}
            Base::Levels => self.levels.unite(window, first + start),
            Base::Everything => {
                window.fill(u32::MAX);
                self.clear_past_end(window, first + start);
            }
        }
    }

    /// A word of the base.
    fn base_word(&self, at: usize) -> u32 {
        match self.base {
            Base::Nothing => 0,
            Base::Levels => self.levels.word(at),
            Base::Everything => {
                let ids = self.vocab_size.saturating_sub(32 * at as u32);
                1u32.checked_shl(ids).map_or(u32::MAX, |bit| bit - 1)
            }
        }
    }

    /// Clears what lies at or after `vocab_size`.
    fn clear_past_end(&self, window: &mut [u32], first: usize) {
        let (whole, rest) = (self.vocab_size as usize / 32, self.vocab_size % 32);
        if let Some(last) = whole.checked_sub(first).and_then(|at| window.get_mut(at)) {
            *last &= (1 << rest) - 1;
        }
    }
}

#[inline]
fn insert(window: &mut [u32], at: usize, bit: u32) {
    if let Some(word) = window.get_mut(at) {
        *word |= bit;
    }
}
