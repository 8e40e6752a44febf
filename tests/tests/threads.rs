//! Masks and tables do not depend on the number of threads.

use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::{Deadline, Limits};
use maskwright_compiler::mask::{self, TokenTrie, Walkable};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::threads::Threads;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Automaton, Compiler, Options};
use maskwright_tests::effort;
use maskwright_tests::harness::parse;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::{random_grammar, suite};
use proptest::prelude::*;

const THREADS: [usize; 4] = [1, 2, 3, 7];

/// Strings of bounded length, within objects that hold each other: runs, counts and frames of
/// several kinds.
const SCHEMA: &str = r##"{
  "$defs": {
    "node": {
      "type": "object",
      "properties": {
        "name": { "type": "string", "minLength": 1, "maxLength": 600 },
        "code": { "type": "string", "pattern": "^[A-Z]{2}[0-9]{3,40}$" },
        "at": { "type": "string", "format": "date-time" },
        "share": { "type": "number", "minimum": 0, "maximum": 100 },
        "children": { "type": "array", "items": { "$ref": "#/$defs/node" }, "maxItems": 40 },
        "notes": { "type": "array", "items": { "type": "string", "maxLength": 90 } }
      },
      "required": ["name"],
      "additionalProperties": { "type": "string", "maxLength": 30 }
    }
  },
  "$ref": "#/$defs/node"
}"##;

fn nested_schema() -> Grammar {
    let source = Source::new("nested", SCHEMA);
    let grammar = json_schema::parse(&source, &Default::default());
    grammar.expect("it is a good schema").grammar
}

fn compiler_for(vocabulary: &Vocabulary) -> Compiler {
    Compiler::new(vocabulary).expect("the vocabulary is within its limits")
}

/// Whether the masks of a grammar are the same for any number of threads; nothing if they take too
/// long.
fn are_masks_the_same(grammar: &Grammar, trie: &TokenTrie, limits: Limits) -> Option<bool> {
    let options = Options::default().limits(limits);
    let Automaton { pda, headroom, .. } = Automaton::new(grammar, &options).ok()?;
    let masks = |threads| {
        let deadline = Deadline::start(&options.limits);
        let walkable = Walkable::new(&pda, &headroom, trie);
        let mut on = Threads::up_to(threads);
        on.prepare(threads);
        let walked = walkable.walk(&on, threads, &deadline).ok()?;
        walked.masks(&deadline).ok()
    };
    let one = masks(THREADS[0])?;
    THREADS[1..].iter().try_fold(true, |is_same, &threads| {
        Some(is_same && masks(threads)? == one)
    })
}

#[test]
fn masks_of_the_suite_are_the_same_for_any_number_of_threads() {
    let vocabulary = compiler_for(&Tokenizer::train().vocabulary());
    for name in [
        "json",
        "c_like",
        "counted",
        "own_frames",
        "ambiguous",
        "split",
    ] {
        let grammar = parse(name, &suite::entry(name).ebnf).unwrap();
        let is_same = are_masks_the_same(
            &grammar,
            vocabulary.prepared().unwrap().trie(),
            Limits::default(),
        );
        assert_eq!(is_same, Some(true), "{name}");
    }
}

#[test]
fn tables_of_a_large_schema_are_the_same_for_any_number_of_threads() {
    let vocabulary = compiler_for(&Tokenizer::train().vocabulary());
    let grammar = nested_schema();
    let tables = THREADS.map(|threads| {
        let options = Options::default().threads(threads);
        let (compiled, automaton) = vocabulary
            .with_options(options.clone())
            .compile_and_keep(&grammar)
            .unwrap();
        let worthwhile = mask::worthwhile(automaton.pda.states.len(), true);
        assert!(
            worthwhile >= threads,
            "the schema is too small for this test"
        );
        compiled.into_tables()
    });
    for (threads, of_threads) in THREADS.iter().zip(&tables) {
        assert!(*of_threads == tables[0], "{threads} threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort::of(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masks_of_random_grammars_are_the_same_for_any_number_of_threads(ast in random_grammar::grammars()) {
        let tokens = random_grammar::tokens();
        let eos = vec![tokens.len() as u32 - 1];
        let vocabulary = compiler_for(&Vocabulary::from_tokens(tokens, eos));
        let grammar = parse("random", &ast.to_string()).unwrap();
        let is_same = are_masks_the_same(&grammar, vocabulary.prepared().unwrap().trie(), random_grammar::limits());
        prop_assert_ne!(is_same, Some(false), "{}", ast);
    }
}
