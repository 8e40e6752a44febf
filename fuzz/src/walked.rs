//! Grammars, compiled and walked: masks agree with acceptance and with the first tier's, and
//! complete texts with the grammar.
//!
//! The input is a grammar, and behind a NUL the choices of tokens. What is too large for small
//! limits is not compiled.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::{Target, split_at_nul};
use maskwright_compiler::error::Code;
use maskwright_compiler::grammar::{Grammar, interpret};
use maskwright_compiler::lazy::{LazyMatcher, LazyVocabulary};
use maskwright_compiler::limits::{Deadline, Limits};
use maskwright_compiler::source::{Source, Sources};
use maskwright_compiler::syntax::{ParseOptions, Parsed, ebnf::parse};
use maskwright_compiler::{
    Automaton, Compiler, Error, Options, nondeterminism, vocabulary::Vocabulary,
};
use maskwright_core::{AcceptError, Matcher};

/// This target.
pub const TARGET: Target = Target {
    name: "walked",
    run,
    seeds: &[
        "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"\"\0abcdefgh",
        "root ::= \"a\"* \"c\" | n\nn ::= \"a\" n \"b\" | \"\"\0\u{1}\u{2}\u{3}\u{4}",
        "root ::= s\ns ::= [ab]* s \"c\" | \"é\"\00123456",
        "root ::= \"[\" (root (\",\" root)*)? \"]\" | (\"a\" b){2,40}\nb ::= \"b\"{0,3}\0xyzxyzxyz",
        "root ::= e\ne ::= e \"+\" e | \"(\" e \")\" | [ab] | n e \"c\"\nn ::= \"b\"?\0qwerty",
    ],
    words: &[
        "\nn ::= ", "\ns ::= ", "root", "n", "s", "e", "|", "(", ")", "*", "+", "?", "{2}",
        "{0,20}", "{3,}", "\"a\"", "\"b\"", "\"ab\"", "\"\"", "[ab]", "[^a]", "\"é\"", "\",\"",
        "\0", " ", "/a|b*/",
    ],
};

/// Steps of a walk.
const STEPS: usize = 10;
/// Longer texts are not read by the grammar itself.
const MAX_READ: usize = 24;
/// In longer texts the depth of the tables' matcher may tell, which the first tier does not have.
const SHALLOW: usize = 8;

/// A vocabulary in its three forms.
struct Words {
    tokens: Vocabulary,
    compiler: Compiler,
    tables: Vec<u8>,
    lazy: Arc<LazyVocabulary>,
}

/// Single bytes, some longer tokens and the end token, which has no text.
fn vocabulary() -> &'static Words {
    static MADE: OnceLock<Words> = OnceLock::new();
    MADE.get_or_init(|| {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        let longer = [
            "aa", "ab", "ba", "bb", "aab", "abab", "aaaa", "[[", "]]", "],[", "a,", "é", "éa",
            "{\"", "\":", "\"}", "\",\"", ": ", ", ", "12", "true", "null", "",
        ];
        tokens.extend(longer.map(|token| token.as_bytes().to_vec()));
        let end = tokens.len() as u32 - 1;
        let vocabulary = Vocabulary::from_tokens(tokens, vec![end]);
        let compiler = Compiler::new(&vocabulary).expect("a good vocabulary");
        Words {
            lazy: LazyVocabulary::new(&compiler).expect("a good vocabulary"),
            compiler,
            tables: vocabulary.pack().expect("it packs"),
            tokens: vocabulary,
        }
    })
}

/// The compiler of the small vocabulary.
pub(crate) fn compiler() -> &'static Compiler {
    &vocabulary().compiler
}

/// Limits within which an input takes well under five seconds, though it is compiled twice.
pub(crate) fn limits() -> Limits {
    Limits::default()
        .automaton_states(5_000)
        .states(2_000)
        .repetition(1_000)
        .time(Duration::from_millis(700))
}

/// Draws what was said of a text, and walks its grammar if it was read.
pub(crate) fn walk_parsed(parsed: Result<Parsed, Error>, data: &[u8]) {
    match parsed {
        Err(error) => {
            let drawn = error.render(false).len() + error.render(true).len();
            assert!(
                drawn > 0 && !error.message().is_empty(),
                "an error that says nothing"
            );
        }
        Ok(made) => {
            for warning in &made.warnings {
                assert!(!warning.render(Some(&made.sources), true).is_empty());
            }
            let choices: Vec<u8> = data.iter().rev().copied().collect();
            walk(&made.grammar, &made.sources, &choices);
        }
    }
}

