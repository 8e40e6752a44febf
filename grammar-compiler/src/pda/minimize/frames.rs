//! Frames by their outcomes wherever they are looked at.

use super::trees::TreeSignatures;
use crate::id::id;
use crate::intern::Sequences;
use crate::maps::IdMap;
use crate::partition::Partition;
use crate::pda::{Class, FrameId, Pda, StateId, Tree, TreeId};

/// The blocks of frames.
pub(super) struct FrameBlocks {
    pub partition: Partition,
    /// The edges whose trees look at frames.
    edges: Vec<(StateId, Class, TreeId)>,
    /// The places where frames are looked at: each is the set of trees by which the states of one
    /// block take one class.
    places: Sequences<TreeId>,
    seen: Vec<u32>,
    /// For each tree the pass in which something at or below it last changed.
    touched: Vec<u32>,
    /// The number of the present pass.
    now: u32,
    outcomes: Outcomes,
}

id! {
    /// Index of a path: the trees that look at a frame, and the depths and blocks of the frames
    /// looked at before.
    struct PathId;
}

/// Paths by the path to the look before, its depth, and the block of the frame found there.
struct Paths {
    ids: IdMap<(PathId, u8, u32), PathId>,
    count: u32,
}

impl Paths {
    fn id(&mut self, path: PathId, depth: u8, block: u32) -> PathId {
        let next = PathId::new(self.count);
        let id = *self.ids.entry((path, depth, block)).or_insert(next);
        self.count += u32::from(id == next);
        id
    }
}

impl FrameBlocks {
    /// The frames by `label`, wherever they are looked at.
    pub fn new(pda: &Pda, label: &[u32]) -> Self {
        let edges = pda.state_ids().zip(&pda.states).flat_map(|(id, state)| {
            let looks = state
                .edges
                .iter()
                .filter(|edge| matches!(pda.trees[edge.1.index()], Tree::Look { .. }));
            looks.map(move |&(class, tree)| (id, class, tree))
        });
        FrameBlocks {
            partition: Partition::new(label),
            edges: edges.collect(),
            places: Sequences::new(),
            seen: Vec::new(),
            touched: vec![0; pda.trees.len()],
            now: 0,
            outcomes: Outcomes::new(pda.under.len()),
        }
    }

    /// Splits blocks by the outcomes of their frames, where these may have changed; returns the
    /// frames that moved.
    pub fn split(&mut self, trees: &mut TreeSignatures<'_>, states: &[u32]) -> Vec<u32> {
        self.now += 1;
        for tree in trees.touched.drain(..) {
            self.touched[tree.index()] = self.now;
        }
        let places = self.places(states);
        let mut paths = Paths {
            ids: IdMap::default(),
            count: places.len() as u32,
        };
        for (place, set) in (0..).map(PathId::new).zip(places) {
            let blocks = &self.partition.of;
            for &tree in self.places.get(set) {
                looks(trees, blocks, (tree, place), &mut paths, &mut self.outcomes);
            }
        }
        self.outcomes.split(&mut self.partition)
    }

    /// Splits blocks whose frames some tree tells apart by itself; returns the frames that moved.
    ///
    /// Needed where states of a block look at the same frames with crossed outcomes: no place tells
    /// apart `f → x, g → y` here and `f → y, g → x` there, neither as states nor as frames.
    pub fn split_crossed(&mut self, trees: &TreeSignatures<'_>) -> Vec<u32> {
        let mut is_seen = vec![false; trees.of.len()];
        let mut pending: Vec<TreeId> = self.edges.iter().map(|edge| edge.2).collect();
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        while let Some(id) = pending.pop() {
            let Tree::Look { branches, .. } = &trees.pda.trees[id.index()] else {
                continue;
            };
            if std::mem::replace(&mut is_seen[id.index()], true) {
                continue;
            }
            let to = |branch: TreeId| trees.of[branch.index()];
            let of = |&(frame, branch): &(FrameId, TreeId)| {
                (self.partition.of[usize::from(frame)], to(branch))
            };
            blocks.clear();
            blocks.extend(branches.iter().map(of));
            blocks.sort_unstable();
            blocks.dedup();
            if blocks.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                // No path is noted in this pass, so trees have their numbers.
                let path = PathId::new(id.number());
                for &(frame, branch) in branches {
                    self.outcomes.note(frame, path, to(branch));
                }
            }
            pending.extend(branches.iter().map(|branch| branch.1));
        }
        self.outcomes.split(&mut self.partition)
    }

    /// The places that are new, or touched since they were looked at.
    fn places(&mut self, states: &[u32]) -> Vec<u32> {
        // States that take a class by the same set of trees as others tell the same frames apart.
        let of_block =
            |&(state, class, tree): &(StateId, Class, TreeId)| (states[state.index()], class, tree);
        let mut edges: Vec<(u32, Class, TreeId)> = self.edges.iter().map(of_block).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut places = Vec::new();
        let mut set = Vec::new();
        for place in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            set.clear();
            set.extend(place.iter().map(|edge| edge.2));
            let id = self.places.intern(&set);
            if id as usize == self.seen.len() {
                self.seen.push(0);
            }
            let seen = &mut self.seen[id as usize];
            let touched = set.iter().map(|&tree| self.touched[tree.index()]).max();
            if *seen == 0 || touched > Some(*seen) {
                *seen = self.now;
                places.push(id);
            }
        }
        places
    }
}

/// Notes the outcome of each frame where `tree`, or a tree below it, looks at it.
fn looks(
    trees: &TreeSignatures<'_>,
    blocks: &[u32],
    (tree, path): (TreeId, PathId),
    paths: &mut Paths,
    outcomes: &mut Outcomes,
) {
    let Tree::Look { depth, branches } = &trees.pda.trees[tree.index()] else {
        return;
    };
    let here = paths.id(path, *depth, u32::MAX);
    for &(frame, branch) in branches {
        outcomes.note(frame, here, trees.of[branch.index()]);
        if let Tree::Look { .. } = trees.pda.trees[branch.index()] {
            let below = paths.id(path, *depth, blocks[usize::from(frame)]);
            looks(trees, blocks, (branch, below), paths, outcomes);
        }
    }
}

/// The outcomes of each frame.
struct Outcomes {
    of: Vec<Vec<(PathId, u32)>>,
    /// For each frame the number of its list of outcomes.
    group: Vec<u32>,
    texts: Sequences<u32>,
}

impl Outcomes {
    fn new(frames: usize) -> Self {
        Outcomes {
            of: vec![Vec::new(); frames],
            group: vec![0; frames],
            texts: Sequences::new(),
        }
    }

    fn note(&mut self, frame: FrameId, path: PathId, signature: u32) {
        self.of[usize::from(frame)].push((path, signature));
    }

    /// Splits blocks by the outcomes noted, then forgets these; returns the frames that moved.
    fn split(&mut self, partition: &mut Partition) -> Vec<u32> {
        let mut words = Vec::new();
        for (frame, outcomes) in (0..).zip(&mut self.of) {
            if outcomes.is_empty() {
                continue;
            }
            outcomes.sort_unstable();
            outcomes.dedup();
            words.clear();
            words.extend(
                outcomes
                    .drain(..)
                    .flat_map(|(path, signature)| [path.number(), signature]),
            );
            self.group[frame as usize] = self.texts.intern(&words);
            partition.mark(frame);
        }
        partition.split(&self.group)
    }
}
