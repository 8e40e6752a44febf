//! Partitions of states and frames, refined symbol by symbol.
//!
//! In: the automaton and its headroom. Out: the partitions for texts of each length, one round
//! after the other, as in Moore's algorithm for finite automata. A round computes only signatures
//! that the last round may have changed, and a block that is split keeps its number for its largest
//! part.
//!
//! A text distinguishes two frames under a state if it reaches an edge that looks at them and
//! treats them differently. A frame that is pushed counts as the frame that stands for it under the
//! next state.

use super::partitions::{BlockId, PartitionId, Partitions};
use super::users::Users;
use crate::bits::Bits;
use crate::intern::{Sequences, number};
use crate::partition::Partition;
use crate::pda::headroom::Headroom;
use crate::pda::{FrameId, Pda, StateId, Tree, TreeId};

/// The signature of a state or tree that no round has computed; in signatures, a frame or branch
/// that is missing.
const NONE: u32 = u32::MAX;

/// The partitions for texts of one length.
pub struct Refining<'a> {
    pda: &'a Pda,
    /// For each frame the number of frames that must fit above it when it is pushed.
    reserves: &'a [u8],
    users: Users,
    partitions: Partitions,
    /// The frames by what can lie under them: no partition is coarser.
    under: PartitionId,
    trees: Signed,
    /// For each tree the partition of the frames that it and the trees below it make.
    of_trees: Vec<PartitionId>,
    rows: Signed,
    states: Partition,
    /// For each state the partition of the frames under it.
    frames: Vec<PartitionId>,
    /// The states that the last round moved to another block.
    moved: Vec<StateId>,
    /// The states under which the last round refined the partition of frames.
    refined: Vec<StateId>,
    /// The number of words looked at so far.
    pub work: usize,
}

/// For each tree, or for each state's row, the number of its signature: equal for two that the
/// texts of this length do not distinguish.
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

    /// Records the signature of a tree or row; whether it has changed.
    fn sign(&mut self, item: u32, words: &[u32]) -> bool {
        let signature = self.signatures.intern(words);
        std::mem::replace(&mut self.of[item as usize], signature) != signature
    }
}

impl<'a> Refining<'a> {
    /// The partitions for the empty text: states differ in their needs and in the frames that can
    /// lie on top.
    pub fn new(pda: &'a Pda, headroom: &'a Headroom) -> Self {
        let mut partitions = Partitions::new();
        let under = partitions.by(pda.under.iter());
        let groups = number(
            headroom
                .states
                .iter()
                .zip(pda.states.iter().map(|state| &state.top)),
        );
        let states: Vec<StateId> = pda.state_ids().collect();
        Refining {
            pda,
            reserves: &headroom.frames,
            users: Users::new(pda),
            under,
            partitions,
            trees: Signed::new(pda.trees.len()),
            of_trees: vec![PartitionId::new(NONE); pda.trees.len()],
            rows: Signed::new(states.len()),
            states: Partition::new(&groups),
            frames: vec![under; states.len()],
            moved: states.clone(),
            refined: states,
            work: 0,
        }
    }

    /// The states that the last round moved, each with its new block.
    pub fn moved(&self) -> impl Iterator<Item = (StateId, BlockId)> {
        let block = |&state: &StateId| (state, BlockId::new(self.states.of[state.index()]));
        self.moved.iter().map(block)
    }

    /// The states under which the last round refined the partition of frames, each with the new
    /// partition.
    pub fn refined(&self) -> impl Iterator<Item = (StateId, PartitionId)> {
        let frames = |&state: &StateId| (state, self.frames[state.index()]);
        self.refined.iter().map(frames)
    }

    /// Whether longer texts distinguish no more.
    pub fn is_stable(&self) -> bool {
        self.moved.is_empty() && self.refined.is_empty()
    }

    /// The partitions of frames, by number.
    pub fn into_partitions(self) -> Vec<Vec<FrameId>> {
        self.partitions.into_partitions()
    }

    /// One round: goes on to texts that are longer by one symbol.
    pub fn refine(&mut self) {
        let before = self.partitions.work;
        let (rows, lookers) = self.follow();
        let frames = self.finer_frames(lookers);
        for state in self.signed_rows(&rows) {
            self.states.mark(state.number());
        }
        let moved = self.states.split(&self.rows.of);
        self.moved = moved.into_iter().map(StateId::new).collect();
        self.refined.clear();
        for (state, partition) in frames {
            if std::mem::replace(&mut self.frames[state.index()], partition) != partition {
                self.refined.push(state);
            }
        }
        self.work += self.partitions.work - before;
    }

