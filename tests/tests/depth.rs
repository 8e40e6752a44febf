//! Depth is exact: at every depth each mask allows a token if and only if the text can still be
//! finished after it with so many frames.
//!
//! `MASKWRIGHT_VERDICTS=100000000` compares so many verdicts, and walks a hundredth as many steps
//! in search of dead ends; by default it is a sample.

#[path = "depth/sources.rs"]
mod sources;

use maskwright::{Grammar, OwnedGrammar, OwnedVocabulary, Vocabulary};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::{Automaton, Compiler, Options, grammar, vocabulary};
use maskwright_tests::depth::{Subject, Tokens, Verdicts, Walks, compare, depths};
use maskwright_tests::harness::parse;
use maskwright_tests::random_grammar;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::walks::{Steps, Walker};
use sources::{NAMED, Named, SCHEMAS};
use std::time::Duration;

/// A vocabulary in all forms.
struct Words {
    vocabulary: vocabulary::Vocabulary,
    compiler: Compiler,
    tables: Vec<u8>,
    tokens: Tokens,
}

impl Words {
    fn new(vocabulary: vocabulary::Vocabulary) -> Self {
        Words {
            compiler: Compiler::new(&vocabulary).unwrap(),
            tables: vocabulary.pack().unwrap(),
            tokens: Tokens::new(&vocabulary),
            vocabulary,
        }
    }

    /// The small tokenizer's.
    fn trained() -> Self {
        Words::new(Tokenizer::train().vocabulary())
    }

    /// The words of random grammars.
    fn of_letters() -> Self {
        let tokens = random_grammar::tokens();
        let eos = vec![tokens.len() as u32 - 1];
        Words::new(vocabulary::Vocabulary::from_tokens(tokens, eos))
    }

    /// Compares a grammar's masks at each depth; nothing if it is refused, or has no bound on its
    /// stacks.
    fn compare(&self, name: &str, grammar: &grammar::Grammar, walks: Walks) -> Option<Verdicts> {
        // A few random grammars that are far from deterministic have masks that take minutes.
        let limits = Limits::default().time(Duration::from_secs(20));
        let options = Options::default().limits(limits);
        let compiled = self
            .compiler
            .with_options(options.clone())
            .compile(grammar)
            .ok()?;
        let built = Automaton::new(grammar, &options).unwrap().built;
        let vocabulary = Vocabulary::load(&self.tables).unwrap();
        let tables = compiled.grammar().unwrap();
        if !tables.stacks_are_proved() {
            return None;
        }
        let tables: Grammar<'_> = tables.with_vocabulary(vocabulary).unwrap();
        let subject = Subject {
            name,
            pda: &built.pda,
            grammar: &tables,
            tokens: &self.tokens,
        };
        let mut all = Verdicts::default();
        for depth in depths(&tables) {
            all += compare(&subject, depth, walks, depth as u64);
        }
        Some(all)
    }
}

/// How many times as much as by default is compared.
fn times() -> usize {
    let verdicts = std::env::var("MASKWRIGHT_VERDICTS").ok();
    let verdicts = verdicts.and_then(|verdicts| verdicts.parse::<usize>().ok());
    verdicts.map_or(1, |verdicts| verdicts.div_ceil(3_000_000))
}

fn report(what: &str, grammars: usize, verdicts: Verdicts) {
    println!("{what}: {grammars} grammars, {verdicts:?}");
    assert!(verdicts.equal > 10_000, "{verdicts:?}");
    assert!(verdicts.given_up * 1000 <= verdicts.equal, "{verdicts:?}");
}

#[test]
fn named_grammars() {
    let words = Words::trained();
    let mut all = Verdicts::default();
    for (name, text) in NAMED {
        let walks = Walks {
            count: 2 * times(),
            steps: 40,
        };
        let verdicts = words.compare(name, &parse(name, text).unwrap(), walks);
        all += verdicts.unwrap_or_else(|| panic!("{name} was refused"));
    }
    report("named", NAMED.len(), all);
}

#[test]
fn grammars_of_the_suite() {
    let words = Words::trained();
    let (mut all, mut count) = (Verdicts::default(), 0);
    for Named { name, grammar } in sources::of_suite() {
        let walks = Walks {
            count: times(),
            steps: 20,
        };
        if let Some(verdicts) = words.compare(&name, &grammar, walks) {
            all += verdicts;
            count += 1;
        }
    }
    report("suite", count, all);
}

#[test]
fn random_grammars() {
    let words = Words::of_letters();
    let (mut all, mut count) = (Verdicts::default(), 0);
    let drawn = sources::random_grammars(sources::runner(7));
    for Named { name, grammar } in drawn.take(60 * times()) {
        let walks = Walks {
            count: 2,
            steps: 12,
        };
        if let Some(verdicts) = words.compare(&name, &grammar, walks) {
            all += verdicts;
            count += 1;
        }
    }
    report("random", count, all);
}

