//! The stacks of a matcher: a state and some frames each.
//!
//! What holds throughout: the first `live` heads are the live stacks, no two of them equal; a
//! stack's first `height` frames are its own, the top last, and what lies above them means nothing.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::AcceptError;
use crate::head::Head;
use crate::layout::state::NEVER;
use crate::step::{self, Stepped};
use crate::tables::Grammar;

mod storage;

pub use storage::{Fixed, Storage};

/// Some stacks, and where they lie.
#[derive(Clone, Copy)]
pub struct Stacks<S> {
    pub(crate) storage: S,
    /// The number of live stacks, or of the heads of a graph.
    live: u16,
    /// Whether the frames are the words of a graph.
    #[cfg(feature = "graph")]
    pub(crate) is_graph: bool,
}

/// Up to `STACKS` stacks of up to `DEPTH` frames.
pub(crate) type FixedStacks<const DEPTH: usize, const STACKS: usize> = Stacks<Fixed<DEPTH, STACKS>>;

/// A text that a matcher follows: its stacks, and where they stand besides, such as in a part of a
/// linked grammar.
#[derive(Clone, Copy)]
pub struct Text<S, P> {
    pub(crate) stacks: Stacks<S>,
    pub(crate) place: P,
}

/// A text with up to `STACKS` stacks of up to `DEPTH` frames.
pub(crate) type FixedText<P, const DEPTH: usize, const STACKS: usize> =
    Text<Fixed<DEPTH, STACKS>, P>;

impl<S, P: Default> Text<S, P> {
    /// A text that has not begun.
    pub(crate) fn new(stacks: Stacks<S>) -> Self {
        Text {
            stacks,
            place: P::default(),
        }
    }
}

impl<P: Default, const DEPTH: usize, const STACKS: usize> FixedText<P, DEPTH, STACKS> {
    /// A text that has not begun.
    pub(crate) fn none() -> Self {
        Self::new(FixedStacks::NONE)
    }
}

#[cfg(all(feature = "link", feature = "alloc"))]
impl<S: Storage, P: Copy> Text<S, P> {
    /// Goes to where another text stands.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.stacks.copy_from(&other.stacks);
        self.place = other.place;
    }
}

impl<const DEPTH: usize, const STACKS: usize> FixedStacks<DEPTH, STACKS> {
    /// No stacks.
    pub(crate) const NONE: Self = Stacks {
        storage: Fixed::EMPTY,
        live: 0,
        #[cfg(feature = "graph")]
        is_graph: false,
    };
}

impl<S: Storage> Stacks<S> {
    /// No stacks yet.
    pub(crate) fn none(storage: S) -> Self {
        Self::with_live(storage, 0)
    }

    /// Stacks that lie in the storage already.
    pub(crate) fn with_live(storage: S, live: u16) -> Self {
        Stacks {
            storage,
            live,
            #[cfg(feature = "graph")]
            is_graph: false,
        }
    }

    /// The stacks, whose frames are the words of a graph or are not.
    #[cfg(feature = "graph")]
    pub(crate) fn of_graph(self, is_graph: bool) -> Self {
        Stacks { is_graph, ..self }
    }

    /// A copy; `None` if there is no memory for one.
    #[cfg(feature = "graph")]
    pub(crate) fn copied(&self) -> Option<Self> {
        Some(Stacks {
            storage: self.storage.copied()?,
            live: self.live,
            is_graph: self.is_graph,
        })
    }

    /// Whether there are no stacks: the text is finished.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// The number of live stacks, or of the heads of a graph.
    #[inline]
    pub(crate) fn live(&self) -> usize {
        usize::from(self.live)
    }

    /// Says how many stacks are live.
    #[cfg(feature = "graph")]
    pub(crate) fn set_live(&mut self, live: usize) {
        self.live = live as u16;
    }

