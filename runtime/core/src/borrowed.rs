//! A matcher of run-time size in the caller's memory.
//!
//! In: a grammar, memory for heads and frames, and the number of live stacks, the only thing that
//! has to be kept besides the memory. Out: the answers of a [`Matcher`](crate::Matcher). What holds
//! between calls: the live stacks lie at the beginning of the memory, so a copy of the memory is a
//! copy of the matcher.

use core::fmt;

use crate::error::{AcceptError, MatcherError, StateError};
use crate::head::Head;
use crate::language::{Mask, force};
use crate::slices::{Lent, Scratch, Slices};
use crate::stack::Stacks;
use crate::tables::Grammar;

/// A matcher in the caller's memory, whose depth and number of stacks are known only at run time:
/// for the C interface, and for programs without an allocator. It does what
/// [`Matcher`](crate::Matcher) does. Grammars whose stacks are a graph need the feature `graph`,
/// and more memory: see [`for_graph`](Self::for_graph).
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, _) = example::tables();
/// use maskwright_core::{BorrowedMatcher, Grammar, Head};
///
/// let grammar = Grammar::load(&tables)?;
/// let (depth, stacks) = (20, grammar.max_stacks());
/// let mut heads = vec![Head::default(); BorrowedMatcher::heads(stacks)];
/// let mut frames = vec![0; BorrowedMatcher::frames(depth, stacks).ok_or("too large")?];
/// let mut matcher = BorrowedMatcher::new(&grammar, depth, &mut heads, &mut frames)?;
/// matcher.accept_bytes(b"[[1")?;
/// let live = matcher.live();
///
/// // Later: memory and the number of live stacks are all that there is to keep.
/// let mut matcher = BorrowedMatcher::resume(&grammar, depth, live, &mut heads, &mut frames);
/// matcher.accept_bytes(b"]]")?;
/// assert!(matcher.is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BorrowedMatcher<'a> {
    grammar: &'a Grammar<'a>,
    stacks: Stacks<Lent<'a>>,
    scratch: Scratch<Lent<'a>>,
    /// Where a graph is kept while the matcher is tried further on.
    #[cfg(feature = "graph")]
    kept: Stacks<Lent<'a>>,
}

/// The parts of the memory: for the present stacks, for those on which a token is tried, and for
/// the scratch of a step.
const PARTS: usize = 3;
/// Where the stacks are a graph: one more, for the stacks from which several tokens are tried.
const GRAPH_PARTS: usize = PARTS + 1;

impl<'a> BorrowedMatcher<'a> {
    /// Heads that so many stacks take.
    pub const fn heads(stacks: usize) -> usize {
        PARTS.saturating_mul(stacks)
    }

    /// Frames that so many stacks of this depth take; `None` if there cannot be so many or so deep
    /// ones.
    pub const fn frames(depth: usize, stacks: usize) -> Option<usize> {
        if depth > u16::MAX as usize || stacks > u16::MAX as usize {
            return None;
        }
        match depth.checked_mul(stacks) {
            Some(frames) => frames.checked_mul(PARTS),
            None => None,
        }
    }

    /// How many stacks to ask memory for so that a graph has that of `stacks`, where the number of
    /// stacks is [not proved](Grammar::stacks_are_proved). The least is 8; a graph that has less
    /// memory than it needs drops stacks, as in [`Matcher`](crate::Matcher).
    pub const fn for_graph(stacks: usize) -> usize {
        stacks.saturating_mul(GRAPH_PARTS).div_ceil(PARTS)
    }

    /// A matcher at the beginning of a text, with as many stacks as all parts of the memory have
    /// room for.
    ///
    /// # Errors
    ///
    /// If the memory holds too few stacks for the grammar, if `depth` is below the least depth, or
    /// if it is above 65,535.
    pub fn new(
        grammar: &'a Grammar<'a>,
        depth: usize,
        heads: &'a mut [Head],
        frames: &'a mut [u16],
    ) -> Result<Self, MatcherError> {
        const MOST: usize = u16::MAX as usize;
        if depth > MOST {
            return Err(MatcherError::TooLarge { most: MOST });
        }
        let mut matcher = Self::resume(grammar, depth, 0, heads, frames);
        matcher.stacks.begin(grammar)?;
        Ok(matcher)
    }

