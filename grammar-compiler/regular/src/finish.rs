//! From an automaton to the one that is written: trimmed, minimal, numbered in a fixed order.

use crate::budget::Budget;
use crate::determinize::join;
use crate::dfa::{Accept, After, Condition, ConditionId, State, TerminalDfa};
use crate::error::Error;
use crate::minimize::{Edges, blocks};

/// The same automaton without states that match nothing and without equal states; states and
/// conditions stand in the order in which a search in breadth meets them. Without states if it
/// matches nothing.
pub(crate) fn finish(mut dfa: TerminalDfa, budget: &mut Budget<'_>) -> Result<TerminalDfa, Error> {
    let conditions = minimal_conditions(&dfa.conditions, budget)?;
    for state in &mut dfa.states {
        if let Accept::If(condition) = state.accept {
            state.accept = match conditions[condition as usize] {
                After::Holds => Accept::Always,
                After::Fails => Accept::Never,
                After::Depends(equal) => Accept::If(equal),
            };
        }
    }
    trim(&mut dfa.states, budget)?;
    let mut order = Order::new(dfa.conditions.len());
    let states = renumber(&dfa.states, &mut order, budget)?;
    let mut written = Vec::new();
    while let Some(&old) = order.list.get(written.len()) {
        budget.work(1)?;
        let Condition { next, at_end } = &dfa.conditions[old as usize];
        let mut ranges = Vec::new();
        for &(low, high, to) in next {
            let to = match to {
                After::Depends(old) => match conditions[old as usize] {
                    After::Depends(equal) => After::Depends(order.number(equal)),
                    known => known,
                },
                known => known,
            };
            join(&mut ranges, (low, high, to));
        }
        written.push(Condition {
            next: ranges,
            at_end: *at_end,
        });
    }
    Ok(TerminalDfa {
        states,
        conditions: written,
        max_width: dfa.max_width,
    })
}

/// What each condition comes to: known, or the first condition that is equal to it.
fn minimal_conditions(
    conditions: &[Condition],
    budget: &mut Budget<'_>,
) -> Result<Vec<After>, Error> {
    // Two more states stand for known outcomes.
    let (holds, fails) = (conditions.len() as u32, conditions.len() as u32 + 1);
    let mut edges: Vec<Edges> = Vec::with_capacity(conditions.len() + 2);
    for condition in conditions {
        budget.work(condition.next.len())?;
        let target = |to| match to {
            After::Holds => holds,
            After::Fails => fails,
            After::Depends(condition) => condition,
        };
        edges.push(
            condition
                .next
                .iter()
                .map(|&(low, high, to)| (low, high, target(to)))
                .collect(),
        );
    }
    edges.extend([vec![(0, 0xff, holds)], vec![(0, 0xff, fails)]]);
    let mut colours: Vec<u32> = conditions.iter().map(|c| u32::from(c.at_end)).collect();
    colours.extend([1, 0]);
    let block_of = blocks(&edges.iter().collect::<Vec<_>>(), &colours, budget)?;
    let mut first = vec![After::Fails; block_of.len()];
    for (state, &block) in (0..holds).zip(&block_of).rev() {
        first[block as usize] = After::Depends(state);
    }
    first[block_of[holds as usize] as usize] = After::Holds;
    first[block_of[fails as usize] as usize] = After::Fails;
    Ok(block_of
        .iter()
        .take(conditions.len())
        .map(|&block| first[block as usize])
        .collect())
}

/// Takes away edges to states that cannot match; without states if the first one cannot.
fn trim(states: &mut Vec<State>, budget: &mut Budget<'_>) -> Result<(), Error> {
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); states.len()];
    for (from, state) in (0..).zip(states.iter()) {
        budget.work(state.next.len())?;
        for &(_, _, to) in &state.next {
            sources[to as usize].push(from);
        }
    }
    let mut matches: Vec<bool> = states.iter().map(|s| s.accept != Accept::Never).collect();
    let mut stack: Vec<u32> = (0..)
        .zip(&matches)
        .filter_map(|(s, &m)| m.then_some(s))
        .collect();
    while let Some(state) = stack.pop() {
        budget.work(sources[state as usize].len())?;
        for &source in &sources[state as usize] {
            if !std::mem::replace(&mut matches[source as usize], true) {
                stack.push(source);
            }
        }
    }
    if matches.first() != Some(&true) {
        states.clear();
    }
    for state in states {
        state.next.retain(|&(_, _, to)| matches[to as usize]);
    }
    Ok(())
}

/// Numbers in the order in which they are asked for.
struct Order {
    numbers: Vec<Option<u32>>,
    list: Vec<u32>,
}

impl Order {
    fn new(count: usize) -> Order {
        Order {
            numbers: vec![None; count],
            list: Vec::new(),
        }
    }

    fn number(&mut self, old: u32) -> u32 {
        let count = self.list.len() as u32;
        let number = *self.numbers[old as usize].get_or_insert(count);
        if number == count {
            self.list.push(old);
        }
        number
    }
}

/// One state of each block, in breadth from the first.
fn renumber(
    states: &[State],
    conditions: &mut Order,
    budget: &mut Budget<'_>,
) -> Result<Vec<State>, Error> {
    let colour = |state: &State| match state.accept {
        Accept::Never => 0,
        Accept::Always => 1,
        Accept::If(condition) => 2 + condition,
    };
    let colours: Vec<u32> = states.iter().map(colour).collect();
    let edges: Vec<&Edges> = states.iter().map(|state| &state.next).collect();
    let block_of = blocks(&edges, &colours, budget)?;
    let mut members: Vec<u32> = vec![0; states.len()];
    for (state, &block) in (0..).zip(&block_of) {
        members[block as usize] = state;
    }
    let mut order = Order::new(states.len());
    if let Some(&block) = block_of.first() {
        order.number(block);
    }
    let mut written = Vec::new();
    while let Some(&block) = order.list.get(written.len()) {
        let State { next, accept } = &states[members[block as usize] as usize];
        budget.work(next.len())?;
        let mut ranges = Vec::with_capacity(next.len());
        for &(low, high, to) in next {
            let to = order.number(block_of[to as usize]);
            join(&mut ranges, (low, high, to));
        }
        let accept = match *accept {
            Accept::If(condition) => Accept::If(conditions.number(condition) as ConditionId),
            known => known,
        };
        written.push(State {
            next: ranges,
            accept,
        });
    }
    Ok(written)
}
