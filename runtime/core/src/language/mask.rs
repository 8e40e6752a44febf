//! The mask: which tokens may come next.
//!
//! In: the stacks of a matcher. Out: [`Mask`], which walks the mask tree of each stack when it is
//! asked something. The mask is the union of the sets on these walks; it is never stored.

use core::fmt;

use crate::argmax::Best;
use crate::error::BufferTooSmall;
#[cfg(feature = "graph")]
use crate::graph::{self, Heads, Visit};
use crate::head::Head;
use crate::list::IS_SMALL;
use crate::logit::Logit;
use crate::set::TokenSet;
use crate::stack::{Stacks, Storage, Text};
use crate::tables::Grammar;
use crate::walk::SetIds;

use super::Language;

/// Sets of a graph that are known again: as many as rows are described by.
#[cfg(feature = "graph")]
const KNOWN: usize = 24;

/// Words of the buffer in which masks are worked out piece by piece.
pub(crate) const WINDOW: usize = 128;

/// The tokens that may come next: a view of the matcher, worked out by its methods.
///
/// Masks are over token ids below [`Grammar::vocab_size`]; as words, bit `id % 32` of word
/// `id / 32` is token `id`.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// # use maskwright_core::{Grammar, Matcher, Vocabulary};
/// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
/// # let mut matcher = Matcher::<8>::new(&grammar)?;
/// matcher.accept_bytes(b"[[1")?;
/// let mask = matcher.mask();
/// // 258 is `]]`, 256 is `true`.
/// assert!(mask.contains(b',' as u32) && mask.contains(258) && !mask.contains(256));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `G` is what the matcher follows, and `P` where it stands there besides its stacks.
pub struct Mask<'a, G = Grammar<'a>, P = ()> {
    pub(crate) language: &'a G,
    pub(crate) place: P,
    pub(crate) heads: &'a [Head],
    /// The frames of all stacks, `depth` for each, or the words of a graph.
    pub(crate) frames: &'a [u16],
    pub(crate) depth: usize,
    /// How many heads there are, if the stacks are a graph.
    #[cfg(feature = "graph")]
    graph_heads: usize,
}

impl<G, P: Copy> Clone for Mask<'_, G, P> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, P: Copy> Copy for Mask<'_, G, P> {}

impl<'a, G: Language> Mask<'a, G, G::Place> {
    /// The mask of a text.
    #[inline]
    pub(crate) fn of<S: Storage>(language: &'a G, text: &'a Text<S, G::Place>) -> Self {
        Self::at(language, text.place, &text.stacks)
    }

    /// The mask of stacks at a place.
    #[inline]
    pub(crate) fn at<S: Storage>(language: &'a G, place: G::Place, stacks: &'a Stacks<S>) -> Self {
        let storage = &stacks.storage;
        #[cfg(feature = "graph")]
        let is_graph = stacks.is_graph;
        #[cfg(not(feature = "graph"))]
        let is_graph = false;
        Mask {
            language,
            place,
            heads: match is_graph {
                true => storage.heads(),
                false => stacks.heads(),
            },
            frames: storage.frames(),
            depth: storage.depth(),
            #[cfg(feature = "graph")]
            graph_heads: if is_graph { stacks.live() } else { 0 },
        }
    }

    /// Number of `u32` words that the mask takes.
    pub fn words(&self) -> usize {
        self.size().div_ceil(32)
    }

    /// Number of token ids.
    fn size(&self) -> usize {
        self.language.size() as usize
    }

    /// Whether a token may come next.
    pub fn contains(&self, id: u32) -> bool {
        G::mask_contains(self, id)
    }

    /// Writes the mask into the first [`words`](Self::words) words of a buffer, and zeros into the
    /// others.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// let mut words = vec![0u32; grammar.mask_words()];
    /// matcher.mask().fill(&mut words)?;
    /// let is_allowed = |id: u32| words[id as usize / 32] >> (id % 32) & 1 == 1;
    /// assert!(is_allowed(b'[' as u32) && !is_allowed(b']' as u32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the buffer is too short. Nothing is written then.
    pub fn fill(&self, buffer: &mut [u32]) -> Result<(), BufferTooSmall> {
        let (needed, found) = (self.words(), buffer.len());
        let Some((mask, rest)) = buffer.split_at_mut_checked(needed) else {
            return Err(BufferTooSmall { needed, found });
        };
        self.write(mask, 0);
        rest.fill(0);
        Ok(())
    }

