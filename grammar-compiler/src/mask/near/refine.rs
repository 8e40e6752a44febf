//! Partitions of states and frames, refined symbol by symbol.
//!
//! In: the automaton and its headroom. Out: the partitions for texts of each length, one round after the other, as in Moore's
//! algorithm for finite automata. Only what leads to something that has moved is looked at again, and a block that is split
//! keeps its number for its largest part.
//!
//! Frames are told apart under a state if an edge that texts of that length come to looks at both, and goes on to what the rest of
//! the text tells apart. A frame that is pushed counts as the one that stands for it there.

use super::meets::{Looks, Meets};
use super::users::Users;
use crate::intern::{Sequences, number};
use crate::partition::Partition;
use crate::pda::headroom::Headroom;
use crate::pda::{FrameId, Pda, StateId, Tree, TreeId};

/// What has not been signed yet, and what is not there.
const NONE: u32 = u32::MAX;

/// The partitions for one length.
pub struct Refining<'a> {
    pda: &'a Pda,
    /// For each frame those that must fit above it when it is pushed.
    reserves: &'a [u8],
    users: Users,
    meets: Meets,
    /// Frames that can have others under them are always told apart.
    under: Looks,
    trees: Signed,
    /// For each tree the frames that it and those that it goes on with do not tell apart.
    tree_looks: Vec<Looks>,
    rows: Signed,
    partition: Partition,
    /// The frames that are not told apart under each state.
    looks: Vec<Looks>,
    /// States that have come to another block in the last round.
    moved: Vec<StateId>,
    /// States under which frames have been told apart in the last round.
    looked: Vec<StateId>,
    /// Words looked at so far.
    pub work: usize,
}

/// Numbers of what things are, up to what is not told apart.
struct Signed {
    of: Vec<u32>,
    signatures: Sequences<u32>,
}

impl Signed {
    fn new(count: usize) -> Self {
        Signed {
            of: vec![NONE; count],
            signatures: Sequences::new(),
        }
    }

    /// Signs a thing; says whether its signature is another one than before.
    fn sign(&mut self, thing: u32, words: &[u32]) -> bool {
        let signature = self.signatures.intern(words);
        std::mem::replace(&mut self.of[thing as usize], signature) != signature
    }
}

impl<'a> Refining<'a> {
    /// For the empty text: states differ in their needs, and in what can lie on top.
    pub fn new(pda: &'a Pda, headroom: &'a Headroom) -> Self {
        let mut meets = Meets::new();
        let under = meets.by(pda.under.iter());
        let groups = number(
            headroom
                .states
                .iter()
                .zip(pda.states.iter().map(|state| &state.top)),
        );
        let states: Vec<StateId> = (0..pda.states.len() as StateId).collect();
        Refining {
            pda,
            reserves: &headroom.frames,
            users: Users::new(pda),
            under,
            meets,
            trees: Signed::new(pda.trees.len()),
            tree_looks: vec![NONE; pda.trees.len()],
            rows: Signed::new(states.len()),
            partition: Partition::new(&groups),
            looks: vec![under; states.len()],
            moved: states.clone(),
            looked: states,
            work: 0,
        }
    }

    /// The states that have come to another block in the last round, and that block.
    pub fn moved(&self) -> impl Iterator<Item = (StateId, u32)> {
        let block = |&state: &StateId| (state, self.partition.of[state as usize]);
        self.moved.iter().map(block)
    }

    /// The states under which frames have been told apart in the last round, and the partition.
    pub fn looked(&self) -> impl Iterator<Item = (StateId, Looks)> {
        let looks = |&state: &StateId| (state, self.looks[state as usize]);
        self.looked.iter().map(looks)
    }

    /// Whether longer texts tell nothing more apart.
    pub fn is_stable(&self) -> bool {
        self.moved.is_empty() && self.looked.is_empty()
    }

    /// The partitions of frames, by number.
    pub fn into_partitions(self) -> Vec<Vec<FrameId>> {
        self.meets.into_partitions()
    }

    /// Goes on to texts that are longer by one symbol.
    pub fn refine(&mut self) {
        let before = self.meets.work;
        let (rows, lookers) = self.follow();
        let looks = self.look_further(lookers);
        for state in self.signed_rows(rows) {
            self.partition.mark(state);
        }
        self.moved = self.partition.split(&self.rows.of);
        self.looked.clear();
        for (state, look) in looks {
            if std::mem::replace(&mut self.looks[state as usize], look) != look {
                self.looked.push(state);
            }
        }
        self.work += self.meets.work - before;
    }

