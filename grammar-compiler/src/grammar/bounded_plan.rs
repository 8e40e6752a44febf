//! How a bound on the number of characters is written where tables must spell it out.
//!
//! In: [`BoundedWords`]. Out: a [`BoundPlan`], by what each way would cost. A pair of state and number is an own state as long as there are few pairs. An automaton of few states
//! is counted in digits, whatever the bound is: for each two states a rule holds the words of one block that lead from one to the other. In others *islands* are called: states that no
//! loop leads through, from which all ways lead to one state behind them, such as those of an address within a URI. What is read there is told apart by its length only.
//!
//! ```text
//! scheme and user ──▶ `[` entry ──▶ island: 2001:db8::1 ──▶ `]` exit ──▶ port, path, query
//! ```

use super::bounded::BoundedWords;
use crate::maps::IdSet;

/// Pairs that are states of their own without another thought.
const FEW_PAIRS: usize = 30_000;
/// Pairs that are states of their own if there is no better way.
const MANY_PAIRS: usize = 100_000;
/// Edges that the rules of one digit may have.
const DIGIT_EDGES: usize = 60_000;
/// Characters of a block of the lowest digit, about.
const BLOCK: usize = 16;
/// Fewer states than this are no island worth a call.
const MIN_ISLAND: usize = 16;
/// With more states no islands are looked for.
const MAX_STATES: usize = 256;
/// The longest way through an island, in characters.
const MAX_ISLAND_LENGTH: usize = 64;

/// A way to write a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundPlan {
    /// Each pair of state and number is a state.
    Pairs,
    /// Pairs too, but for islands, by the state that leads to each.
    Islands(Vec<Option<Island>>),
    /// Blocks of characters, in digits.
    Digits,
}

/// States from which all ways lead to the exit, without a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// The state behind it.
    pub exit: u32,
    /// Which states between characters are in it.
    pub inside: Vec<bool>,
    /// The numbers of characters from the entry to the exit, ascending.
    pub lengths: Vec<u32>,
}

impl Island {
    /// The greatest number of characters from the entry to the exit.
    pub fn longest(&self) -> u32 {
        self.lengths.last().copied().unwrap_or(0)
    }
}

impl BoundedWords {
    /// How the bound is written; `None` if each way takes too much. `block`: whether blocks may be counted.
    pub fn plan(&self, block: bool) -> Option<BoundPlan> {
        let next = self.characters();
        let fits = |islands: &[Option<Island>], most| self.pairs(&next, islands, most);
        if fits(&[], FEW_PAIRS) {
            return Some(BoundPlan::Pairs);
        }
        if block && digit_edges(&next) <= DIGIT_EDGES {
            return Some(BoundPlan::Digits);
        }
        if block && next.len() <= MAX_STATES {
            let islands = self.islands(&next, MIN_ISLAND);
            if islands.iter().any(Option::is_some) && fits(&islands, MANY_PAIRS) {
                return Some(BoundPlan::Islands(islands));
            }
        }
        fits(&[], MANY_PAIRS).then_some(BoundPlan::Pairs)
    }

