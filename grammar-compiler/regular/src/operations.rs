//! What is built from whole languages: intersection, difference, shortest texts.
//!
//! The automata that come in have no conditions. What comes out may have states that match nothing.

use crate::budget::Budget;
use crate::determinize::join;
use crate::dfa::{Accept, State, TerminalDfa};
use crate::error::Error;
use crate::minimize::Edges;
use std::collections::HashMap;

/// The texts of both.
pub(crate) fn intersection(
    one: &TerminalDfa,
    other: &TerminalDfa,
    budget: &mut Budget<'_>,
) -> Result<TerminalDfa, Error> {
    product(one, other, false, budget)
}

/// The texts of one that are none of the other.
pub(crate) fn difference(
    one: &TerminalDfa,
    other: &TerminalDfa,
    budget: &mut Budget<'_>,
) -> Result<TerminalDfa, Error> {
    product(one, other, true, budget)
}

/// The texts no shorter beginning of which is a text too.
pub(crate) fn shortest(mut dfa: TerminalDfa) -> TerminalDfa {
    for state in &mut dfa.states {
        if state.accept != Accept::Never {
            state.next.clear();
        }
    }
    dfa
}

/// A state of the one, and of the other unless that one is dead.
type Pair = (u32, Option<u32>);

fn product(
    one: &TerminalDfa,
    other: &TerminalDfa,
    is_difference: bool,
    budget: &mut Budget<'_>,
) -> Result<TerminalDfa, Error> {
    budget.begin_automaton();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut numbers: HashMap<Pair, u32> = HashMap::new();
    let start = (!other.states.is_empty()).then_some(0);
    if !one.states.is_empty() && (is_difference || start.is_some()) {
        pairs.push((0, start));
        numbers.insert((0, start), 0);
    }
    let mut states = Vec::new();
    while let Some(&(left, right)) = pairs.get(states.len()) {
        budget.state()?;
        let left = &one.states[left as usize];
        let right = right.map(|right| &other.states[right as usize]);
        let is_right = right.is_some_and(|state| state.accept.is_always());
        let is_match = left.accept.is_always() && is_right != is_difference;
        let mut next = Vec::new();
        for (low, high, pair) in overlay(&left.next, right.map(|state| &state.next)) {
            if pair.1.is_none() && !is_difference {
                continue;
            }
            let to = *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() as u32 - 1
            });
            join(&mut next, (low, high, to));
        }
        budget.store(next.len() * 3 + 8)?;
        let accept = if is_match {
            Accept::Always
        } else {
            Accept::Never
        };
        states.push(State { next, accept });
    }
    Ok(TerminalDfa {
        states,
        conditions: Vec::new(),
        max_width: None,
    })
}

/// The ranges of `left`, cut where what `right` says changes.
fn overlay(left: &Edges, right: Option<&Edges>) -> Vec<(u8, u8, Pair)> {
    let right = right.map_or(&[][..], |right| &right[..]);
    let mut pieces = Vec::with_capacity(left.len() + right.len());
    for &(low, high, to) in left {
        let mut from = Some(low);
        for &(begin, end, other) in right.iter().filter(|r| r.0 <= high && r.1 >= low) {
            let Some(at) = from else {
                break;
            };
            if at < begin {
                pieces.push((at, begin - 1, (to, None)));
            }
            let last = end.min(high);
            pieces.push((begin.max(at), last, (to, Some(other))));
            from = last.checked_add(1);
        }
        if let Some(from) = from.filter(|&from| from <= high) {
            pieces.push((from, high, (to, None)));
        }
    }
    pieces
}
