//! Merges states and frames that no text tells apart.
//!
//! In: a [`Pda`]. Out: a smaller one with the same sentences. States and frames are refined together, from all alike:
//! two states stay in one block if their edges agree up to blocks, two frames if, wherever a state of one block
//! looks at either, the outcome is the same up to blocks. Item sets that differ only in items that others subsume end up
//! merged, and so do the frames that such sets push.

use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use super::{Alternative, BOTTOM, Class, FrameId, Pda, State, StateId, Tree, TreeId};
use crate::limits::{Deadline, LimitExceeded};

/// Refining stops, and the automaton stays as it is, when it has looked at this many states: long chains, as counted
/// repetition makes them, would take a round for each link, and hold nothing to merge.
const MAX_STEPS: usize = 4_000_000;

/// A smaller automaton and what became of each state.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The automaton.
    pub pda: Pda,
    /// For each state of the one before, its state here; states are numbered by the first that came to them.
    pub state_of: Vec<StateId>,
}

impl Minimized {
    /// The automaton as it was.
    fn unchanged(pda: &Pda) -> Self {
        Minimized {
            pda: pda.clone(),
            state_of: (0..pda.states.len() as StateId).collect(),
        }
    }

    /// For each state here the states that came to it, ascending.
    pub fn origins(&self) -> Vec<Vec<StateId>> {
        let mut origins = vec![Vec::new(); self.pda.states.len()];
        for (from, &to) in (0..).zip(&self.state_of) {
            origins[to as usize].push(from);
        }
        origins
    }
}

/// The quotient of `pda` by its coarsest stable partition, if that is found within a bounded number of steps.
///
/// # Errors
///
/// If the deadline passes.
pub fn minimize(pda: &Pda, deadline: &Deadline) -> Result<Minimized, LimitExceeded> {
    let labels = vec![(); pda.states.len()];
    minimize_by(pda, &labels, deadline)
}

/// The same where only states with the same label may be merged.
///
/// # Errors
///
/// If the deadline passes.
pub fn minimize_by<L: Eq + Hash>(
    pda: &Pda,
    labels: &[L],
    deadline: &Deadline,
) -> Result<Minimized, LimitExceeded> {
    // Without frames the item sets are the states of one minimal automaton.
    if pda.under.len() == 1 {
        return Ok(Minimized::unchanged(pda));
    }
    let mut partition = Partition {
        states: number(labels.iter()),
        frames: (0..pda.under.len())
            .map(|f| (f != BOTTOM as usize) as u32)
            .collect(),
    };
    let mut size = (0, 0);
    for _ in 0..MAX_STEPS / pda.states.len().max(1) {
        deadline.check("merging states")?;
        let signatures = Signatures::new(pda, &partition);
        let frames = signatures.frames(pda, &partition);
        let states = signatures.states(pda, &partition);
        let next = (count(&states), count(&frames));
        partition = Partition { states, frames };
        if next == size {
            return Ok(Minimized {
                pda: quotient(pda, &partition),
                state_of: partition.states,
            });
        }
        size = next;
    }
    Ok(Minimized::unchanged(pda))
}

/// The block of each state and frame; blocks are numbered by their first member.
struct Partition {
    states: Vec<u32>,
    frames: Vec<u32>,
}

fn count(blocks: &[u32]) -> usize {
    blocks.iter().max().map_or(0, |&b| b as usize + 1)
}

/// Numbers values by first occurrence.
fn number<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<u32> {
    let mut ids: HashMap<T, u32> = HashMap::default();
    values
        .map(|value| {
            let next = ids.len() as u32;
            *ids.entry(value).or_insert(next)
        })
        .collect()
}

/// A tree up to blocks.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    /// Alternatives: pop, block pushed, block of the next state, again.
    Leaf(Vec<(u8, Option<u32>, u32, bool)>),
    /// Depth, and blocks of frames with the signatures that their frames lead to, ascending.
    Look(u8, Vec<(u32, u32)>),
}

/// A number for where a frame is looked at: for the trees that look there, and the depths and blocks of the frames looked at before.
type Path = u32;

