//! The automaton over bytes, without states that nothing reaches.
//!
//! In: the product, each state of which can be finished where it is met. Out: an automaton with the
//! same sentences in which it is known which frames can lie where, equal states are merged, and a
//! state that takes a symbol again takes it.

use super::OverBytes;
use super::product::Product;
use crate::feasibility::control::ended;
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::maps::IdMap;
use crate::pda::marks::{self, StackKind};
use crate::pda::trees::TreeBuilder;
use crate::pda::{Class, Pda, Tree, TreeId, through};

/// The stage, as a passed limit names it.
const DOING: &str = "compiling the lexer into the automaton";

/// Finds what can be reached, and which frames can lie where; merges equal states.
pub(super) fn finish(
    product: Product,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<OverBytes, LimitExceeded> {
    let Product {
        mut pda,
        mut origins,
    } = product;
    prune(&mut pda, deadline)?;
    loop {
        let kind = StackKind::of_all(&pda);
        let placed = marks::mark(&pda, &[kind], limits.automaton_states, deadline)?;
        origins = through(&placed.origins, &origins);
        pda = placed.pda;
        // A state may take a symbol again with frames only that do not lie there any more.
        if !prune(&mut pda, deadline)? {
            return Ok(OverBytes { pda, origins });
        }
    }
}

/// Leaves out what leads to states without edges, but for those after the end of the text, and what
/// takes a symbol again where it is not taken. Says whether there was any.
fn prune(pda: &mut Pda, deadline: &Deadline) -> Result<bool, LimitExceeded> {
    let ended = ended(pda);
    let mut has_pruned = false;
    loop {
        let states = pda.states.iter().zip(&ended);
        let mut pruner = Pruner {
            pda,
            goes_on: states
                .map(|(state, ended)| *ended || !state.edges.is_empty())
                .collect(),
            repeats: (0..pda.trees.len())
                .map(|tree| pda.takes_again(TreeId::at(tree)))
                .collect(),
            trees: TreeBuilder::new(),
            known: IdMap::default(),
            has_pruned: false,
        };
        let mut all_edges = Vec::with_capacity(pda.states.len());
        for state in &pda.states {
            deadline.ticks(1 + state.edges.len(), DOING)?;
            let edges = state
                .edges
                .iter()
                .map(|&(class, tree)| (class, pruner.tree(tree, class)));
            let edges: Vec<_> = edges.filter(|of| of.1 != TreeBuilder::REFUSES).collect();
            all_edges.push(edges);
        }
        let is_done = !pruner.has_pruned;
        let trees = pruner.trees.into_all();
        if is_done {
            return Ok(has_pruned);
        }
        has_pruned = true;
        pda.trees = trees;
        for (state, edges) in pda.states.iter_mut().zip(all_edges) {
            state.edges = edges;
        }
    }
}

struct Pruner<'a> {
    pda: &'a Pda,
    goes_on: Vec<bool>,
    /// For each tree whether some leaf takes its symbol again.
    repeats: Vec<bool>,
    trees: TreeBuilder,
    known: IdMap<(TreeId, Option<Class>), TreeId>,
    has_pruned: bool,
}

impl Pruner<'_> {
    fn tree(&mut self, tree: TreeId, class: Class) -> TreeId {
        let key = (tree, self.repeats[tree.index()].then_some(class));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let pda = self.pda;
        let pruned = match &pda.trees[tree.index()] {
            Tree::Leaf(alternatives) => {
                let stays = alternatives.iter().filter(|of| match of.again {
                    true => pda.edge(of.next, class).is_some(),
                    false => self.goes_on[of.next.index()],
                });
                let stays: Vec<_> = stays.copied().collect();
                self.has_pruned |= stays.len() < alternatives.len();
                self.trees.leaf(stays)
            }
            Tree::Look { depth, branches } => {
                let branches = branches.iter();
                let branches = branches.map(|&(frame, branch)| (frame, self.tree(branch, class)));
                let branches = branches.collect();
                self.trees.look(*depth, branches)
            }
        };
        self.known.insert(key, pruned);
        pruned
    }
}
