//! Languages made from states that need not be minimal, and from lists of strings.

use super::bounds::{Budget, LanguageError};
use super::determinize::{NfaState, StringNfa};
use super::{Language, LanguageState, class, minimize};
use crate::intern::KeyedInterner;
use crate::limits::Deadline;

impl Language {
    /// The strings that lead from the first state to a final one. Edges may overlap; those to
    /// states that are not there lead nowhere.
    pub fn from_states(
        states: Vec<LanguageState>,
        deadline: &Deadline,
    ) -> Result<Language, LanguageError> {
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
        nfa.determinize(&[0], &mut Budget::new(deadline))
    }

    /// These strings. They are taken in order, so that a state has all its edges before the next
    /// one begins, and is found if there is one like it: J. Daciuk et al., *Incremental
    /// construction of minimal acyclic finite-state automata* (2000).
    pub fn literals<'a>(
        texts: impl IntoIterator<Item = &'a str>,
        deadline: &Deadline,
    ) -> Result<Language, LanguageError> {
        let mut sorted: Vec<&str> = texts.into_iter().collect();
        sorted.sort_unstable();
        let mut states = LiteralStates::new(deadline);
        let mut before = "";
        for text in sorted {
            let pairs = text.chars().zip(before.chars());
            let shared = pairs.take_while(|(a, b)| a == b).count();
            states.close(shared);
            for c in text.chars().skip(shared) {
                states.open(c)?;
            }
            states.end();
            before = text;
        }
        Ok(states.into_language())
    }
}

/// The states of a list of strings. Each is closed after those that it leads to.
struct LiteralStates<'d> {
    closed: KeyedInterner<LanguageState>,
    root: LanguageState,
    /// The states along the last string, each with the character that leads to it.
    path: Vec<(char, LanguageState)>,
    budget: Budget<'d>,
}

impl<'d> LiteralStates<'d> {
    fn new(deadline: &'d Deadline) -> Self {
        LiteralStates {
            closed: KeyedInterner::default(),
            root: LanguageState::default(),
            path: Vec::new(),
            budget: Budget::of_listed(deadline),
        }
    }

    fn last(&mut self) -> &mut LanguageState {
        self.path.last_mut().map_or(&mut self.root, |of| &mut of.1)
    }

    /// Goes on along one more character.
    fn open(&mut self, c: char) -> Result<(), LanguageError> {
        self.budget.state()?;
        self.path.push((c, LanguageState::default()));
        Ok(())
    }

    /// A string ends here.
    fn end(&mut self) {
        self.last().is_final = true;
    }

    /// Closes the states behind the first `length` characters.
    fn close(&mut self, length: usize) {
        while self.path.len() > length
            && let Some((c, state)) = self.path.pop()
        {
            let to = self.closed.intern(state);
            class::push(&mut self.last().edges, (c, c, to));
        }
    }

    fn into_language(mut self) -> Language {
        self.close(0);
        // The first state is the start.
        let mut states = self.closed.values;
        states.push(self.root);
        states.reverse();
        let last = states.len() as u32 - 1;
        let edges = states.iter_mut().flat_map(|state| &mut state.edges);
        edges.for_each(|edge| edge.2 = last - edge.2);
        minimize::minimal(states)
    }
}
