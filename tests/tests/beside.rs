//! Tables that stand beside those of another grammar make the masks that they make alone.

use maskwright::{Grammar as Tables, Matcher, Vocabulary as VocabularyTables};
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{BesideError, Compiler, Options};
use maskwright_tests::effort;
use maskwright_tests::harness::{parse, unhurried};
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::{random_grammar, suite};
use proptest::prelude::*;

/// Objects as tools take them.
const TOOL: &str = r#"{
  "type": "object",
  "properties": {
    "query": { "type": "string" },
    "limit": { "type": "integer", "minimum": 1 },
    "score": { "type": "number" },
    "tags": { "type": "array", "items": { "type": "string" } }
  },
  "required": ["query"]
}"#;
const OTHER_TOOL: &str = r#"{
  "type": "object",
  "properties": {
    "path": { "type": "string" },
    "line": { "type": "integer" },
    "note": { "type": "string", "maxLength": 300 },
    "mode": { "enum": ["read", "write"] }
  },
  "required": ["path", "mode"],
  "additionalProperties": false
}"#;

fn tool(schema: &str) -> Grammar {
    let grammar = json_schema::parse(&Source::new("tool", schema), &Default::default());
    grammar.expect("it is a good schema").grammar
}

fn compiler_for(vocabulary: &Vocabulary) -> Compiler {
    Compiler::new(vocabulary).expect("the vocabulary is within its limits")
}

/// Walks at random, and says where two grammars have different masks.
fn difference(alone: &Tables<'_>, beside: &Tables<'_>, walks: u64) -> Option<String> {
    let mut words = [0, 0].map(|_| vec![0; alone.mask_words()]);
    for seed in 0..walks {
        let mut random = Random::new(seed);
        let mut both = [alone, beside].map(|grammar| Matcher::<16, 64>::new(grammar).unwrap());
        for step in 0..60 {
            for (matcher, words) in both.iter().zip(&mut words) {
                matcher.mask().fill(words).unwrap();
            }
            if words[0] != words[1] {
                return Some(format!("walk {seed}, step {step}"));
            }
            let allowed: Vec<u32> = both[0].mask().iter().collect();
            let Some(&token) = random.pick(&allowed) else {
                break;
            };
            let accepted = both.each_mut().map(|matcher| matcher.accept_token(token));
            assert_eq!(accepted[0], accepted[1]);
        }
    }
    None
}

/// Compiles a grammar alone and beside another one. Both tables, and where their masks differ.
fn compare(
    grammar: &Grammar,
    other: &Grammar,
    vocabulary: &Vocabulary,
    options: &Options,
) -> Option<(usize, usize, Option<String>)> {
    let compiler = compiler_for(vocabulary).with_options(options.clone());
    let other = compiler.compile(other).ok()?;
    let alone = compiler.compile(grammar).ok()?;
    let packed = vocabulary.pack().unwrap();
    let packed = VocabularyTables::load(&packed).unwrap();
    let other = other.grammar().unwrap().with_vocabulary(packed).unwrap();
    let compiler = compiler.beside(&other).unwrap();
    let beside = compiler.compile(grammar).unwrap();
    let threads = options.clone().threads(3);
    let again = compiler.with_options(threads).compile(grammar).unwrap();
    assert_eq!(beside.tables(), again.tables());
    let sizes = (alone.tables().len(), beside.tables().len());
    let alone = alone.grammar().unwrap().with_vocabulary(packed).unwrap();
    let beside = Tables::load_beside(beside.tables(), &other).unwrap();
    let beside = beside.with_vocabulary(packed).unwrap();
    Some((sizes.0, sizes.1, difference(&alone, &beside, 6)))
}

#[test]
fn tools_beside_one_another_have_the_same_masks_and_are_smaller() {
    let vocabulary = Tokenizer::train().vocabulary();
    let (one, other) = (tool(TOOL), tool(OTHER_TOOL));
    for (grammar, other) in [(&one, &other), (&other, &one), (&one, &one)] {
        let (alone, beside, difference) =
            compare(grammar, other, &vocabulary, &unhurried()).unwrap();
        assert_eq!(difference, None);
        assert!(beside < alone, "{alone} bytes alone, {beside} beside");
    }
}

#[test]
fn grammars_of_the_suite_have_the_same_masks_beside_json() {
    let vocabulary = Tokenizer::train().vocabulary();
    let json = parse("json", &suite::entry("json").ebnf).unwrap();
    for name in [
        "c_like",
        "counted",
        "own_frames",
        "ambiguous",
        "split",
        "json",
    ] {
        let grammar = parse(name, &suite::entry(name).ebnf).unwrap();
        let (alone, beside, difference) =
            compare(&grammar, &json, &vocabulary, &unhurried()).unwrap();
        assert_eq!(difference, None, "{name}");
        // What planes to share cost, where nothing comes of it, is nothing.
        assert!(
            beside <= alone,
            "{name}: {alone} bytes alone, {beside} beside"
        );
    }
}

#[test]
fn what_nothing_can_stand_beside_is_told() {
    let vocabulary = Tokenizer::train().vocabulary();
    let compiler = compiler_for(&vocabulary).with_options(unhurried());
    let first = compiler.compile(&tool(TOOL)).unwrap();
    let first = first.grammar().unwrap();
    let beside = compiler.beside(&first).unwrap();
    let second = beside.compile(&tool(OTHER_TOOL)).unwrap();
    assert!(second.grammar().is_err());
    let second = Tables::load_beside(second.tables(), &first).unwrap();
    assert_eq!(compiler.beside(&second).unwrap_err(), BesideError::NotAlone);
    let bytes = (0..=255).map(|byte| vec![byte]).collect();
    let bytes = compiler_for(&Vocabulary::from_tokens(bytes, vec![]));
    assert_eq!(
        bytes.beside(&first).unwrap_err(),
        BesideError::OtherVocabulary
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort::of(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_grammars_have_the_same_masks_beside_others(asts in [random_grammar::grammars(), random_grammar::grammars()]) {
        let tokens = random_grammar::tokens();
        let eos = vec![tokens.len() as u32 - 1];
        let vocabulary = Vocabulary::from_tokens(tokens, eos);
        let [grammar, other] = asts.each_ref().map(|ast| parse("random", &ast.to_string()).unwrap());
        let options = Options::default().limits(random_grammar::limits());
        if let Some((_, _, difference)) = compare(&grammar, &other, &vocabulary, &options) {
            prop_assert_eq!(difference, None, "{} beside {}", asts[0], asts[1]);
        }
    }
}
