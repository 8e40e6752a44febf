//! Sets of strings against brute force.

mod algebra;
mod counted;
mod formats;
mod json_texts;
mod pattern_syntax;
mod patterns;

use super::{Language, LanguageState};
use crate::limits::Deadline;
use proptest::prelude::*;

/// Characters at the edges of what is special: ASCII, the surrogates, the planes, the end.
const ALPHABET: [char; 6] = ['a', 'b', '\u{d7ff}', '\u{e000}', '😀', char::MAX];

/// All strings over the alphabet of up to four characters.
fn short_strings() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let to = all.len();
        for at in from..to {
            all.extend(ALPHABET.map(|c| format!("{}{c}", all[at])));
        }
        from = to;
    }
    all
}

/// An automaton, perhaps nondeterministic.
fn states() -> impl Strategy<Value = Vec<LanguageState>> {
    (1usize..6).prop_flat_map(|count| {
        let edge = (0..ALPHABET.len(), 0..ALPHABET.len(), 0..count as u32);
        let edge = edge.prop_map(|(a, b, to)| (ALPHABET[a.min(b)], ALPHABET[a.max(b)], to));
        let state = (any::<bool>(), prop::collection::vec(edge, 0..4));
        let state = state.prop_map(|(is_final, edges)| LanguageState { is_final, edges });
        prop::collection::vec(state, count)
    })
}

/// Whether an automaton accepts, by trying every way.
fn accepts(states: &[LanguageState], text: &str) -> bool {
    let mut at = vec![0u32];
    for c in text.chars() {
        let edges = at.iter().flat_map(|&s| &states[s as usize].edges);
        at = edges
            .filter(|e| e.0 <= c && c <= e.1)
            .map(|e| e.2)
            .collect();
        at.sort_unstable();
        at.dedup();
    }
    at.iter().any(|&s| states[s as usize].is_final)
}

fn language(states: &[LanguageState]) -> Language {
    Language::from_states(states.to_vec(), &Deadline::never()).unwrap()
}
