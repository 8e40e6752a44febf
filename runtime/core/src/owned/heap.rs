//! Stacks in allocated memory, as many and as deep as is said at run time.

use alloc::boxed::Box;
use alloc::vec;

use crate::error::AcceptError;
use crate::stack::{Head, Stacks};
use crate::storage::Storage;

/// Room for some stacks of `depth` frames.
#[derive(Clone)]
pub(crate) struct Heap {
    heads: Box<[Head]>,
    /// `depth` for each head.
    frames: Box<[u16]>,
    depth: usize,
    /// Room for the stacks after a step that splits one; what is there means nothing.
    spare: Option<Box<Heap>>,
}

/// Room for the stacks after a token.
pub(crate) struct Room(Stacks<Heap>);

impl Heap {
    pub(crate) fn new(depth: usize, stacks: usize) -> Self {
        Heap {
            heads: vec![Head::NONE; stacks].into(),
            frames: vec![0; depth.saturating_mul(stacks)].into(),
            depth,
            spare: None,
        }
    }

    /// Room for as many stacks as deep.
    fn like(&self) -> Self {
        Heap::new(self.depth, self.heads.len())
    }
}

impl Room {
    /// After an attempt that did not fail: the stacks before it.
    pub(crate) fn before(&self) -> &Stacks<Heap> {
        &self.0
    }
}

impl Storage for Heap {
    type Room = Room;

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
        let run = |at| self.frames.get(at * self.depth..(at + 1) * self.depth);
        (0..self.heads.len()).map_while(run)
    }

    fn stack_mut(&mut self, at: usize) -> Option<(&mut Head, &mut [u16])> {
        let head = self.heads.get_mut(at)?;
        let run = self
            .frames
            .get_mut(at * self.depth..(at + 1) * self.depth)?;
        Some((head, run))
    }

    fn move_down(&mut self, from: usize, to: usize) {
        let Some(&head) = self.heads.get(from) else {
            return;
        };
        let Some((before, after)) = self.frames.split_at_mut_checked(from * self.depth) else {
            return;
        };
        let (Some(to_head), Some(to_run)) =
            (self.heads.get_mut(to), before.get_mut(to * self.depth..))
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
        let spare = stacks.storage.spare.take();
        let mut spare = spare.unwrap_or_else(|| Box::new(stacks.storage.like()));
        let mut next = Stacks::none(core::mem::replace(&mut *spare, Heap::new(0, 0)));
        let result = with(stacks, &mut next);
        if result.is_ok() {
            core::mem::swap(stacks, &mut next);
        }
        *spare = next.storage;
        stacks.storage.spare = Some(spare);
        result
    }

    fn attempt(
        stacks: &mut Stacks<Self>,
        room: &mut Room,
        with: impl FnOnce(&mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        Self::probe(stacks, room, with)?;
        core::mem::swap(stacks, &mut room.0);
        Ok(())
    }

    fn probe(
        stacks: &Stacks<Self>,
        room: &mut Room,
        with: impl FnOnce(&mut Stacks<Self>) -> Result<(), AcceptError>,
    ) -> Result<(), AcceptError> {
        room.0.copy_from(stacks);
        with(&mut room.0)
    }

    fn room(&self) -> Room {
        Room(Stacks::none(self.like()))
    }
}