    /// The matcher that used this memory before, with this many [live](Self::live) stacks. With
    /// other memory nothing panics, but the result is meaningless.
    pub fn resume(
        grammar: &'a Grammar<'a>,
        depth: usize,
        live: u16,
        heads: &'a mut [Head],
        frames: &'a mut [u16],
    ) -> Self {
        let depth = depth.min(u16::MAX as usize);
        let is_graph = cfg!(feature = "graph") && !grammar.stacks_are_proved();
        let parts = if is_graph { GRAPH_PARTS } else { PARTS };
        let by_frames = (frames.len() / parts).checked_div(depth);
        let stacks = (heads.len() / parts).min(by_frames.unwrap_or(usize::MAX));
        let words = stacks.saturating_mul(depth);
        let (heads, more_heads) = heads.split_at_mut_checked(stacks).unwrap_or_default();
        let (frames, more_frames) = frames.split_at_mut_checked(words).unwrap_or_default();
        let (next_heads, more_heads) = more_heads.split_at_mut_checked(stacks).unwrap_or_default();
        let (next_frames, more_frames) =
            more_frames.split_at_mut_checked(words).unwrap_or_default();
        #[cfg(feature = "graph")]
        let (more_heads, kept_heads) = more_heads.split_at_mut_checked(stacks).unwrap_or_default();
        #[cfg(feature = "graph")]
        let (more_frames, kept_frames) =
            more_frames.split_at_mut_checked(words).unwrap_or_default();
        let part = |heads, frames, spare| Slices {
            heads,
            frames,
            spare,
            depth,
        };
        let storage = part(heads, frames, Default::default());
        #[cfg(not(feature = "graph"))]
        let stacks = Stacks::with_live(storage, live);
        #[cfg(feature = "graph")]
        let stacks = Stacks::with_live(storage, live).of_graph(is_graph);
        let next = part(next_heads, next_frames, (more_heads, more_frames));
        BorrowedMatcher {
            grammar,
            stacks,
            scratch: Scratch(Stacks::none(next)),
            #[cfg(feature = "graph")]
            kept: Stacks::none(part(kept_heads, kept_frames, Default::default())),
        }
    }

    /// The number of live stacks, or of the heads of a graph, for [`resume`](Self::resume).
    pub fn live(&self) -> u16 {
        self.stacks.live() as u16
    }

    /// The grammar.
    pub fn grammar(&self) -> &'a Grammar<'a> {
        self.grammar
    }

