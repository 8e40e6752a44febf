//! Determinization of a program with look-around.
//!
//! A state holds, for each look-behind, the matches of it under way that began at any place before;
//! and for each group of the program its threads: a set for a language, a list in order of
//! preference otherwise. Every byte is read in this order: look-behinds, inner ones first, so that
//! what they say here is known when their assertions are met; then the groups, and with them what
//! they need of the rest. A look-ahead met becomes a need of its thread; so does a look-behind,
//! whose matches that end here may have needs.
//!
//! A match under needs is a match under a condition. A condition is a state of the same kind, with
//! one formula in the place of the groups.

mod closure;
mod letters;

use crate::budget::Budget;
use crate::dfa::{Accept, After, Condition, State, TerminalDfa};
use crate::error::Error;
use crate::formula::{ALWAYS, Branch, Formulas, Interner, NEVER};
use crate::program::{Op, Program};
use closure::Seen;
use std::collections::HashMap;

/// The automaton of the texts that the program matches: all states can be reached, but some may
/// match nothing, or be equal.
pub(crate) fn determinize(
    program: &Program,
    budget: &mut Budget<'_>,
) -> Result<TerminalDfa, Error> {
    budget.begin_automaton();
    if program.assertions.iter().filter(|a| a.is_behind).count() > 64 {
        return Err(budget.too_large("look-behinds are more than 64"));
    }
    let met = look_behinds_met(program, budget)?;
    let mut run = Determinizer {
        program,
        formulas: Formulas::new(&program.ranks),
        met,
        live: HashMap::new(),
        at_end: HashMap::new(),
        seen: Vec::new(),
        conditions: Interner::new(),
        budget,
    };
    let states = run.states()?;
    let conditions = run.conditions()?;
    Ok(TerminalDfa {
        states,
        conditions,
        max_width: None,
    })
}

/// For each node the look-behinds that may be met from there on, as bits by their order.
fn look_behinds_met(program: &Program, budget: &mut Budget<'_>) -> Result<Vec<u64>, Error> {
    let mut bits = vec![0_u64; program.assertions.len()];
    let behind = program
        .assertions
        .iter()
        .zip(&mut bits)
        .filter(|(a, _)| a.is_behind);
    for (order, (_, bit)) in behind.enumerate() {
        *bit = 1 << order;
    }
    let mut met = vec![0_u64; program.nodes.len()];
    if bits.iter().all(|&bit| bit == 0) {
        return Ok(met);
    }
    loop {
        let mut is_changed = false;
        for (node, op) in program.nodes.iter().enumerate() {
            budget.work(1)?;
            let of = |node: u32| met[node as usize];
            let now = match op {
                Op::Accept => 0,
                Op::Leaf { next, .. } | Op::Leave { next, .. } => of(*next),
                Op::Split(nodes) => nodes.iter().fold(0, |all, &node| all | of(node)),
                Op::Test { body, exit, .. } => of(*body) | of(*exit),
                Op::Look {
                    assertion, next, ..
                } => {
                    let start = program.assertions[*assertion as usize].start;
                    bits[*assertion as usize] | of(start) | of(*next)
                }
            };
            is_changed |= now != met[node];
            met[node] = now;
        }
        if !is_changed {
            return Ok(met);
        }
    }
}

/// What is known of the place between two bytes.
struct Here {
    /// What each assertion says, once it is known: a set of branches.
    assertions: Vec<Option<u32>>,
    /// Where sets lead on the byte before.
    steps: HashMap<u32, u32>,
    /// What becomes of needs on it.
    needs: HashMap<u32, Option<u32>>,
}

/// What stands behind the look-behinds in a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// The threads of each group.
    Groups,
    /// A formula.
    Condition,
}

struct Determinizer<'p, 'b, 'c> {
    program: &'p Program,
    formulas: Formulas<'p>,
    /// For each node the look-behinds that may be met from there on.
    met: Vec<u64>,
    /// The same for sets that were asked for.
    live: HashMap<u32, u64>,
    /// Whether the empty rest is one that a set holds of, for those that were asked for.
    at_end: HashMap<u32, bool>,
    /// Spare room for closures.
    seen: Vec<Seen>,
    conditions: Interner<u32>,
    budget: &'b mut Budget<'c>,
}

