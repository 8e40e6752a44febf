//! Stacks in slices; their number and depth are known at run time.
//!
//! In: memory, owned ([`Heap`]) or lent ([`Lent`]). Out: [`Storage`]. What holds throughout: there
//! are `depth` frames for each head, and as much room again for the stacks of a step that splits
//! one.

use core::mem;
use core::ops::DerefMut;

use crate::error::AcceptError;
#[cfg(feature = "graph")]
use crate::graph::Words;
use crate::head::Head;
#[cfg(feature = "link")]
use crate::stack::Text;
use crate::stack::{Stacks, Storage};

/// Room for some stacks of `depth` frames.
#[derive(Clone)]
pub(crate) struct Slices<H, F> {
    pub(crate) heads: H,
    /// `depth` for each head.
    pub(crate) frames: F,
    /// Room for the stacks after a step; what is there means nothing.
    pub(crate) spare: (H, F),
    pub(crate) depth: usize,
}

/// Memory of the caller's.
pub(crate) type Lent<'m> = Slices<&'m mut [Head], &'m mut [u16]>;

/// Memory that is owned.
#[cfg(feature = "alloc")]
pub(crate) type Heap = Slices<alloc::boxed::Box<[Head]>, alloc::boxed::Box<[u16]>>;

/// Room for the stacks after a token.
pub(crate) struct Scratch<S>(pub(crate) Stacks<S>);

/// What memory can do for a graph.
pub(crate) trait GraphMemory: Sized {
    #[cfg(feature = "graph")]
    fn grow(&mut self) -> bool;
    #[cfg(feature = "graph")]
    fn copied(&self) -> Option<Self>;
}

impl GraphMemory for Lent<'_> {
    #[cfg(feature = "graph")]
    fn grow(&mut self) -> bool {
        false
    }

    #[cfg(feature = "graph")]
    fn copied(&self) -> Option<Self> {
        None
    }
}

#[cfg(feature = "alloc")]
impl Heap {
    pub(crate) fn new(depth: usize, stacks: usize) -> Self {
        let heads = || alloc::vec![Head::NONE; stacks].into();
        let frames = || alloc::vec![0; depth.saturating_mul(stacks)].into();
        Slices {
            heads: heads(),
            frames: frames(),
            spare: (heads(), frames()),
            depth,
        }
    }

    /// Room for as many stacks of the same depth.
    pub(crate) fn same_scratch(&self) -> Scratch<Self> {
        Scratch(Stacks::none(Heap::new(self.depth, self.heads.len())))
    }
}

#[cfg(feature = "alloc")]
impl GraphMemory for Heap {
    fn grow(&mut self) -> bool {
        const MOST: usize = u16::MAX as usize;
        let words = self.frames.len();
        if words >= MOST {
            return false;
        }
        let mut frames = self.frames.to_vec();
        frames.resize((2 * words).clamp(1, MOST), 0);
        self.spare.1 = alloc::vec![0; frames.len()].into();
        self.frames = frames.into();
        true
    }

    fn copied(&self) -> Option<Self> {
        Some(self.clone())
    }
}

