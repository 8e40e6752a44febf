//! outlines-core: a regular expression for the schema, and for each state of its automaton a map
//! from tokens to states.

use outlines_core::index::Index;
use outlines_core::json_schema;
use outlines_core::primitives::StateId;
use outlines_core::vocabulary::Vocabulary as Tokens;
use peers_common::{Engine, Source, Vocabulary, Walker, run};

struct Outlines {
    tokens: Tokens,
    words: usize,
}

struct Walk<'a> {
    index: &'a Index,
    state: StateId,
    mask: Vec<u32>,
}

impl Engine for Outlines {
    type Compiled = Index;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let mut tokens = Tokens::new(vocabulary.eos);
        for (id, token) in vocabulary.tokens.iter().enumerate() {
            if !token.is_empty() {
                tokens.try_insert(token.clone(), id as u32).map_err(text)?;
            }
        }
        Ok(Outlines {
            tokens,
            words: vocabulary.words(),
        })
    }

    fn compile(&mut self, source: &Source) -> Result<Index, String> {
        let Source::Schema(schema) = source else {
            return Err("JSON is not a regular language".to_owned());
        };
        let regex = json_schema::regex_from_str(schema, None, None).map_err(text)?;
        Index::new(&regex, &self.tokens).map_err(text)
    }

    fn walker<'a>(&'a self, compiled: &'a mut Index) -> Result<Box<dyn Walker + 'a>, String> {
        Ok(Box::new(Walk {
            state: compiled.initial_state(),
            index: compiled,
            mask: vec![0; self.words],
        }))
    }

    fn artifact(&self, compiled: &Index) -> Option<usize> {
        // It can be encoded with bincode: for each transition the token and the state.
        let maps = compiled
            .transitions()
            .values()
            .map(|map| 8 * map.len() + 12);
        Some(maps.sum())
    }
}

impl Walker for Walk<'_> {
    fn reset(&mut self) {
        self.state = self.index.initial_state();
    }

    fn mask(&mut self) -> Result<(), String> {
        // What its Python binding does to fill a bitmap.
        self.mask.fill(0);
        let tokens = self.index.allowed_tokens_iter(&self.state);
        for &token in tokens.ok_or("no such state")? {
            self.mask[token as usize / 32] |= 1 << (token % 32);
        }
        Ok(())
    }

    fn read(&self, words: &mut [u32]) {
        words.copy_from_slice(&self.mask);
    }

    fn accept(&mut self, token: u32) -> bool {
        match self.index.next_state(&self.state, &token) {
            Some(next) => self.state = next,
            None => return false,
        }
        true
    }

    fn is_complete(&mut self) -> bool {
        self.index.is_final_state(&self.state)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn main() {
    run::<Outlines>();
}