/// Paths by the path to the look before, its depth, and the block of the frame found there.
struct Paths {
    ids: HashMap<(Path, u8, u32), Path>,
    count: u32,
}

impl Paths {
    fn id(&mut self, path: Path, depth: u8, block: u32) -> Path {
        let next = self.count;
        let id = *self.ids.entry((path, depth, block)).or_insert(next);
        self.count += u32::from(id == next);
        id
    }
}

/// A number for each tree, equal for trees that are equal up to blocks.
struct Signatures {
    of_tree: Vec<u32>,
}

impl Signatures {
    fn new(pda: &Pda, partition: &Partition) -> Self {
        let mut shapes: HashMap<Shape, u32> = HashMap::default();
        let mut of_tree: Vec<u32> = Vec::with_capacity(pda.trees.len());
        // A tree is interned after the trees that it leads to, so their signatures are known.
        for tree in &pda.trees {
            let shape = match tree {
                Tree::Leaf(leaf) => leaf_shape(leaf, partition),
                Tree::Look { depth, branches } => {
                    let of_branch = |b: &(FrameId, TreeId)| {
                        (partition.frames[b.0 as usize], of_tree[b.1 as usize])
                    };
                    let mut blocks: Vec<(u32, u32)> = branches.iter().map(of_branch).collect();
                    if let Some(&(_, only)) = blocks.first()
                        && blocks.iter().all(|block| block.1 == only)
                    {
                        of_tree.push(only);
                        continue;
                    }
                    blocks.sort_unstable();
                    blocks.dedup();
                    Shape::Look(*depth, blocks)
                }
            };
            let next = shapes.len() as u32;
            of_tree.push(*shapes.entry(shape).or_insert(next));
        }
        Signatures { of_tree }
    }

    fn states(&self, pda: &Pda, partition: &Partition) -> Vec<u32> {
        number(pda.states.iter().enumerate().map(|(s, state)| {
            let edges: Vec<(Class, u32)> = state
                .edges
                .iter()
                .map(|&(class, tree)| (class, self.of_tree[tree as usize]))
                .collect();
            (partition.states[s], edges)
        }))
    }

    /// Frames by what they come to wherever they are looked at.
    fn frames(&self, pda: &Pda, partition: &Partition) -> Vec<u32> {
        // Where states of a block take a class by the same trees as elsewhere, they tell no more frames apart.
        let mut edges: Vec<(u32, Class, TreeId)> = (pda.states.iter().zip(&partition.states))
            .flat_map(|(state, &block)| {
                state
                    .edges
                    .iter()
                    .map(move |&(class, tree)| (block, class, tree))
            })
            .filter(|edge| matches!(pda.trees[edge.2 as usize], Tree::Look { .. }))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let places = edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let places: BTreeSet<Vec<TreeId>> = places
            .map(|place| place.iter().map(|edge| edge.2).collect())
            .collect();
        let mut paths = Paths {
            ids: HashMap::default(),
            count: places.len() as u32,
        };
        let mut outcomes: Vec<Vec<(Path, u32)>> = vec![Vec::new(); pda.under.len()];
        for (place, trees) in (0..).zip(&places) {
            for &tree in trees {
                self.looks(pda, partition, (tree, place), &mut paths, &mut outcomes);
            }
        }
        number(
            outcomes
                .into_iter()
                .enumerate()
                .map(|(frame, mut outcomes)| {
                    outcomes.sort_unstable();
                    outcomes.dedup();
                    (partition.frames[frame], outcomes)
                }),
        )
    }

    /// Notes what each frame comes to where `tree`, or a tree below it, looks at it.
    fn looks(
        &self,
        pda: &Pda,
        partition: &Partition,
        (tree, path): (TreeId, Path),
        paths: &mut Paths,
        outcomes: &mut [Vec<(Path, u32)>],
    ) {
        let Tree::Look { depth, branches } = &pda.trees[tree as usize] else {
            return;
        };
        let here = paths.id(path, *depth, u32::MAX);
        for &(frame, branch) in branches {
            outcomes[frame as usize].push((here, self.of_tree[branch as usize]));
            if let Tree::Look { .. } = pda.trees[branch as usize] {
                let below = paths.id(path, *depth, partition.frames[frame as usize]);
                self.looks(pda, partition, (branch, below), paths, outcomes);
            }
        }
    }
}