    /// Computes the signatures of the trees that lead to states which the last round has changed,
    /// and of the trees above those. Gives the states whose rows have trees with a new signature,
    /// and the states from which one symbol meets a look that distinguishes more frames.
    fn follow(&mut self) -> (Bits, Bits) {
        let mut dirty = Bits::default();
        match self.trees.of.first() {
            Some(&NONE) => dirty.insert_all(0..=self.pda.trees.len() - 1),
            _ => {
                let changed = self.moved.iter().chain(&self.refined);
                let leaves = changed.flat_map(|state| self.users.leaves.of(state.number()));
                dirty.extend(leaves.map(|tree| tree.index()));
            }
        }
        let (mut rows, mut lookers) = (Bits::default(), Bits::default());
        let mut words = Vec::new();
        while !dirty.is_empty() {
            let mut above = Bits::default();
            for tree in dirty.iter().map(TreeId::at) {
                words.clear();
                self.write(tree, &mut words);
                self.work += words.len();
                let is_other = self.trees.sign(tree.number(), &words);
                let partition = self.frames_by(tree);
                let of_tree = &mut self.of_trees[tree.index()];
                let is_finer = std::mem::replace(of_tree, partition) != partition;
                if is_other {
                    let users = self.users.rows.of(tree.number()).iter();
                    rows.extend(users.map(|state| state.index()));
                }
                if is_finer {
                    let users = self.users.lookers.of(tree.number()).iter();
                    lookers.extend(users.map(|state| state.index()));
                }
                if is_other || is_finer {
                    let users = self.users.above.of(tree.number()).iter();
                    above.extend(users.map(|tree| tree.index()));
                }
            }
            dirty = above;
        }
        (rows, lookers)
    }

    /// Writes the signature of a tree.
    fn write(&self, tree: TreeId, words: &mut Vec<u32>) {
        match &self.pda.trees[tree.index()] {
            Tree::Leaf(leaf) => {
                words.push(NONE);
                for of in leaf {
                    let frames = self.partitions.of(self.frames[of.next.index()]);
                    let pushed = of.push.map_or(NONE, |frame| {
                        let reserve = self.reserves[usize::from(frame)];
                        u32::from(reserve) << 16 | u32::from(frames[usize::from(frame)])
                    });
                    let next = match of.again {
                        true => of.next.number(),
                        false => self.states.of[of.next.index()],
                    };
                    words.extend([of.pop.into(), pushed, of.again.into(), next]);
                }
            }
            Tree::Look { depth, branches } => {
                words.push((*depth).into());
                let branches = branches.iter();
                words.extend(branches.flat_map(|of| [of.0.into(), self.trees.of[of.1.index()]]));
            }
        }
    }

    /// The partition of the frames that a tree and the trees below it make.
    fn frames_by(&mut self, tree: TreeId) -> PartitionId {
        let Tree::Look { branches, .. } = &self.pda.trees[tree.index()] else {
            return self.under;
        };
        let mut to = vec![NONE; self.pda.under.len()];
        for &(frame, branch) in branches {
            to[usize::from(frame)] = self.trees.of[branch.index()];
        }
        let own = self.partitions.by(to.into_iter());
        let own = self.partitions.meet(self.under, own);
        // The trees below have been computed before.
        let below = branches.iter().map(|of| self.of_trees[of.1.index()]);
        below.fold(own, |finer, below| self.partitions.meet(finer, below))
    }

    /// Computes the signatures of these states' rows, and gives the states whose signature has
    /// changed.
    fn signed_rows(&mut self, states: &Bits) -> Vec<StateId> {
        let mut states: Vec<StateId> = states.iter().map(StateId::at).collect();
        let mut words = Vec::new();
        states.retain(|&state| {
            words.clear();
            let edges = self.pda.states[state.index()].edges.iter();
            words.extend(edges.flat_map(|of| [of.0.into(), self.trees.of[of.1.index()]]));
            self.work += words.len();
            self.rows.sign(state.number(), &words)
        });
        states
    }

    /// The partitions of frames for texts that are longer by one symbol: under these states, and
    /// under each state from which one symbol leads to a state whose partition the last round
    /// refined.
    fn finer_frames(&mut self, mut states: Bits) -> Vec<(StateId, PartitionId)> {
        let before = self.refined.iter();
        let before = before.flat_map(|state| self.users.before.of(state.number()));
        states.extend(before.map(|state| state.index()));
        let of_state = |state: StateId| {
            let own = self.users.looks.of(state.number()).iter();
            let own = own.map(|&tree| self.of_trees[tree.index()]);
            let next = self.users.next.of(state.number()).iter();
            let next = next.map(|&next| self.frames[next.index()]);
            let finer = own
                .chain(next)
                .fold(self.frames[state.index()], |finer, other| {
                    self.work += 1;
                    self.partitions.meet(finer, other)
                });
            (state, finer)
        };
        states.iter().map(StateId::at).map(of_state).collect()
    }
}