    /// For each state between characters those that one more character leads to, ascending.
    fn characters(&self) -> Vec<Vec<u32>> {
        let states = &self.words().states;
        let of = |from: u32| {
            let (mut found, mut met, mut pending) =
                (Vec::new(), IdSet::from_iter([from]), vec![from]);
            while let Some(at) = pending.pop() {
                for &(.., to) in &states[at as usize].edges {
                    if to < self.boundaries() {
                        found.push(to);
                    } else if met.insert(to) {
                        pending.push(to);
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            found
        };
        (0..self.boundaries()).map(of).collect()
    }

    /// Whether no more pairs than `most` are met outside of islands.
    fn pairs(&self, next: &[Vec<u32>], islands: &[Option<Island>], most: usize) -> bool {
        let mut pending = vec![0];
        let mut met = IdSet::from_iter([0]);
        while let Some(pair) = pending.pop() {
            if met.len() > most {
                return false;
            }
            let (state, _) = self.parts(pair);
            let island = self.island(islands, pair);
            for &to in &next[state as usize] {
                if !island.is_some_and(|island| island.inside[to as usize]) {
                    let behind = self.behind(pair, to);
                    pending.extend(behind.filter(|&pair| met.insert(pair)));
                }
            }
            let lengths = island.iter().flat_map(|island| &island.lengths);
            let exits = lengths.filter_map(|&length| self.beyond(pair, island?, length));
            pending.extend(exits.filter(|&pair| met.insert(pair)));
        }
        true
    }

    /// The island that is called at a pair: as far from the bound that every way through it can be finished.
    pub(crate) fn island<'i>(
        &self,
        islands: &'i [Option<Island>],
        pair: u32,
    ) -> Option<&'i Island> {
        let (state, _) = self.parts(pair);
        let island = islands.get(state as usize)?.as_ref()?;
        self.beyond(pair, island, island.longest())?;
        Some(island)
    }

    /// The pair behind an island that has been gone through in so many characters.
    pub(crate) fn beyond(&self, pair: u32, island: &Island, length: u32) -> Option<u32> {
        self.after(pair, island.exit, length)
    }

    /// The islands of as many states as `least` or more.
    #[cfg(test)]
    pub(crate) fn plan_of_islands(&self, least: usize) -> BoundPlan {
        BoundPlan::Islands(self.islands(&self.characters(), least))
    }

    /// For each state the island that begins behind it, if that has `least` states.
    fn islands(&self, next: &[Vec<u32>], least: usize) -> Vec<Option<Island>> {
        let has_loop = loops(next);
        let words = self.words();
        let ends = (0..self.boundaries()).filter(|&state| words.is_final(state));
        let looping = (0..self.boundaries()).filter(|&state| has_loop[state as usize]);
        let mut exits: Vec<u32> = ends.chain(looping).collect();
        exits.sort_unstable();
        exits.dedup();
        let before = exits.into_iter().map(|exit| {
            let inside = self.before(next, &has_loop, exit);
            (exit, inside)
        });
        let before: Vec<(u32, Vec<bool>)> = before.collect();
        let island_of = |entry: u32| {
            let found = before.iter().filter_map(|(exit, before)| {
                let (exit, inside) = (*exit, behind(next, entry, before));
                let count = inside.iter().filter(|&&is_in| is_in).count();
                (count >= least).then_some((count, exit, inside))
            });
            let (_, exit, inside) = found.max_by_key(|&(count, exit, _)| (count, exit))?;
            let lengths = ways(next, entry, exit, &inside)?;
            let is_apart = self.is_apart(entry, &inside);
            is_apart.then_some(Island {
                exit,
                inside,
                lengths,
            })
        };
        (0..self.boundaries()).map(island_of).collect()
    }

    /// The states without loops and ends from which all ways lead to an exit.
    fn before(&self, next: &[Vec<u32>], has_loop: &[bool], exit: u32) -> Vec<bool> {
        let may_be = |state: usize| {
            !has_loop[state] && state as u32 != exit && !self.words().is_final(state as u32)
        };
        let mut inside: Vec<bool> = (0..next.len()).map(may_be).collect();
        loop {
            let is_out = |&state: &usize| {
                let leaves = |&to: &u32| to != exit && !inside[to as usize];
                inside[state] && (next[state].is_empty() || next[state].iter().any(leaves))
            };
            let out: Vec<usize> = (0..next.len()).filter(is_out).collect();
            if out.is_empty() {
                return inside;
            }
            out.into_iter().for_each(|state| inside[state] = false);
        }
    }

    /// Whether each byte behind an entry tells whether the character leads into an island.
    fn is_apart(&self, entry: u32, inside: &[bool]) -> bool {
        let states = &self.words().states;
        let edges = &states[entry as usize].edges;
        edges.iter().all(|&(.., first)| {
            let (mut into, mut past) = (false, false);
            let mut note = |to: u32| match inside[to as usize] {
                true => into = true,
                false => past = true,
            };
            let (mut met, mut pending) = (IdSet::from_iter([first]), vec![first]);
            while let Some(at) = pending.pop() {
                if at < self.boundaries() {
                    note(at);
                    continue;
                }
                let targets = states[at as usize].edges.iter().map(|edge| edge.2);
                pending.extend(targets.filter(|&to| met.insert(to)));
            }
            !(into && past)
        })
    }
}

/// The states that a loop leads through.
fn loops(next: &[Vec<u32>]) -> Vec<bool> {
    let leads_back = |from: usize| {
        let mut met = vec![false; next.len()];
        let mut pending = vec![from];
        while let Some(at) = pending.pop() {
            for &to in &next[at] {
                if !std::mem::replace(&mut met[to as usize], true) {
                    pending.push(to as usize);
                }
            }
        }
        met[from]
    };
    (0..next.len()).map(leads_back).collect()
}

/// The states of a set that an entry leads to through them.
fn behind(next: &[Vec<u32>], entry: u32, set: &[bool]) -> Vec<bool> {
    let mut met = vec![false; next.len()];
    let mut pending = vec![entry];
    while let Some(at) = pending.pop() {
        for &to in &next[at as usize] {
            if set[to as usize] && !std::mem::replace(&mut met[to as usize], true) {
                pending.push(to);
            }
        }
    }
    met
}

/// The numbers of characters from an entry through its island to the exit; nothing if one is too long.
fn ways(next: &[Vec<u32>], entry: u32, exit: u32, inside: &[bool]) -> Option<Vec<u32>> {
    let mut lengths = Vec::new();
    let mut at = vec![entry];
    for length in 1..=MAX_ISLAND_LENGTH as u32 {
        let mut targets: Vec<u32> = at
            .iter()
            .flat_map(|&state| next[state as usize].iter().copied())
            .collect();
        targets.sort_unstable();
        targets.dedup();
        // Straight from the entry to the exit is no way through the island.
        if length > 1 && targets.binary_search(&exit).is_ok() {
            lengths.push(length);
        }
        targets.retain(|&to| inside[to as usize]);
        if targets.is_empty() {
            return Some(lengths);
        }
        at = targets;
    }
    None
}

/// The edges that rules of one digit have, about.
fn digit_edges(next: &[Vec<u32>]) -> usize {
    const ENOUGH: usize = DIGIT_EDGES + 1;
    if next.len() > 64 {
        return ENOUGH;
    }
    let reached = |from: usize| {
        let mut met = vec![false; next.len()];
        let mut pending = vec![from];
        while let Some(at) = pending.pop() {
            for &to in &next[at] {
                if !std::mem::replace(&mut met[to as usize], true) {
                    pending.push(to as usize);
                }
            }
        }
        (0..next.len()).filter(|&to| met[to]).collect::<Vec<_>>()
    };
    let reached: Vec<Vec<usize>> = (0..next.len()).map(reached).collect();
    let of = |targets: &Vec<usize>| {
        let inner: usize = targets.iter().map(|&to| reached[to].len()).sum();
        targets.len() * inner * BLOCK
    };
    reached.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Deadline;
    use crate::syntax::json_schema::strings::{Escapes, Language, format, json_text, pattern};
    use std::sync::Arc;

    fn bounded(language: &Language, max: u32) -> BoundedWords {
        let words = json_text(language, Escapes::Natural);
        let boundaries = language.states().len() as u32;
        BoundedWords::new(Arc::new(words), boundaries, max).unwrap()
    }

    #[test]
    fn what_takes_few_states_is_written_in_pairs() {
        let email = bounded(&format("email").unwrap(), 254);
        assert_eq!(email.plan(true), Some(BoundPlan::Pairs));
    }

    #[test]
    fn an_automaton_of_few_states_is_counted_whatever_its_bound() {
        let words = pattern(r"^\S+( \S+)*$", &Deadline::never()).unwrap();
        for max in [60_000, 1_000_000] {
            let words = bounded(&words, max);
            assert_eq!(words.plan(true), Some(BoundPlan::Digits));
            assert_eq!(words.plan(false), None);
        }
    }

    /// The address of a URI in brackets.
    #[test]
    fn addresses_are_islands() {
        let uri = bounded(&format("uri").unwrap(), 2_083);
        let Some(BoundPlan::Islands(islands)) = uri.plan(true) else {
            panic!("{:?}", uri.plan(true));
        };
        let found: Vec<&Island> = islands.iter().flatten().collect();
        assert!(
            found.iter().any(|island| island.longest() == 46),
            "{found:?}"
        );
    }
}
