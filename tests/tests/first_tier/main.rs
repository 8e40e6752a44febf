//! The first tier: masks made on demand from a grammar are those of the oracle and of the tables,
//! and a matcher goes over from one to the other at any token.
//!
//! `PROPTEST_CASES=n` checks n grammars and n schemas.

mod both;
mod counts;
mod oracle;
mod tables;
mod texts;
mod tiers;
mod tokens;

use maskwright_compiler::Compiler;
use maskwright_compiler::lazy::{Bounds, LazyVocabulary};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::{effort, random_grammar};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::sync::Arc;

/// Frames of the tables' matchers: more than any text here needs.
const DEPTH: usize = 2_000;

fn runner() -> TestRunner {
    let config = Config {
        cases: effort::cases(),
        failure_persistence: None,
        max_shrink_iters: 1000,
        ..Config::default()
    };
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]);
    TestRunner::new_with_rng(config, seed)
}

fn lazy(vocabulary: &Vocabulary) -> Arc<LazyVocabulary> {
    LazyVocabulary::new(&Compiler::new(vocabulary).unwrap()).unwrap()
}

/// Bounds that are passed all the time, so that a matcher forgets at nearly each byte.
fn tight() -> Bounds {
    Bounds::default().situations(4).frames(4).positions(16)
}

fn ids(mask: &[u32]) -> Vec<u32> {
    let all = 0..mask.len() as u32 * 32;
    all.filter(|id| mask[*id as usize / 32] >> (id % 32) & 1 == 1)
        .collect()
}

/// The tokens of random grammars, and one for each byte.
fn letters() -> Vocabulary {
    let mut tokens = random_grammar::tokens();
    tokens.extend((0..=255).map(|byte| vec![byte]));
    tokens.push(Vec::new());
    let eos = vec![tokens.len() as u32 - 1];
    Vocabulary::from_tokens(tokens, eos)
}
