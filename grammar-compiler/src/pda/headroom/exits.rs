//! Exits: the edges at which runs ask for a frame that they do not know, and how high the runs must
//! rise before.
//!
//! In: a [`Pda`]. Out: [`NodeExits`]: for each node, a state above some known frames, its *exits*,
//! each with the least *peak* of a run that comes to it. A run from a node goes on until an edge
//! asks for a frame below the known ones, or until the text ends. The peak is the greatest height
//! on the way, counted from below the known frames.
//!
//! This is saturation, by which reachability in pushdown systems is decided: a node has the exits
//! of every node that an edge leads to, and a node above known frames has the exits of its state
//! alone, once these frames have answered them. Exits are settled in the order of their peaks, so
//! each is settled once. The cost is linear in the nodes' edges and exits.

use crate::maps::{IdSet, own_keys};

use super::MAX_NEED;
use crate::id::id;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, StateId, Tree, TreeId};

id! {
    /// Index of an exit; [`END`] is the end of the text.
    pub(super) struct ExitId;
}
/// The text has ended.
pub(super) const END: ExitId = ExitId::new(0);
id! {
    /// Index of a [`ExitNode`].
    pub(super) struct ExitNodeId;
}
/// Stands for the class of an edge whose outcome is the same for all classes, since it consumes its
/// symbol.
const ANY: Class = Class::MAX;
/// Exits settled between two looks at the clock.
const BETWEEN_CHECKS: usize = 4096;

/// Where a run has asked for a frame that it does not know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Exit {
    /// Nowhere: the text has ended.
    End,
    /// A decision tree looks below the known frames, which are given from the top down.
    Look {
        tree: TreeId,
        class: Class,
        known: Vec<FrameId>,
    },
    /// An alternative has popped all known frames, and has as many left to pop as `rest` says.
    Pop { rest: Alternative, class: Class },
}

own_keys!(Exit);

/// A state above known frames, which are given from the top down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ExitNode {
    state: StateId,
    known: Vec<FrameId>,
}

own_keys!(ExitNode);

/// The outcome of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitOutcome {
    /// Its symbol is taken; the run goes on at a node.
    Taken(ExitNodeId),
    /// It asks for one more frame.
    Asks(ExitId),
}

/// A node that has the exits of another one, after a run to that one which rises to `floor`.
#[derive(Clone, Copy)]
struct NodeUser {
    node: ExitNodeId,
    floor: u8,
}

/// All nodes met, and their exits.
pub(super) struct NodeExits<'a> {
    pda: &'a Pda,
    /// For each tree whether some leaf takes its symbol again.
    repeats: Vec<bool>,
    /// For each state the first at or after it that has a choice or touches the stack.
    deciding: Vec<StateId>,
    exits: Interner<Exit>,
    nodes: Interner<ExitNode>,
    /// For each node its exits with their peaks, in the order of the peaks.
    peaks: Vec<Vec<(ExitId, u8)>>,
    settled: IdSet<(ExitNodeId, ExitId)>,
    users: Vec<Vec<NodeUser>>,
    /// For each node the nodes that know one more frame, below the frames it knows: that frame, and
    /// the node.
    on_frames: Vec<Vec<(FrameId, ExitNodeId)>>,
    /// Exits to be settled, by peak.
    queue: Vec<Vec<(ExitNodeId, ExitId)>>,
    /// Nodes whose edges have not been followed yet.
    fresh: Vec<ExitNodeId>,
}

impl<'a> NodeExits<'a> {
    /// The exits of all states, and of all pushes, of `pda`.
    pub(super) fn new(pda: &'a Pda, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let trees = (0..pda.trees.len()).map(TreeId::at);
        let mut exits = NodeExits {
            pda,
            repeats: trees.map(|tree| pda.takes_again(tree)).collect(),
            deciding: deciding(pda),
            exits: Interner::new(),
            nodes: Interner::new(),
            peaks: Vec::new(),
            settled: IdSet::default(),
            users: Vec::new(),
            on_frames: Vec::new(),
            queue: Vec::new(),
            fresh: Vec::new(),
        };
        exits.exits.intern(Exit::End);
        for state in pda.state_ids() {
            exits.node(state, Vec::new());
        }
        exits.node(pda.start, vec![BOTTOM]);
        exits.settle_all(deadline)?;
        Ok(exits)
    }

    /// The node of a state on a stack of which nothing is known.
    pub(super) fn of_state(&mut self, state: StateId) -> ExitNodeId {
        self.node(state, Vec::new())
    }

    /// The exits of a node with their peaks.
    pub(super) fn peaks(&self, node: ExitNodeId) -> &[(ExitId, u8)] {
        &self.peaks[node.place()]
    }

