//! llguidance: an Earley parser over lazily derived regular expressions; masks are worked out when
//! they are asked for.

use std::sync::Arc;

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, SimpleVob, TokEnv, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};
use peers_common::{Engine, Source, Vocabulary, Walker, run};

struct Llguidance {
    factory: ParserFactory,
}

struct Walk<'a> {
    origin: &'a Matcher,
    matcher: Matcher,
    mask: SimpleVob,
}

impl Engine for Llguidance {
    type Compiled = Matcher;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let mut tokens = vocabulary.tokens.clone();
        // Special tokens are marked by a byte that is in no text.
        tokens[vocabulary.eos as usize] = b"\xff<|end|>".to_vec();
        let info = TokRxInfo::new(tokens.len() as u32, vocabulary.eos);
        let environment: TokEnv = Arc::new(ApproximateTokEnv::new(TokTrie::from(&info, &tokens)));
        let mut factory = ParserFactory::new_simple(&environment).map_err(text)?;
        factory.quiet();
        Ok(Llguidance { factory })
    }

    fn compile(&mut self, source: &Source) -> Result<Matcher, String> {
        let schema = |schema| {
            let schema = serde_json::from_str(schema).map_err(text)?;
            Ok::<_, String>(TopLevelGrammar::from_json_schema(schema))
        };
        let grammar = match source {
            Source::Json => schema("{}")?,
            Source::Schema(text) => schema(text)?,
            Source::Grammar(of) => TopLevelGrammar::from_lark(of.lark.clone()),
            Source::Tools(tools) => TopLevelGrammar::from_lark(tools.lark.clone()),
        };
        Ok(Matcher::new(Ok(self
            .factory
            .create_parser(grammar)
            .map_err(text)?)))
    }

    fn walker<'a>(&'a self, compiled: &'a mut Matcher) -> Result<Box<dyn Walker + 'a>, String> {
        let matcher = compiled.deep_clone();
        Ok(Box::new(Walk {
            origin: compiled,
            matcher,
            mask: SimpleVob::new(),
        }))
    }

    fn artifact(&self, _: &Matcher) -> Option<usize> {
        None
    }
}

impl Walker for Walk<'_> {
    fn reset(&mut self) {
        // A reset keeps what the lexer has derived so far; after an error only a new copy helps.
        if self.matcher.reset().is_err() || self.matcher.is_error() {
            self.matcher = self.origin.deep_clone();
        }
    }

    fn mask(&mut self) -> Result<(), String> {
        self.mask = self.matcher.compute_mask_or_eos().map_err(text)?;
        Ok(())
    }

    fn read(&self, words: &mut [u32]) {
        let mask = &self.mask.as_slice()[..words.len()];
        words.copy_from_slice(mask);
    }

    fn accept(&mut self, token: u32) -> bool {
        self.matcher.consume_token(token).is_ok()
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_accepting().unwrap_or(false)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    format!("{error:#}")
}

fn main() {
    run::<Llguidance>();
}
