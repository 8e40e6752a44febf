//! Operations on sets of strings: boolean ones by product, sequences by subset construction.

use super::bounds::{Budget, DOING, LanguageError, MAX_STATES};
use super::class;
use super::determinize::StringNfa;
use super::{Language, LanguageState, minimize};
use crate::limits::Deadline;
use crate::maps::{IdMap, IdSet};

/// A pair of states of two automata; `None`: no string is left there.
type StatePair = (Option<u32>, Option<u32>);

/// What is kept of two sets.
#[derive(Clone, Copy)]
enum Keep {
    Both,
    Either,
    OnlyLeft,
}

impl Keep {
    fn decide(self, left: bool, right: bool) -> bool {
        match self {
            Keep::Both => left && right,
            Keep::Either => left || right,
            Keep::OnlyLeft => left && !right,
        }
    }

    /// Whether a pair may still lead to a string that is kept.
    fn is_live(self, (left, right): StatePair) -> bool {
        self.decide(
            left.is_some(),
            right.is_some() && !matches!(self, Keep::OnlyLeft),
        )
    }
}

impl Language {
    /// The strings in both.
    pub fn intersect(
        &self,
        other: &Language,
        deadline: &Deadline,
    ) -> Result<Language, LanguageError> {
        if self.is_empty() || other.is_any() || self == other {
            return Ok(self.clone());
        }
        if other.is_empty() || self.is_any() {
            return Ok(other.clone());
        }
        product(self, other, Keep::Both, deadline)
    }

    /// The strings in either.
    pub fn union(&self, other: &Language, deadline: &Deadline) -> Result<Language, LanguageError> {
        if self.is_any() || other.is_empty() || self == other {
            return Ok(self.clone());
        }
        if other.is_any() || self.is_empty() {
            return Ok(other.clone());
        }
        product(self, other, Keep::Either, deadline)
    }

    /// The strings of `self` that are not in `other`.
    pub fn minus(&self, other: &Language, deadline: &Deadline) -> Result<Language, LanguageError> {
        if self.is_empty() || other.is_empty() {
            return Ok(self.clone());
        }
        if other.is_any() || self == other {
            return Ok(Language::empty());
        }
        if self.is_any() {
            return Ok(other.complement());
        }
        product(self, other, Keep::OnlyLeft, deadline)
    }

    /// The strings that are not in the set.
    pub fn complement(&self) -> Language {
        if self.is_empty() {
            return Language::any();
        }
        // A state for what leads nowhere; no other does, so the automaton stays minimal.
        let sink = self.states().len() as u32;
        let mut states: Vec<LanguageState> = (self.states().iter())
            .map(|state| {
                let gaps = class::gaps(&state.edges, sink);
                let mut edges: Vec<_> = state.edges.iter().copied().chain(gaps).collect();
                edges.sort_unstable();
                LanguageState {
                    is_final: !state.is_final,
                    edges,
                }
            })
            .collect();
        states.push(LanguageState {
            is_final: true,
            edges: vec![('\0', char::MAX, sink)],
        });
        minimize::canonical(states)
    }

    /// A string of `self` and then one of `other`.
    pub fn concat(&self, other: &Language, deadline: &Deadline) -> Result<Language, LanguageError> {
        if self.is_empty() || other.is_empty() {
            return Ok(Language::empty());
        }
        let mut budget = Budget::new(deadline);
        let mut nfa = StringNfa::default();
        let first = nfa.add(self, &mut budget)?;
        let second = nfa.add(other, &mut budget)?;
        link(&mut nfa, first, second, self, second);
        nfa.determinize(&[first], &mut budget)
    }

