//! One grammar compiled for one vocabulary, with its oracle, and walks through both.

use crate::oracle::{self, Cfg, Chart, Trie, allowed_tokens};
use crate::random::Random;
use crate::suite;
use crate::tokenizer::Tokenizer;
use maskwright::{AcceptError, Grammar, Matcher, Vocabulary};
use maskwright_compiler::error::Error;
use maskwright_compiler::limits::{Limits, Tuning};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::{ParseOptions, ebnf};
use maskwright_compiler::{Compiled, Compiler, Options, grammar, vocabulary};
use std::fmt;
use std::sync::LazyLock;
use std::time::Duration;

/// Frames that the tests' matchers have room for: more than any walk nests.
pub const DEPTH: usize = 250;
/// Stacks that the tests' matchers have room for.
pub const STACKS: usize = 64;

/// A matcher of the tests.
pub type TestMatcher<'t> = Matcher<'t, DEPTH, STACKS>;

/// Options under which readings share stacks, and under which each reading has its own.
pub fn together_and_apart(options: Options) -> [Options; 2] {
    let apart = options.clone().tuning(Tuning::default().together(0));
    [options, apart]
}

/// Compiles one grammar for a vocabulary.
///
/// # Errors
/// What the compiler says.
pub fn compile(
    grammar: &grammar::Grammar,
    vocabulary: &vocabulary::Vocabulary,
    options: &Options,
) -> Result<Compiled, Error> {
    let compiler = Compiler::new(vocabulary)?.with_options(options.clone());
    compiler.compile(grammar)
}

/// A vocabulary in all forms that the tests need.
pub struct Words {
    /// The compiler's form.
    pub vocabulary: vocabulary::Vocabulary,
    /// The runtime's tables of it.
    pub tables: Vec<u8>,
    /// The oracle's trie of the tokens in question: all of them, or a sample.
    pub trie: Trie,
    /// The ids that `trie` holds, and all ids that match no text, ascending.
    pub asked: Vec<u32>,
}

impl Words {
    /// Asks for every token.
    pub fn all(vocabulary: vocabulary::Vocabulary) -> Self {
        let asked = (0..vocabulary.size()).collect();
        Words::asking(vocabulary, asked)
    }

    /// Asks for these ids only.
    pub fn asking(vocabulary: vocabulary::Vocabulary, asked: Vec<u32>) -> Self {
        let trie = Trie::new(asked.iter().map(|&id| (id, vocabulary.bytes(id))));
        let tables = vocabulary
            .pack()
            .expect("the vocabulary is within its limits");
        Words {
            vocabulary,
            tables,
            trie,
            asked,
        }
    }
}

/// Grammars of the suite that take long, and are left out unless `MASKWRIGHT_LONG` is set.
const LONG: [&str; 1] = ["sql_unreserved"];

/// Each grammar of the suite, compiled for the small tokenizer; once for all tests of a process.
///
/// `MASKWRIGHT_SUITE=name,name` takes these only.
///
/// # Panics
/// If a grammar is refused.
pub fn compiled_suite() -> &'static [Built<'static>] {
    static WORDS: LazyLock<Words> = LazyLock::new(|| Words::all(Tokenizer::train().vocabulary()));
    static SUITE: LazyLock<Vec<Built<'static>>> = LazyLock::new(|| {
        let entries = suite::load()
            .into_iter()
            .filter(|entry| is_wanted(&entry.name));
        let compile = |entry: suite::Entry| {
            Built::new(&entry.name, &entry.ebnf, &WORDS, &unhurried())
                .unwrap_or_else(|error| panic!("{}: {error}", entry.name))
        };
        entries.map(compile).collect()
    });
    &SUITE
}

fn is_wanted(name: &str) -> bool {
    match std::env::var("MASKWRIGHT_SUITE") {
        Ok(only) => only.split(',').any(|one| one == name),
        Err(_) => !LONG.contains(&name) || crate::effort::is_long(),
    }
}

/// Parses EBNF text with the compiler's front end.
///
/// # Errors
/// What the front end says.
pub fn parse(name: &str, text: &str) -> Result<grammar::Grammar, Error> {
    Ok(ebnf::parse(&Source::new(name, text), &ParseOptions::default())?.grammar)
}

