//! How many digits each state goes on with.
//!
//! In: the transitions and the runs. Out: for each state a number of digits. An automaton of numbers distinguishes digits, so that none of its
//! runs goes on with all of them; yet any string of so many digits stays off the stack.

use super::runs::Runs;
use super::words::{Action, Transitions};
use crate::csr::Csr;
use crate::pda::{Class, Pda, StateId};

/// The digits, in the first word of a set of bytes.
pub const DIGITS: u64 = 0x3FF << b'0';

/// For each state the number of digits that may follow, whichever they are and wherever each of them leads, without touching the stack.
/// Finishing needs as many frames from all states on the way.
pub fn digits(transitions: &Transitions, pda: &Pda, runs: &Runs) -> Vec<u32> {
    let mut classes: Vec<Class> = (b'0'..=b'9').map(|digit| pda.classes.of(digit)).collect();
    classes.dedup();
    let mut digits = vec![u32::MAX; transitions.count()];
    let mut steps: Vec<(StateId, StateId)> = Vec::new();
    // States by the number of digits that they go on with, as far as it is known.
    let mut order: Vec<StateId> = Vec::new();
    for state in (0..).take(digits.len()) {
        let run = runs.of(state);
        if run.length == u32::MAX && DIGITS & run.kind.bytes[0] == DIGITS {
            continue;
        }
        let before = steps.len();
        for &class in &classes {
            match transitions.action(state, class) {
                Action::Goto(next) if transitions.need(next) == transitions.need(state) => {
                    steps.push((next, state));
                }
                _ => {
                    digits[state as usize] = 0;
                    order.push(state);
                    steps.truncate(before);
                    break;
                }
            }
        }
    }
    let before = Csr::new(digits.len(), steps.iter().copied());
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        for &before in before.of(state) {
            if digits[before as usize] == u32::MAX {
                digits[before as usize] = digits[state as usize] + 1;
                order.push(before);
            }
        }
        at += 1;
    }
    digits
}