    /// Makes these stacks equal to others.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        #[cfg(feature = "graph")]
        if other.is_graph {
            // There is room: what has none grows.
            let _ = self.put_graph(other.graph_heads(), other.graph().iter().copied());
            return;
        }
        self.live = 0;
        for (&head, (_, frames)) in other.heads().iter().zip(other.iter()) {
            // There is room: both are of one size.
            let _ = self.push(head, frames.iter().copied());
        }
    }

    /// Goes to one empty stack in `state`.
    #[inline]
    pub(crate) fn start(&mut self, state: u32) {
        self.live = 0;
        if let Some(head) = self.storage.heads_mut().first_mut() {
            *head = Head {
                state,
                ..Head::NONE
            };
            self.live = 1;
        }
    }

    /// Goes to no stacks: the text is finished.
    #[inline]
    pub(crate) fn clear(&mut self) {
        #[cfg(feature = "graph")]
        if self.is_graph {
            self.start_graph(0);
        }
        self.live = 0;
    }

    /// The heads of the live stacks.
    #[inline]
    pub(crate) fn heads(&self) -> &[Head] {
        self.storage
            .heads()
            .get(..self.live as usize)
            .unwrap_or(&[])
    }

    /// State and frames of each live stack.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u16])> {
        let own = |(head, run): (&Head, _)| (head.state, own_frames(run, head.height));
        self.heads().iter().zip(self.storage.runs()).map(own)
    }

    /// [`put`](Self::put) for a stack from elsewhere.
    pub(crate) fn push(&mut self, head: Head, frames: impl Iterator<Item = u16>) -> Option<()> {
        let (to, run) = self.storage.stack_mut(self.live as usize)?;
        *to = head;
        run.iter_mut().zip(frames).for_each(|(to, from)| *to = from);
        self.live += 1;
        Some(())
    }

    /// Takes one symbol.
    ///
    /// # Errors
    ///
    /// If no stack can take it, or it leads to too many stacks. The stacks are then not fit for
    /// use.
    #[inline]
    pub(crate) fn step(&mut self, grammar: &Grammar<'_>, class: u32) -> Result<(), AcceptError> {
        #[cfg(feature = "graph")]
        if self.is_graph {
            return self.step_graph(grammar, class);
        }
        if self.live == 1
            && let Some((head, frames)) = self.storage.stack_mut(0)
        {
            match step::in_place(grammar, head, frames, class) {
                Stepped::Moved => return Ok(()),
                Stepped::Refused => return Err(AcceptError::NotAllowed),
                Stepped::TooDeep => return Err(AcceptError::TooDeep),
                Stepped::Splits => {}
            }
        }
        self.step_all(grammar, class)
    }

    /// [`Self::step`] without the fast way for one stack: takes one symbol on every stack, with all
    /// its alternatives.
    #[inline(never)]
    pub(crate) fn step_all(
        &mut self,
        grammar: &Grammar<'_>,
        class: u32,
    ) -> Result<(), AcceptError> {
        #[cfg(feature = "graph")]
        if self.is_graph {
            return self.step_graph(grammar, class);
        }
        S::replace(self, |stacks, next| {
            let mut outcome = Err(AcceptError::NotAllowed);
            for (state, frames) in stacks.iter() {
                let end = step::each(grammar, state, frames, class, &mut |moved| {
                    outcome = match next.add(moved) {
                        Err(AcceptError::TooDeep) if next.live > 0 => Ok(()),
                        other => other,
                    };
                    outcome == Err(AcceptError::TooManyStacks)
                });
                if end {
                    break;
                }
            }
            outcome
        })
    }

    /// Adds a stack, unless it is there already.
    fn add(&mut self, moved: step::Moved<'_>) -> Result<(), AcceptError> {
        let height = moved.height();
        if height + moved.reserve > self.storage.depth() {
            return Err(AcceptError::TooDeep);
        }
        let is_there = |(state, own): (u32, &[u16])| {
            state == moved.state
                && own.len() == height
                && own
                    .iter()
                    .zip(moved.frames)
                    .all(|(one, other)| one == other)
                && (moved.push.is_none() || own.last() == moved.push.as_ref())
        };
        if self.iter().any(is_there) {
            return Ok(());
        }
        self.put(moved).ok_or(AcceptError::TooManyStacks)
    }

    /// Adds a stack that differs from those that are there; `None` if there is no room for it.
    #[inline]
    pub(crate) fn put(&mut self, moved: step::Moved<'_>) -> Option<()> {
        let (head, run) = self.storage.stack_mut(self.live as usize)?;
        *head = Head {
            state: moved.state,
            height: moved.height() as u16,
            tokens: 0,
        };
        run.iter_mut()
            .zip(moved.frames)
            .for_each(|(to, from)| *to = *from);
        if let (Some(frame), Some(top)) = (moved.push, run.get_mut(moved.frames.len())) {
            *top = frame;
        }
        self.live += 1;
        Some(())
    }

    /// Drops the stacks that could not be finished, with `depth` frames or at all.
    ///
    /// # Errors
    ///
    /// If none is left: `TooDeep` if more frames would have helped.
    #[inline]
    pub(crate) fn keep_finishable(&mut self, grammar: &Grammar<'_>) -> Result<(), AcceptError> {
        let mut kept = 0;
        let mut refused = AcceptError::NotAllowed;
        for at in 0..self.live as usize {
            let Some(head) = self.head(at) else { break };
            let need = grammar.state(head.state).map_or(NEVER, |state| state.need);
            let depth = self.storage.depth();
            let room = depth - (head.height as usize).min(depth);
            if need == NEVER || need as usize > room {
                if need != NEVER {
                    refused = AcceptError::TooDeep;
                }
                continue;
            }
            if kept < at {
                self.move_down(at, kept);
            }
            kept += 1;
        }
        // Written only where it changes: a copy of the stacks, which often follows, would wait for
        // the write.
        if kept < self.live as usize {
            self.live = kept as u16;
        }
        if kept == 0 { Err(refused) } else { Ok(()) }
    }
}

