//! Where stacks lie: in arrays whose size is part of the type, or in slices whose size is known at
//! run time.
//!
//! Out: [`Storage`], what [`Stacks`] needs of either; and [`Fixed`], the arrays. What holds
//! throughout: there are as many heads as runs of `depth` frames.

use crate::error::AcceptError;
#[cfg(feature = "graph")]
use crate::graph::Words;
use crate::head::Head;

use super::Stacks;
#[cfg(feature = "link")]
use super::Text;

/// Room for the heads and the frames of some stacks.
pub trait Storage: Sized + Sync {
    /// Scratch for taking a token: room for the stacks after it, while it may still be refused.
    type Scratch;

    /// The frames that a stack may have.
    fn depth(&self) -> usize;
    /// All heads, live or not.
    fn heads(&self) -> &[Head];
    /// All heads, to be written.
    fn heads_mut(&mut self) -> &mut [Head];
    /// The frames of all stacks, [`depth`](Self::depth) for each.
    fn frames(&self) -> &[u16];
    /// The frames of each stack.
    fn runs(&self) -> impl Iterator<Item = &[u16]>;
    /// A head and its frames, to be written.
    fn stack_mut(&mut self, at: usize) -> Option<(&mut Head, &mut [u16])>;
    /// Writes one stack over another one, which lies before it.
    fn move_down(&mut self, from: usize, to: usize);
    /// Replaces the stacks by what `with` makes of them.
    fn replace(
        stacks: &mut Stacks<Self>,
        with: impl FnOnce(&Stacks<Self>, &mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError>;
    /// Replaces the stacks by what `with` makes of a copy, unless it fails.
    fn attempt(
        stacks: &mut Stacks<Self>,
        scratch: &mut Self::Scratch,
        with: impl FnOnce(&mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError>;
    /// [`attempt`](Self::attempt) for linked texts, whose stack is never a graph.
    #[cfg(feature = "link")]
    fn attempt_text<P: Copy>(
        text: &mut Text<Self, P>,
        scratch: &mut Self::Scratch,
        with: impl FnOnce(&mut Text<Self, P>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError>;
    /// All heads, and all frames as the words of a graph.
    #[cfg(feature = "graph")]
    fn words_mut(&mut self) -> (&mut [Head], &mut [u16]);
    /// Calls `with` with the heads, the words of a graph, and other words: as many, or none if there
    /// is no such memory. It returns which of them are the graph's from then on.
    #[cfg(feature = "graph")]
    fn exchange<T>(
        &mut self,
        with: impl FnOnce(&mut [Head], &mut [u16], &mut [u16]) -> (Words, T),
    ) -> T;
    /// Adds words behind those of a graph, if there can be more.
    #[cfg(feature = "graph")]
    fn grow(&mut self) -> bool;
    /// A copy; `None` if there is no memory for one.
    #[cfg(feature = "graph")]
    fn copied(&self) -> Option<Self>;
    /// The answer of a copy of some stacks, in the scratch if there is one; false if there is no
    /// memory for a copy.
    #[cfg(feature = "graph")]
    fn ask(
        stacks: &Stacks<Self>,
        scratch: Option<&mut Self::Scratch>,
        question: impl FnOnce(&mut Stacks<Self>) -> bool,
    ) -> bool;
}

/// Room for `STACKS` stacks of `DEPTH` frames.
#[derive(Clone, Copy)]
pub struct Fixed<const DEPTH: usize, const STACKS: usize> {
    heads: [Head; STACKS],
    frames: [[u16; DEPTH]; STACKS],
}

impl<const DEPTH: usize, const STACKS: usize> Fixed<DEPTH, STACKS> {
    /// Room without stacks.
    pub(crate) const EMPTY: Self = {
        assert!(DEPTH <= u16::MAX as usize, "DEPTH is at most 65,535");
        assert!(STACKS <= u16::MAX as usize, "STACKS is at most 65,535");
        Fixed {
            heads: [Head::NONE; STACKS],
            frames: [[0; DEPTH]; STACKS],
        }
    };
}

impl<const DEPTH: usize, const STACKS: usize> Storage for Fixed<DEPTH, STACKS> {
    type Scratch = ();

    #[inline]
    fn depth(&self) -> usize {
        DEPTH
    }

    #[inline]
    fn heads(&self) -> &[Head] {
        &self.heads
    }

    #[inline]
    fn heads_mut(&mut self) -> &mut [Head] {
        &mut self.heads
    }

    #[inline]
    fn frames(&self) -> &[u16] {
        self.frames.as_flattened()
    }

    #[inline]
    fn runs(&self) -> impl Iterator<Item = &[u16]> {
        self.frames.iter().map(|run| &run[..])
    }

    #[inline]
    fn stack_mut(&mut self, at: usize) -> Option<(&mut Head, &mut [u16])> {
        Some((self.heads.get_mut(at)?, self.frames.get_mut(at)?))
    }

    #[inline]
    fn move_down(&mut self, from: usize, to: usize) {
        if let (Some(&head), Some(&frames)) = (self.heads.get(from), self.frames.get(from))
            && let (Some(to), Some(to_frames)) = (self.heads.get_mut(to), self.frames.get_mut(to))
        {
            (*to, *to_frames) = (head, frames);
        }
    }

    #[inline]
    fn replace(
        stacks: &mut Stacks<Self>,
        with: impl FnOnce(&Stacks<Self>, &mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        let mut next = Stacks::NONE;
        with(stacks, &mut next)?;
        *stacks = next;
        Ok(())
    }

    #[inline]
    fn attempt(
        stacks: &mut Stacks<Self>,
        (): &mut (),
        with: impl FnOnce(&mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        let mut next = *stacks;
        with(&mut next)?;
        #[cfg(feature = "graph")]
        next.settle_graph();
        *stacks = next;
        Ok(())
    }

    #[cfg(feature = "link")]
    #[inline]
    fn attempt_text<P: Copy>(
        text: &mut Text<Self, P>,
        (): &mut (),
        with: impl FnOnce(&mut Text<Self, P>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        let mut next = *text;
        with(&mut next)?;
        *text = next;
        Ok(())
    }

    #[cfg(feature = "graph")]
    fn words_mut(&mut self) -> (&mut [Head], &mut [u16]) {
        (&mut self.heads, self.frames.as_flattened_mut())
    }

    #[cfg(feature = "graph")]
    fn exchange<T>(
        &mut self,
        with: impl FnOnce(&mut [Head], &mut [u16], &mut [u16]) -> (Words, T),
    ) -> T {
        let mut words = [[0; DEPTH]; STACKS];
        let frames = self.frames.as_flattened_mut();
        let (kept, result) = with(&mut self.heads, frames, words.as_flattened_mut());
        if kept == Words::Others {
            self.frames = words;
        }
        result
    }

    #[cfg(feature = "graph")]
    fn grow(&mut self) -> bool {
        false
    }

    #[cfg(feature = "graph")]
    fn copied(&self) -> Option<Self> {
        Some(*self)
    }

    #[cfg(feature = "graph")]
    fn ask(
        stacks: &Stacks<Self>,
        _: Option<&mut ()>,
        question: impl FnOnce(&mut Stacks<Self>) -> bool,
    ) -> bool {
        question(&mut { *stacks })
    }
}