    /// `min` to `max` strings of the set in a row, without an upper bound if `max` is `None`.
    pub fn repeat(
        &self,
        min: u32,
        max: Option<u32>,
        deadline: &Deadline,
    ) -> Result<Language, LanguageError> {
        if max.is_some_and(|max| max < min) {
            return Ok(Language::empty());
        }
        if self.is_empty() || *self == Language::literal("") {
            let is_empty = self.is_empty() && min > 0;
            return Ok(if is_empty {
                self.clone()
            } else {
                Language::literal("")
            });
        }
        let mut budget = Budget::new(deadline);
        let mut nfa = StringNfa::default();
        let end = nfa.add(&Language::literal(""), &mut budget)?;
        // `copies` in a row; where enough have been read, an empty edge leads to the end.
        let copies = max.unwrap_or(min.max(1));
        let mut starts = Vec::new();
        for _ in 0..copies {
            starts.push(nfa.add(self, &mut budget)?);
        }
        for (read, &start) in (1u32..).zip(&starts) {
            let next = match starts.get(read as usize) {
                Some(&next) => next,
                None if max.is_none() => start,
                None => end,
            };
            link(
                &mut nfa,
                start,
                next,
                self,
                if read >= min { end } else { next },
            );
        }
        let mut from = vec![starts.first().copied().unwrap_or(end)];
        from.extend((min == 0).then_some(end));
        nfa.determinize(&from, &mut budget)
    }

    /// Whether no string is in both.
    ///
    /// Once the time is over this says no, and the next look at the deadline fails.
    pub fn is_disjoint(&self, other: &Language, deadline: &Deadline) -> bool {
        !search(self, other, deadline, |left, right| {
            left && right == Some(true)
        })
    }

    /// Whether every string of the set is in `other`.
    ///
    /// Once the time is over this says no, and the next look at the deadline fails.
    pub fn is_subset(&self, other: &Language, deadline: &Deadline) -> bool {
        // Every state leads to some string, so `other` must have one left everywhere.
        !search(self, other, deadline, |left, right| {
            right.is_none_or(|right| left && !right)
        })
    }

    /// The strings of the set that have `min` to `max` characters.
    pub fn with_length(
        &self,
        min: u64,
        max: Option<u64>,
        deadline: &Deadline,
    ) -> Result<Language, LanguageError> {
        let Some((shortest, longest)) = self.lengths() else {
            return Ok(Language::empty());
        };
        let out_of_reach = |max: u64| longest.is_some_and(|longest| longest <= max);
        let min = if min <= shortest { 0 } else { min };
        let max = max.filter(|&max| !out_of_reach(max));
        if max.is_some_and(|max| max < min || max < shortest) {
            return Ok(Language::empty());
        }
        if longest.is_some_and(|longest| longest < min) {
            return Ok(Language::empty());
        }
        let bound = max.unwrap_or(min);
        if bound >= MAX_STATES as u64 {
            return Err(LanguageError::states());
        }
        self.intersect(&of_length(min, max), deadline)
    }
}

/// All strings of `min` to `max` characters; the bounds are below [`MAX_STATES`].
fn of_length(min: u64, max: Option<u64>) -> Language {
    let last = max.unwrap_or(min);
    let states = (0..=last).map(|length| LanguageState {
        is_final: length >= min,
        edges: (length < last || max.is_none())
            .then(|| ('\0', char::MAX, last.min(length + 1) as u32))
            .into_iter()
            .collect(),
    });
    Language::from_canonical(states.collect())
}

/// Where a string of the copy of `language` at `start` ends, goes on at `next` and at `or`.
fn link(nfa: &mut StringNfa, start: u32, next: u32, language: &Language, or: u32) {
    for (at, state) in (start..).zip(language.states()) {
        if state.is_final {
            let state = &mut nfa.states[at as usize];
            state.is_final = false;
            state.empty = if next == or {
                vec![next]
            } else {
                vec![next, or]
            };
        }
    }
}