impl<S: Storage> Stacks<S> {
    /// A live head.
    #[inline]
    fn head(&self, at: usize) -> Option<Head> {
        #[cfg(feature = "graph")]
        if self.is_graph {
            return self.graph_heads().get(at);
        }
        self.storage.heads().get(at).copied()
    }

    /// Writes one stack over another one, which lies before it.
    #[inline]
    fn move_down(&mut self, from: usize, to: usize) {
        #[cfg(feature = "graph")]
        if self.is_graph {
            return self.move_head(from, to);
        }
        self.storage.move_down(from, to);
    }
}

/// The first `height` frames.
#[inline]
fn own_frames(run: &[u16], height: u16) -> &[u16] {
    run.get(..height as usize).unwrap_or(run)
}

impl<S: Storage> PartialEq for Stacks<S> {
    fn eq(&self, other: &Self) -> bool {
        #[cfg(feature = "graph")]
        if self.is_graph || other.is_graph {
            return self.is_graph == other.is_graph
                && self.graph_heads().eq(other.graph_heads())
                && self.graph() == other.graph();
        }
        let equal = |(one, other): (&Head, &Head)| one.tokens == other.tokens;
        self.iter().eq(other.iter()) && self.heads().iter().zip(other.heads()).all(equal)
    }
}

impl<S: Storage> Hash for Stacks<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.live.hash(hasher);
        #[cfg(feature = "graph")]
        if self.is_graph {
            self.graph_heads().for_each(|head| head.hash(hasher));
            return self.graph().hash(hasher);
        }
        self.iter().for_each(|stack| stack.hash(hasher));
    }
}

impl<S: Storage> fmt::Debug for Stacks<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "graph")]
        if self.is_graph {
            let mut graph = f.debug_struct("Graph");
            graph.field("heads", &self.live);
            return graph.field("words", &self.graph()).finish();
        }
        f.debug_list().entries(self.iter()).finish()
    }
}