    /// Signs the trees that lead to states which the last round has changed, and those above them. Gives the states whose rows have such
    /// trees, and those from which one symbol looks at frames that were alike.
    fn follow(&mut self) -> (Vec<StateId>, Vec<StateId>) {
        let changed = self.moved.iter().chain(&self.looked);
        let mut dirty: Vec<TreeId> = match self.trees.of.first() {
            Some(&NONE) => (0..self.pda.trees.len() as TreeId).collect(),
            _ => changed
                .flat_map(|&s| self.users.leaves.of(s))
                .copied()
                .collect(),
        };
        let (mut rows, mut lookers) = (Vec::new(), Vec::new());
        let mut words = Vec::new();
        while !dirty.is_empty() {
            let mut above = Vec::new();
            for tree in distinct(dirty) {
                words.clear();
                self.write(tree, &mut words);
                self.work += words.len();
                let is_other = self.trees.sign(tree, &words);
                let looks = self.look(tree);
                let is_finer =
                    std::mem::replace(&mut self.tree_looks[tree as usize], looks) != looks;
                if is_other {
                    rows.extend_from_slice(self.users.rows.of(tree));
                }
                if is_finer {
                    lookers.extend_from_slice(self.users.lookers.of(tree));
                }
                if is_other || is_finer {
                    above.extend_from_slice(self.users.above.of(tree));
                }
            }
            dirty = above;
        }
        (rows, lookers)
    }

    /// Writes down what a tree is.
    fn write(&self, tree: TreeId, words: &mut Vec<u32>) {
        match &self.pda.trees[tree as usize] {
            Tree::Leaf(leaf) => {
                words.push(NONE);
                for of in leaf {
                    let frames = self.meets.of(self.looks[of.next as usize]);
                    let pushed = of.push.map_or(NONE, |frame| {
                        let reserve = self.reserves[usize::from(frame)];
                        u32::from(reserve) << 16 | u32::from(frames[usize::from(frame)])
                    });
                    let next = match of.again {
                        true => of.next,
                        false => self.partition.of[of.next as usize],
                    };
                    words.extend([of.pop.into(), pushed, of.again.into(), next]);
                }
            }
            Tree::Look { depth, branches } => {
                words.push((*depth).into());
                let branches = branches.iter();
                words.extend(branches.flat_map(|of| [of.0.into(), self.trees.of[of.1 as usize]]));
            }
        }
    }

    /// The frames that a tree and those that it goes on with do not tell apart.
    fn look(&mut self, tree: TreeId) -> Looks {
        let Tree::Look { branches, .. } = &self.pda.trees[tree as usize] else {
            return self.under;
        };
        let mut to = vec![NONE; self.pda.under.len()];
        for &(frame, branch) in branches {
            to[usize::from(frame)] = self.trees.of[branch as usize];
        }
        let looks = self.meets.by(to.into_iter());
        let looks = self.meets.meet(self.under, looks);
        // What is looked at comes before what looks.
        let below = branches.iter().map(|of| self.tree_looks[of.1 as usize]);
        below.fold(looks, |looks, below| self.meets.meet(looks, below))
    }

    /// Those of some states whose rows are others now.
    fn signed_rows(&mut self, states: Vec<StateId>) -> Vec<StateId> {
        let mut states = distinct(states);
        let mut words = Vec::new();
        states.retain(|&state| {
            words.clear();
            let edges = self.pda.states[state as usize].edges.iter();
            words.extend(edges.flat_map(|of| [of.0.into(), self.trees.of[of.1 as usize]]));
            self.work += words.len();
            self.rows.sign(state, &words)
        });
        states
    }

    /// The frames that texts longer by one symbol do not tell apart, under some states and under those that lead to where that has changed.
    fn look_further(&mut self, mut states: Vec<StateId>) -> Vec<(StateId, Looks)> {
        let before = self.looked.iter().flat_map(|&s| self.users.before.of(s));
        states.extend(before);
        let of_state = |state: StateId| {
            let own = self.users.looks.of(state).iter();
            let own = own.map(|&tree| self.tree_looks[tree as usize]);
            let next = self.users.next.of(state).iter();
            let next = next.map(|&next| self.looks[next as usize]);
            let looks = own
                .chain(next)
                .fold(self.looks[state as usize], |looks, other| {
                    self.work += 1;
                    self.meets.meet(looks, other)
                });
            (state, looks)
        };
        distinct(states).into_iter().map(of_state).collect()
    }
}

/// Each number once, ascending.
fn distinct(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
