//! Closure and goto of one item set on one symbol class.
//!
//! In: an item set, a class, and the frames of the stack known so far. Out: [`Moved`]: what
//! consumed the symbol, or the depth of the frame that has to be known first.

use super::DOING;
use super::distinct::Distinct;
use super::item::{GotoEntry, Item, SAME, Tried, returns_of};
use super::positions::Positions;
use crate::automata::{MachineId, ROOT};
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::own_keys;
use crate::pda::Class;
use std::cell::Cell;

/// The frame at this depth must be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown(pub u8);

/// The frame with which an item's machine was entered: the frame that this symbol pushes, or one
/// that was on the stack before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// With the frame pushed by this symbol.
    New,
    /// With the frame at this depth of the stack as it was before.
    Old(u8),
}

/// An entry of the frame that this symbol would push.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NewEntry {
    /// The machine that was entered.
    pub machine: MachineId,
    /// Where its return resumes.
    pub resume: u32,
    /// Where the caller was entered.
    pub caller: Origin,
}

own_keys!(NewEntry, Origin);

/// The items that have consumed the symbol, and what goes with them.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    /// Positions after the symbol.
    pub items: Vec<(u32, Origin)>,
    /// Goto map of the new frame, before trimming.
    pub entries: Distinct<NewEntry>,
    /// Deferred reductions: returns that go deeper than one edge looks; each machine and depth
    /// once.
    pub deferred: Vec<DeferredReduction>,
}

/// A deferred reduction: a return that is left to the next edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeferredReduction {
    /// The machine that returns.
    pub machine: MachineId,
    /// The depth of its frame.
    pub depth: u8,
    /// The positions at which the symbol has been tried on the way to it.
    pub tried: Tried,
}

/// The goto maps of known frames, by depth.
pub trait KnownGotos {
    /// The frame at `depth`.
    fn frame(&self, depth: u8) -> Result<&[GotoEntry], Unknown>;
}

/// A position from which the symbol may be consumed.
struct ConsumingPosition {
    node: u32,
    depth: u8,
    /// The source whose return led here.
    parent: Option<usize>,
    /// The positions at which the symbol was tried before this edge.
    tried: Tried,
}

/// Scratch, which one closure leaves to the next.
#[derive(Default)]
pub struct Scratch<'d> {
    /// When to stop. What a closure has found is not the whole then, and must not be used.
    deadline: Option<&'d Deadline>,
    /// Steps that the deadline was not told of yet.
    steps: Cell<usize>,
    sources: Vec<ConsumingPosition>,
    /// The positions and depths of the sources.
    reached: Distinct<(u32, u8)>,
    entered: Distinct<MachineId>,
    moved: Moved,
}

impl<'d> Scratch<'d> {
    /// Scratch of closures that stop when this deadline passes.
    pub fn within(deadline: &'d Deadline) -> Self {
        Scratch {
            deadline: Some(deadline),
            ..Scratch::default()
        }
    }

    /// Counts steps; whether there is time for more.
    fn goes_on(&self, steps: usize) -> bool {
        let Some(deadline) = self.deadline else {
            return true;
        };
        self.steps.set(self.steps.get() + steps);
        if self.steps.get() >= STEPS {
            // An error is found by `finish`, too.
            let _ = deadline.ticks(self.steps.take(), DOING);
        }
        !deadline.is_over()
    }

    /// Fails if a closure has stopped early.
    ///
    /// # Errors
    /// If the deadline has passed.
    pub fn finish(&self) -> Result<(), LimitExceeded> {
        self.deadline
            .map_or(Ok(()), |deadline| deadline.confirm(DOING))
    }
}

/// Steps after which the deadline is told of them.
const STEPS: usize = 1 << 8;

/// Moves `items` by `class`.
///
/// Returns are followed no deeper than they have to be. If nothing consumes the symbol above the
/// first frame, the items only return: the edge pops one frame, and the next state looks at the one
/// below. Deeper frames are looked at only if some items consume the symbol and others return, so
/// that the stack need not split.
///
/// # Errors
///
/// With the depth of a frame that must be known.
pub fn advance<'w>(
    positions: &Positions,
    items: &[Item],
    class: Class,
    known: &impl KnownGotos,
    scratch: &'w mut Scratch<'_>,
) -> Result<&'w Moved, Unknown> {
    for look in 0..=positions.sharing.look() {
        let closure = Closure {
            positions,
            class,
            known,
            look,
            scratch,
        };
        closure.run(items)?;
        if scratch.moved.items.is_empty() || scratch.moved.deferred.is_empty() {
            break;
        }
    }
    Ok(&scratch.moved)
}

/// The closure of an item set under returns and calls, as far as `class` needs it.
struct Closure<'a, 'd, K> {
    positions: &'a Positions,
    class: Class,
    known: &'a K,
    /// Returns through deeper frames are deferred.
    look: u8,
    scratch: &'a mut Scratch<'d>,
}

impl<K: KnownGotos> Closure<'_, '_, K> {
    fn run(mut self, items: &[Item]) -> Result<(), Unknown> {
        let Scratch {
            sources,
            reached,
            entered,
            moved,
            ..
        } = &mut *self.scratch;
        sources.clear();
        reached.clear();
        entered.clear();
        moved.items.clear();
        moved.entries.clear();
        moved.deferred.clear();
        for item in items {
            reached.insert((item.node, item.depth));
            sources.push(ConsumingPosition {
                node: item.node,
                depth: item.depth,
                parent: None,
                tried: item.tried,
            });
        }
        let mut at = 0;
        while at < self.scratch.sources.len() && self.scratch.goes_on(1) {
            self.source(at)?;
            at += 1;
        }
        self.enter_nested();
        Ok(())
    }