impl<H, F> Storage for Slices<H, F>
where
    H: DerefMut<Target = [Head]> + Default + Sync,
    F: DerefMut<Target = [u16]> + Default + Sync,
    Self: GraphMemory,
{
    type Scratch = Scratch<Self>;
    fn depth(&self) -> usize {
        self.depth
    }

    fn heads(&self) -> &[Head] {
        &self.heads
    }

    fn heads_mut(&mut self) -> &mut [Head] {
        &mut self.heads
    }

    fn frames(&self) -> &[u16] {
        &self.frames
    }

    fn runs(&self) -> impl Iterator<Item = &[u16]> {
        let mut rest = &self.frames[..];
        (0..self.heads.len()).map_while(move |_| {
            let (run, others) = rest.split_at_checked(self.depth)?;
            rest = others;
            Some(run)
        })
    }

    fn stack_mut(&mut self, at: usize) -> Option<(&mut Head, &mut [u16])> {
        let head = self.heads.get_mut(at)?;
        let run = self.frames.get_mut(at.checked_mul(self.depth)?..)?;
        Some((head, run.get_mut(..self.depth)?))
    }

    fn move_down(&mut self, from: usize, to: usize) {
        let Some(&head) = self.heads.get(from) else {
            return;
        };
        let place = |at: usize| at.saturating_mul(self.depth);
        let (place, to_place) = (place(from), place(to));
        let Some((before, after)) = self.frames.split_at_mut_checked(place) else {
            return;
        };
        let (Some(to_head), Some(to_run)) = (self.heads.get_mut(to), before.get_mut(to_place..))
        else {
            return;
        };
        *to_head = head;
        let own = after.iter().take(head.height as usize);
        to_run
            .iter_mut()
            .zip(own)
            .for_each(|(to, from)| *to = *from);
    }

    fn replace(
        stacks: &mut Stacks<Self>,
        with: impl FnOnce(&Stacks<Self>, &mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        let (heads, frames) = mem::take(&mut stacks.storage.spare);
        let mut next = Stacks::none(Slices {
            heads,
            frames,
            spare: Default::default(),
            depth: stacks.storage.depth,
        });
        let result = with(stacks, &mut next);
        if result.is_ok() {
            mem::swap(stacks, &mut next);
        }
        let Slices { heads, frames, .. } = next.storage;
        stacks.storage.spare = (heads, frames);
        result
    }

    fn attempt(
        stacks: &mut Stacks<Self>,
        scratch: &mut Scratch<Self>,
        with: impl FnOnce(&mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        scratch.0.copy_from(stacks);
        with(&mut scratch.0)?;
        #[cfg(feature = "graph")]
        scratch.0.settle_graph();
        mem::swap(stacks, &mut scratch.0);
        Ok(())
    }

    #[cfg(feature = "link")]
    fn attempt_text<P: Copy>(
        text: &mut Text<Self, P>,
        scratch: &mut Scratch<Self>,
        with: impl FnOnce(&mut Text<Self, P>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        scratch.0.copy_from(&text.stacks);
        let nothing = Slices {
            heads: H::default(),
            frames: F::default(),
            spare: Default::default(),
            depth: 0,
        };
        let mut next = Text {
            stacks: mem::replace(&mut scratch.0, Stacks::none(nothing)),
            place: text.place,
        };
        let taken = with(&mut next);
        if taken.is_ok() {
            mem::swap(text, &mut next);
        }
        scratch.0 = next.stacks;
        taken
    }

    #[cfg(feature = "graph")]
    fn words_mut(&mut self) -> (&mut [Head], &mut [u16]) {
        (&mut self.heads, &mut self.frames)
    }

    #[cfg(feature = "graph")]
    fn exchange<T>(
        &mut self,
        with: impl FnOnce(&mut [Head], &mut [u16], &mut [u16]) -> (Words, T),
    ) -> T {
        let (kept, result) = with(&mut self.heads, &mut self.frames, &mut self.spare.1);
        if kept == Words::Others {
            mem::swap(&mut self.frames, &mut self.spare.1);
        }
        result
    }

    #[cfg(feature = "graph")]
    fn grow(&mut self) -> bool {
        GraphMemory::grow(self)
    }

    #[cfg(feature = "graph")]
    fn copied(&self) -> Option<Self> {
        GraphMemory::copied(self)
    }

    #[cfg(feature = "graph")]
    fn ask(
        stacks: &Stacks<Self>,
        scratch: Option<&mut Scratch<Self>>,
        question: impl FnOnce(&mut Stacks<Self>) -> bool,
    ) -> bool {
        let Some(Scratch(copy)) = scratch else {
            return stacks.copied().is_some_and(|mut copy| question(&mut copy));
        };
        copy.copy_from(stacks);
        question(copy)
    }
}
