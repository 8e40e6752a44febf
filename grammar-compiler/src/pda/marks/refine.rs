//! The automaton with marks.
//!
//! In: a [`Pda`] and [`Marks`]. Out: a [`Pda`] with the same sentences whose states are pairs of a
//! state and the mark of its stack, and whose frames are pairs of a frame and the mark of the stack
//! below, so that popping brings the mark back. Which frames can lie where is found by going over
//! the edges until nothing is new: those of a state, on a top frame, again only if something is new
//! that they depend on.

use super::{Mark, Marks};
use crate::bits::Bits;
use crate::id::id;
use crate::intern::Interner;
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::{IdMap, IdSet};
use crate::pda::needs::Need;
use crate::pda::{Alternative, BOTTOM, Class, FrameId, Pda, State, StateId, Tree, TreeId};

/// The stage, as a passed limit names it.
const DOING: &str = "refining states by what lies below them";

/// Units of work for an alternative: its marks, its state and its frame are looked up.
const UNITS: usize = 4;

id! {
    /// Index of a refined frame, before it is known that there are few enough for a [`FrameId`].
    struct RefinedFrame;
}

/// A refined automaton.
pub struct RefinedPda {
    /// The automaton.
    pub pda: Pda,
    /// The need of each state: `None` if it cannot be finished.
    pub needs: Vec<Need>,
    /// For each frame how many must fit above it when it is pushed.
    pub reserves: Vec<u8>,
    /// The state of the automaton before that each state refines.
    pub state_of: Vec<StateId>,
    /// The mark of the stack of each state.
    pub mark_of: Vec<Mark>,
}

/// The automaton, refined by marks.
pub fn refine(
    pda: &Pda,
    marks: &Marks,
    limit: usize,
    deadline: &Deadline,
) -> Result<RefinedPda, LimitExceeded> {
    let mut builder = RefinedBuilder::new(pda, marks, deadline);
    while builder.due.iter().any(|due| !due.is_empty()) {
        builder.trees = Interner::new();
        let mut state = 0;
        while state < builder.due.len() {
            if !builder.due[state].is_empty() {
                builder.check(limit)?;
                builder.follow(StateId::at(state));
            }
            state += 1;
        }
    }
    let edges = builder.all_edges(limit)?;
    Ok(builder.finish(edges))
}

struct RefinedBuilder<'a> {
    pda: &'a Pda,
    marks: &'a Marks,
    deadline: &'a Deadline,
    states: Interner<(StateId, Mark)>,
    frames: Interner<(FrameId, Mark)>,
    trees: Interner<Tree>,
    /// Frames that can lie on top in a state.
    top: Vec<Bits>,
    /// Frames that can lie under a frame.
    under: Vec<Bits>,
    /// For each state the top frames on which something is new that its edges depend on.
    due: Vec<Bits>,
    /// For each frame the states, each on a top frame, whose edges depend on what lies under it.
    readers: Vec<Vec<(StateId, RefinedFrame)>>,
    is_reader: IdSet<(RefinedFrame, StateId, RefinedFrame)>,
    /// How often something has turned out to be possible that was not known.
    news: usize,
}

/// A place in an edge's decision tree: the refined state, and the frames looked at by depth.
struct LookPlace {
    state: StateId,
    looked: Vec<(u8, RefinedFrame)>,
}

impl LookPlace {
    fn get(&self, depth: u8) -> Option<RefinedFrame> {
        self.looked.iter().find(|l| l.0 == depth).map(|l| l.1)
    }
}

impl<'a> RefinedBuilder<'a> {
    fn new(pda: &'a Pda, marks: &'a Marks, deadline: &'a Deadline) -> Self {
        let mut builder = RefinedBuilder {
            pda,
            marks,
            deadline,
            states: Interner::new(),
            frames: Interner::new(),
            trees: Interner::new(),
            top: vec![Bits::of(BOTTOM.index())],
            under: vec![Bits::default()],
            due: vec![Bits::of(BOTTOM.index())],
            readers: vec![Vec::new()],
            is_reader: IdSet::default(),
            news: 0,
        };
        builder.states.intern((pda.start, marks.bottom));
        builder.frames.intern((BOTTOM, marks.bottom));
        builder
    }

    fn check(&self, limit: usize) -> Result<(), LimitExceeded> {
        self.deadline.check(DOING)?;
        if self.states.values.len() > limit || self.frames.values.len() > usize::from(u16::MAX) {
            return Err(LimitExceeded::new(
                "states",
                limit,
                "what can be finished depends on too much of the stack",
            ));
        }
        Ok(())
    }

