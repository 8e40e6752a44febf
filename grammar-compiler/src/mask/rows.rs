//! The automaton's edges as walks read them: a dense table, and each state's runs.

use rustc_hash::FxHashMap as HashMap;

use super::exits::Kind;
use super::kinds_of_bytes::Kinds;
use super::like::{Like, likes};
use super::regions::{Region, regions};
use super::runs::{DIGITS, Run, digits, number_kinds, runs, steps};
use crate::pda::headroom::{Headroom, Need};
use crate::pda::{Class, FrameId, Pda, State, StateId, Tree, TreeId};

/// What a state does with a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing: the symbol is refused.
    Refuse,
    /// Goes on, whatever the stack.
    Goto(StateId),
    /// Asks the stack.
    Tree(TreeId),
    /// Leaves the copy of a region.
    Leave,
}

/// An [`Action`] in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed(u32);

impl Packed {
    const REFUSE: Packed = Packed(u32::MAX);
    const LEAVE: Packed = Packed(u32::MAX - 1);
    /// Marks trees; what is not marked is a state.
    const TREE: u32 = 1 << 31;

    fn new(pda: &Pda, tree: TreeId) -> Self {
        let known = &pda.trees[tree as usize];
        match (known, known.goto()) {
            (_, Some(next)) => Packed(next),
            (Tree::Leaf(leaf), None) if leaf.is_empty() => Packed::REFUSE,
            _ => Packed(tree | Packed::TREE),
        }
    }

    /// Whether the symbol is not refused.
    pub fn is_taken(self) -> bool {
        self != Packed::REFUSE
    }

    fn action(self) -> Action {
        const LEAVE: u32 = Packed::LEAVE.0;
        match self.0 {
            u32::MAX => Action::Refuse,
            LEAVE => Action::Leave,
            next if next < Packed::TREE => Action::Goto(next),
            tree => Action::Tree(tree & !Packed::TREE),
        }
    }
}

/// Which strings lead from a state to states like it, without touching the stack.
#[derive(Clone, Copy)]
struct Stays {
    /// The kinds of bytes that the state's run goes on with.
    within: Kinds,
    /// How many characters the run has at most.
    length: u32,
    /// How many digits may follow, whichever they are.
    digits: u32,
}

/// The dense table. States after those of the automaton are copies of regions.
pub struct Rows {
    classes: usize,
    actions: Vec<Packed>,
    /// Which trees take a symbol again, of those that edges have.
    again: Vec<bool>,
    runs: Vec<Run>,
    /// For each state what tokens stay in.
    stays: Vec<Stays>,
    /// The kinds of digits.
    digits: Kinds,
    /// States that each state is like.
    likes: Vec<Option<Like>>,
    /// Where a run goes on from each state.
    next: Vec<StateId>,
    /// Whether some edge of each state pushes a frame.
    pushes: Vec<bool>,
    /// For each state the frames that finishing needs; in copies of regions what it needs more than where they are left.
    needs: Vec<Need>,
    /// For each frame those that must fit above it when it is pushed.
    reserves: Vec<u8>,
    /// For each state the region that it is in, if others are like that.
    regions: Vec<Option<Region>>,
    /// The kinds of runs along which walks are taken.
    pub kinds: Vec<Kind>,
}

impl Rows {
    /// The dense table of `pda`.
    pub fn new(pda: &Pda, headroom: &Headroom) -> Self {
        let needs = headroom.states.as_slice();
        let classes = pda.classes.count as usize;
        let trees = 0..pda.trees.len() as TreeId;
        let packed: Vec<Packed> = trees.map(|tree| Packed::new(pda, tree)).collect();
        let mut actions = vec![Packed::REFUSE; classes * pda.states.len()];
        let mut asked = vec![false; pda.trees.len()];
        for (state, row) in pda.states.iter().zip(actions.chunks_mut(classes)) {
            for &(class, tree) in &state.edges {
                row[class as usize] = packed[tree as usize];
                asked[tree as usize] = true;
            }
        }
        let again = (0..).zip(asked);
        let again = again.map(|(tree, asked)| asked && pda.takes_again(tree));
        let mut rows = Rows {
            classes,
            actions,
            again: again.collect(),
            pushes: pushes(pda),
            runs: Vec::new(),
            stays: Vec::new(),
            digits: Kinds::default(),
            likes: Vec::new(),
            next: Vec::new(),
            needs: needs.to_vec(),
            reserves: headroom.frames.clone(),
            regions: Vec::new(),
            kinds: Vec::new(),
        };
        let next = steps(&rows, pda, needs);
        rows.runs = runs(needs, &next);
        rows.next = (0..)
            .zip(&next)
            .map(|(state, step)| step.map_or(state, |(next, _)| next))
            .collect();
        rows.kinds = number_kinds(&mut rows.runs, &rows.next);
        rows.likes = likes(pda, needs, &rows);
        rows.copy_regions(pda);
        let digits = digits(&rows, pda);
        let mut within: HashMap<[u64; 4], Kinds> = HashMap::default();
        let mut stays = |(run, digits): (&Run, u32)| {
            let bytes = &run.kind.bytes;
            Stays {
                within: *within.entry(*bytes).or_insert_with(|| Kinds::within(bytes)),
                length: run.length,
                digits,
            }
        };
        rows.stays = rows.runs.iter().zip(digits).map(&mut stays).collect();
        rows.digits = Kinds::within(&[DIGITS, 0, 0, 0]);
        rows
    }

