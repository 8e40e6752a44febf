//! One symbol on all stacks of a graph.
//!
//! In: heads and a graph. Out: the heads after the symbol, behind those before it. What holds: each
//! state and height is there once. An edge that does not consume the symbol pops, so heads that
//! still have to take it are gone through from the highest down, and each is complete by then.

use super::Full;
use super::nodes::Nodes;
use super::paths::Path;
use crate::head::Head;
use crate::layout::BOTTOM;
use crate::step::{Alternative, Edge, Program};
use crate::tables::Grammar;

/// Set in the state of a head that has yet to take the symbol.
const PENDING: u32 = 1 << 31;

/// A step under way.
pub(crate) struct Step<'s, 't> {
    grammar: &'s Grammar<'t>,
    class: u32,
    /// Heads before the step, and those with the ones after it.
    before: usize,
    end: usize,
    nodes: Nodes<'s>,
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

impl<'s, 't> Step<'s, 't> {
    /// A step by a class from the first `live` heads.
    pub(crate) fn new(
        grammar: &'s Grammar<'t>,
        class: u32,
        memory: (&'s mut [Head], &'s mut [u16]),
        live: usize,
        depth: usize,
    ) -> Self {
        Step {
            grammar,
            class,
            before: live,
            end: live,
            nodes: Nodes::new(memory, live),
            depth,
            is_too_deep: false,
        }
    }

    /// Takes the step. The heads after it lie behind those before it, which stay.
    ///
    /// # Errors
    /// If there is no room for what it leads to.
    pub(crate) fn take(mut self) -> Result<Taken, Full> {
        for at in 0..self.before {
            let head = self.nodes.head(at).ok_or(Full)?;
            self.expand(head)?;
        }
        while let Some(head) = self.next_pending() {
            self.expand(head)?;
        }
        Ok(Taken {
            heads: self.end - self.before,
            is_too_deep: self.is_too_deep,
        })
    }

    /// Takes the highest head out that has yet to take the symbol.
    fn next_pending(&mut self) -> Option<Head> {
        let new = (self.before..self.end).filter_map(|at| Some((at, self.nodes.head(at)?)));
        let pending = new.filter(|(_, head)| head.state & PENDING != 0);
        let (at, head) = pending.max_by_key(|(_, head)| head.height)?;
        self.end -= 1;
        let last = self.nodes.head(self.end)?;
        self.nodes.set_head(at, last).ok()?;
        Some(Head {
            state: head.state & !PENDING,
            ..head
        })
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
        for at in self.before..self.end {
            let known = self.nodes.head(at).ok_or(Full)?;
            if (known.state, known.height) == (head.state, head.height) {
                let tokens = self.nodes.union(known.tokens, head.tokens)?;
                return self.nodes.set_head(at, Head { tokens, ..known });
            }
        }
        self.nodes.add_head(self.end, head)?;
        self.end += 1;
        Ok(())
    }
}
