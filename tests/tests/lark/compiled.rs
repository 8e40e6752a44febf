//! Lark grammars compiled for the tests' vocabularies.

use maskwright::{Grammar, Matcher, Vocabulary};
use maskwright_compiler::error::Error;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::GrammarText;
use maskwright_compiler::syntax::lark::{LarkLexer, LarkOptions, LarkParser};
use maskwright_compiler::{Compiler, Options, vocabulary};

/// A matcher with room for all that is tested.
pub type TestMatcher<'t> = Matcher<'t, 100, 32>;

/// A vocabulary and its tables.
pub struct Words {
    pub compiler: Compiler,
    pub tables: Vec<u8>,
    pub tokens: Vec<Vec<u8>>,
}

impl Words {
    /// All bytes, these tokens, and an end token, the last one.
    pub fn new(more: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        tokens.extend(more);
        tokens.push(Vec::new());
        let eos = vec![tokens.len() as u32 - 1];
        let vocabulary = vocabulary::Vocabulary::from_tokens(tokens.clone(), eos);
        Words {
            tables: vocabulary.pack().unwrap(),
            compiler: Compiler::new(&vocabulary).unwrap(),
            tokens,
        }
    }

    /// The tables of a grammar, which may take a number of seconds.
    pub fn compile(
        &self,
        text: &str,
        options: LarkOptions,
        limits: Limits,
    ) -> Result<Vec<u8>, Error> {
        let compiler = self
            .compiler
            .with_options(Options::default().limits(limits));
        let text = GrammarText::lark(text).lark_options(options);
        Ok(compiler.compile_text(&text)?.into_tables())
    }

    /// What a grammar says of a text: whether it can be finished, and whether it is a sentence.
    pub fn verdict(&self, tables: &[u8], text: &[u8]) -> (bool, bool) {
        let grammar = self.grammar(tables);
        let mut matcher = TestMatcher::new(&grammar).unwrap();
        // Before the first byte a matcher is there even if the grammar has no sentence at all.
        let is_viable = matcher.accept_bytes(text).is_ok() && !matcher.mask().is_empty();
        (is_viable, is_viable && matcher.is_complete())
    }

    /// Tables with the vocabulary.
    pub fn grammar<'t>(&'t self, tables: &'t [u8]) -> Grammar<'t> {
        let grammar = Grammar::load(tables).unwrap();
        let words = Vocabulary::load(&self.tables).unwrap();
        grammar.with_vocabulary(words).unwrap()
    }
}

/// Options with a lexer, under which all readings of the grammar count.
pub fn with_lexer(lexer: LarkLexer) -> LarkOptions {
    LarkOptions::default()
        .lexer(lexer)
        .parser(LarkParser::Earley)
}