/// The default options without haste, since what a test expects to compile must not depend on what
/// else the machine does; grammars whose number of stacks is not proved are compiled, too.
pub fn unhurried() -> Options {
    let limits = Limits::default().time(Duration::from_secs(3600));
    Options::default().limits(limits)
}

/// A grammar's tables and its oracle.
pub struct Built<'w> {
    /// The name, for messages.
    pub name: String,
    /// The EBNF text.
    pub ebnf: String,
    /// The reduced grammar of the oracle.
    pub cfg: Cfg,
    /// The compiled tables.
    pub tables: Vec<u8>,
    /// The vocabulary.
    pub words: &'w Words,
}

impl<'w> Built<'w> {
    /// Compiles `ebnf` for `words`.
    ///
    /// # Errors
    /// What the compiler says.
    ///
    /// # Panics
    /// If the oracle cannot read the grammar.
    pub fn new(name: &str, ebnf: &str, words: &'w Words, options: &Options) -> Result<Self, Error> {
        let tables = compile(&parse(name, ebnf)?, &words.vocabulary, options)?.into_tables();
        let cfg = oracle::grammar_from_ebnf(ebnf).unwrap_or_else(|error| panic!("{name}: {error}"));
        Ok(Built {
            name: name.to_owned(),
            ebnf: ebnf.to_owned(),
            cfg,
            tables,
            words,
        })
    }

    /// The tables, loaded and with the vocabulary attached.
    ///
    /// # Panics
    /// If they do not load.
    pub fn grammar(&self) -> Grammar<'_> {
        let vocabulary =
            Vocabulary::load(&self.words.tables).expect("the vocabulary's tables load");
        let grammar =
            Grammar::load(&self.tables).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        grammar
            .with_vocabulary(vocabulary)
            .expect("the grammar was compiled for this vocabulary")
    }
}

/// Where the mask and the oracle differ.
#[derive(Debug)]
pub struct Mismatch {
    grammar: String,
    prefix: String,
    /// Tokens that the oracle allows and the mask leaves out.
    missing: Vec<String>,
    /// Tokens that the mask allows and the oracle does not.
    extra: Vec<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            grammar,
            prefix,
            missing,
            extra,
        } = self;
        let some = |list: &[String]| list.iter().take(8).cloned().collect::<Vec<_>>().join(" ");
        writeln!(f, "{grammar}: after \"{prefix}\"")?;
        writeln!(
            f,
            "  missing from the mask ({}): {}",
            missing.len(),
            some(missing)
        )?;
        write!(f, "  not allowed ({}): {}", extra.len(), some(extra))
    }
}

/// A text under way in the matcher and in the oracle.
pub struct Walk<'b> {
    /// What is walked.
    pub built: &'b Built<'b>,
    /// The compiled side.
    pub matcher: TestMatcher<'b>,
    /// The oracle's side.
    pub chart: Chart<'b>,
    /// The text so far.
    pub text: Vec<u8>,
}

impl<'b> Walk<'b> {
    /// A walk at the beginning of a text.
    ///
    /// # Panics
    /// If no matcher can be made.
    pub fn new(built: &'b Built<'b>, grammar: &'b Grammar<'b>) -> Self {
        let matcher =
            TestMatcher::new(grammar).unwrap_or_else(|error| panic!("{}: {error}", built.name));
        Walk {
            built,
            matcher,
            chart: Chart::new(&built.cfg),
            text: Vec::new(),
        }
    }

    /// Compares mask and oracle for every token asked for, end tokens and tokens without bytes
    /// included; returns the tokens that are allowed and have bytes.
    ///
    /// # Errors
    /// The tokens that differ.
    pub fn compare(&mut self) -> Result<Vec<u32>, Box<Mismatch>> {
        let words = self.built.words;
        let allowed = allowed_tokens(&mut self.chart, &words.trie);
        let mut buffer = vec![0; self.matcher.mask().words()];
        self.matcher
            .mask()
            .fill(&mut buffer)
            .expect("the buffer is long enough");
        let sentence = self.chart.is_sentence();
        let (mut missing, mut extra) = (Vec::new(), Vec::new());
        for &id in &words.asked {
            let is_end = words.vocabulary.eos().binary_search(&id).is_ok();
            let expected = if is_end {
                sentence
            } else {
                allowed.binary_search(&id).is_ok()
            };
            let found = buffer[id as usize / 32] >> (id % 32) & 1 == 1;
            match (expected, found) {
                (true, false) => missing.push(self.show(id)),
                (false, true) => extra.push(self.show(id)),
                _ => {}
            }
        }
        if missing.is_empty() && extra.is_empty() && self.matcher.is_complete() == sentence {
            return Ok(allowed);
        }
        let prefix = self.text.escape_ascii().to_string();
        Err(Box::new(Mismatch {
            grammar: self.built.name.clone(),
            prefix,
            missing,
            extra,
        }))
    }

