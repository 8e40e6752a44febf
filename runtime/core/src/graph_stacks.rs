//! What a matcher does with its stacks where they are a graph.
//!
//! In: stacks, and symbols. Out: the stacks after them. What holds after a token that was taken:
//! the graph is in the one order that its stacks have.

use crate::error::{AcceptError, MatcherError};
use crate::graph::{
    Full, Heads, LEAST_STACKS, MOST_FRAMES, Nodes, Step, Taken, Words, check, clear, compact,
    heads, single, used,
};
use crate::head::Head;
use crate::language::Mask;
use crate::stack::{Stacks, Storage};
use crate::tables::Grammar;
use crate::terminal::Meaning;

/// What is left of a graph for a token for which there is no room.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Less {
    /// One stack, and all readings of the token that begin with it.
    Stacks,
    /// One stack, and one reading of the token.
    Readings,
}

impl<S: Storage> Stacks<S> {
    /// Whether a matcher in this memory can follow a grammar that has no bound on its stacks.
    pub(crate) fn admit_graph(&self) -> Result<(), MatcherError> {
        let (depth, stacks) = (self.storage.depth(), self.storage.heads().len());
        match () {
            () if depth > MOST_FRAMES => Err(MatcherError::TooLarge { most: MOST_FRAMES }),
            () if stacks < LEAST_STACKS => Err(MatcherError::StacksTooFew {
                needed: LEAST_STACKS,
                proved: false,
            }),
            () => Ok(()),
        }
    }

    /// Goes to one stack without frames in `state`.
    pub(crate) fn start_graph(&mut self, state: u32) {
        self.start(state);
        self.is_graph = true;
        clear(self.storage.words_mut().1);
    }

