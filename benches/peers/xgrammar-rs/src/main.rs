//! xgrammar-rs: XGrammar in Rust. An Earley parser with masks that are worked out when compiling,
//! but for the tokens that depend on what is around.

use peers_common::{Engine, Source, Vocabulary, Walker, run};
use xgrammar::{
    CompiledGrammar, GrammarCompiler, GrammarMatcher, TokenizerInfo, VocabType,
    allocate_token_bitmask, get_bitmask_size,
};

struct Xgrammar {
    tokenizer: TokenizerInfo,
    /// A new one for every grammar: one that was used answers from its cache.
    compiler: GrammarCompiler,
}

struct Walk {
    matcher: GrammarMatcher,
    mask: Vec<i32>,
    shape: [i64; 1],
}

impl Xgrammar {
    fn compiler(tokenizer: &TokenizerInfo) -> GrammarCompiler {
        GrammarCompiler::new(tokenizer.clone(), 1, true, -1)
    }
}

impl Engine for Xgrammar {
    type Compiled = CompiledGrammar;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let eos = vec![vocabulary.eos as i32];
        let tokenizer = TokenizerInfo::new_from_bytes(
            &vocabulary.tokens,
            VocabType::RAW,
            None,
            Some(eos),
            false,
        )
        .map_err(text)?;
        let compiler = Self::compiler(&tokenizer);
        Ok(Xgrammar {
            tokenizer,
            compiler,
        })
    }

    fn forget(&mut self) {
        // Clearing the cache keeps rules of earlier grammars.
        self.compiler = Self::compiler(&self.tokenizer);
    }

    fn compile(&mut self, source: &Source) -> Result<CompiledGrammar, String> {
        match source {
            Source::Json => Ok(self.compiler.compile_builtin_json_grammar()),
            // Blanks anywhere; not strict: properties that the schema does not name are allowed, as
            // it says.
            Source::Schema(schema) => self
                .compiler
                .compile_json_schema(schema, true, None, None, false, None)
                .map_err(text),
            Source::Grammar(of) => self
                .compiler
                .compile_grammar_from_ebnf(&of.ebnf, "root")
                .map_err(text),
            Source::Tools(tools) => self
                .compiler
                .compile_structural_tag(&tools.structural_tag)
                .map_err(text),
        }
    }

    fn walker<'a>(
        &'a self,
        compiled: &'a mut CompiledGrammar,
    ) -> Result<Box<dyn Walker + 'a>, String> {
        let size = self.tokenizer.vocab_size();
        Ok(Box::new(Walk {
            matcher: GrammarMatcher::from_compiled_grammar(compiled, false),
            mask: allocate_token_bitmask(1, size),
            shape: [get_bitmask_size(size).into()],
        }))
    }

    fn artifact(&self, compiled: &CompiledGrammar) -> Option<usize> {
        Some(compiled.serialize_json().len())
    }

    fn extras(&self, compiled: &mut CompiledGrammar, _: &[&[u32]]) -> Vec<(String, f64)> {
        vec![(
            "memory bytes".to_owned(),
            compiled.memory_size_bytes() as f64,
        )]
    }
}

impl Walker for Walk {
    fn reset(&mut self) {
        self.matcher.reset();
    }

    fn mask(&mut self) -> Result<(), String> {
        let filled = self
            .matcher
            .fill_next_token_bitmask(&mut self.mask, &self.shape, 0);
        filled.map(|_| ()).map_err(text)
    }

    fn read(&self, words: &mut [u32]) {
        for (word, &mask) in words.iter_mut().zip(&self.mask) {
            *word = mask as u32;
        }
    }

    fn accept(&mut self, token: u32) -> bool {
        self.matcher.accept_token(token as i32)
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_completed()
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn main() {
    run::<Xgrammar>();
}
