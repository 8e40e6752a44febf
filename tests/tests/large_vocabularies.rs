//! cl100k and o200k: along walks, each mask is the oracle's answer for a sample of tokens.
//!
//! The sample is every 16th token, all short ones and whatever the walked texts are cut into.

use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::harness::{Built, Walk, Words, random_walk, unhurried, walk_along};
use maskwright_tests::random::Random;
use maskwright_tests::suite;

const GRAMMARS: [&str; 4] = ["json", "sql", "c_like", "utf8"];

fn words(name: &str) -> Words {
    let vocabulary = Vocabulary::named(name).expect("the vocabulary is known by name");
    let texts: Vec<Vec<u8>> = GRAMMARS
        .iter()
        .flat_map(|name| suite::entry(name).sentences)
        .collect();
    let occurs = |token: &[u8]| {
        texts
            .iter()
            .any(|text| text.windows(token.len()).any(|part| part == token))
    };
    let asked = (0..vocabulary.size()).filter(|&id| match vocabulary.bytes(id) {
        [] => true,
        token => id % 16 == 0 || token.len() <= 2 || (token.len() <= 12 && occurs(token)),
    });
    let asked = asked.collect();
    Words::asking(vocabulary, asked)
}

fn check(vocabulary: &str) {
    let words = words(vocabulary);
    assert!(words.asked.len() > 8000);
    let mut problems = Vec::new();
    for name in GRAMMARS {
        let entry = suite::entry(name);
        let built = Built::new(name, &entry.ebnf, &words, &unhurried()).unwrap();
        let grammar = built.grammar();
        // With reserved keywords one token decides.
        let stacks = (grammar.max_stacks(), grammar.stacks_are_proved());
        assert!(name != "sql" || stacks == (1, true), "{stacks:?}");
        let mut random = Random::new(3);
        let mut masks = 0;
        let mut add = |result: Result<maskwright_tests::harness::Tally, Box<_>>| match result {
            Ok(tally) => masks += tally.masks,
            Err(mismatch) => problems.push(format!("{mismatch}")),
        };
        for sentence in &entry.sentences {
            add(walk_along(
                &mut Walk::new(&built, &grammar),
                sentence,
                &mut random,
            ));
        }
        for _ in 0..2 {
            add(random_walk(
                &mut Walk::new(&built, &grammar),
                12,
                &mut random,
            ));
        }
        assert!(masks > 50 || !problems.is_empty(), "{name}: {masks} masks");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn cl100k() {
    check("cl100k_base");
}

#[test]
fn o200k() {
    check("o200k_base");
}
