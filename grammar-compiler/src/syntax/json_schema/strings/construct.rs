//! Languages made from states that need not be minimal, and from lists of strings.

use super::bounds::{Budget, LanguageTooLarge};
use super::determinize::{NfaState, StringNfa};
use super::{Language, LanguageState, class, minimize};

impl Language {
    /// The strings that lead from the first state to a final one. Edges may overlap; those to states
    /// that are not there lead nowhere.
    pub fn from_states(states: Vec<LanguageState>) -> Result<Language, LanguageTooLarge> {
        let count = states.len() as u32;
        let states = states
            .into_iter()
            .map(|LanguageState { is_final, edges }| NfaState {
                is_final,
                edges: (edges.into_iter())
                    .filter(|e| e.0 <= e.1 && e.2 < count)
                    .collect(),
                empty: Vec::new(),
            });
        let nfa = StringNfa {
            states: states.collect(),
        };
        if nfa.states.is_empty() {
            return Ok(Language::empty());
        }
        nfa.determinize(&[0], &mut Budget::new())
    }

    /// These strings.
    pub fn literals<'a>(
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<Language, LanguageTooLarge> {
        let mut sorted: Vec<Vec<char>> = texts.into_iter().map(|t| t.chars().collect()).collect();
        sorted.sort_unstable();
        let mut budget = Budget::new();
        let mut trie = vec![LanguageState::default()];
        let mut path: Vec<u32> = vec![0];
        let mut before: &[char] = &[];
        for text in &sorted {
            let shared = text.iter().zip(before).take_while(|(a, b)| a == b).count();
            path.truncate(shared + 1);
            for &c in &text[shared..] {
                budget.state()?;
                let to = trie.len() as u32;
                let from = path.last().copied().unwrap_or(0);
                class::push(&mut trie[from as usize].edges, (c, c, to));
                trie.push(LanguageState::default());
                path.push(to);
            }
            let end = path.last().copied().unwrap_or(0);
            trie[end as usize].is_final = true;
            before = text;
        }
        minimize::minimize(trie)
    }
}