/// Compiles and walks a grammar.
pub fn run(data: &[u8]) {
    let (text, choices) = split_at_nul(data);
    let source = Source::new("fuzz", String::from_utf8_lossy(text));
    let options = ParseOptions::default().limits(limits());
    let Ok(parsed) = parse(&source, &options) else {
        return;
    };
    walk(&parsed.grammar, &parsed.sources, choices);
    let limits = limits().time(Duration::from_millis(200));
    let found = nondeterminism::ambiguous(&parsed.grammar, &limits, &Deadline::start(&limits));
    if let Some(found) = found {
        assert!(!found.render(Some(&parsed.sources), false).is_empty());
    }
}

/// Compiles a grammar, and walks tokens that `choices` choose among those that are allowed.
pub(crate) fn walk(grammar: &Grammar, sources: &Sources, choices: &[u8]) {
    let options = Options::default().limits(limits()).threads(1);
    let compiler = vocabulary().compiler.with_options(options.clone());
    let compiled = match compiler.compile(grammar) {
        Ok(compiled) => compiled,
        Err(error) => {
            assert!(!error.render(false).is_empty());
            return;
        }
    };
    for warning in compiled.warnings() {
        assert!(!warning.render(Some(sources), false).is_empty());
    }
    let strict = options.deterministic(true);
    if let Ok(automaton) = Automaton::new(grammar, &strict)
        && let Err(error) = automaton.check_stacks(grammar, &strict)
    {
        // Or the time is over before it is known what to show.
        assert!(matches!(
            error.code(),
            Code::NotDeterministic | Code::LimitExceeded
        ));
    }
    let tables = compiled.grammar().expect("what was compiled loads");
    let tokens = maskwright_core::Vocabulary::load(&vocabulary().tables).expect("it loads");
    let tables = tables.with_vocabulary(tokens).expect("its vocabulary");
    let Ok(mut matcher) = Matcher::<40, 8>::new(&tables) else {
        return;
    };
    let mut first = LazyMatcher::new(Arc::new(grammar.clone()), vocabulary().lazy.clone()).ok();
    let mut is_whole = true;
    let mut text = Vec::new();
    for &choice in choices.iter().chain(&[7; STEPS]).take(STEPS) {
        let mask = matcher.mask();
        assert!(!mask.is_empty(), "a dead end after {}", text.escape_ascii());
        let mut allowed = Vec::new();
        for id in 0..tables.vocab_size() {
            let mut copy = matcher;
            match copy.accept_token(id) {
                Ok(()) => assert!(mask.contains(id), "{id} is accepted, but not allowed"),
                Err(AcceptError::TooManyStacks) => {
                    is_whole = false;
                    continue;
                }
                Err(error) => assert!(!mask.contains(id), "{id} is allowed, but {error}"),
            }
            if mask.contains(id) {
                allowed.push(id);
            }
        }
        let is_equal = is_whole && text.len() <= SHALLOW;
        if let Some(mask) = first.as_mut().and_then(|first| first.mask().ok()) {
            let is_first = |id: u32| mask[id as usize / 32] >> (id % 32) & 1 == 1;
            for id in 0..tables.vocab_size() {
                let is_allowed = allowed.binary_search(&id).is_ok();
                let agrees = is_first(id) == is_allowed || !is_equal && !is_allowed;
                assert!(
                    agrees,
                    "{id} behind {}: the tiers differ",
                    text.escape_ascii()
                );
            }
        }
        // The interpreter reads characters, not terminals.
        if text.len() <= MAX_READ && grammar.lexer.is_none() {
            let complete = interpret::accepts_bytes(grammar, &text);
            // A graph that is full has dropped readings, and no text this short fills one.
            let is_known = tables.stacks_are_proved() || text.len() <= SHALLOW;
            assert!(
                matcher.is_complete() == complete || complete && !is_known,
                "{}: {complete}",
                text.escape_ascii()
            );
        }
        let Some(&id) = allowed.get(usize::from(choice) % allowed.len().max(1)) else {
            return;
        };
        matcher.accept_token(id).expect("it was accepted before");
        // What it does not follow any more says nothing.
        first = first.and_then(|mut first| first.accept_token(id).is_ok().then_some(first));
        if matcher.is_finished() {
            return;
        }
        text.extend_from_slice(vocabulary().tokens.bytes(id));
    }
}