    /// Goes over the edges of a state, on the top frames on which something is new.
    fn follow(&mut self, id: StateId) {
        let mut due = std::mem::take(&mut self.due[id.index()]);
        let pda = self.pda;
        let (state, _) = self.states.values[id.index()];
        let mut known: IdMap<TreeId, usize> = IdMap::default();
        for &(_, tree) in &pda.states[state.index()].edges {
            // What has come up meanwhile is due again, for the edges before.
            due.union(&self.due[id.index()]);
            if known.get(&tree) == Some(&self.news) {
                continue;
            }
            for top in due.iter().map(RefinedFrame::at) {
                let mut place = LookPlace {
                    state: id,
                    looked: vec![(0, top)],
                };
                self.tree(tree, &mut place);
            }
            known.insert(tree, self.news);
        }
    }

    /// The edges of all states, once nothing is new.
    fn all_edges(&mut self, limit: usize) -> Result<Vec<State>, LimitExceeded> {
        self.trees = Interner::new();
        let mut out = Vec::new();
        while out.len() < self.states.values.len() {
            self.check(limit)?;
            out.push(State {
                edges: self.edges(StateId::at(out.len())),
                top: Vec::new(),
            });
        }
        self.deadline.check(DOING)?;
        Ok(out)
    }

    /// The edges of a state.
    fn edges(&mut self, id: StateId) -> Vec<(Class, TreeId)> {
        let pda = self.pda;
        let (state, _) = self.states.values[id.index()];
        let mut known: IdMap<TreeId, TreeId> = IdMap::default();
        let mut edges = Vec::new();
        for &(class, tree) in &pda.states[state.index()].edges {
            let tree = match known.get(&tree) {
                Some(&refined) => refined,
                None => {
                    let mut place = LookPlace {
                        state: id,
                        looked: Vec::new(),
                    };
                    let refined = self.tree(tree, &mut place);
                    known.insert(tree, refined);
                    refined
                }
            };
            if self.trees.values[tree.index()] != Tree::Leaf(Vec::new()) {
                edges.push((class, tree));
            }
        }
        edges
    }

    fn finish(self, mut states: Vec<State>) -> RefinedPda {
        let frames = |bits: &Bits| bits.iter().map(FrameId::at).collect();
        for (state, top) in states.iter_mut().zip(&self.top) {
            state.top = frames(top);
        }
        let pda = Pda {
            classes: self.pda.classes.clone(),
            start: StateId::new(0),
            states,
            trees: self.trees.values,
            under: self.under.iter().map(frames).collect(),
        };
        let of_state = self.states.values.iter();
        let needs = of_state.map(|&(state, mark)| self.marks.need(mark, state));
        let of_frame = self.frames.values.iter();
        let reserve = |&(frame, mark): &(FrameId, Mark)| {
            let pushed = self.marks.pushed(mark, frame);
            pushed.map_or(0, |pushed| pushed.reserve)
        };
        RefinedPda {
            reserves: of_frame.map(reserve).collect(),
            pda,
            needs: needs.collect(),
            state_of: self.states.values.iter().map(|state| state.0).collect(),
            mark_of: self.states.values.iter().map(|state| state.1).collect(),
        }
    }

    /// The tree of the original automaton, over refined frames.
    fn tree(&mut self, tree: TreeId, place: &mut LookPlace) -> TreeId {
        match &self.pda.trees[tree.index()] {
            Tree::Leaf(leaf) => self.leaf(leaf, place),
            Tree::Look { depth, branches } => {
                let branch_of = |frame: FrameId| {
                    let at = branches.binary_search_by_key(&frame, |b| b.0).ok()?;
                    Some(branches[at].1)
                };
                self.look(*depth, place, &mut |builder, frame, place| match branch_of(
                    builder.frames.values[frame.index()].0,
                ) {
                    Some(branch) => builder.tree(branch, place),
                    None => TreeId::new(builder.trees.intern(Tree::Leaf(Vec::new()))),
                })
            }
        }
    }

