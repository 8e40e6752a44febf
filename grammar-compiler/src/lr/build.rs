//! The worklist: all item sets, all edges, and which frames can lie where.
//!
//! In: [`Positions`]. Out: [`Built`]: the [`Pda`], with the item sets of its states and the goto
//! maps of its frames. An edge whose outcome depends on frames becomes a decision tree over the
//! frames that *can* lie at the depths it looks at. These sets of frames grow while states are
//! found. When one has grown, the nodes of trees that read it are visited again, and only those,
//! until nothing changes.

use super::DOING;
use super::agenda::Agenda;
use super::built::{Built, most_in};
use super::class_runs::{ClassRun, ClassRuns};
use super::closure::{Scratch, Unknown, advance};
use super::edges::{EdgeOutcome, Edges, Looked, LookedFrames};
use super::flow::{BranchId, Flow, FramePlace, FrameSource};
use super::item::{GotoEntry, Item, Tried};
use super::positions::Positions;
use super::settle::{Settled, alone, settle};
use super::trees::Trees;
use crate::automata::ROOT;
use crate::bits::Bits;
use crate::intern::Sequences;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, State, StateId, Tree, TreeId};

/// Branches visited, or states finished, between two looks at the clock.
const BETWEEN_CHECKS: usize = 64;

/// Builds the automaton.
///
/// # Errors
///
/// If a limit on states or time is passed, or more frames are needed than a table can name.
pub fn build(
    positions: Positions,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Built, LimitExceeded> {
    let mut builder = PdaBuilder::new(&positions, limits, deadline);
    let start = builder.explore_all().map_err(|limit| {
        let states = 0..builder.states.len() as u32;
        limit.in_rule(builder.most_in(states))
    })?;
    let mut states = Vec::with_capacity(builder.states.len());
    let mut trees = Vec::new();
    for state in (0..builder.states.len()).map(StateId::at) {
        if state.index().is_multiple_of(BETWEEN_CHECKS) {
            deadline.check(DOING)?;
        }
        states.push(builder.finish(state, &mut trees));
    }
    let frames = 0..builder.frames.len() as u32;
    let under = frames.map(|f| FrameSource::Place(FramePlace::Under(FrameId::at(f as usize))));
    let pda = Pda {
        classes: positions.classes.clone(),
        start,
        states,
        under: under.map(|place| builder.flow.list(&place)).collect(),
        trees: builder.trees.into_all(),
    };
    let (item_sets, frames) = (builder.states, builder.frames);
    Ok(Built {
        pda,
        positions,
        item_sets,
        frames,
    })
}

struct PdaBuilder<'a> {
    positions: &'a Positions,
    limits: &'a Limits,
    deadline: &'a Deadline,
    /// Branches visited so far.
    visits: usize,
    states: Sequences<Item>,
    frames: Sequences<GotoEntry>,
    trees: Trees,
    /// The classes of each state.
    class_runs: ClassRuns,
    edges: Edges,
    flow: Flow,
    agenda: Agenda,
    scratch: Scratch<'a>,
}

impl<'a> PdaBuilder<'a> {
    fn new(positions: &'a Positions, limits: &'a Limits, deadline: &'a Deadline) -> Self {
        let mut builder = PdaBuilder {
            positions,
            limits,
            deadline,
            visits: 0,
            states: Sequences::new(),
            frames: Sequences::new(),
            trees: Trees::default(),
            class_runs: ClassRuns::default(),
            edges: Edges::default(),
            flow: Flow::default(),
            agenda: Agenda::default(),
            scratch: Scratch::within(deadline),
        };
        builder.frames.intern(&[]);
        builder.flow.add_frame();
        builder
    }

    /// Finds all states, and answers where a text begins.
    fn explore_all(&mut self) -> Result<StateId, LimitExceeded> {
        let start = self.state(&[Item {
            node: self.positions.starts[ROOT.index()],
            depth: 0,
            tried: Tried::default(),
        }])?;
        self.flow
            .grow(FramePlace::Top(start), &FrameSource::Frame(BOTTOM));
        while let Some(state) = self.agenda.next() {
            self.explore(state)?;
        }
        Ok(start)
    }

    fn state(&mut self, items: &[Item]) -> Result<StateId, LimitExceeded> {
        let id = StateId::new(self.states.intern(items));
        if id.index() == self.agenda.len() {
            if self.agenda.len() >= self.limits.states {
                let rule = self.most_in(0..self.states.len() as u32);
                let what = format!(
                    "the grammar needs too many states, most of them in rule `{rule}`; \
                     shorten its counted repetitions"
                );
                return Err(LimitExceeded::new("states", self.limits.states, what));
            }
            let looked_at = self.class_runs.add(self.positions, items);
            self.deadline.ticks(items.len() + looked_at, DOING)?;
            self.edges.add_state();
            self.flow.add_state();
            self.agenda.add_new();
        }
        Ok(id)
    }

