//! The symbols that the parser may take in each state.
//!
//! In: the automaton over symbols. Out: for each state the classes of symbols that it takes on some
//! stack, itself or after returns: the lookahead of an LALR(1) state.

use crate::bits::Bits;
use crate::limits::{Deadline, LimitExceeded};
use crate::pda::{Pda, StateId};

/// For each state the classes that it takes on some stack.
pub(super) fn lookahead(pda: &Pda, deadline: &Deadline) -> Result<Vec<Bits>, LimitExceeded> {
    let mut taken = vec![Bits::default(); pda.states.len()];
    // Edges that do not take their class, which another state takes then.
    let mut again: Vec<(StateId, u16, StateId)> = Vec::new();
    for state in pda.state_ids() {
        let edges = &pda.states[state.index()].edges;
        deadline.ticks(1 + edges.len(), "finding lookahead")?;
        for &(class, tree) in edges {
            pda.leaves(tree, &mut |leaf| {
                for alternative in leaf {
                    if alternative.again {
                        again.push((state, class, alternative.next));
                    } else {
                        taken[state.index()].insert(class.into());
                    }
                }
            });
        }
    }
    again.sort_unstable();
    again.dedup();
    loop {
        let mut has_grown = false;
        deadline.ticks(again.len(), "finding lookahead")?;
        for &(state, class, next) in &again {
            if taken[next.index()].contains(class.into()) {
                has_grown |= taken[state.index()].insert(class.into());
            }
        }
        if !has_grown {
            return Ok(taken);
        }
    }
}