    /// Sets the logits of all tokens that may not come next to minus infinity, those past the
    /// vocabulary's end included. `logits[id]` is the logit of token `id`; tokens without one are
    /// ignored. Costs one pass over the logits.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// let mut logits = vec![0.5f32; grammar.vocab_size() as usize];
    /// matcher.mask().apply(&mut logits);
    /// assert_eq!((logits[b'[' as usize], logits[b'1' as usize]), (0.5, f32::NEG_INFINITY));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply<L: Logit>(&self, logits: &mut [L]) {
        let masked = logits.len().min(self.size());
        let (logits, rest) = logits.split_at_mut(masked);
        rest.fill(L::NEG_INFINITY);
        self.for_each_word_below(logits.len(), |at, word| {
            let Some(logits) = logits.get_mut(32 * at..) else {
                return;
            };
            let len = logits.len().min(32);
            apply_word(word, &mut logits[..len]);
        });
    }

    /// The token that may come next, if it is the only one.
    #[inline]
    pub(crate) fn only(&self) -> Option<u32> {
        let mut ids = self.iter();
        ids.next().filter(|_| ids.next().is_none())
    }

    /// Number of tokens that may come next.
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.for_each_word(|_, word| count += word.count_ones() as usize);
        count
    }

    /// Whether no token may come next: the text is finished.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The token of the highest logit among those that may come next; of equal ones the first. A
    /// NaN is lower than everything else. `None` if no token that may come next has a logit. Costs
    /// one pass over the logits.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// let mut logits = vec![0.0f32; grammar.vocab_size() as usize];
    /// logits[b'x' as usize] = 3.0;
    /// assert_eq!(matcher.mask().argmax(&logits), Some(b'[' as u32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn argmax<L: Logit>(&self, logits: &[L]) -> Option<u32> {
        let mut best = Best::default();
        self.for_each_word_below(logits.len(), |at, word| {
            if let Some(logits) = logits.get(32 * at..) {
                best.update(32 * at as u32, word, logits);
            }
        });
        best.found.map(|(id, _)| id)
    }

    /// Calls `visit` with each word of the mask, in order: its index, and the bits of tokens
    /// `32 * index` to `32 * index + 31`. Needs no buffer from the caller.
    pub fn for_each_word(&self, visit: impl FnMut(usize, u32)) {
        self.for_each_word_below(self.size(), visit);
    }

    /// [`for_each_word`](Self::for_each_word) for the words of the tokens below `end`.
    fn for_each_word_below(&self, end: usize, mut visit: impl FnMut(usize, u32)) {
        let words = self.words().min(end.div_ceil(32));
        let mut window = [0; WINDOW];
        for first in (0..words).step_by(WINDOW) {
            let Some(window) = window.get_mut(..WINDOW.min(words - first)) else {
                break;
            };
            self.write(window, first);
            window
                .iter()
                .enumerate()
                .for_each(|(at, &word)| visit(first + at, word));
        }
    }

    /// Writes a window of the mask that begins at word `first`.
    #[inline]
    pub(crate) fn write(&self, window: &mut [u32], first: usize) {
        G::write_mask(self, window, first);
    }
}

impl<'a> Mask<'a> {
    /// The mask of stacks that are no graph.
    #[cfg(feature = "link")]
    #[inline]
    pub(crate) fn new(
        grammar: &'a Grammar<'a>,
        heads: &'a [Head],
        frames: &'a [u16],
        depth: usize,
    ) -> Self {
        Mask {
            language: grammar,
            place: (),
            heads,
            frames,
            depth,
            #[cfg(feature = "graph")]
            graph_heads: 0,
        }
    }

    /// [`contains`](Self::contains) by the sets.
    pub(crate) fn has(&self, id: u32) -> bool {
        #[cfg(feature = "graph")]
        if self.is_graph() {
            return self.any_set(&mut |set| set.contains(id));
        }
        self.sets().any(|set| set.contains(id))
    }

    /// [`write`](Self::write) by the sets.
    pub(crate) fn write_own(&self, window: &mut [u32], first: usize) {
        #[cfg(feature = "graph")]
        if self.is_graph() {
            return self.write_graph(window, first);
        }
        self.write_sets(window, first, |_, _| {});
    }