    /// A look at `depth`, unless it has been made already or all frames have the same outcome.
    /// Frames are left out once the time is over, which the next check says.
    fn look(
        &mut self,
        depth: u8,
        place: &mut LookPlace,
        then: &mut dyn FnMut(&mut Self, RefinedFrame, &mut LookPlace) -> TreeId,
    ) -> TreeId {
        if let Some(frame) = place.get(depth) {
            return then(self, frame, place);
        }
        let mut branches: Vec<(FrameId, TreeId)> = Vec::new();
        for frame in self.possible(place, depth).iter().map(RefinedFrame::at) {
            if self.deadline.stops(DOING) {
                break;
            }
            place.looked.push((depth, frame));
            branches.push((FrameId::at(frame.index()), then(self, frame, place)));
            place.looked.pop();
        }
        match branches.first().map(|b| b.1) {
            Some(first) if branches.iter().all(|b| b.1 == first) => first,
            Some(_) => TreeId::new(self.trees.intern(Tree::Look { depth, branches })),
            None => TreeId::new(self.trees.intern(Tree::Leaf(Vec::new()))),
        }
    }

    /// A leaf, below looks at the frames whose marks come back.
    fn leaf(&mut self, leaf: &'a [Alternative], place: &mut LookPlace) -> TreeId {
        let unknown = leaf.iter().filter_map(|a| a.pop.checked_sub(1));
        let unknown = unknown.filter(|&depth| place.get(depth).is_none()).min();
        if let Some(depth) = unknown {
            return self.look(depth, place, &mut |builder, _, place| {
                builder.leaf(leaf, place)
            });
        }
        // If the time is over, the next check says so.
        let _ = self.deadline.stops_after(UNITS * leaf.len(), DOING);
        let mut out: Vec<Alternative> = leaf
            .iter()
            .filter_map(|a| self.alternative(a, place))
            .collect();
        out.sort_unstable();
        out.dedup();
        TreeId::new(self.trees.intern(Tree::Leaf(out)))
    }

    fn alternative(&mut self, alternative: &Alternative, place: &LookPlace) -> Option<Alternative> {
        let pop = alternative.pop;
        let mark = match pop.checked_sub(1) {
            None => self.states.values[place.state.index()].1,
            Some(depth) => match place.get(depth)? {
                frame if frame.index() == BOTTOM.index() => return None,
                frame => self.frames.values[frame.index()].1,
            },
        };
        let below = self.possible(place, pop);
        let (push, next) = match alternative.push {
            None => (None, self.state(alternative.next, mark)),
            Some(frame) => {
                let above = self.marks.pushed(mark, frame)?.to;
                let frame = self.frame(frame, mark);
                if self.under[frame.index()].union(&below) {
                    self.news += 1;
                    for &(reader, top) in &self.readers[frame.index()] {
                        self.due[reader.index()].insert(top.index());
                    }
                }
                (
                    Some(FrameId::at(frame.index())),
                    self.state(alternative.next, above),
                )
            }
        };
        let top = push.map_or(below, |frame| Bits::of(frame.index()));
        let known = &mut self.top[next.index()];
        for frame in top.iter() {
            if known.insert(frame) {
                self.news += 1;
                self.due[next.index()].insert(frame);
            }
        }
        Some(Alternative {
            push,
            next,
            ..*alternative
        })
    }

    /// The refined state.
    fn state(&mut self, state: StateId, mark: Mark) -> StateId {
        let id = StateId::new(self.states.intern((state, mark)));
        if id.index() == self.top.len() {
            self.top.push(Bits::default());
            self.due.push(Bits::default());
            self.news += 1;
        }
        id
    }

    /// The refined frame.
    fn frame(&mut self, frame: FrameId, mark: Mark) -> RefinedFrame {
        let id = RefinedFrame::new(self.frames.intern((frame, mark)));
        if id.index() == self.under.len() {
            self.under.push(Bits::default());
            self.readers.push(Vec::new());
            self.news += 1;
        }
        id
    }

    /// The frames that can lie at `depth`, given those looked at.
    fn possible(&mut self, place: &LookPlace, depth: u8) -> Bits {
        if let Some(frame) = place.get(depth) {
            return Bits::of(frame.index());
        }
        if depth == 0 {
            return self.top[place.state.index()].clone();
        }
        let mut out = Bits::default();
        for above in self.possible(place, depth - 1).iter() {
            if self.deadline.stops(DOING) {
                break;
            }
            if let Some(top) = place.get(0) {
                let above = RefinedFrame::at(above);
                if self.is_reader.insert((above, place.state, top)) {
                    self.readers[above.index()].push((place.state, top));
                }
            }
            out.union(&self.under[above]);
        }
        out
    }
}