impl Determinizer<'_, '_, '_> {
    fn states(&mut self) -> Result<Vec<State>, Error> {
        let mut keys = Interner::new();
        let start = self.arrive(None, Body::Groups)?;
        keys.number(start);
        let mut states = Vec::new();
        while let Some(key) = keys.get(states.len() as u32) {
            self.budget.state()?;
            let mut next: Vec<(u8, u8, u32)> = Vec::new();
            let letters = self.letters(&key)?;
            let mut targets = Vec::with_capacity(letters.first_bytes.len());
            for &byte in &letters.first_bytes {
                let to = self.arrive(Some((&key, byte)), Body::Groups)?;
                let groups = to.len() - self.program.groups.len();
                let is_dead = to[groups..].iter().all(|&group| group == NEVER);
                self.budget.store(to.len() + 4)?;
                targets.push((!is_dead).then(|| keys.number(to)));
            }
            for (low, high, letter) in letters.runs() {
                if let Some(Some(to)) = targets.get(letter) {
                    join(&mut next, (low, high, *to));
                }
            }
            self.budget.store(next.len() * 3)?;
            let accept = self.accept(&key)?;
            states.push(State { next, accept });
        }
        Ok(states)
    }

    /// Whether a state matches: under which condition.
    fn accept(&mut self, key: &[u32]) -> Result<Accept, Error> {
        let groups = key.len() - self.program.groups.len();
        let mut accepted: Vec<Branch> = Vec::new();
        for &group in &key[groups..] {
            let branches = self.formulas.branches(group);
            self.budget.work(branches.len())?;
            accepted.extend(branches.iter().copied().filter(|b| b.is_accepted()));
        }
        let set = self.formulas.set(accepted, self.budget)?;
        Ok(match set {
            NEVER => Accept::Never,
            ALWAYS => Accept::Always,
            _ => {
                let mut condition = key[..groups].to_vec();
                condition.push(set);
                self.drop_look_behinds(&mut condition, 1);
                Accept::If(self.conditions.number(condition))
            }
        })
    }

    fn conditions(&mut self) -> Result<Vec<Condition>, Error> {
        let mut conditions: Vec<Condition> = Vec::new();
        while let Some(key) = self.conditions.get(conditions.len() as u32) {
            self.budget.state()?;
            let letters = self.letters(&key)?;
            let mut targets = Vec::with_capacity(letters.first_bytes.len());
            for &byte in &letters.first_bytes {
                let to = self.arrive(Some((&key, byte)), Body::Condition)?;
                self.budget.store(to.len() + 4)?;
                targets.push(match to.last() {
                    Some(&ALWAYS) => After::Holds,
                    Some(&NEVER) | None => After::Fails,
                    Some(_) => After::Depends(self.conditions.number(to)),
                });
            }
            let mut next = Vec::new();
            for (low, high, letter) in letters.runs() {
                if let Some(&to) = targets.get(letter) {
                    join(&mut next, (low, high, to));
                }
            }
            self.budget.store(next.len() * 3)?;
            let at_end = self.holds_at_end(key.last().copied().unwrap_or(NEVER));
            conditions.push(Condition { next, at_end });
        }
        Ok(conditions)
    }

    /// The state at the start, or after a byte.
    fn arrive(&mut self, from: Option<(&[u32], u8)>, body: Body) -> Result<Vec<u32>, Error> {
        let program = self.program;
        let mut here = Here {
            assertions: vec![None; program.assertions.len()],
            steps: HashMap::new(),
            needs: HashMap::new(),
        };
        let mut key = Vec::new();
        for (id, assertion) in program.assertions.iter().enumerate() {
            if !assertion.is_behind {
                continue;
            }
            let branches = match from {
                None => self.begin(assertion.start, false, &mut here)?,
                Some((sets, byte)) => {
                    self.advance(sets[key.len()], byte, (false, false), &mut here)?
                }
            };
            let (ended, under_way) = branches.into_iter().partition(|b| b.is_accepted());
            here.assertions[id] = Some(self.formulas.set(ended, self.budget)?);
            key.push(self.formulas.language(under_way, self.budget)?);
        }
        let mut bodies = 1;
        match (body, from) {
            (Body::Condition, Some((sets, byte))) => {
                key.push(self.step(sets[key.len()], byte, &mut here)?);
            }
            _ => {
                bodies = program.groups.len();
                for group in &program.groups {
                    let is_ordered = group.is_ordered;
                    let branches = match from {
                        None => self.begin(group.start, is_ordered, &mut here)?,
                        Some((sets, byte)) => {
                            self.advance(sets[key.len()], byte, (is_ordered, false), &mut here)?
                        }
                    };
                    key.push(match is_ordered {
                        true => self.formulas.ordered(branches, self.budget)?,
                        false => self.formulas.language(branches, self.budget)?,
                    });
                }
            }
        }
        self.drop_look_behinds(&mut key, bodies);
        Ok(key)
    }

    /// Empties the look-behinds that are not met any more from the last `bodies` sets on.
    fn drop_look_behinds(&mut self, key: &mut [u32], bodies: usize) {
        let behind = key.len() - bodies;
        if behind == 0 {
            return;
        }
        let mut live = key[behind..]
            .iter()
            .fold(0, |all, &set| all | self.live(set));
        for order in (0..behind).rev() {
            match live >> order & 1 {
                0 => key[order] = NEVER,
                _ => live |= self.live(key[order]),
            }
        }
    }

    /// The look-behinds that may be met from the set on.
    fn live(&mut self, set: u32) -> u64 {
        if let Some(&live) = self.live.get(&set) {
            return live;
        }
        let mut live = 0;
        for branch in self.formulas.branches(set).iter() {
            live |= self.met.get(branch.next as usize).copied().unwrap_or(0);
            for need in self.formulas.needs(branch.needs).iter() {
                live |= self.live(need.set);
            }
        }
        self.live.insert(set, live);
        live
    }

    /// Whether the empty rest is one that `set` holds of.
    fn holds_at_end(&mut self, set: u32) -> bool {
        if let Some(&holds) = self.at_end.get(&set) {
            return holds;
        }
        let holds = self.formulas.branches(set).iter().any(|branch| {
            let needs = self.formulas.needs(branch.needs);
            let mut needs = needs.iter();
            branch.is_accepted()
                && needs.all(|need| self.holds_at_end(need.set) != need.is_negative)
        });
        self.at_end.insert(set, holds);
        holds
    }
}

/// Adds a range behind the others, joined with the last if it can be.
pub(crate) fn join<T: PartialEq>(ranges: &mut Vec<(u8, u8, T)>, range: (u8, u8, T)) {
    match ranges.last_mut() {
        Some((_, high, to)) if *to == range.2 && high.checked_add(1) == Some(range.0) => {
            *high = range.1;
        }
        _ => ranges.push(range),
    }
}