fn leaf_shape(leaf: &[Alternative], partition: &Partition) -> Shape {
    let mut alternatives: Vec<_> = (leaf.iter())
        .map(|a| {
            let push = a.push.map(|f| partition.frames[f as usize]);
            (a.pop, push, partition.states[a.next as usize], a.again)
        })
        .collect();
    alternatives.sort_unstable();
    alternatives.dedup();
    Shape::Leaf(alternatives)
}

/// One state and frame for each block.
fn quotient(pda: &Pda, partition: &Partition) -> Pda {
    let mut builder = Quotient {
        pda,
        partition,
        ids: HashMap::default(),
        trees: Vec::new(),
        done: HashMap::default(),
    };
    let mut states: Vec<State> = Vec::new();
    for (s, state) in pda.states.iter().enumerate() {
        let block = partition.states[s] as usize;
        if block == states.len() {
            let edges = state
                .edges
                .iter()
                .map(|&(class, tree)| (class, builder.tree(tree)))
                .collect();
            states.push(State {
                edges,
                top: Vec::new(),
            });
        }
        states[block].top.extend(
            state
                .top
                .iter()
                .map(|&f| partition.frames[f as usize] as FrameId),
        );
    }
    states.iter_mut().for_each(|s| normalize(&mut s.top));
    let mut under: Vec<Vec<FrameId>> = vec![Vec::new(); count(&partition.frames)];
    for (frame, below) in pda.under.iter().enumerate() {
        let block = partition.frames[frame] as usize;
        under[block].extend(
            below
                .iter()
                .map(|&f| partition.frames[f as usize] as FrameId),
        );
    }
    under.iter_mut().for_each(normalize);
    let start = partition.states[pda.start as usize];
    Pda {
        classes: pda.classes.clone(),
        start,
        states,
        trees: builder.trees,
        under,
    }
}

fn normalize(frames: &mut Vec<FrameId>) {
    frames.sort_unstable();
    frames.dedup();
}

struct Quotient<'a> {
    pda: &'a Pda,
    partition: &'a Partition,
    ids: HashMap<Tree, TreeId>,
    trees: Vec<Tree>,
    done: HashMap<TreeId, TreeId>,
}

impl Quotient<'_> {
    fn tree(&mut self, tree: TreeId) -> TreeId {
        if let Some(&done) = self.done.get(&tree) {
            return done;
        }
        let made = match &self.pda.trees[tree as usize] {
            Tree::Leaf(leaf) => {
                let partition = self.partition;
                let mut leaf: Vec<Alternative> = (leaf.iter())
                    .map(|a| Alternative {
                        push: a.push.map(|f| partition.frames[f as usize] as FrameId),
                        next: partition.states[a.next as usize] as StateId,
                        ..*a
                    })
                    .collect();
                leaf.sort_unstable();
                leaf.dedup();
                self.intern(Tree::Leaf(leaf))
            }
            Tree::Look { depth, branches } => {
                let mut blocks: BTreeMap<FrameId, TreeId> = BTreeMap::new();
                for &(frame, branch) in branches {
                    let block = self.partition.frames[frame as usize] as FrameId;
                    let branch = self.tree(branch);
                    blocks.entry(block).or_insert(branch);
                }
                let outcomes: BTreeSet<TreeId> = blocks.values().copied().collect();
                match (outcomes.len(), outcomes.first()) {
                    (1, Some(&only)) => only,
                    _ => self.intern(Tree::Look {
                        depth: *depth,
                        branches: blocks.into_iter().collect(),
                    }),
                }
            }
        };
        self.done.insert(tree, made);
        made
    }

    fn intern(&mut self, tree: Tree) -> TreeId {
        if let Some(&id) = self.ids.get(&tree) {
            return id;
        }
        let id = self.trees.len() as TreeId;
        self.ids.insert(tree.clone(), id);
        self.trees.push(tree);
        id
    }
}
