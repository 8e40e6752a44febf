//! Schemas compiled for a vocabulary, texts accepted, texts generated under the masks.

use maskwright::{Grammar, Vocabulary};
use maskwright_compiler::error::Error;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema::{self, SchemaOptions};
use maskwright_compiler::{Compiler, Options, vocabulary};
use maskwright_tests::harness::TestMatcher;
use maskwright_tests::random::Random;

/// A vocabulary, ready for compiling and for the runtime.
pub struct Words {
    /// The bytes of each token.
    pub tokens: Vec<Vec<u8>>,
    compiler: Compiler,
    tables: Vec<u8>,
}

impl Words {
    /// The vocabulary of these tokens.
    pub fn new(tokens: Vec<Vec<u8>>, eos: Vec<u32>) -> Self {
        let vocabulary = vocabulary::Vocabulary::from_tokens(tokens.clone(), eos);
        Words {
            tokens,
            compiler: Compiler::new(&vocabulary).expect("it is within its limits"),
            tables: vocabulary
                .pack()
                .expect("the vocabulary is within its limits"),
        }
    }

    /// The bytes one by one, and an end token.
    pub fn bytes() -> Self {
        let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
        tokens.push(Vec::new());
        Words::new(tokens, vec![256])
    }
}

/// A schema's tables.
pub struct Compiled<'w> {
    tables: Vec<u8>,
    words: &'w Words,
}

/// After so many tokens a walk looks for the end.
const TIRED: usize = 60;
/// After so many tokens a walk is given up.
const MOST_TOKENS: usize = 1500;

impl<'w> Compiled<'w> {
    /// Compiles a schema.
    pub fn new(
        schema: &str,
        words: &'w Words,
        schema_options: &SchemaOptions,
        options: &Options,
    ) -> Result<Self, Error> {
        let grammar = json_schema::parse(
            &Source::new("schema", schema),
            &schema_options.clone().into(),
        )?
        .grammar;
        Compiled::of(&grammar, words, options)
    }

    /// Compiles a grammar.
    pub fn of(
        grammar: &maskwright_compiler::grammar::Grammar,
        words: &'w Words,
        options: &Options,
    ) -> Result<Self, Error> {
        let tables = words
            .compiler
            .with_options(options.clone())
            .compile(grammar)?
            .into_tables();
        Ok(Compiled { tables, words })
    }

    fn with_grammar<T>(&self, work: impl FnOnce(&Grammar<'_>) -> T) -> T {
        let vocabulary = Vocabulary::load(&self.words.tables).expect("the vocabulary loads");
        let grammar = Grammar::load(&self.tables).expect("the tables load");
        let grammar = grammar
            .with_vocabulary(vocabulary)
            .expect("it was compiled for this vocabulary");
        work(&grammar)
    }

    /// Bytes of the tables.
    pub fn size(&self) -> usize {
        self.tables.len()
    }

    /// Whether the text is a sentence.
    pub fn accepts(&self, text: &str) -> bool {
        self.with_grammar(|grammar| {
            let mut matcher = TestMatcher::new(grammar).expect("a matcher can be made");
            matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
        })
    }

    /// A text of random tokens under the masks; `None` if it did not end in time.
    pub fn generate(&self, random: &mut Random) -> Option<Vec<u8>> {
        self.generate_by(MOST_TOKENS, |allowed, step| {
            self.pick(allowed, step > TIRED, random)
        })
    }

    /// A text of up to so many tokens that `pick` chooses of those that the masks allow, given the
    /// number of those before.
    pub fn generate_by(
        &self,
        most: usize,
        mut pick: impl FnMut(&[u32], usize) -> u32,
    ) -> Option<Vec<u8>> {
        self.with_grammar(|grammar| {
            let mut matcher = TestMatcher::new(grammar).expect("a matcher can be made");
            let mut text = Vec::new();
            for step in 0..most {
                let allowed: Vec<u32> = matcher.mask().iter().collect();
                assert!(
                    !allowed.is_empty(),
                    "no token is allowed after {}",
                    text.escape_ascii()
                );
                let token = pick(&allowed, step);
                matcher.accept_token(token).expect("the mask allows it");
                text.extend_from_slice(&self.words.tokens[token as usize]);
                if matcher.is_finished() {
                    return Some(text);
                }
            }
            None
        })
    }

    /// First a first byte, each as likely as another, then a token; a tired walk prefers what ends
    /// things.
    fn pick(&self, allowed: &[u32], is_tired: bool, random: &mut Random) -> u32 {
        let bytes = |id: u32| self.words.tokens[id as usize].as_slice();
        let mut firsts: Vec<Option<u8>> = allowed
            .iter()
            .map(|&id| bytes(id).first().copied())
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        let ends = [None, Some(b'}'), Some(b']'), Some(b'"')];
        let end = ends.iter().find(|end| firsts.contains(end));
        let first = match end {
            Some(end) if is_tired && random.below(4) > 0 => *end,
            _ => *random.pick(&firsts).expect("a token is allowed"),
        };
        let fits = |id: &u32| bytes(*id).first().copied() == first;
        let mut some: Vec<u32> = allowed.iter().copied().filter(fits).collect();
        if is_tired {
            let shortest = some.iter().map(|&id| bytes(id).len()).min();
            some.retain(|&id| Some(bytes(id).len()) == shortest);
        }
        *random.pick(&some).expect("a token begins so")
    }
}