    /// For each frame the exits at which runs above it ask for it, ascending, without the end.
    pub(super) fn asked(&mut self) -> Vec<Vec<ExitId>> {
        let mut asked: Vec<Vec<ExitId>> = vec![Vec::new(); self.pda.under.len()];
        for node in 0..self.nodes.values.len() {
            if let Some((above, frame)) = self.parted(ExitNodeId::at(node)) {
                let exits = self.peaks(above).iter().map(|of| of.0);
                asked[usize::from(frame)].extend(exits.filter(|&exit| exit != END));
            }
        }
        for exits in &mut asked {
            exits.sort_unstable();
            exits.dedup();
        }
        asked
    }

    /// The outcomes of an exit whose frame is known. Nodes that are new have no exits before
    /// [`settle_all`](Self::settle_all).
    pub(super) fn answer(&mut self, exit: ExitId, frame: FrameId) -> Vec<ExitOutcome> {
        let mut outcomes = Vec::new();
        match self.exits.values[exit.place()].clone() {
            Exit::End => outcomes.push(ExitOutcome::Asks(END)),
            Exit::Look {
                tree,
                class,
                mut known,
            } => {
                known.push(frame);
                self.advance(tree, class, &known, &mut outcomes);
            }
            Exit::Pop { rest, class } => self.take(rest, class, &[frame], &mut outcomes),
        }
        outcomes
    }

    /// Settles the exits of all nodes met.
    pub(super) fn settle_all(&mut self, deadline: &Deadline) -> Result<(), LimitExceeded> {
        let mut steps = 0usize;
        let mut peak = 0;
        loop {
            steps += 1;
            if steps.is_multiple_of(BETWEEN_CHECKS) {
                deadline.check("bounding stacks")?;
            }
            // Edges first: they only find what to settle.
            if let Some(node) = self.fresh.pop() {
                self.follow(node);
                peak = 0;
            } else if let Some(of_peak) = self.queue.get_mut(peak) {
                match of_peak.pop() {
                    Some((node, exit)) => self.settle(node, exit, peak as u8),
                    None => peak += 1,
                }
            } else {
                return Ok(());
            }
        }
    }

    fn node(&mut self, state: StateId, known: Vec<FrameId>) -> ExitNodeId {
        let state = self.deciding[state.place()];
        let node = ExitNodeId::new(self.nodes.intern(ExitNode { state, known }));
        if node.place() == self.peaks.len() {
            self.peaks.push(Vec::new());
            self.users.push(Vec::new());
            self.on_frames.push(Vec::new());
            self.fresh.push(node);
        }
        node
    }

    /// Offers a node the exits of its own edges, and those of the nodes that its edges lead to.
    fn follow(&mut self, node: ExitNodeId) {
        if let Some((above, frame)) = self.parted(node) {
            self.on_frames[above.place()].push((frame, node));
            for (exit, peak) in self.peaks[above.place()].clone() {
                self.reveal(node, frame, exit, peak);
            }
            return;
        }
        let state = self.nodes.values[node.place()].state;
        let edges = &self.pda.states[state.place()].edges;
        if edges.is_empty() {
            return self.offer(node, END, 0);
        }
        let mut outcomes = Vec::new();
        let is_same =
            |a: &(Class, TreeId), b: &(Class, TreeId)| a.1 == b.1 && !self.repeats[a.1.place()];
        let distinct: Vec<_> = edges.chunk_by(is_same).map(|same| same[0]).collect();
        for (class, tree) in distinct {
            self.advance(tree, class, &[], &mut outcomes);
        }
        self.go_on(node, &outcomes, 0);
    }

    /// Offers a node the exits of these outcomes, after a run that has risen to `floor`.
    fn go_on(&mut self, node: ExitNodeId, outcomes: &[ExitOutcome], floor: u8) {
        for &outcome in outcomes {
            match outcome {
                ExitOutcome::Asks(exit) => self.offer(node, exit, floor),
                ExitOutcome::Taken(next) if next == node => {}
                ExitOutcome::Taken(next) => {
                    self.users[next.place()].push(NodeUser { node, floor });
                    for at in 0..self.peaks[next.place()].len() {
                        let (exit, peak) = self.peaks[next.place()][at];
                        self.offer(node, exit, peak.max(floor));
                    }
                }
            }
        }
    }

    fn offer(&mut self, node: ExitNodeId, exit: ExitId, peak: u8) {
        if peak <= MAX_NEED && !self.settled.contains(&(node, exit)) {
            let peak = usize::from(peak);
            if self.queue.len() <= peak {
                self.queue.resize_with(peak + 1, Vec::new);
            }
            self.queue[peak].push((node, exit));
        }
    }

    fn settle(&mut self, node: ExitNodeId, exit: ExitId, peak: u8) {
        if !self.settled.insert((node, exit)) {
            return;
        }
        self.peaks[node.place()].push((exit, peak));
        for at in 0..self.users[node.place()].len() {
            let NodeUser { node, floor } = self.users[node.place()][at];
            self.offer(node, exit, peak.max(floor));
        }
        for at in 0..self.on_frames[node.place()].len() {
            let (frame, node) = self.on_frames[node.place()][at];
            self.reveal(node, frame, exit, peak);
        }
    }