    /// The rule that the first items of most of these states are of.
    fn most_in(&self, states: impl Iterator<Item = u32>) -> &str {
        let item_sets = states.map(|state| self.states.get(state));
        most_in(self.positions, item_sets).unwrap_or("")
    }

    fn frame(&mut self, entries: &[GotoEntry]) -> Result<FrameId, LimitExceeded> {
        let known = self.frames.len();
        let id = self.frames.intern(entries);
        let frame = FrameId::numbered(id as usize)?;
        if self.frames.len() > known {
            self.flow.add_frame();
        }
        Ok(frame)
    }

    /// Visits the nodes of a state that are due; the first time, makes the roots of its edges.
    fn explore(&mut self, state: StateId) -> Result<(), LimitExceeded> {
        let roots = self.edges.of(state);
        if roots.is_empty() {
            for at in self.class_runs.of(state) {
                let ClassRun { first, least, .. } = self.class_runs.all[at];
                if first == least {
                    let class = first;
                    let root = self.node(state, class, None, Looked::default())?;
                    self.edges.add_root(state, class, root);
                    self.visit(class, root)?;
                }
            }
            return Ok(());
        }
        for at in roots {
            let (class, root) = self.edges.roots[at];
            if self.edges.nodes[root.index()].is_due {
                self.visit(class, root)?;
            }
        }
        Ok(())
    }

    /// A node for the outcome of an edge, given the frames looked at.
    fn node(
        &mut self,
        state: StateId,
        class: Class,
        parent: Option<BranchId>,
        looked: Looked,
    ) -> Result<BranchId, LimitExceeded> {
        if self.edges.nodes.len() >= self.limits.branches {
            let rule = self.most_in(self.edges.nodes.iter().map(|node| node.state.number()));
            let what = format!(
                "what may follow depends on too many frames of the stack, mostly in rule `{rule}`; \
                 make it less ambiguous there"
            );
            let limit = LimitExceeded::new("branches", self.limits.branches, what);
            return Err(limit.in_rule(rule));
        }
        let known = LookedFrames {
            looked,
            frames: &self.frames,
        };
        let items = self.states.get(state.number());
        let moved = advance(self.positions, items, class, &known, &mut self.scratch);
        if let Ok(moved) = moved {
            self.deadline
                .ticks(moved.items.len() + moved.entries.len(), DOING)?;
        }
        let alone = moved.ok().and_then(|moved| alone(self.positions, moved));
        let outcome = if let Some((item, pop)) = alone {
            let next = self.state(&[item])?;
            EdgeOutcome::Leaf(self.trees.plain_leaf(pop, next))
        } else {
            let settled =
                moved.and_then(|moved| settle(self.positions, moved, &known, self.deadline));
            match settled {
                Ok(settled) => EdgeOutcome::Leaf(self.leaf(settled)?),
                Err(Unknown(depth)) => EdgeOutcome::Look(depth),
            }
        };
        // What a closure has found when it was stopped is not the whole.
        self.scratch.finish()?;
        Ok(self.edges.add(state, parent, looked, outcome))
    }

    fn leaf(&mut self, settled: Vec<Settled>) -> Result<TreeId, LimitExceeded> {
        let mut alternatives = Vec::with_capacity(settled.len());
        for Settled {
            pop,
            frame,
            items,
            again,
        } in settled
        {
            let push = if frame.is_empty() {
                None
            } else {
                Some(self.frame(&frame)?)
            };
            alternatives.push(Alternative {
                pop,
                push,
                next: self.state(&items)?,
                again,
            });
        }
        alternatives.sort_unstable();
        alternatives.dedup();
        Ok(self.trees.intern(Tree::Leaf(alternatives)))
    }

    /// Visits a branch of an edge and what it leads to. An edge may have very many branches, so the
    /// clock is looked at here.
    fn visit(&mut self, class: Class, at: BranchId) -> Result<(), LimitExceeded> {
        if self.visits.is_multiple_of(BETWEEN_CHECKS) || self.deadline.is_over() {
            self.deadline.check(DOING)?;
        }
        self.visits += 1;
        self.edges.nodes[at.index()].is_due = false;
        match self.edges.nodes[at.index()].outcome {
            EdgeOutcome::Leaf(leaf) => {
                self.go(at, leaf);
                Ok(())
            }
            EdgeOutcome::Look(depth) => self.look(class, at, depth),
        }
    }

    /// Adds the frames that can lie somewhere after an edge.
    fn go(&mut self, at: BranchId, leaf: TreeId) {
        let mut next = 0;
        while let Tree::Leaf(alternatives) = self.trees.get(leaf)
            && let Some(&alternative) = alternatives.get(next)
        {
            next += 1;
            let below = self.possible(at, alternative.pop);
            let top = FramePlace::Top(alternative.next);
            match alternative.push {
                Some(frame) => {
                    self.grow(FramePlace::Under(frame), &below);
                    self.grow(top, &FrameSource::Frame(frame));
                }
                None => self.grow(top, &below),
            }
        }
    }

