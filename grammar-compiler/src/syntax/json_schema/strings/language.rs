//! [`Language`]: a regular set of strings.

use super::class::{self, CharEdge};
use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

/// A regular set of strings: the minimal automaton over characters, trimmed and canonically
/// numbered, so that `==` is equality of sets. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Language {
    states: Arc<[LanguageState]>,
}

/// A state of a [`Language`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LanguageState {
    /// Whether a string may end here.
    pub is_final: bool,
    /// Edges `(low, high, target)` over inclusive ranges. A range from below the surrogates to
    /// above them spans them: they are no characters.
    pub edges: Vec<(char, char, u32)>,
}

impl Language {
    /// No string.
    pub fn empty() -> Language {
        Language::from_canonical(vec![LanguageState::default()])
    }

    /// All strings.
    pub fn any() -> Language {
        Language::from_canonical(vec![LanguageState {
            is_final: true,
            edges: vec![('\0', char::MAX, 0)],
        }])
    }

    /// One string.
    pub fn literal(text: &str) -> Language {
        let mut states: Vec<LanguageState> = (1..)
            .zip(text.chars())
            .map(|(to, c)| LanguageState {
                is_final: false,
                edges: vec![(c, c, to)],
            })
            .collect();
        states.push(LanguageState {
            is_final: true,
            edges: Vec::new(),
        });
        Language::from_canonical(states)
    }

    /// One character out of ranges, which may overlap.
    pub fn class(ranges: &[(char, char)]) -> Language {
        let mut edges: Vec<CharEdge> = Vec::new();
        let mut sorted: Vec<(char, char)> = ranges.iter().copied().filter(|r| r.0 <= r.1).collect();
        sorted.sort_unstable();
        for (low, high) in sorted {
            match edges.last_mut() {
                Some(last) if last.1 >= low => last.1 = last.1.max(high),
                _ => class::push(&mut edges, (low, high, 1)),
            }
        }
        if edges.is_empty() {
            return Language::empty();
        }
        let (is_final, end) = (true, Vec::new());
        let start = LanguageState {
            is_final: false,
            edges,
        };
        let end = LanguageState {
            is_final,
            edges: end,
        };
        Language::from_canonical(vec![start, end])
    }

    /// Wraps states that are minimal, trimmed and canonically numbered.
    pub(super) fn from_canonical(states: Vec<LanguageState>) -> Language {
        Language {
            states: states.into(),
        }
    }

    /// The states of the automaton; the first is the start.
    pub fn states(&self) -> &[LanguageState] {
        &self.states
    }

    /// Whether no string is in the set.
    pub fn is_empty(&self) -> bool {
        matches!(&*self.states, [s] if !s.is_final)
    }

    /// Whether every string is in the set.
    pub fn is_any(&self) -> bool {
        matches!(&*self.states, [s] if s.is_final && s.edges == [('\0', char::MAX, 0)])
    }

    /// Whether `text` is in the set.
    pub fn contains(&self, text: &str) -> bool {
        let mut at = 0u32;
        for c in text.chars() {
            match class::step(&self.states[at as usize].edges, c) {
                Some(to) => at = to,
                None => return false,
            }
        }
        self.states[at as usize].is_final
    }
}

impl Hash for Language {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // Sets that differ nearly always do so in size or in how their strings begin or end.
        let states = &self.states;
        states.len().hash(hasher);
        states.iter().take(8).for_each(|s| s.hash(hasher));
        states.iter().rev().take(8).for_each(|s| s.hash(hasher));
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_any() {
            return f.write_str("Language(any)");
        }
        if let Some(words) = self.words(4) {
            return f.debug_set().entries(words).finish();
        }
        let shortest = self.shortest().unwrap_or_default();
        write!(f, "Language({} states, {shortest:?}, …)", self.states.len())
    }
}
