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
//!
//! Of exits that are open to a run at once, only the cheapest counts, whatever lies below. So if
//! there are many, all at which a run may leave one place are [one exit](Places::Joined). Rules
//! over terminals have many: a rule ends by another edge for each class of bytes with which the next
//! terminal begins. If there are few, they stay apart: states that are told apart by them let fewer
//! stacks be proved.

mod edges;

use std::rc::Rc;

use self::edges::deciding;
use super::MAX_NEED;
use crate::id::id;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::{IdMap, IdSet, own_keys};
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, StateId, TreeId};

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
/// The most pairs of a node and an exit for which exits stay [apart](Places::Apart).
const MOST_APART: usize = 500_000;
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
    /// At any of these, ascending; none of them is of this kind, or the end.
    Any(Vec<ExitId>),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// What becomes of the exits at which a run may leave one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// They stay what they are.
    Apart,
    /// They become one exit.
    Joined,
}

/// All nodes met, and their exits.
pub(super) struct NodeExits<'a> {
    pda: &'a Pda,
    places: Places,
    /// For each tree whether some leaf takes its symbol again.
    repeats: Vec<bool>,
    /// For each state the first at or after it that has a choice or touches the stack.
    deciding: Vec<StateId>,
    exits: Interner<Exit>,
    /// The outcomes of exits on frames.
    answers: IdMap<(ExitId, FrameId), Rc<[ExitOutcome]>>,
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
    /// Whether some exit was left out since the run to it rises too high.
    is_cut: bool,
}

impl<'a> NodeExits<'a> {
    /// The exits of all states, and of all pushes, of `pda`.
    pub(super) fn new(pda: &'a Pda, deadline: &Deadline) -> Result<Self, LimitExceeded> {
        let mut exits = NodeExits::of_places(pda, Places::Apart);
        if !exits.settle(MOST_APART, deadline)? {
            exits = NodeExits::of_places(pda, Places::Joined);
            exits.settle_all(deadline)?;
        }
        Ok(exits)
    }

    fn of_places(pda: &'a Pda, places: Places) -> Self {
        let trees = (0..pda.trees.len()).map(TreeId::at);
        let mut exits = NodeExits {
            pda,
            places,
            repeats: trees.map(|tree| pda.takes_again(tree)).collect(),
            deciding: deciding(pda),
            exits: Interner::new(),
            answers: IdMap::default(),
            nodes: Interner::new(),
            peaks: Vec::new(),
            settled: IdSet::default(),
            users: Vec::new(),
            on_frames: Vec::new(),
            queue: Vec::new(),
            fresh: Vec::new(),
            is_cut: false,
        };
        exits.exits.intern(Exit::End);
        for state in pda.state_ids() {
            exits.node(state, Vec::new());
        }
        exits.node(pda.start, vec![BOTTOM]);
        exits
    }

    /// The node of a state on a stack of which nothing is known.
    pub(super) fn of_state(&mut self, state: StateId) -> ExitNodeId {
        self.node(state, Vec::new())
    }

    /// The exits of a node with their peaks.
    pub(super) fn peaks(&self, node: ExitNodeId) -> &[(ExitId, u8)] {
        &self.peaks[node.index()]
    }