    /// The node without its lowest known frame, and that frame; `None` if it knows none.
    fn parted(&mut self, node: ExitNodeId) -> Option<(ExitNodeId, FrameId)> {
        let ExitNode { state, known } = &self.nodes.values[node.place()];
        let (&frame, above) = known.split_last()?;
        let (state, above) = (*state, above.to_vec());
        Some((self.node(state, above), frame))
    }

    /// Lets the lowest known frame of a node answer an exit of the frames above it.
    fn reveal(&mut self, node: ExitNodeId, frame: FrameId, exit: ExitId, peak: u8) {
        let floor = u16::from(peak) + u16::from(frame != BOTTOM);
        let Some(floor) = u8::try_from(floor).ok().filter(|&floor| floor <= MAX_NEED) else {
            return;
        };
        let outcomes = self.answer(exit, frame);
        self.go_on(node, &outcomes, floor);
    }

    /// Follows a tree as far as the known frames decide it.
    fn advance(
        &mut self,
        mut tree: TreeId,
        class: Class,
        known: &[FrameId],
        outcomes: &mut Vec<ExitOutcome>,
    ) {
        let pda = self.pda;
        loop {
            match &pda.trees[tree.place()] {
                Tree::Leaf(leaf) => {
                    for &alternative in leaf {
                        self.take(alternative, class, known, outcomes);
                    }
                    return;
                }
                Tree::Look { depth, branches } => {
                    let Some(frame) = frame_at(known, *depth) else {
                        let exit = Exit::Look {
                            tree,
                            class: self.class(tree, class),
                            known: known.to_vec(),
                        };
                        return outcomes
                            .push(ExitOutcome::Asks(ExitId::new(self.exits.intern(exit))));
                    };
                    match branches.binary_search_by_key(&frame, |branch| branch.0) {
                        Ok(at) => tree = branches[at].1,
                        Err(_) => return,
                    }
                }
            }
        }
    }

    /// Follows an alternative as far as the known frames go.
    fn take(
        &mut self,
        alternative: Alternative,
        class: Class,
        known: &[FrameId],
        outcomes: &mut Vec<ExitOutcome>,
    ) {
        let pop = usize::from(alternative.pop);
        let ends_at_bottom = known.last() == Some(&BOTTOM);
        if pop > 0 && ends_at_bottom && pop >= known.len() {
            return;
        }
        let Some(rest) = known.get(pop..) else {
            let pop = (pop - known.len()) as u8;
            let exit = Exit::Pop {
                rest: Alternative { pop, ..alternative },
                class: if alternative.again { class } else { ANY },
            };
            return outcomes.push(ExitOutcome::Asks(ExitId::new(self.exits.intern(exit))));
        };
        let rest: Vec<FrameId> = alternative
            .push
            .into_iter()
            .chain(rest.iter().copied())
            .collect();
        if !alternative.again {
            return outcomes.push(ExitOutcome::Taken(self.node(alternative.next, rest)));
        }
        if let Some(tree) = self.pda.edge(alternative.next, class) {
            self.advance(tree, class, &rest, outcomes);
        }
    }

    /// The class, if what follows still depends on it; otherwise [`ANY`].
    fn class(&self, tree: TreeId, class: Class) -> Class {
        match self.repeats[tree.place()] {
            true => class,
            false => ANY,
        }
    }
}

/// The frame at a depth, if it is known; below the bottom there is the bottom.
fn frame_at(known: &[FrameId], depth: u8) -> Option<FrameId> {
    let bottom = known.last().copied().filter(|&frame| frame == BOTTOM);
    known.get(usize::from(depth)).copied().or(bottom)
}

/// For each state the first one at or after it that has a choice, or ends, or touches the stack: it
/// has the same exits.
fn deciding(pda: &Pda) -> Vec<StateId> {
    let next = |state: StateId| match pda.states[state.place()].edges.as_slice() {
        [first, others @ ..] if others.iter().all(|other| other.1 == first.1) => {
            pda.trees[first.1.place()].goto()
        }
        _ => None,
    };
    const OPEN: StateId = StateId::new(u32::MAX);
    let mut deciding = vec![OPEN; pda.states.len()];
    let mut passed = Vec::new();
    for state in pda.state_ids() {
        let mut at = state;
        // A cycle is left where it is entered.
        while deciding[at.place()] == OPEN {
            deciding[at.place()] = at;
            passed.push(at);
            at = next(at).unwrap_or(at);
        }
        let last = deciding[at.place()];
        passed
            .drain(..)
            .for_each(|state| deciding[state.place()] = last);
    }
    deciding
}