    /// Adds the states of regions that are alike.
    fn copy_regions(&mut self, pda: &Pda) {
        let all = regions(pda, &self.needs, self);
        let of_copy = |state: StateId| all.of[state as usize].map(|region| region.copy);
        for copied in &all.copies {
            let mut row = vec![Packed::REFUSE; self.classes];
            for &(class, next) in &copied.steps {
                row[class as usize] = next.map_or(Packed::LEAVE, Packed);
            }
            self.actions.extend(row);
            let next = of_copy(self.next[copied.from as usize]);
            let copy = self.runs.len() as StateId;
            self.next.push(next.unwrap_or(copy));
            self.runs.push(self.runs[copied.from as usize]);
            self.likes.push(None);
            self.pushes.push(false);
            self.needs.push(Some(0));
        }
        self.regions = all.of;
    }

    /// The region that a state is in, if others are like that.
    pub fn region(&self, state: StateId) -> Option<Region> {
        self.regions.get(state as usize).copied().flatten()
    }

    /// Whether a state is one of a copy of a region.
    pub fn is_copy(&self, state: StateId) -> bool {
        state as usize >= self.regions.len()
    }

    /// The frames that finishing needs from a state.
    pub fn need(&self, state: StateId) -> Need {
        self.needs[state as usize]
    }

    /// The frames that must fit above a frame when it is pushed.
    pub fn reserve(&self, frame: FrameId) -> u8 {
        self.reserves[usize::from(frame)]
    }

    /// The run that begins in `state`.
    pub fn run(&self, state: StateId) -> &Run {
        &self.runs[state as usize]
    }

    /// Where the run goes on from `state`.
    pub fn next(&self, state: StateId) -> StateId {
        self.next[state as usize]
    }

    /// What `state` does with `class`.
    pub fn action(&self, state: StateId, class: Class) -> Action {
        self.actions[state as usize * self.classes + class as usize].action()
    }

    /// How many states there are, copies of regions included.
    pub fn count(&self) -> usize {
        self.needs.len()
    }

    /// What `state` does with each class.
    pub fn row(&self, state: StateId) -> &[Packed] {
        let from = state as usize * self.classes;
        &self.actions[from..from + self.classes]
    }

    /// The state that `state` is like, and but for what.
    pub fn like(&self, state: StateId) -> Option<&Like> {
        self.likes[state as usize].as_ref()
    }

    /// The classes with which two states do not do the same, ascending, if no more than `most`.
    pub fn different(&self, one: StateId, other: StateId, most: usize) -> Option<Vec<Class>> {
        let rows = self.row(one).iter().zip(self.row(other));
        let different = (0..).zip(rows).filter(|(_, (a, b))| a != b);
        let different: Vec<Class> = different.map(|of| of.0).take(most + 1).collect();
        (different.len() <= most).then_some(different)
    }

    /// The least class that asks the stack the same in `state` as this one, which asks it.
    pub fn alike(&self, state: StateId, class: Class) -> Class {
        let row = self.row(state);
        let asked = row[class as usize];
        match asked.action() {
            // A symbol that is taken again is so from another state, which may tell the classes apart.
            Action::Tree(tree) if !self.again[tree as usize] => {
                let least = row.iter().position(|&other| other == asked);
                least.map_or(class, |least| least as Class)
            }
            _ => class,
        }
    }

    /// Whether some run along which walks are taken ends.
    pub fn counts(&self) -> bool {
        let ends = |run: &Run| run.along.is_some() && run.length < u32::MAX;
        self.runs.iter().any(ends)
    }

    /// Whether some symbol pushes a frame in `state`, whatever the stack.
    pub fn pushes(&self, state: StateId) -> bool {
        self.pushes[state as usize]
    }

    /// Whether any string of so many of these bytes leads from `state` to states like it, as a [`Run`] does.
    pub fn is_run(&self, state: StateId, bytes: Kinds, length: u32) -> bool {
        let stays = &self.stays[state as usize];
        length <= stays.length && bytes.are_among(stays.within)
            || length <= stays.digits && bytes.are_among(self.digits)
    }
}

/// Whether some edge of each state pushes a frame, whatever the stack.
fn pushes(pda: &Pda) -> Vec<bool> {
    let is_push = |tree: &Tree| match tree {
        Tree::Leaf(leaf) => leaf.iter().any(|of| of.push.is_some()),
        Tree::Look { .. } => false,
    };
    let of_tree: Vec<bool> = pda.trees.iter().map(is_push).collect();
    let of_state = |state: &State| state.edges.iter().any(|edge| of_tree[edge.1 as usize]);
    pda.states.iter().map(of_state).collect()
}
