//! Tools compiled for a vocabulary.

use crate::random::Tool;
use maskwright::calls::CallFormat;
use maskwright::{Grammar, Vocabulary};
use maskwright_compiler::error::Error;
use maskwright_compiler::syntax::json_schema::SchemaOptions;
use maskwright_compiler::syntax::json_schema::numbers::NumberForms;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::{GrammarText, Parsed};
use maskwright_compiler::{Compiler, vocabulary};
use maskwright_tests::harness::{TestMatcher, unhurried};
use serde_json::Value;

/// A vocabulary, ready for compiling and for the runtime.
pub struct Words {
    /// What each token writes: its bytes, or the name of a special token.
    pub texts: Vec<Vec<u8>>,
    /// Whether the token ends an output.
    pub ends: Vec<u32>,
    compiler: Compiler,
    tables: Vec<u8>,
}

impl Words {
    pub fn new(vocabulary: &vocabulary::Vocabulary) -> Self {
        let mut texts: Vec<Vec<u8>> = vocabulary.iter().map(<[u8]>::to_vec).collect();
        for (id, name) in vocabulary.special() {
            texts[id as usize] = name.as_bytes().to_vec();
        }
        Words {
            texts,
            ends: vocabulary.eos().to_vec(),
            compiler: Compiler::new(vocabulary).expect("it is within its limits"),
            tables: vocabulary.pack().expect("it is within its limits"),
        }
    }

    /// The bytes one by one, and an end token.
    pub fn bytes() -> Self {
        let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
        tokens.push(Vec::new());
        Words::new(&vocabulary::Vocabulary::from_tokens(tokens, vec![256]))
    }
}

/// The tables of some tools.
pub struct Compiled<'w> {
    pub parsed: Parsed,
    tables: Vec<u8>,
    words: &'w Words,
}

impl<'w> Compiled<'w> {
    pub fn new(tools: &[Tool], options: ToolOptions, words: &'w Words) -> Result<Self, Error> {
        let all: Vec<&Value> = tools.iter().map(|tool| &tool.json).collect();
        Compiled::of(&serde_json::json!(all).to_string(), options, words)
    }

    /// The same of a request's text.
    pub fn of(tools: &str, options: ToolOptions, words: &'w Words) -> Result<Self, Error> {
        let text = GrammarText::tools(tools).tool_options(options);
        // No reader of JSON reads the numbers that any exponents make.
        let schema = SchemaOptions::default().numbers(NumberForms::default().exponents(false));
        let text = text.schema_options(schema).tokens(words.compiler.tokens());
        let options = unhurried().threads(1);
        let parsed = text.parse(&options.limits)?;
        let compiled = words
            .compiler
            .with_options(options.clone())
            .compile(&parsed.grammar)?;
        Ok(Compiled {
            tables: compiled.into_tables(),
            parsed,
            words,
        })
    }

    pub fn with_grammar<R>(&self, work: impl FnOnce(&Grammar<'_>) -> R) -> R {
        let vocabulary = Vocabulary::load(&self.words.tables).expect("the vocabulary loads");
        let grammar = Grammar::load(&self.tables).expect("the tables load");
        let grammar = grammar.with_vocabulary(vocabulary);
        work(&grammar.expect("it was compiled for this vocabulary"))
    }

    /// How many bytes of a text can be the beginning of an output, and whether all of it is one.
    /// For vocabularies without special tokens.
    pub fn accepts(&self, text: &str) -> (usize, bool) {
        self.with_grammar(|grammar| {
            let mut matcher = TestMatcher::new(grammar).expect("a matcher can be made");
            let bytes = text.bytes().enumerate();
            for (at, byte) in bytes {
                if matcher.accept_bytes(&[byte]).is_err() {
                    return (at, false);
                }
            }
            (text.len(), matcher.is_complete())
        })
    }

    /// Gives the format of the outputs to `read`.
    pub fn read<R>(&self, read: impl FnOnce(&CallFormat<'_>) -> R) -> R {
        let calls = self.parsed.calls.as_ref();
        calls.expect("tools were read").with_format(read)
    }
}