#[test]
fn schemas() {
    let words = Words::trained();
    let mut all = Verdicts::default();
    for (name, text) in SCHEMAS {
        let walks = Walks {
            count: times(),
            steps: 40,
        };
        let schema = sources::of_schema(name, text).unwrap();
        let verdicts = words.compare(name, &schema.grammar, walks);
        all += verdicts.unwrap_or_else(|| panic!("{name} was refused"));
    }
    report("schemas", SCHEMAS.len(), all);
}

#[test]
fn random_schemas() {
    let words = Words::trained();
    let (mut all, mut count) = (Verdicts::default(), 0);
    let drawn = sources::random_schemas(sources::runner(11));
    for Named { name, grammar } in drawn.take(16 * times()).flatten() {
        let walks = Walks {
            count: 1,
            steps: 15,
        };
        if let Some(verdicts) = words.compare(&name, &grammar, walks) {
            all += verdicts;
            count += 1;
        }
    }
    report("random schemas", count, all);
}

/// Depths that a grammar is walked at: its least, a little more, and more up to 64.
fn depths_of_walks(least: usize) -> Vec<usize> {
    let more = [8, 12, 16, 24, 32, 48, 64];
    let little = [0, 1, 2, 3, 5].map(|more| least + more);
    let mut depths: Vec<usize> = little.into_iter().chain(more).collect();
    depths.retain(|&depth| (least..=64.max(least)).contains(&depth));
    depths.sort_unstable();
    depths.dedup();
    depths
}

/// Walks a grammar at each depth; nothing if it is refused, or its kind, recursive or flat, is not
/// wanted.
fn walk(
    words: &Words,
    named: &Named,
    is_wanted: impl FnOnce(bool) -> bool,
    steps: u64,
) -> Option<(bool, Steps)> {
    let limits = Limits::default().time(Duration::from_secs(5));
    let options = Options::default().limits(limits);
    let compiled = words
        .compiler
        .with_options(options.clone())
        .compile(&named.grammar)
        .ok()?;
    let is_recursive = compiled.report().height.grows_by().is_some();
    if !is_wanted(is_recursive) {
        return None;
    }
    let vocabulary = OwnedVocabulary::load(words.tables.clone()).unwrap();
    let tables = OwnedGrammar::load(compiled.into_tables()).unwrap();
    let tables = tables.with_vocabulary(&vocabulary).unwrap();
    let depths = depths_of_walks(tables.view().least_depth());
    let steps = steps.div_ceil(depths.len() as u64);
    let mut all = Steps::default();
    for depth in depths {
        let mut walker = Walker::new(&named.name, &tables, &words.vocabulary, depth, depth as u64);
        let walked = walker.walk(steps, 60);
        all += walked.unwrap_or_else(|dead_end| panic!("{dead_end}"));
    }
    Some((is_recursive, all))
}

/// How many grammars of each kind, recursive and flat, are walked, and how many steps in all of
/// them.
fn walks() -> (usize, u64) {
    match times() {
        1 => (12, 12_000),
        times => (100, times as u64 * 30_000),
    }
}

#[test]
fn no_walk_comes_to_a_dead_end() {
    let (grammars, steps) = walks();
    let (trained, of_letters) = (Words::trained(), Words::of_letters());
    let sources: [(&str, &Words, Box<dyn Iterator<Item = Named>>); 5] = [
        ("by hand", &trained, Box::new(sources::by_hand())),
        ("suite", &trained, Box::new(sources::of_suite().step_by(3))),
        ("recorded", &trained, Box::new(sources::recorded(23))),
        (
            "random schemas",
            &trained,
            Box::new(sources::random_schemas(sources::runner(12)).flatten()),
        ),
        (
            "random grammars",
            &of_letters,
            Box::new(sources::random_grammars(sources::runner(13))),
        ),
    ];
    // Of flat grammars and of recursive ones.
    let mut found = [0; 2];
    let mut all = Steps::default();
    for (number, (name, words, grammars_of)) in (1..).zip(sources) {
        // Each source but the last leaves room for those after it.
        let most = (number * grammars).div_ceil(5);
        let mut of_source = [0; 2];
        for named in grammars_of {
            if found.iter().all(|&count| count >= most) {
                break;
            }
            let each = steps.div_ceil(2 * grammars as u64);
            let is_wanted = |is_recursive| found[usize::from(is_recursive)] < most;
            if let Some((is_recursive, walked)) = walk(words, &named, is_wanted, each) {
                found[usize::from(is_recursive)] += 1;
                of_source[usize::from(is_recursive)] += 1;
                all += walked;
            }
        }
        let [flat, recursive] = of_source;
        println!("{name}: {flat} flat, {recursive} recursive; so far {all:?}");
    }
    assert_eq!(found, [grammars; 2]);
    assert!(all.steps >= steps, "{all:?}");
    assert!(all.given_up * 1000 <= all.walks, "{all:?}");
}