fn product(
    left: &Language,
    right: &Language,
    keep: Keep,
    deadline: &Deadline,
) -> Result<Language, LanguageError> {
    // Listed strings may take very many states; what is kept of them, and of others beside them,
    // may too.
    let of = left.states().len() + right.states().len();
    let mut budget = Budget::of_states(of, deadline);
    let mut pairs: Vec<StatePair> = vec![(Some(0), Some(0))];
    let mut ids: IdMap<StatePair, u32> = IdMap::from_iter([(pairs[0], 0)]);
    let mut states: Vec<LanguageState> = Vec::new();
    while let Some(&pair) = pairs.get(states.len()) {
        let (l, r) = (pair.0.map(|s| at(left, s)), pair.1.map(|s| at(right, s)));
        let is_final = |s: Option<&LanguageState>| s.is_some_and(|s| s.is_final);
        let mut state = LanguageState {
            is_final: keep.decide(is_final(l), is_final(r)),
            edges: Vec::new(),
        };
        budget.state()?;
        budget.work(edges(l).len() + edges(r).len())?;
        class::overlay(edges(l), edges(r), |low, high, to_left, to_right| {
            let to = (to_left, to_right);
            if keep.is_live(to) {
                let id = *ids.entry(to).or_insert_with(|| {
                    pairs.push(to);
                    pairs.len() as u32 - 1
                });
                class::push(&mut state.edges, (low, high, id));
            }
        });
        states.push(state);
    }
    minimize::minimize_of(states, of, deadline)
}

/// Whether some string of `left` or prefix of one leads to states of which, by whether a string may
/// end there, `wanted` holds; `None`: `right` has no string left.
///
/// Looks at each pair of states once. Once the time is over it says that there is such a string.
fn search(
    left: &Language,
    right: &Language,
    deadline: &Deadline,
    wanted: impl Fn(bool, Option<bool>) -> bool,
) -> bool {
    let mut seen = SeenPairs::new(left.states().len(), right.states().len());
    let mut stack = vec![(0u32, 0u32)];
    let mut found = false;
    while let (Some((l, r)), false) = (stack.pop(), found) {
        let (l, r) = (at(left, l), at(right, r));
        found = wanted(l.is_final, Some(r.is_final))
            || deadline
                .ticks(l.edges.len() + r.edges.len(), DOING)
                .is_err();
        class::overlay(&l.edges, &r.edges, |_, _, l, r| match (l, r) {
            (Some(l), Some(r)) => {
                if seen.insert(l, r) {
                    stack.push((l, r));
                }
            }
            (Some(l), None) => found |= wanted(at(left, l).is_final, None),
            (None, _) => (),
        });
    }
    found
}

/// Pairs of states: a bit each, or where there would be too many bits, those that have been met.
enum SeenPairs {
    Bits { width: usize, bits: Vec<u64> },
    Met(IdSet<(u32, u32)>),
}

impl SeenPairs {
    /// Bits that are noted for pairs that may never be met.
    const MAX_BITS: usize = 1 << 30;

    fn new(left: usize, right: usize) -> Self {
        match left.checked_mul(right) {
            Some(bits) if bits <= Self::MAX_BITS => SeenPairs::Bits {
                width: right,
                bits: vec![0; bits.div_ceil(64)],
            },
            _ => SeenPairs::Met(IdSet::default()),
        }
    }

    /// Whether the pair is new.
    fn insert(&mut self, left: u32, right: u32) -> bool {
        match self {
            SeenPairs::Met(pairs) => pairs.insert((left, right)),
            SeenPairs::Bits { width, bits } => {
                let bit = left as usize * *width + right as usize;
                let word = &mut bits[bit / 64];
                let is_new = *word >> (bit % 64) & 1 == 0;
                *word |= 1 << (bit % 64);
                is_new
            }
        }
    }
}

fn at(language: &Language, state: u32) -> &LanguageState {
    &language.states()[state as usize]
}

fn edges(state: Option<&LanguageState>) -> &[class::CharEdge] {
    state.map_or(&[], |s| &s.edges)
}