    /// The heads.
    pub(crate) fn graph_heads(&self) -> Heads<'_> {
        Heads::new(self.storage.heads(), self.storage.frames(), self.live())
    }

    /// Writes one head over another one, which lies before it.
    pub(crate) fn move_head(&mut self, from: usize, to: usize) {
        let (own, words) = self.storage.words_mut();
        // Both are there.
        if let Some(head) = heads::get(own, words, from) {
            let _ = heads::set(own, words, to, head);
        }
    }

    /// The words of the graph that are in use, without those of heads.
    pub(crate) fn graph(&self) -> &[u16] {
        let words = self.storage.frames();
        words.get(..used(words)).unwrap_or(&[])
    }

    /// Takes one symbol.
    ///
    /// # Errors
    /// If no stack can take it, or there is no room. The stacks are then as they were.
    #[inline(never)]
    pub(crate) fn step_graph(
        &mut self,
        grammar: &Grammar<'_>,
        class: u32,
    ) -> Result<(), AcceptError> {
        let live = self.live();
        let mut taken = self.try_step(grammar, class);
        while taken.is_err() && self.grow() {
            taken = self.indexed_step(grammar, class);
        }
        let taken = taken.map_err(|Full| AcceptError::TooManyStacks)?;
        match taken.heads {
            0 if taken.is_too_deep => return Err(AcceptError::TooDeep),
            0 => return Err(AcceptError::NotAllowed),
            heads => self.set_live(heads),
        }
        (0..taken.heads).for_each(|at| self.move_head(live + at, at));
        Ok(())
    }

    /// Makes more room, if there can be more. Heads among the words stay at their end.
    fn grow(&mut self) -> bool {
        let (own, live, before) = (
            self.storage.heads().len(),
            self.live(),
            self.storage.frames(),
        );
        let (end, before) = (heads::end(own, before.len(), live), before.len());
        let has_grown = self.storage.grow();
        if let Some(end) = end.filter(|_| has_grown) {
            let words = self.storage.words_mut().1;
            words.copy_within(end..before, words.len() - (before - end));
        }
        has_grown
    }

    /// Takes one symbol in the memory that is there; the heads after it lie behind the others.
    fn try_step(&mut self, grammar: &Grammar<'_>, class: u32) -> Result<Taken, Full> {
        let (depth, live) = (self.storage.depth(), self.live());
        // Most steps make few nodes, and an index of all nodes is not worth its time.
        let mut nodes = Nodes::new(self.storage.words_mut(), live);
        Step::new(grammar, class, &mut nodes, live, depth)
            .take()
            .or_else(|Full| self.indexed_step(grammar, class))
            .or_else(|Full| {
                // The nodes of the steps before may be in the way.
                self.compact()?;
                self.indexed_step(grammar, class)
            })
    }

    #[cold]
    fn indexed_step(&mut self, grammar: &Grammar<'_>, class: u32) -> Result<Taken, Full> {
        let (depth, live) = (self.storage.depth(), self.live());
        self.storage.exchange(|own, words, room| {
            let mut nodes = Nodes::indexed((own, words, room), live);
            let taken = Step::new(grammar, class, &mut nodes, live, depth).take();
            (nodes.place(), taken)
        })
    }

    /// Takes one symbol and goes back: whether a stack can take it.
    pub(crate) fn could_take(&mut self, grammar: &Grammar<'_>, class: u32) -> bool {
        match self.try_step(grammar, class) {
            Ok(taken) => taken.heads > 0,
            Err(Full) => self.has_reading(grammar, class).unwrap_or_else(|Full| {
                class == grammar.header.end_class && self.mask_has_end(grammar)
            }),
        }
    }

    /// Whether the mask holds the end. Where the end may be a terminal, too, it does not tell.
    fn mask_has_end(&self, grammar: &Grammar<'_>) -> bool {
        let mut ends = grammar.eos.iter().filter(|_| grammar.tokens.len() == 0);
        ends.any(|end| Mask::at(grammar, (), self).contains(end))
    }

    /// Makes room: drops what no head leads to.
    pub(crate) fn compact(&mut self) -> Result<(), Full> {
        let live = self.live();
        self.storage
            .exchange(|own, from, to| match compact(own, live, from, to) {
                Ok(()) => (Words::Others, Ok(())),
                Err(Full) => (Words::Same, Err(Full)),
            })
    }

    /// Whether heads and words that nobody vouches for are a graph.
    pub(crate) fn is_graph_right(&mut self, frames: u32) -> bool {
        let live = self.live();
        self.storage.exchange(|own, words, heights| {
            let heads = Heads::new(own, words, live);
            (Words::Same, check(heads, words, heights, frames))
        })
    }

    /// Puts the graph in the one order that its stacks have.
    pub(crate) fn settle_graph(&mut self) {
        if self.is_graph && self.live() > 0 {
            // It has room for itself.
            let settled = self.compact();
            debug_assert!(settled.is_ok());
        }
    }

    /// Takes symbols with one reading, and drops all others.
    ///
    /// # Errors
    /// If no stack can take them, or none was found that can. The stacks are then not fit for use.
    #[cold]
    fn take_single(
        &mut self,
        grammar: &Grammar<'_>,
        classes: impl Iterator<Item = u32> + Clone,
    ) -> Result<(), AcceptError> {
        let (live, depth) = (self.live(), self.storage.depth());
        let can_finish = |head| grammar.can_finish(head, depth);
        let taken = self.storage.exchange(|own, from, to| {
            let memory = (own, &*from, to);
            match single::take(grammar, memory, live, depth, classes, can_finish) {
                Ok(Some(())) => (Words::Others, Ok(())),
                Ok(None) => (Words::Same, Err(AcceptError::NotAllowed)),
                Err(Full) => (Words::Same, Err(AcceptError::TooManyStacks)),
            }
        });
        self.set_live(1);
        taken
    }

    /// Whether one reading can take a symbol.
    ///
    /// # Errors
    /// If none was found, and not all were tried.
    #[cold]
    fn has_reading(&mut self, grammar: &Grammar<'_>, class: u32) -> Result<bool, Full> {
        let (live, depth) = (self.live(), self.storage.depth());
        self.storage.exchange(|own, words, room| {
            let frames = room.get_mut(..depth).unwrap_or(&mut []);
            let graph = (Heads::new(own, words, live), &*words);
            let found = single::takes(grammar, graph, frames, class);
            (Words::Same, found)
        })
    }

    /// Drops all stacks but one that can take a token, which the mask says. `false` if it says none.
    #[cold]
    fn keep_stack(&mut self, grammar: &Grammar<'_>, id: u32) -> bool {
        let (live, depth) = (self.live(), self.storage.depth());
        let kept = self.storage.exchange(|own, from, to| {
            let mut holds = |set| grammar.set(set).is_some_and(|set| set.contains(id));
            let memory = (own, &*from, to);
            match single::keep(grammar.trees(), memory, live, depth, &mut holds) {
                Some(()) => (Words::Others, true),
                None => (Words::Same, false),
            }
        });
        if kept {
            self.set_live(1);
        }
        kept
    }

    /// Takes a token that is not the end, where there is no room to take it with all stacks: with
    /// one that the mask says can take it, or else with one reading. The others are dropped.
    ///
    /// # Errors
    /// If no stack can take it. The stacks are then not fit for use.
    #[cold]
    pub(crate) fn take_with_less(
        &mut self,
        grammar: &Grammar<'_>,
        (id, meaning): (u32, Meaning<'_>),
        less: Less,
    ) -> Result<(), AcceptError> {
        let is_kept = self.keep_stack(grammar, id);
        match less {
            Less::Stacks if is_kept => self.take(grammar, meaning),
            Less::Stacks => Err(AcceptError::TooManyStacks),
            Less::Readings => self.take_one(grammar, meaning),
        }
    }

    /// Takes a token that is not the end with one reading, and drops all others.
    ///
    /// # Errors
    /// If no stack can take it. The stacks are then not fit for use.
    #[cold]
    pub(crate) fn take_one(
        &mut self,
        grammar: &Grammar<'_>,
        meaning: Meaning<'_>,
    ) -> Result<(), AcceptError> {
        match meaning {
            Meaning::End => self.finish(grammar, None),
            Meaning::Terminal(classes) => self.take_single(grammar, classes.into_iter()),
            #[cfg(feature = "limits")]
            Meaning::Counted(_) => Err(AcceptError::TooManyStacks),
            Meaning::Text(bytes) => {
                let classes = bytes.iter().map(|&byte| grammar.class(byte));
                self.take_single(grammar, classes)
            }
        }
    }

    /// Goes to stacks that were written elsewhere; `None` if there is no room.
    pub(crate) fn put_graph(
        &mut self,
        heads: impl ExactSizeIterator<Item = Head>,
        words: impl ExactSizeIterator<Item = u16>,
    ) -> Option<()> {
        let live = heads.len();
        loop {
            let (own, room) = (self.storage.heads().len(), self.storage.frames().len());
            match heads::end(own, room, live) {
                Some(end) if end >= words.len() => break,
                _ => self.storage.grow().then_some(())?,
            }
        }
        let (own, to) = self.storage.words_mut();
        to.iter_mut().zip(words).for_each(|(to, from)| *to = from);
        for (at, head) in heads.enumerate() {
            heads::set(own, to, at, head)?;
        }
        self.set_live(live);
        self.is_graph = true;
        Some(())
    }
}
