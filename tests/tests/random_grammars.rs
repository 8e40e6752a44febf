//! Random grammars: along walks, each mask is the oracle's answer for every token, and there are no
//! dead ends where there is room for few frames only.
//!
//! `PROPTEST_CASES=n` checks n grammars.

use maskwright_compiler::Options;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::effort;
use maskwright_tests::harness::{Built, Walk, Words, random_walk, together_and_apart};
use maskwright_tests::properties::walk_at_depth;
use maskwright_tests::random::Random;
use maskwright_tests::random_grammar;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Grammars that take longer are printed.
const SLOW: Duration = Duration::from_secs(1);
/// No grammar takes longer, even where the machine has other work.
const LONG: Duration = Duration::from_secs(60);

#[derive(Default)]
struct Counts {
    grammars: Cell<u32>,
    refused: Cell<u32>,
    walks: Cell<u32>,
    too_many_stacks: Cell<u32>,
}

fn bump(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

fn words() -> Words {
    let tokens = random_grammar::tokens();
    let eos = vec![tokens.len() as u32 - 1];
    Words::all(Vocabulary::from_tokens(tokens, eos))
}

#[test]
fn masks_are_the_oracles_for_every_token() {
    let words = words();
    let counts = Counts::default();
    let cases = effort::cases();
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let result = TestRunner::new_with_rng(config, effort::seeded()).run(
        &random_grammar::grammars(),
        |ast| {
            bump(&counts.grammars);
            let start = Instant::now();
            let result = check(&ast.to_string(), &words, &counts);
            if start.elapsed() > SLOW {
                println!("{:?} for\n{ast}", start.elapsed());
            }
            result
        },
    );
    println!(
        "{} grammars, {} refused; {} walks, {} passed the stacks",
        counts.grammars.get(),
        counts.refused.get(),
        counts.walks.get(),
        counts.too_many_stacks.get()
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    assert_eq!(counts.refused.get(), 0, "a grammar is refused");
    assert!(
        counts.too_many_stacks.get() * 10 <= counts.walks.get(),
        "more than one walk in ten passes the stacks"
    );
}

fn check(ebnf: &str, words: &Words, counts: &Counts) -> Result<(), TestCaseError> {
    let limits = random_grammar::limits().time(LONG);
    let options = Options::default().limits(limits).threads(1);
    let mut both = together_and_apart(options).into_iter();
    both.try_for_each(|options| check_with(ebnf, words, counts, &options))
}

fn check_with(
    ebnf: &str,
    words: &Words,
    counts: &Counts,
    options: &Options,
) -> Result<(), TestCaseError> {
    let built = match Built::new("random", ebnf, words, options) {
        Ok(built) => built,
        Err(error) if error.code() == "limit-exceeded" => {
            bump(&counts.refused);
            println!("refused: {}\n{ebnf}", error.message());
            return Ok(());
        }
        Err(error) => return Err(TestCaseError::fail(format!("{error}\n{ebnf}"))),
    };
    let grammar = built.grammar();
    walk_at_depth::<0>(&built, &grammar);
    walk_at_depth::<1>(&built, &grammar);
    walk_at_depth::<3>(&built, &grammar);
    for seed in 0..4 {
        let mut walk = Walk::new(&built, &grammar);
        bump(&counts.walks);
        match random_walk(&mut walk, 15, &mut Random::new(seed)) {
            Ok(tally) if tally.too_many_stacks > 0 => bump(&counts.too_many_stacks),
            Ok(_) => {}
            Err(mismatch) => return Err(TestCaseError::fail(format!("{mismatch}\n{ebnf}"))),
        }
    }
    Ok(())
}