    /// The tokens that may come next.
    pub fn mask(&self) -> Mask<'_> {
        Mask::at(self.grammar, (), &self.stacks)
    }

    /// [`Matcher::accept_token`](crate::Matcher::accept_token).
    ///
    /// # Errors
    ///
    /// As there. The matcher is then as it was.
    pub fn accept_token(&mut self, id: u32) -> Result<(), AcceptError> {
        self.stacks
            .accept_token(self.grammar, id, &mut self.scratch)?;
        self.settle();
        Ok(())
    }

    /// [`Matcher::accept_bytes`](crate::Matcher::accept_bytes).
    ///
    /// # Errors
    ///
    /// As there. The matcher is then as it was.
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> Result<(), AcceptError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.stacks
            .accept_bytes(self.grammar, bytes, &mut self.scratch)?;
        self.settle();
        Ok(())
    }

    /// [`Matcher::accept_draft`](crate::Matcher::accept_draft).
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        draft
            .iter()
            .take_while(|&&id| self.accept_token(id).is_ok())
            .count()
    }

    /// [`Matcher::check_draft`](crate::Matcher::check_draft). The matcher stays where it is; it is
    /// tried in the memory's other parts.
    pub fn check_draft(&mut self, draft: &[u32]) -> usize {
        #[cfg(feature = "graph")]
        if self.stacks.is_graph {
            return self.tried(|matcher| matcher.accept_draft(draft));
        }
        let grammar = self.grammar;
        let copy = self.copy();
        draft
            .iter()
            .take_while(|&&id| copy.take_token(grammar, id).is_ok())
            .count()
    }

    /// [`Matcher::forced_bytes`](crate::Matcher::forced_bytes). The matcher stays where it is.
    pub fn forced_bytes(&mut self, buffer: &mut [u8]) -> usize {
        let grammar = self.grammar;
        self.copy().force_bytes(grammar, buffer)
    }

    /// [`Matcher::forced_tokens`](crate::Matcher::forced_tokens). The matcher stays where it is.
    pub fn forced_tokens(&mut self, buffer: &mut [u32]) -> usize {
        #[cfg(feature = "graph")]
        if self.stacks.is_graph {
            let only = |matcher: &Self| matcher.mask().only();
            return self.tried(|matcher| force(matcher, buffer, only, Self::accept_token));
        }
        let grammar = self.grammar;
        let only = |stacks: &Stacks<_>| Mask::at(grammar, (), stacks).only();
        force(self.copy(), buffer, only, |next, id| {
            next.take_token(grammar, id)
        })
    }

    /// [`Matcher::finish`](crate::Matcher::finish).
    ///
    /// # Errors
    ///
    /// If the text is not complete.
    pub fn finish(&mut self) -> Result<(), AcceptError> {
        self.stacks.finish(self.grammar, Some(&mut self.scratch))
    }

    /// Goes back to the beginning of a text.
    pub fn reset(&mut self) {
        self.stacks.start_text(self.grammar);
    }

    /// Whether the text may end here. The matcher stays where it is.
    pub fn is_complete(&mut self) -> bool {
        (self.stacks).could_end(self.grammar, Some(&mut self.scratch))
    }

    /// Whether the text has ended.
    pub fn is_finished(&self) -> bool {
        self.stacks.is_empty()
    }

    /// Bytes that [`write_to`](Self::write_to) writes.
    pub fn byte_len(&self) -> usize {
        self.stacks.saved_len()
    }

    /// Writes where the text stands to the beginning of a buffer, in the form of
    /// [`State::write_to`](crate::State::write_to); returns the number of bytes.
    ///
    /// # Errors
    ///
    /// If the buffer is too short. Nothing is written then.
    pub fn write_to(&self, buffer: &mut [u8]) -> Result<usize, StateError> {
        self.stacks.write_to(self.grammar.id(), buffer)
    }

    /// Goes to where the matcher stood that wrote these bytes, whatever its kind and sizes. The
    /// bytes are not trusted: see [`State::read_from`](crate::State::read_from).
    ///
    /// # Errors
    ///
    /// As there. The matcher is then as it was.
    pub fn read_from(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        self.scratch.0.read_from(self.grammar, bytes)?;
        self.stacks.copy_from(&self.scratch.0);
        Ok(())
    }

    /// The result of what goes on from here. The matcher goes back afterwards.
    #[cfg(feature = "graph")]
    fn tried<T>(&mut self, with: impl FnOnce(&mut Self) -> T) -> T {
        self.kept.copy_from(&self.stacks);
        let result = with(self);
        self.stacks.copy_from(&self.kept);
        result
    }

    /// A copy of the stacks where tokens are tried.
    fn copy(&mut self) -> &mut Stacks<Lent<'a>> {
        self.scratch.0.copy_from(&self.stacks);
        &mut self.scratch.0
    }

    /// Puts the stacks after a token back to the beginning of the memory.
    fn settle(&mut self) {
        if self.is_finished() {
            return;
        }
        self.scratch.0.copy_from(&self.stacks);
        core::mem::swap(&mut self.stacks, &mut self.scratch.0);
    }
}

impl fmt::Debug for BorrowedMatcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BorrowedMatcher")
            .field("grammar", &self.grammar)
            .field("stacks", &self.stacks)
            .finish()
    }
}