    /// Writes a window of the union of the sets, and calls `visit` with each set that is added, and
    /// the window. One set with a base is copied; the others are added.
    #[inline]
    pub(crate) fn write_sets(
        &self,
        window: &mut [u32],
        first: usize,
        mut visit: impl FnMut(&TokenSet<'a>, &mut [u32]),
    ) {
        if IS_SMALL {
            window.fill(0);
            return self.sets().for_each(|set| {
                set.union_into(window, first);
                visit(&set, window);
            });
        }
        let base = self.sets().enumerate().find(|(_, set)| set.has_base());
        match &base {
            Some((_, set)) => set.write(window, first),
            None => window.fill(0),
        }
        for (at, set) in self.sets().enumerate() {
            if base.as_ref().is_none_or(|(written, _)| *written != at) {
                set.union_into(window, first);
                visit(&set, window);
            }
        }
    }

    /// The least id from `id` on that may be in the mask.
    pub(crate) fn next_own(&self, id: u32) -> Option<u32> {
        #[cfg(feature = "graph")]
        if self.is_graph() {
            let mut least: Option<u32> = None;
            self.any_set(&mut |set| {
                let next = set.next_candidate(id);
                least = least.into_iter().chain(next).min();
                false
            });
            return least;
        }
        self.sets().filter_map(|set| set.next_candidate(id)).min()
    }

    /// The sets whose union is the mask, of stacks that are no graph.
    #[inline]
    fn sets(&self) -> impl Iterator<Item = TokenSet<'a>> + use<'a> {
        let grammar = self.language;
        self.set_ids().filter_map(|id| grammar.set(id))
    }

    /// Their ids.
    #[inline]
    pub(crate) fn set_ids(&self) -> SetIds<'a> {
        SetIds::of(self.language.trees(), self.heads, self.frames, self.depth)
    }
}

#[cfg(feature = "graph")]
impl<'a> Mask<'a> {
    /// Whether the stacks are a graph.
    #[inline]
    pub(crate) fn is_graph(&self) -> bool {
        !self.language.stacks_are_proved()
    }

    /// Calls `visit` with the id of each set of a graph until a call returns true; whether one did.
    pub(crate) fn any_set_id(&self, visit: &mut Visit<'_>) -> bool {
        let words = self.frames;
        let heads = Heads::new(self.heads, words, self.graph_heads);
        graph::any_set(self.language.trees(), heads, words, self.depth, visit)
    }

    /// [`any_set_id`](Self::any_set_id) with the sets.
    fn any_set(&self, visit: &mut dyn FnMut(TokenSet<'a>) -> bool) -> bool {
        let grammar = self.language;
        self.any_set_id(&mut |id| grammar.set(id).is_some_and(&mut *visit))
    }

    /// Calls `visit` with the id of each set of a graph. Stacks often have sets in common: of the
    /// first [`KNOWN`] none comes twice.
    pub(crate) fn each_set_id(&self, visit: &mut dyn FnMut(u32)) {
        let (mut seen, mut count) = ([0; KNOWN], 0);
        self.any_set_id(&mut |id| {
            if seen.iter().take(count).any(|&other| other == id) {
                return false;
            }
            if let Some(to) = seen.get_mut(count) {
                *to = id;
                count += 1;
            }
            visit(id);
            false
        });
    }

    /// Writes a window of the mask of a graph.
    fn write_graph(&self, window: &mut [u32], first: usize) {
        window.fill(0);
        self.each_set_id(&mut |id| {
            if let Some(set) = self.language.set(id) {
                set.union_into(window, first);
            }
        });
    }
}

impl<G: Language> fmt::Debug for Mask<'_, G, G::Place> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mask")
            .field("place", &self.place)
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}

/// Sets the logits of the bits that are not set.
#[inline]
pub(crate) fn apply_word<L: Logit>(word: u32, logits: &mut [L]) {
    match word {
        u32::MAX => {}
        0 => logits.fill(L::NEG_INFINITY),
        _ => {
            for (bit, logit) in logits.iter_mut().enumerate() {
                *logit = if word >> bit & 1 == 1 {
                    *logit
                } else {
                    L::NEG_INFINITY
                };
            }
        }
    }
}
