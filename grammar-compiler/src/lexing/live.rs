//! The part of an automaton that can be finished.
//!
//! In: the product, some of whose states cannot be finished on some stacks. Out: an automaton with
//! the same sentences in which every state can be finished on every stack on which it is met:
//! states and frames are split by what lies below ([`feasibility`]), and what cannot be finished is
//! left out.

use super::OverBytes;
use super::product::Product;
use crate::feasibility::control::ended;
use crate::feasibility::{self, Feasible};
use crate::limits::{Deadline, LimitExceeded, Limits};
use crate::pda::marks::{self, StackKind};
use crate::pda::{Alternative, Pda, Tree, TreeId, through};

/// Leaves out what cannot be finished; `None` if no text can.
pub(super) fn only_live(
    product: Product,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Option<OverBytes>, LimitExceeded> {
    let Product { mut pda, origins } = product;
    // A state without edges must not be taken for that of the end of the text.
    let all = vec![true; pda.states.len()];
    prune(&mut pda, &all);
    let placed = place(&pda, limits, deadline)?;
    let Feasible {
        mut pda,
        headroom,
        origins: of_refined,
        ..
    } = feasibility::over_all_bytes(&placed.pda, limits, deadline)?;
    let mut origins = through(&through(&of_refined, &placed.origins), &origins);
    if headroom.states[pda.start.place()].is_none() {
        return Ok(None);
    }
    let mut can_finish: Vec<bool> = headroom.states.iter().map(Option::is_some).collect();
    loop {
        prune(&mut pda, &can_finish);
        let live = place(&pda, limits, deadline)?;
        origins = through(&live.origins, &origins);
        pda = live.pda;
        // A state may take a symbol again with frames only that do not lie there any more.
        if !takes_again_for_nothing(&pda) {
            return Ok(Some(OverBytes { pda, origins }));
        }
        can_finish = vec![true; pda.states.len()];
    }
}

/// Whether some state that takes a symbol again takes none.
fn takes_again_for_nothing(pda: &Pda) -> bool {
    let refuses = |of: &Alternative| of.again && pda.states[of.next.place()].edges.is_empty();
    pda.trees.iter().any(|tree| match tree {
        Tree::Leaf(alternatives) => alternatives.iter().any(refuses),
        Tree::Look { .. } => false,
    })
}

/// Leaves out what leads to states that cannot be finished, and to states without edges, but for
/// those after the end of the text.
fn prune(pda: &mut Pda, can_finish: &[bool]) {
    let ended = ended(pda);
    loop {
        let states = pda.states.iter().zip(&ended);
        let goes_on: Vec<bool> = states
            .map(|(state, ended)| *ended || !state.edges.is_empty())
            .collect();
        for tree in &mut pda.trees {
            if let Tree::Leaf(alternatives) = tree {
                alternatives.retain(|of| {
                    let next = of.next.place();
                    goes_on[next] && (of.again || can_finish[next])
                });
            }
        }
        let takes: Vec<bool> = (0..pda.trees.len())
            .map(|tree| takes(pda, TreeId::at(tree)))
            .collect();
        let mut has_fewer = false;
        for state in &mut pda.states {
            let before = state.edges.len();
            state.edges.retain(|(_, tree)| takes[tree.place()]);
            has_fewer |= state.edges.len() < before;
        }
        if !has_fewer {
            return;
        }
    }
}

/// Whether some leaf of a tree has an alternative.
fn takes(pda: &Pda, tree: TreeId) -> bool {
    let mut takes = false;
    pda.leaves(tree, &mut |leaf| takes |= !leaf.is_empty());
    takes
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
