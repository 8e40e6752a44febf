//! States by the signatures of their edges.

use super::trees::TreeSignatures;
use crate::csr::Csr;
use crate::intern::Sequences;
use crate::partition::Partition;
use crate::pda::{Class, Pda, StateId, TreeId};

/// The blocks of states.
pub(super) struct StateBlocks {
    pub partition: Partition,
    /// The edges of all states, and where those of each state begin.
    runs: Vec<EdgeRun>,
    first: Vec<u32>,
    states_of_tree: Csr<StateId>,
    /// For each marked state the number of its list of edges up to blocks.
    group: Vec<u32>,
    signatures: Sequences<u32>,
}

/// Edges by consecutive classes that share a tree.
#[derive(Clone, Copy)]
struct EdgeRun {
    state: StateId,
    first: Class,
    last: Class,
    tree: TreeId,
}

impl StateBlocks {
    /// The states by `label`, whatever their edges.
    pub fn new(pda: &Pda, label: &[u32]) -> Self {
        let (runs, first) = runs(pda);
        let users = runs.iter().map(|run| (run.tree.number(), run.state));
        StateBlocks {
            partition: Partition::new(label),
            states_of_tree: Csr::new(pda.trees.len(), users),
            runs,
            first,
            group: vec![0; pda.states.len()],
            signatures: Sequences::with_capacity(pda.states.len()),
        }
    }

    /// Splits all blocks by the edges of all states; returns the states that moved.
    pub fn split_all(&mut self, trees: &TreeSignatures<'_>) -> Vec<StateId> {
        self.partition.mark_all();
        self.split_marked(trees)
    }

    /// Splits blocks after the signatures of some trees have changed; returns the states that
    /// moved.
    pub fn split(&mut self, trees: &TreeSignatures<'_>) -> Vec<StateId> {
        for &tree in &trees.changed {
            for &state in self.states_of_tree.of(tree.number()) {
                self.partition.mark(state.number());
            }
        }
        self.split_marked(trees)
    }

    /// Splits the marked states of each block by their edges. The unmarked states of a block kept
    /// their edges, which are equal up to blocks, and differ from those of marked ones.
    fn split_marked(&mut self, trees: &TreeSignatures<'_>) -> Vec<StateId> {
        let mut words = Vec::new();
        for state in self.partition.marked() {
            let range = self.first[state as usize]..self.first[state as usize + 1];
            let runs = &self.runs[range.start as usize..range.end as usize];
            words.clear();
            for run in runs {
                let signature = trees.of[run.tree.index()];
                let classes = |first: Class, last| u32::from(first) << 16 | u32::from(last);
                match words.as_mut_slice() {
                    [.., before, same]
                        if *same == signature
                            && *before & 0xffff == u32::from(run.first.wrapping_sub(1)) =>
                    {
                        *before = classes((*before >> 16) as Class, run.last);
                    }
                    _ => words.extend([classes(run.first, run.last), signature]),
                }
            }
            self.group[state as usize] = self.signatures.intern(&words);
        }
        let moved = self.partition.split(&self.group);
        moved.into_iter().map(StateId::new).collect()
    }
}

/// The edges of all states in runs, and where those of each state begin.
fn runs(pda: &Pda) -> (Vec<EdgeRun>, Vec<u32>) {
    let mut runs: Vec<EdgeRun> = Vec::new();
    let mut first = Vec::with_capacity(pda.states.len() + 1);
    for (state, edges) in pda
        .state_ids()
        .zip(pda.states.iter().map(|state| &state.edges))
    {
        first.push(runs.len() as u32);
        let continues = |a: &(Class, TreeId), b: &(Class, TreeId)| a.1 == b.1 && a.0 + 1 == b.0;
        let chunks = edges.chunk_by(continues);
        runs.extend(chunks.map(|run| EdgeRun {
            state,
            first: run[0].0,
            last: run[run.len() - 1].0,
            tree: run[0].1,
        }));
    }
    first.push(runs.len() as u32);
    (runs, first)
}
