//! One symbol on all stacks of a graph.
//!
//! In: heads and a graph. Out: the heads after the symbol, behind those before it. What holds: each
//! state and height is there once. An edge that does not consume the symbol pops, so heads that
//! still have to take it are gone through from the highest down, and each is complete by then.

use super::Full;
use super::nodes::Nodes;
use super::paths::Path;
use super::words::NO_FRAMES;
use crate::head::Head;
use crate::layout::BOTTOM;
use crate::step::{Alternative, Edge, Program};
use crate::tables::Grammar;

/// Set in the state of a head that has yet to take the symbol.
const PENDING: u32 = 1 << 31;
/// In the place of a head that has taken the symbol since.
const TAKEN: Head = Head {
    state: PENDING - 1,
    height: 0,
    tokens: NO_FRAMES,
};

/// A step under way.
pub(crate) struct Step<'s, 't, 'w> {
    grammar: &'s Grammar<'t>,
    class: u32,
    /// Heads before the step, and those with the ones after it.
    before: usize,
    end: usize,
    nodes: &'s mut Nodes<'w>,
    depth: usize,
    is_too_deep: bool,
}

/// What a step has led to.
pub(crate) struct Taken {
    /// The heads after it.
    pub(crate) heads: usize,
    /// Whether some stack had too few frames for it.
    pub(crate) is_too_deep: bool,
}

impl<'s, 't, 'w> Step<'s, 't, 'w> {
    /// A step by a class from the first `live` heads of a graph.
    pub(crate) fn new(
        grammar: &'s Grammar<'t>,
        class: u32,
        nodes: &'s mut Nodes<'w>,
        live: usize,
        depth: usize,
    ) -> Self {
        Step {
            grammar,
            class,
            before: live,
            end: live,
            nodes,
            depth,
            is_too_deep: false,
        }
    }

    /// Takes the step. The heads after it lie behind those before it, which stay.
    ///
    /// # Errors
    /// If there is no room for what it leads to, or it takes too much work.
    pub(crate) fn take(mut self) -> Result<Taken, Full> {
        for at in 0..self.before {
            self.nodes.make_room(self.end)?;
            let head = self.nodes.head(at).ok_or(Full)?;
            self.expand(head)?;
        }
        while let Some(height) = self.highest_pending() {
            let mut at = self.before;
            while at < self.end {
                self.nodes.make_room(self.end)?;
                let head = self.nodes.head(at).ok_or(Full)?;
                if head.state & PENDING != 0 && head.height == height {
                    self.nodes.set_head(at, TAKEN)?;
                    let state = head.state & !PENDING;
                    self.expand(Head { state, ..head })?;
                }
                at += 1;
            }
        }
        Ok(Taken {
            heads: self.drop_taken()?,
            is_too_deep: self.is_too_deep,
        })
    }

    /// The height of the highest heads that have yet to take the symbol.
    fn highest_pending(&self) -> Option<u16> {
        let new = (self.before..self.end).filter_map(|at| self.nodes.head(at));
        let pending = new.filter(|head| head.state & PENDING != 0);
        pending.map(|head| head.height).max()
    }

    /// Drops the heads that have taken the symbol since; how many are left after the step.
    fn drop_taken(&mut self) -> Result<usize, Full> {
        let mut to = self.before;
        for at in self.before..self.end {
            let head = self.nodes.head(at).ok_or(Full)?;
            if head.state != TAKEN.state {
                self.nodes.set_head(to, head)?;
                to += 1;
            }
        }
        Ok(to - self.before)
    }

    /// Follows the edge of a head.
    fn expand(&mut self, head: Head) -> Result<(), Full> {
        self.nodes.spend(1)?;
        match self.grammar.edge(head.state, self.class) {
            Edge::Refused => Ok(()),
            Edge::To(state) => self.add(Head { state, ..head }),
            Edge::Program(program) => self.run(program, head, &Path::top(head.tokens)),
        }
    }

    /// Runs a program on the stacks of a head that begin with a path.
    fn run(&mut self, mut program: u32, head: Head, path: &Path<'_>) -> Result<(), Full> {
        loop {
            self.nodes.spend(1)?;
            let (depth, branches) = match self.grammar.program(program) {
                Program::Look { depth, branches } => (depth, branches),
                Program::Leaf(alternatives) => {
                    let mut alternatives = alternatives.iter().map(Alternative::read);
                    return alternatives.try_for_each(|way| self.go(way, head, path));
                }
            };
            if depth >= path.len && !path.is_at_bottom() {
                return self.below(path, |step, path| step.run(program, head, path));
            }
            let frame = path.frame(depth).unwrap_or(BOTTOM);
            match branches.branch(u32::from(frame)) {
                Some(next) if next < program => program = next,
                _ => return Ok(()),
            }
        }
    }

    /// Goes one way on the stacks of a head that begin with a path.
    fn go(&mut self, way: Alternative, head: Head, path: &Path<'_>) -> Result<(), Full> {
        if way.pop > path.len {
            if path.is_at_bottom() {
                return Ok(());
            }
            return self.below(path, |step, path| step.go(way, head, path));
        }
        // The stacks without the frames that are popped: only those that the path leads to.
        let mut node = path.below;
        for frame in path.frames().take(path.len - way.pop) {
            node = self.nodes.push(frame, node)?;
        }
        let height = usize::from(head.height) - way.pop;
        let to = |state, node, height: usize| Head {
            state,
            height: height as u16,
            tokens: node,
        };
        match way.push {
            _ if way.again && way.pop == 0 => Ok(()),
            _ if way.again => self.add(to(way.next | PENDING, node, height)),
            None => self.add(to(way.next, node, height)),
            Some(_) if height + 1 + way.reserve > self.depth => {
                self.is_too_deep = true;
                Ok(())
            }
            Some(frame) => {
                let pushed = self.nodes.push(frame, node)?;
                self.add(to(way.next, pushed, height + 1))
            }
        }
    }

    /// Calls `with` for each frame below a path.
    fn below(
        &mut self,
        path: &Path<'_>,
        mut with: impl FnMut(&mut Self, &Path<'_>) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let mut at = 0;
        while let Some(edge) = self.nodes.edge(path.below, at) {
            with(self, &path.down(edge))?;
            at += 1;
        }
        Ok(())
    }

    /// Adds the stacks of a head to those after the step.
    fn add(&mut self, head: Head) -> Result<(), Full> {
        if let Some(at) = self.nodes.find_head(self.before..self.end, head) {
            let known = self.nodes.head(at).ok_or(Full)?;
            let tokens = self.nodes.union(known.tokens, head.tokens)?;
            return self.nodes.set_head(at, Head { tokens, ..known });
        }
        self.nodes.add_head(self.end, head)?;
        self.end += 1;
        Ok(())
    }
}