    /// Goes on with a token that the oracle allows; `false` if the matcher's stacks do not suffice
    /// for it.
    ///
    /// # Panics
    /// If the matcher refuses it for another reason.
    pub fn advance(&mut self, id: u32) -> bool {
        let bytes = self.built.words.vocabulary.bytes(id);
        match self.matcher.accept_token(id) {
            Err(AcceptError::TooManyStacks) => return false,
            Err(error) => panic!(
                "{}: after \"{}\", {}: {error}",
                self.built.name,
                self.text.escape_ascii(),
                self.show(id)
            ),
            Ok(()) => {}
        }
        assert!(
            self.chart.push_all(bytes),
            "{}: the oracle refuses {}",
            self.built.name,
            self.show(id)
        );
        self.text.extend_from_slice(bytes);
        true
    }

    fn show(&self, id: u32) -> String {
        format!(
            "{id}=\"{}\"",
            self.built.words.vocabulary.bytes(id).escape_ascii()
        )
    }
}

/// Picks among `allowed`: first a first byte, each as likely as another, then a token. So structure
/// is met as often as the many tokens of free text.
pub fn pick(allowed: &[u32], words: &Words, random: &mut Random) -> Option<u32> {
    let first = |id: u32| words.vocabulary.bytes(id).first().copied();
    let mut firsts: Vec<u8> = allowed.iter().filter_map(|&id| first(id)).collect();
    firsts.sort_unstable();
    firsts.dedup();
    let byte = *random.pick(&firsts)?;
    let some: Vec<u32> = allowed
        .iter()
        .copied()
        .filter(|&id| first(id) == Some(byte))
        .collect();
    random.pick(&some).copied()
}

/// Picks among `allowed` a token with which `rest` begins: a random way to cut a given text into
/// tokens.
pub fn pick_along(allowed: &[u32], words: &Words, rest: &[u8], random: &mut Random) -> Option<u32> {
    let fits: Vec<u32> = allowed
        .iter()
        .copied()
        .filter(|&id| rest.starts_with(words.vocabulary.bytes(id)))
        .collect();
    random.pick(&fits).copied()
}

/// How walks went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Masks compared.
    pub masks: usize,
    /// Walks that ended because the stacks did not suffice.
    pub too_many_stacks: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.masks += other.masks;
        self.too_many_stacks += other.too_many_stacks;
    }
}

/// Walks `steps` random tokens and compares at each.
///
/// # Errors
/// The first mismatch.
pub fn random_walk(
    walk: &mut Walk<'_>,
    steps: usize,
    random: &mut Random,
) -> Result<Tally, Box<Mismatch>> {
    let mut tally = Tally::default();
    for _ in 0..steps {
        let allowed = walk.compare()?;
        tally.masks += 1;
        let Some(id) = pick(&allowed, walk.built.words, random) else {
            break;
        };
        if !walk.advance(id) {
            tally.too_many_stacks += 1;
            break;
        }
    }
    Ok(tally)
}

/// Walks along a text, cut at random, and compares before each token and at the end.
///
/// # Errors
/// The first mismatch.
pub fn walk_along(
    walk: &mut Walk<'_>,
    text: &[u8],
    random: &mut Random,
) -> Result<Tally, Box<Mismatch>> {
    let mut tally = Tally::default();
    loop {
        let allowed = walk.compare()?;
        tally.masks += 1;
        let rest = &text[walk.text.len()..];
        let Some(id) = pick_along(&allowed, walk.built.words, rest, random) else {
            break;
        };
        if !walk.advance(id) {
            tally.too_many_stacks += 1;
            break;
        }
    }
    Ok(tally)
}
