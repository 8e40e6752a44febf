//! glrmask: a GLR parser whose masks come from an automaton over its stacks, worked out when
//! compiling.

mod tools;

use glrmask::{Constraint, ConstraintState, Grammar, Vocab};
use peers_common::{Engine, Source, Vocabulary, Walker, run};
use tools::Modules;

struct Glrmask {
    vocabulary: Vocab,
    modules: Modules,
}

struct Walk<'a> {
    constraint: &'a Constraint,
    state: ConstraintState<'a>,
    mask: Vec<u32>,
}

impl Engine for Glrmask {
    type Compiled = Constraint;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let tokens = vocabulary.tokens.iter().enumerate();
        let tokens = tokens.filter(|(_, token)| !token.is_empty());
        let tokens = tokens
            .map(|(id, token)| (id as u32, token.clone()))
            .collect();
        Ok(Glrmask {
            vocabulary: Vocab::new(tokens),
            modules: Modules::default(),
        })
    }

    fn compile(&mut self, source: &Source) -> Result<Constraint, String> {
        let schema = match source {
            Source::Grammar(of) => {
                let grammar = Grammar::from_ebnf(&of.ebnf).map_err(text)?;
                return grammar.compile(&self.vocabulary).map_err(text);
            }
            Source::Json => "{}",
            Source::Schema(schema) => schema,
            Source::Tools(tools) => {
                return self.modules.link(tools, &self.vocabulary).map_err(text);
            }
        };
        let grammar = Grammar::from_json_schema(schema).map_err(text)?;
        grammar.compile(&self.vocabulary).map_err(text)
    }

    fn walker<'a>(&'a self, compiled: &'a mut Constraint) -> Result<Box<dyn Walker + 'a>, String> {
        let mask = vec![0; compiled.mask_len()];
        Ok(Box::new(Walk {
            constraint: compiled,
            state: compiled.start(),
            mask,
        }))
    }

    fn artifact(&self, compiled: &Constraint) -> Option<usize> {
        Some(compiled.save().len())
    }
}

impl Walker for Walk<'_> {
    fn reset(&mut self) {
        self.state = self.constraint.start();
    }

    fn mask(&mut self) -> Result<(), String> {
        self.state.fill_mask(&mut self.mask);
        Ok(())
    }

    fn read(&self, words: &mut [u32]) {
        for (word, &mask) in words.iter_mut().zip(&self.mask) {
            *word = mask;
        }
    }

    fn accept(&mut self, token: u32) -> bool {
        self.state.commit_token(token)
    }

    fn is_complete(&mut self) -> bool {
        self.state.is_accepting()
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn main() {
    run::<Glrmask>();
}
