//! The part of an automaton that can be finished.
//!
//! In: the product, some of whose states cannot be finished on some stacks. Out: an automaton with
//! the same sentences in which every state can be finished on every stack on which it is met: states
//! and frames are split by what lies below ([`feasibility`]), and what cannot be finished is left
//! out.

use super::{OverBytes, through};
use super::product::Product;
use crate::feasibility::{self, Feasible};
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::marks::{self, StackKind};
use crate::pda::{Class, Pda, Tree, TreeId};

/// Leaves out what cannot be finished.
pub(super) fn only_live(
    product: Product,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<OverBytes, LimitExceeded> {
    let Product { pda, origins } = product;
    let placed = place(&pda, limits, deadline)?;
    let mut refined = feasibility::over_all_bytes(&placed.pda, limits, deadline)?;
    let origins = through(&through(&refined.origins, &placed.origins), &origins);
    prune(&mut refined);
    let live = place(&refined.pda, limits, deadline)?;
    Ok(OverBytes {
        origins: through(&live.origins, &origins),
        pda: live.pda,
    })
}

/// Leaves out what leads to states that cannot be finished, and to states that take a symbol again
/// and take none.
fn prune(Feasible { pda, headroom, .. }: &mut Feasible) {
    loop {
        let refuses: Vec<bool> = pda
            .states
            .iter()
            .map(|state| state.edges.is_empty())
            .collect();
        for tree in &mut pda.trees {
            match tree {
                Tree::Leaf(alternatives) => alternatives.retain(|of| match of.again {
                    true => !refuses[of.next.place()],
                    false => headroom.states[of.next.place()].is_some(),
                }),
                Tree::Look { .. } => {}
            }
        }
        let takes = |tree: &TreeId| {
            let mut takes = false;
            pda.leaves(*tree, &mut |leaf| takes |= !leaf.is_empty());
            takes
        };
        let edges = pda.states.iter().map(|state| {
            let edges = state.edges.iter().copied();
            edges.filter(|(_, tree)| takes(tree)).collect()
        });
        let edges: Vec<Vec<(Class, TreeId)>> = edges.collect();
        let mut has_fewer = false;
        for (state, edges) in pda.states.iter_mut().zip(edges) {
            has_fewer |= edges.len() < state.edges.len();
            state.edges = edges;
        }
        if !has_fewer {
            return;
        }
    }
}

/// Finds what can be reached, and which frames can lie where; merges equal states.
fn place(
    pda: &Pda,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<marks::MarkedPda, LimitExceeded> {
    let kind = StackKind::of_all(pda);
    marks::mark(pda, &[kind], limits.automaton_states, deadline)
}
