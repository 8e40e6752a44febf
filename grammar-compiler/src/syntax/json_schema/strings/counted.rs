//! Strings of bounded length that end in any number of characters of one class, such as those of
//! `^https://` with `maxLength`.
//!
//! In: a set of strings, and bounds on the length. Out: [`CountedTails`]: the ways in which such
//! strings begin, and after each how many characters of which class follow. The automaton of all
//! lengths, which has states for each length, is then never built.

use super::class::CharEdge;
use super::minimize;
use super::{Language, LanguageError, LanguageState};
use crate::limits::Deadline;
use std::collections::BTreeSet;

/// Pairs of a state and a length that the beginnings may have. With more, nothing is gained.
const MAX_PAIRS: usize = 1000;

/// Ends that beginnings may have, by state and length: each costs a repetition of its own.
const MAX_TAILS: usize = 8;

/// Strings by how they begin; no string is in two of these.
#[derive(Debug)]
pub struct CountedTails {
    /// Strings of at most the length of the longest beginning that end in no class.
    pub others: Language,
    /// Strings that end in characters of a class.
    pub tails: Vec<CountedTail>,
}

/// Strings of a beginning, then of `min` to `max` characters of a class.
#[derive(Debug)]
pub struct CountedTail {
    /// The beginnings, all of one length.
    pub beginning: Language,
    /// One character of the class.
    pub class: Language,
    /// The least number of characters that follow.
    pub min: u64,
    /// The greatest number of characters that follow.
    pub max: Option<u64>,
}

/// A state of the set, and the number of characters that have led to it.
type Place = (u32, u64);

impl Language {
    /// The strings of the set that have `min` to `max` characters, if few beginnings lead to all of
    /// its loops, and each loop is that of one state with one class, at which a string may end.
    /// Nothing is worked out unless `is_worth_it` says so of the characters of some class.
    pub fn counted(
        &self,
        min: u64,
        max: Option<u64>,
        deadline: &Deadline,
        mut is_worth_it: impl FnMut(&Language) -> Result<bool, LanguageError>,
    ) -> Result<Option<CountedTails>, LanguageError> {
        let max = max.unwrap_or(u64::MAX);
        let Some(beginnings) = Beginnings::new(self, max) else {
            return Ok(None);
        };
        let classes = beginnings.tails.iter();
        let classes = classes.map(|tail| class(&self.states()[tail.0 as usize].edges));
        let classes: Vec<Language> = classes.collect();
        let mut is_worth_some = false;
        for class in &classes {
            is_worth_some = is_worth_some || is_worth_it(class)?;
        }
        if !is_worth_some {
            return Ok(None);
        }
        let mut tails = Vec::new();
        for (&tail, class) in beginnings.tails.iter().zip(classes) {
            let length = tail.1;
            let tail = CountedTail {
                beginning: beginnings.language(|at| at == tail, deadline)?,
                class,
                min: min.saturating_sub(length),
                max: (max < u64::MAX).then(|| max - length),
            };
            tails.push(tail.without_first());
        }
        let ends = |(state, length): Place| {
            let is_final = self.states()[state as usize].is_final;
            is_final && (min..=max).contains(&length) && !is_loop(self, state)
        };
        let others = beginnings.language(ends, deadline)?;
        Ok(Some(CountedTails { others, tails }))
    }
}

impl CountedTail {
    /// A beginning of one character of the class is the first of those that are counted.
    fn without_first(mut self) -> Self {
        if self.beginning == self.class {
            self.beginning = Language::literal("");
            self.min += 1;
            self.max = self.max.map(|max| max + 1);
        }
        self
    }
}

/// The ways that lead to loops.
struct Beginnings<'a> {
    language: &'a Language,
    /// In the order of their lengths.
    places: Vec<Place>,
    /// Those among them that are loops.
    tails: Vec<Place>,
}

impl<'a> Beginnings<'a> {
    /// Those of at most `max` characters; nothing if there are too many.
    fn new(language: &'a Language, max: u64) -> Option<Self> {
        let mut places = BTreeSet::from([(0u64, 0u32)]);
        let mut ordered = Vec::new();
        let mut tails = Vec::new();
        while let Some((length, state)) = places.pop_first() {
            ordered.push((state, length));
            if ordered.len() > MAX_PAIRS || tails.len() > MAX_TAILS {
                return None;
            }
            if is_loop(language, state) {
                tails.push((state, length));
            } else if length < max {
                let edges = &language.states()[state as usize].edges;
                places.extend(edges.iter().map(|edge| (length + 1, edge.2)));
            }
        }
        Some(Beginnings {
            language,
            places: ordered,
            tails,
        })
    }

    /// The strings that lead to places of which `ends` holds.
    fn language(
        &self,
        ends: impl Fn(Place) -> bool,
        deadline: &Deadline,
    ) -> Result<Language, LanguageError> {
        let number = |to: u32, length: u64| {
            let key = (length, to);
            let found = self.places.binary_search_by_key(&key, |&(s, l)| (l, s));
            found.ok().map(|at| at as u32)
        };
        let states = self.places.iter().map(|&(state, length)| {
            let mut edges: Vec<CharEdge> = Vec::new();
            if !is_loop(self.language, state) {
                let all = self.language.states()[state as usize].edges.iter();
                edges.extend(
                    all.filter_map(|&(low, high, to)| Some((low, high, number(to, length + 1)?))),
                );
            }
            LanguageState {
                is_final: ends((state, length)),
                edges,
            }
        });
        minimize::minimize(states.collect(), deadline)
    }
}

/// Whether a string may end at a state, and goes on only to it.
fn is_loop(language: &Language, state: u32) -> bool {
    let of = &language.states()[state as usize];
    of.is_final && !of.edges.is_empty() && of.edges.iter().all(|edge| edge.2 == state)
}

/// One character of these edges.
fn class(edges: &[CharEdge]) -> Language {
    let ranges: Vec<(char, char)> = edges.iter().map(|&(low, high, _)| (low, high)).collect();
    Language::class(&ranges)
}
