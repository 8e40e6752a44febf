//! The suite: along walks, each mask is the oracle's answer for every token.
//!
//! `MASKWRIGHT_WALKS=n` makes n times as many walks, `MASKWRIGHT_LONG=1` takes the slow grammars
//! too.

use maskwright_compiler::limits::Tuning;
use maskwright_compiler::{Automaton, Options};
use maskwright_tests::harness::{
    Built, Tally, Walk, compiled_suite, parse, random_walk, unhurried, walk_along,
};
use maskwright_tests::random::Random;
use maskwright_tests::suite;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

fn effort() -> usize {
    std::env::var("MASKWRIGHT_WALKS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1)
}

/// Compares along all sentences, each cut in two ways, and along random walks; the problems found.
fn check(built: &Built<'_>, sentences: &[Vec<u8>], walks: usize) -> Result<Tally, String> {
    let grammar = built.grammar();
    let mut random = Random::new(built.name.bytes().map(u64::from).sum());
    let mut total = Tally::default();
    for sentence in sentences {
        for _ in 0..2 * walks {
            let mut walk = Walk::new(built, &grammar);
            total += walk_along(&mut walk, sentence, &mut random).map_err(|e| e.to_string())?;
            if walk.text != *sentence && total.too_many_stacks == 0 {
                return Err(format!(
                    "{}: stuck after \"{}\"",
                    built.name,
                    walk.text.escape_ascii()
                ));
            }
        }
    }
    for _ in 0..4 * walks {
        let mut walk = Walk::new(built, &grammar);
        total += random_walk(&mut walk, 25, &mut random).map_err(|e| e.to_string())?;
    }
    Ok(total)
}

#[test]
fn masks_are_the_oracles_for_every_token() {
    let mut problems = Vec::new();
    for built in compiled_suite() {
        let start = Instant::now();
        let sentences = suite::entry(&built.name).sentences;
        let checked = catch_unwind(AssertUnwindSafe(|| check(built, &sentences, effort())));
        match checked.unwrap_or_else(|_| Err(format!("{}: panicked", built.name))) {
            Err(problem) => problems.push(problem),
            Ok(tally) => {
                println!("{:20} {tally:?} {:?}", built.name, start.elapsed());
                assert!(
                    tally.masks > 5,
                    "{}: only {} masks",
                    built.name,
                    tally.masks
                );
                if tally.too_many_stacks > 0 {
                    problems.push(format!(
                        "{}: {} walks passed the stacks",
                        built.name, tally.too_many_stacks
                    ));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The number of frames of an automaton.
fn frames(built: &Built<'_>, options: &Options) -> usize {
    let grammar = parse(&built.name, &built.ebnf).unwrap();
    let automaton = Automaton::new(&grammar, options).unwrap();
    automaton.pda.under.len()
}

/// Takes the grammars that have fewer frames so.
#[test]
fn without_shared_rules_masks_are_the_oracles_too() {
    let options = unhurried().tuning(Tuning::default().share(false));
    let mut checked = 0;
    for built in compiled_suite() {
        let [shared, unshared] = [&unhurried(), &options].map(|options| frames(built, options));
        assert!(
            unshared <= shared,
            "{}: {unshared} frames, not {shared}",
            built.name
        );
        if unshared == shared {
            continue;
        }
        checked += 1;
        let unshared = Built::new(&built.name, &built.ebnf, built.words, &options).unwrap();
        let sentences = suite::entry(&built.name).sentences;
        if let Err(problem) = check(&unshared, &sentences, effort()) {
            panic!("{problem}");
        }
    }
    println!("{checked} grammars have fewer frames");
    assert!(checked >= 3);
}
