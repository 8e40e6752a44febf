//! Sizes, bounds and times of a compile.

mod breakdown;
mod large_rule;
mod tables;

pub use breakdown::{Breakdown, RuleBytes, StateBytes, rules_of};
pub(super) use large_rule::large_rule;

use std::time::Duration;

use maskwright_core::layout::{HEADER_WORDS, TableSection};

use crate::compile::automaton::Automaton;
use crate::compile::stage::Stage;
use crate::mask::{MaskNodeId, Masks};
use crate::pack::{Packed, SetKinds};
use crate::pda::height::{Depths, Height};
use crate::pda::{Pda, Tree, TreeId};

/// Sizes, bounds and times of a compiled grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// States of the pushdown automaton.
    pub states: usize,
    /// Frames, without the bottom.
    pub frames: usize,
    /// Edges (state and symbol class) whose outcome depends on frames.
    pub conditional_edges: usize,
    /// How many frames down the deepest edge or mask looks; where a mask may look all the way down,
    /// the longest way before it repeats itself.
    pub deepest_condition: usize,
    /// Whether some mask may look all the way down the stack.
    pub looks_to_the_bottom: bool,
    /// The most stacks that a matcher runs side by side, or in whose memory it holds a graph of
    /// stacks.
    pub max_stacks: usize,
    /// Whether that bound is proved; if not, the stacks are a graph.
    pub stacks_proved: bool,
    /// Frames that a matcher needs at least.
    pub least_depth: usize,
    /// The number of frames that is enough for every text, or what one more level of nesting takes.
    pub height: Height,
    /// Bytes of the tables.
    pub table_bytes: usize,
    /// Of them: header, classes, states, edges and programs.
    pub automaton_bytes: usize,
    /// Of them: mask trees and token sets.
    pub mask_bytes: usize,
    /// Bytes of each section.
    pub sections: Vec<(&'static str, usize)>,
    /// Distinct token sets, by how they are stored.
    pub sets: SetKinds,
    /// Nodes of mask trees.
    pub mask_nodes: usize,
    /// Names and sizes (in automaton states) of the machines that are called, the root first.
    pub machines: Vec<(String, usize)>,
    /// How many of them run over blocks of counted repetitions.
    pub blocks: usize,
    /// Time of each stage; empty where the tables come from a cache.
    pub stages: Vec<Stage>,
    /// Time of all stages; zero where the tables come from a cache.
    pub compile_time: Duration,
}

const SECTIONS: [(&str, TableSection); 9] = [
    ("classes", TableSection::Classes),
    ("states", TableSection::States),
    ("edges", TableSection::Edges),
    ("programs", TableSection::Programs),
    ("masks", TableSection::Masks),
    ("set index", TableSection::SetIndex),
    ("sets", TableSection::Sets),
    ("eos", TableSection::Eos),
    ("tokens", TableSection::Tokens),
];

/// The names of [`Report::sections`], in their order.
pub(super) fn section_names() -> impl Iterator<Item = &'static str> {
    ["header"]
        .into_iter()
        .chain(SECTIONS.map(|section| section.0))
}

impl Report {
    /// What is known of the depth that a matcher needs.
    pub fn depths(&self) -> Depths {
        Depths {
            least: self.least_depth,
            height: self.height,
        }
    }

    pub(crate) fn new(
        automaton: &Automaton,
        masks: &Masks,
        packed: &Packed,
        height: Height,
        stages: Vec<Stage>,
    ) -> Self {
        let pda = &automaton.pda;
        let bytes = |section: TableSection| 4 * packed.section_words[section as usize];
        let mask_bytes =
            bytes(TableSection::Masks) + bytes(TableSection::SetIndex) + bytes(TableSection::Sets);
        let (mask_depth, looks_to_the_bottom) = mask_depth(masks);
        let edges = || pda.states.iter().flat_map(|s| &s.edges);
        // Classes side by side mostly share a tree.
        let trees = || {
            let same = (pda.states.iter()).flat_map(|s| s.edges.chunk_by(|a, b| a.1 == b.1));
            same.map(|edges| edges[0].1)
        };
        let is_conditional = |tree: TreeId| matches!(pda.trees[tree.index()], Tree::Look { .. });
        let (max_stacks, stacks_proved) = automaton.stacks.of_matcher();
        let sizes = SECTIONS.map(|section| bytes(section.1));
        let sizes = [4 * HEADER_WORDS].into_iter().chain(sizes);
        // A way through a block has the body of the block.
        let machines = automaton.network.machines.iter();
        let machines = machines.filter(|machine| !machine.body.is_empty());
        Report {
            states: pda.states.len(),
            frames: pda.under.len() - 1,
            conditional_edges: edges().filter(|e| is_conditional(e.1)).count(),
            deepest_condition: trees()
                .map(|tree| edge_depth(pda, tree))
                .max()
                .unwrap_or(0)
                .max(mask_depth),
            looks_to_the_bottom,
            max_stacks: max_stacks as usize,
            stacks_proved,
            least_depth: automaton.headroom.states[pda.start.index()].map_or(0, usize::from),
            height,
            table_bytes: packed.tables.len(),
            automaton_bytes: packed.tables.len() - mask_bytes,
            mask_bytes,
            sections: section_names().zip(sizes).collect(),
            sets: packed.sets,
            mask_nodes: masks.nodes.len(),
            machines: machines.map(|m| (m.name.clone(), m.body.len())).collect(),
            blocks: automaton.network.blocks,
            compile_time: stages.iter().map(|stage| stage.time).sum(),
            stages,
        }
    }
}

/// How many frames an edge looks at, counted from the top.
fn edge_depth(pda: &Pda, tree: TreeId) -> usize {
    match &pda.trees[tree.index()] {
        Tree::Leaf(_) => 0,
        Tree::Look { depth, branches } => {
            let below = branches
                .iter()
                .map(|b| edge_depth(pda, b.1))
                .max()
                .unwrap_or(0);
            below.max(*depth as usize + 1)
        }
    }
}

/// The longest way down any mask tree, and whether some tree leads back to itself.
fn mask_depth(masks: &Masks) -> (usize, bool) {
    const OPEN: usize = usize::MAX;
    let mut depth: Vec<Option<usize>> = vec![None; masks.nodes.len()];
    let mut cyclic = false;
    let mut stack = Vec::new();
    for root in 0..masks.nodes.len() {
        stack.push(root);
        while let Some(&node) = stack.last() {
            let children = || {
                masks.nodes[node]
                    .children
                    .iter()
                    .filter_map(|c| c.1)
                    .map(MaskNodeId::index)
            };
            if depth[node].is_none() {
                depth[node] = Some(OPEN);
                stack.extend(children().filter(|&c| depth[c].is_none()));
                continue;
            }
            stack.pop();
            if depth[node] == Some(OPEN) {
                let below = children().filter_map(|c| match depth[c] {
                    Some(OPEN) => {
                        cyclic = true;
                        Some(0)
                    }
                    known => known,
                });
                let deepest = below.max().map_or(0, |d| d);
                let looks = !masks.nodes[node].children.is_empty() as usize;
                depth[node] = Some(deepest + looks);
            }
        }
    }
    (depth.into_iter().flatten().max().unwrap_or(0), cyclic)
}
