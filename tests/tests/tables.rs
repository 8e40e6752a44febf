//! Tables: the same on each run and for any number of threads; saved, loaded and static ones behave
//! alike; damaged ones are refused.

use maskwright::{Grammar, LoadError, Matcher, Vocabulary};
use maskwright_compiler::{Compiler, Options};
use maskwright_tests::harness::{
    Built, DEPTH, STACKS, TestMatcher, Words, compile, compiled_suite, parse, pick, unhurried,
};
use maskwright_tests::random::Random;
use maskwright_tests::suite;
use maskwright_tests::tokenizer::Tokenizer;

#[test]
fn output_is_the_same_for_any_number_of_threads() {
    for built in compiled_suite() {
        let grammar = parse(&built.name, &built.ebnf).unwrap();
        for threads in [1, 1, 2, 4] {
            let options = Options::default().threads(threads);
            let compiled = compile(&grammar, &built.words.vocabulary, &options).unwrap();
            assert!(
                compiled.tables() == built.tables,
                "{}: {threads} threads",
                built.name
            );
        }
    }
}

#[test]
fn output_does_not_depend_on_what_was_compiled_before() {
    let suite = compiled_suite();
    let compiler = Compiler::new(&suite[0].words.vocabulary).unwrap();
    let compiler = compiler.with_options(unhurried());
    for built in suite.iter().chain(suite.iter().rev()) {
        let grammar = parse(&built.name, &built.ebnf).unwrap();
        let compiled = compiler.compile(&grammar).unwrap();
        assert!(compiled.tables() == built.tables, "{}", built.name);
    }
}

/// The masks along a seeded walk.
fn masks(built: &Built<'_>, grammar: &Grammar<'_>) -> Vec<Vec<u32>> {
    let mut random = Random::new(2);
    let mut matcher = Matcher::<DEPTH, STACKS>::new(grammar).unwrap();
    let mut masks = Vec::new();
    for _ in 0..15 {
        let allowed: Vec<u32> = matcher.mask().iter().collect();
        let next = pick(&allowed, built.words, &mut random);
        masks.push(allowed);
        match next {
            Some(id) if matcher.accept_token(id).is_ok() => {}
            _ => break,
        }
    }
    masks
}

#[test]
fn saved_loaded_and_static_tables_give_the_same_masks() {
    let file = std::env::temp_dir().join(format!("maskwright-tables-{}", std::process::id()));
    for built in compiled_suite() {
        let expected = masks(built, &built.grammar());
        std::fs::write(&file, &built.tables).unwrap();
        // One byte further, so that nothing may lean on alignment.
        let mut loaded = vec![0];
        loaded.extend(std::fs::read(&file).unwrap());
        let vocabulary = Vocabulary::load(&built.words.tables).unwrap();
        let grammar = Grammar::load(&loaded[1..])
            .unwrap()
            .with_vocabulary(vocabulary)
            .unwrap();
        assert_eq!(masks(built, &grammar), expected, "{}", built.name);

        let leaked: &'static [u8] = Box::leak(built.tables.clone().into_boxed_slice());
        let vocabulary: &'static [u8] = Box::leak(built.words.tables.clone().into_boxed_slice());
        let grammar = Grammar::from_static(leaked)
            .with_vocabulary(Vocabulary::from_static(vocabulary))
            .unwrap();
        assert_eq!(masks(built, &grammar), expected, "{}", built.name);
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn damaged_tables_are_refused() {
    let words = Words::all(Tokenizer::train().vocabulary());
    let entry = suite::entry("arithmetic");
    let built = Built::new("arithmetic", &entry.ebnf, &words, &unhurried()).unwrap();
    assert!(Grammar::load(&[]).is_err());
    assert!(matches!(
        Grammar::load(&words.tables),
        Err(LoadError::Foreign { .. })
    ));
    for length in [1, 3, 4, 64, built.tables.len() - 4, built.tables.len() - 1] {
        assert!(
            Grammar::load(&built.tables[..length]).is_err(),
            "{length} bytes"
        );
    }
    let mut random = Random::new(4);
    for _ in 0..300 {
        let mut tables = built.tables.clone();
        let at = random.below(tables.len());
        tables[at] ^= 1 << random.below(8);
        assert!(Grammar::load(&tables).is_err(), "a changed byte at {at}");
    }
}

#[test]
fn another_vocabulary_is_refused() {
    let tokenizer = Tokenizer::train();
    let words = Words::all(tokenizer.vocabulary());
    let mut other = tokenizer.clone();
    other.tokens[900] = b"something else".to_vec();
    let other = Words::all(other.vocabulary());
    let built = Built::new("dyck", &suite::entry("dyck").ebnf, &words, &unhurried()).unwrap();
    let grammar = Grammar::load(&built.tables).unwrap();
    let refused = grammar.with_vocabulary(Vocabulary::load(&other.tables).unwrap());
    assert!(matches!(refused, Err(LoadError::OtherVocabulary { .. })));
    let without = Grammar::load(&built.tables).unwrap();
    let mut matcher = TestMatcher::new(&without).unwrap();
    assert_eq!(
        matcher.accept_token(0),
        Err(maskwright::AcceptError::NoVocabulary)
    );
    assert_eq!(matcher.accept_bytes(b"("), Ok(()));
}