    fn source(&mut self, at: usize) -> Result<(), Unknown> {
        let ConsumingPosition { node, depth, .. } = self.scratch.sources[at];
        let position = &self.positions.nodes[node as usize];
        // An ancestor at the same position dominates this source: its machine may end, and then
        // return to this very position, so every text that follows here can follow there.
        if !self.is_ancestor(at, node) {
            if let Some(to) = self.positions.step(node, self.class) {
                self.scratch.moved.items.push((to, Origin::Old(depth)));
            }
            let calls = self.positions.calls(node);
            for &(machine, resume) in calls {
                self.call(machine, resume, Origin::Old(depth));
            }
            self.scratch.goes_on(calls.len());
        }
        self.follow_guards(at);
        if position.is_final && position.machine != ROOT && self.return_may_help(at) {
            self.follow_return(at, position.machine, depth)?;
        }
        Ok(())
    }

    /// Goes on behind the guards of a source that let the symbol through.
    fn follow_guards(&mut self, at: usize) {
        let ConsumingPosition {
            node, depth, tried, ..
        } = self.scratch.sources[at];
        for to in self.positions.through_guards(node, self.class) {
            if self.scratch.reached.insert((to, depth)) {
                self.scratch.sources.push(ConsumingPosition {
                    node: to,
                    depth,
                    parent: Some(at),
                    tried,
                });
            }
        }
    }

    fn is_ancestor(&self, at: usize, node: u32) -> bool {
        let ConsumingPosition { parent, tried, .. } = self.scratch.sources[at];
        if tried.contains(node) {
            return true;
        }
        let mut next = parent;
        while let Some(ancestor) = next
            && self.scratch.goes_on(1)
        {
            if self.scratch.sources[ancestor].node == node {
                return true;
            }
            next = self.scratch.sources[ancestor].parent;
        }
        false
    }

    /// The positions at which the symbol has been tried on the way to a source, its own included.
    fn tried(&self, at: usize) -> Tried {
        let mut tried = self.scratch.sources[at].tried;
        let mut next = Some(at);
        while let Some(source) = next {
            tried.insert(self.scratch.sources[source].node);
            next = self.scratch.sources[source].parent;
        }
        tried
    }

    /// Whether a return could consume the symbol at a position that has not been tried on the way
    /// here.
    fn return_may_help(&self, at: usize) -> bool {
        let ConsumingPosition { node, .. } = self.scratch.sources[at];
        let positions = self.positions;
        let machine = positions.nodes[node as usize].machine;
        positions.follow[machine.index()].contains(usize::from(self.class))
            && positions.any_resume(machine, self.class, |resume| {
                resume != node && (!self.is_ancestor(at, resume) || !self.scratch.goes_on(1))
            })
    }

    fn follow_return(&mut self, at: usize, machine: MachineId, depth: u8) -> Result<(), Unknown> {
        if depth > self.look {
            self.deferred(at, machine, depth);
            return Ok(());
        }
        let entries = returns_of(self.known.frame(depth)?, machine);
        self.scratch.goes_on(entries.len());
        for entry in entries {
            let to = if entry.depth == SAME {
                depth
            } else {
                depth + 1 + entry.depth
            };
            if self.scratch.reached.insert((entry.resume, to)) {
                self.scratch.sources.push(ConsumingPosition {
                    node: entry.resume,
                    depth: to,
                    parent: Some(at),
                    tried: self.scratch.sources[at].tried,
                });
            }
        }
        Ok(())
    }

    fn deferred(&mut self, at: usize, machine: MachineId, depth: u8) {
        let tried = self.tried(at);
        let mut known = self.scratch.moved.deferred.iter_mut();
        match known.find(|p| (p.machine, p.depth) == (machine, depth)) {
            Some(known) => known.tried.union(tried),
            None => self.scratch.moved.deferred.push(DeferredReduction {
                machine,
                depth,
                tried,
            }),
        }
    }

    fn call(&mut self, machine: MachineId, resume: u32, caller: Origin) {
        let start = self.positions.starts[machine.index()];
        if !self.positions.nodes[start as usize]
            .first
            .contains(self.class as usize)
        {
            return;
        }
        let entry = NewEntry {
            machine: self.positions.returned_as[machine.index()],
            resume,
            caller,
        };
        self.scratch.moved.entries.insert(entry);
        let entered = self.positions.entered_as[machine.index()];
        self.scratch.entered.insert(entered);
    }

    /// Enters the called machines, and those that they call at their own start.
    fn enter_nested(&mut self) {
        let mut at = 0;
        while let Some(&machine) = self.scratch.entered.get(at)
            && self.scratch.goes_on(1)
        {
            let start = self.positions.starts[machine.index()];
            self.enter(start);
            if self.positions.has_guards(start) {
                self.enter_behind_guards(start);
            }
            at += 1;
        }
    }

    fn enter_behind_guards(&mut self, start: u32) {
        let mut nodes = vec![start];
        let mut place = 0;
        while let Some(&node) = nodes.get(place)
            && self.scratch.goes_on(1)
        {
            place += 1;
            for to in self.positions.through_guards(node, self.class) {
                if !nodes.contains(&to) {
                    self.enter(to);
                    nodes.push(to);
                }
            }
        }
    }

    /// Takes the symbol at a position that a machine which is entered begins with.
    fn enter(&mut self, node: u32) {
        if let Some(to) = self.positions.step(node, self.class) {
            self.scratch.moved.items.push((to, Origin::New));
        }
        let calls = self.positions.calls(node);
        for &(callee, resume) in calls {
            self.call(callee, resume, Origin::New);
        }
        self.scratch.goes_on(calls.len());
    }
}