    /// Visits the branches of a look that are new or due.
    fn look(&mut self, class: Class, at: BranchId, depth: u8) -> Result<(), LimitExceeded> {
        let frames = self.possible(at, depth);
        for (nth, frame) in self.flow.list(&frames).into_iter().enumerate() {
            let node = &self.edges.nodes[at.index()];
            // A frame that could lie there still can, so the branches made before are among these
            // frames.
            let made = node.children.get(nth).filter(|child| child.0 == frame);
            let child = match made {
                Some(child) => child.1,
                None => {
                    let looked = node.looked.and(depth, frame);
                    let child = self.node(node.state, class, Some(at), looked)?;
                    let children = &mut self.edges.nodes[at.index()].children;
                    children.insert(nth, (frame, child));
                    child
                }
            };
            if self.edges.nodes[child.index()].is_due {
                self.visit(class, child)?;
            }
        }
        Ok(())
    }

    /// The frames that can lie at `depth`, given those that a node has looked at; it will be due
    /// when there are more.
    fn possible(&mut self, at: BranchId, depth: u8) -> FrameSource {
        let node = &self.edges.nodes[at.index()];
        if let Some(frame) = node.looked.get(depth) {
            return FrameSource::Frame(frame);
        }
        if depth == 0 {
            return self.read(at, FramePlace::Top(node.state));
        }
        let above = self.possible(at, depth - 1);
        if let FrameSource::Frame(above) = above {
            return self.read(at, FramePlace::Under(above));
        }
        let mut out = Bits::default();
        for above in self.flow.list(&above) {
            if self.deadline.stops(DOING) {
                break;
            }
            self.read(at, FramePlace::Under(above));
            out.union(self.flow.frames(FramePlace::Under(above)));
        }
        FrameSource::Union(out)
    }

    fn read(&mut self, at: BranchId, place: FramePlace) -> FrameSource {
        if self.edges.nodes[at.index()].read(place) {
            self.flow.read(place, at);
        }
        FrameSource::Place(place)
    }

    fn grow(&mut self, place: FramePlace, source: &FrameSource) {
        if !self.flow.grow(place, source) {
            return;
        }
        let mut states = Vec::new();
        let readers = self.flow.readers(place);
        // If the time is over, the next visit says so.
        let _ = self.deadline.ticks(readers.len(), DOING);
        for &reader in readers {
            self.edges.make_due(reader);
            let state = self.edges.nodes[reader.index()].state;
            if states.last() != Some(&state) && !self.agenda.has(state) {
                states.push(state);
            }
        }
        if let FramePlace::Top(state) = place {
            for &(_, root) in &self.edges.roots[self.edges.of(state)] {
                self.edges.nodes[root.index()].is_due = true;
            }
            if !self.agenda.has(state) {
                states.push(state);
            }
        }
        states.sort_unstable();
        states.dedup();
        for state in states {
            self.agenda.add_again(state);
        }
    }

    /// Makes the edges of a state; the trees of its roots are put into `trees`.
    fn finish(&mut self, state: StateId, trees: &mut Vec<(Class, TreeId)>) -> State {
        trees.clear();
        for at in self.edges.of(state) {
            let (class, root) = self.edges.roots[at];
            trees.push((class, self.tree(root)));
        }
        let class_runs = &self.class_runs.all[self.class_runs.of(state)];
        let mut edges = Vec::with_capacity(class_runs.iter().map(ClassRun::len).sum());
        for &ClassRun { first, last, least } in class_runs {
            let at = trees.partition_point(|&(class, _)| class < least);
            let tree = trees[at].1;
            if *self.trees.get(tree) != Tree::Leaf(Vec::new()) {
                edges.extend((first..=last).map(|class| (class, tree)));
            }
        }
        let top = self.flow.list(&FrameSource::Place(FramePlace::Top(state)));
        State { edges, top }
    }

    /// The decision tree below a node, when no set grows any more.
    fn tree(&mut self, at: BranchId) -> TreeId {
        let node = &mut self.edges.nodes[at.index()];
        let depth = match node.outcome {
            EdgeOutcome::Leaf(leaf) => return leaf,
            EdgeOutcome::Look(depth) => depth,
        };
        let children = std::mem::take(&mut node.children).into_iter();
        let branches = children.map(|(frame, node)| (frame, self.tree(node)));
        let branches: Vec<(FrameId, TreeId)> = branches.collect();
        match branches.first() {
            Some(first) if branches.iter().all(|b| b.1 == first.1) => first.1,
            Some(_) => self.trees.intern(Tree::Look { depth, branches }),
            None => self.trees.intern(Tree::Leaf(Vec::new())),
        }
    }
}