    /// Whether exits are missing to which runs rise too high.
    pub(super) fn are_cut(&self) -> bool {
        self.is_cut
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

    /// For each frame whether a run above it can end the text without asking for it.
    pub(super) fn ended_above(&mut self) -> Vec<bool> {
        let mut ended = vec![false; self.pda.under.len()];
        for node in 0..self.nodes.values.len() {
            if let Some((above, frame)) = self.parted(ExitNodeId::at(node)) {
                ended[usize::from(frame)] |= self.settled.contains(&(above, END));
            }
        }
        ended
    }

    /// The outcomes of an exit whose frame is known. Nodes that are new have no exits before
    /// [`settle_all`](Self::settle_all).
    pub(super) fn answer(&mut self, exit: ExitId, frame: FrameId) -> Rc<[ExitOutcome]> {
        if let Some(known) = self.answers.get(&(exit, frame)) {
            return known.clone();
        }
        let mut outcomes = Vec::new();
        match self.exits.values[exit.index()].clone() {
            Exit::Any(members) => {
                for member in members {
                    self.answer_one(member, frame, &mut outcomes);
                }
            }
            _ => self.answer_one(exit, frame, &mut outcomes),
        }
        let outcomes: Rc<[ExitOutcome]> = self.joined(outcomes).into();
        self.answers.insert((exit, frame), outcomes.clone());
        outcomes
    }

    /// The outcomes of an exit that does not stand for several.
    fn answer_one(&mut self, exit: ExitId, frame: FrameId, outcomes: &mut Vec<ExitOutcome>) {
        match self.exits.values[exit.index()].clone() {
            Exit::End | Exit::Any(_) => outcomes.push(ExitOutcome::Asks(END)),
            Exit::Look {
                tree,
                class,
                mut known,
            } => {
                known.push(frame);
                self.advance(tree, class, &known, outcomes);
            }
            Exit::Pop { rest, class } => self.take(rest, class, &[frame], outcomes),
        }
    }

    /// Outcomes of one place; of joined exits, ascending, with one that asks for a frame.
    fn joined(&mut self, mut outcomes: Vec<ExitOutcome>) -> Vec<ExitOutcome> {
        if self.places == Places::Apart {
            return outcomes;
        }
        outcomes.sort_unstable();
        outcomes.dedup();
        let mut asks = Vec::new();
        outcomes.retain(|outcome| match outcome {
            ExitOutcome::Asks(exit) if *exit != END => {
                asks.push(*exit);
                false
            }
            _ => true,
        });
        let exit = match asks[..] {
            [] => return outcomes,
            [exit] => exit,
            _ => ExitId::new(self.exits.intern(Exit::Any(asks))),
        };
        outcomes.push(ExitOutcome::Asks(exit));
        outcomes
    }

    /// Settles the exits of all nodes met.
    pub(super) fn settle_all(&mut self, deadline: &Deadline) -> Result<(), LimitExceeded> {
        self.settle(usize::MAX, deadline).map(drop)
    }

    /// Settles the exits of all nodes met; returns whether there are at most `most`.
    fn settle(&mut self, most: usize, deadline: &Deadline) -> Result<bool, LimitExceeded> {
        let mut steps = 0usize;
        let mut peak = 0;
        loop {
            steps += 1;
            if steps.is_multiple_of(BETWEEN_CHECKS) {
                deadline.check("bounding stacks")?;
            }
            if self.settled.len() > most {
                return Ok(false);
            }
            // Edges first: they only find what to settle.
            if let Some(node) = self.fresh.pop() {
                self.follow(node);
                peak = 0;
            } else if let Some(of_peak) = self.queue.get_mut(peak) {
                match of_peak.pop() {
                    Some((node, exit)) => self.settle_one(node, exit, peak as u8),
                    None => peak += 1,
                }
            } else {
                return Ok(true);
            }
        }
    }

    fn node(&mut self, state: StateId, known: Vec<FrameId>) -> ExitNodeId {
        let state = self.deciding[state.index()];
        let node = ExitNodeId::new(self.nodes.intern(ExitNode { state, known }));
        if node.index() == self.peaks.len() {
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
            self.on_frames[above.index()].push((frame, node));
            for (exit, peak) in self.peaks[above.index()].clone() {
                self.reveal(node, frame, exit, peak);
            }
            return;
        }
        let state = self.nodes.values[node.index()].state;
        let edges = &self.pda.states[state.index()].edges;
        if edges.is_empty() {
            return self.offer(node, END, 0);
        }
        let mut outcomes = Vec::new();
        let is_same =
            |a: &(Class, TreeId), b: &(Class, TreeId)| a.1 == b.1 && !self.repeats[a.1.index()];
        let distinct: Vec<_> = edges.chunk_by(is_same).map(|same| same[0]).collect();
        for (class, tree) in distinct {
            self.advance(tree, class, &[], &mut outcomes);
        }
        let outcomes = self.joined(outcomes);
        self.go_on(node, &outcomes, 0);
    }

    /// Offers a node the exits of these outcomes, after a run that has risen to `floor`.
    fn go_on(&mut self, node: ExitNodeId, outcomes: &[ExitOutcome], floor: u8) {
        for &outcome in outcomes {
            match outcome {
                ExitOutcome::Asks(exit) => self.offer(node, exit, floor),
                ExitOutcome::Taken(next) if next == node => {}
                ExitOutcome::Taken(next) => {
                    self.users[next.index()].push(NodeUser { node, floor });
                    for at in 0..self.peaks[next.index()].len() {
                        let (exit, peak) = self.peaks[next.index()][at];
                        self.offer(node, exit, peak.max(floor));
                    }
                }
            }
        }
    }

    fn offer(&mut self, node: ExitNodeId, exit: ExitId, peak: u8) {
        if !self.settled.contains(&(node, exit)) {
            let peak = usize::from(peak);
            if self.queue.len() <= peak {
                self.queue.resize_with(peak + 1, Vec::new);
            }
            self.queue[peak].push((node, exit));
        }
    }

    fn settle_one(&mut self, node: ExitNodeId, exit: ExitId, peak: u8) {
        if !self.settled.insert((node, exit)) {
            return;
        }
        self.peaks[node.index()].push((exit, peak));
        for at in 0..self.users[node.index()].len() {
            let NodeUser { node, floor } = self.users[node.index()][at];
            self.offer(node, exit, peak.max(floor));
        }
        for at in 0..self.on_frames[node.index()].len() {
            let (frame, node) = self.on_frames[node.index()][at];
            self.reveal(node, frame, exit, peak);
        }
    }

    /// The node without its lowest known frame, and that frame; `None` if it knows none.
    fn parted(&mut self, node: ExitNodeId) -> Option<(ExitNodeId, FrameId)> {
        let ExitNode { state, known } = &self.nodes.values[node.index()];
        let (&frame, above) = known.split_last()?;
        let (state, above) = (*state, above.to_vec());
        Some((self.node(state, above), frame))
    }

    /// Lets the lowest known frame of a node answer an exit of the frames above it.
    fn reveal(&mut self, node: ExitNodeId, frame: FrameId, exit: ExitId, peak: u8) {
        let floor = u16::from(peak) + u16::from(frame != BOTTOM);
        let Some(floor) = u8::try_from(floor).ok().filter(|&floor| floor <= MAX_NEED) else {
            self.is_cut = true;
            return;
        };
        let outcomes = self.answer(exit, frame);
        self.go_on(node, &outcomes, floor);
    }
}
