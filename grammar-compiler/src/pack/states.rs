//! The order of states.
//!
//! In: rows. Out: a number for each state. What holds once everything that names states is
//! renumbered: states whose row has a parent come first, so that only these need a word for it;
//! apart from that the order of the states is kept.

use super::rows::Rows;
use crate::pda::StateId;

/// The new number of each state.
pub fn order_states(rows: &Rows) -> Vec<StateId> {
    let has_parent = || rows.of_state.iter().map(|row| row.parent.is_some());
    let mut first = 0;
    let mut others = has_parent().filter(|&has| has).count();
    let number = |has| {
        let next = if has { &mut first } else { &mut others };
        *next += 1;
        StateId::at(*next - 1)
    };
    has_parent().map(number).collect()
}
