//! Depth is exact: at every depth each mask allows a token if and only if the text can still be finished after it with so many frames.
//!
//! `MASKWRIGHT_VERDICTS=100000000` compares so many verdicts; by default it is a sample.

use maskwright::{Grammar, Vocabulary};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{
    Options, PreparedVocabulary, automaton, compile_prepared, grammar, vocabulary,
};
use maskwright_tests::depth::{Subject, Tokens, Verdicts, Walks, compare, depths};
use maskwright_tests::harness::parse;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::{random_grammar, suite};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::time::Duration;

/// A vocabulary in all forms.
struct Words {
    prepared: PreparedVocabulary,
    tables: Vec<u8>,
    tokens: Tokens,
}

impl Words {
    fn new(vocabulary: &vocabulary::Vocabulary) -> Self {
        Words {
            prepared: PreparedVocabulary::new(vocabulary).unwrap(),
            tables: vocabulary.pack().unwrap(),
            tokens: Tokens::new(vocabulary),
        }
    }

    /// Compares a grammar's masks at each depth; nothing if it is refused, or has no bound on its stacks.
    fn compare(&self, name: &str, grammar: &grammar::Grammar, walks: Walks) -> Option<Verdicts> {
        // A few random grammars that are far from deterministic have masks that take minutes.
        let limits = Limits {
            time: Duration::from_secs(20),
            ..Limits::default()
        };
        let options = Options {
            limits,
            ..Options::default()
        };
        let compiled = compile_prepared(grammar, &self.prepared, &options).ok()?;
        let built = automaton(grammar, &options).unwrap().built;
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

const NAMED: [(&str, &str); 8] = [
    ("two children", r#"root ::= "1" ("(" root root)?"#),
    ("three children", r#"root ::= "1" ("(" root root root)?"#),
    ("three calls", r#"root ::= "a" root root root | "a""#),
    ("two spans", "root ::= s s\ns ::= \"(\" s? \")\""),
    (
        "deep or flat at the end",
        r#"root ::= "x" a "y" | "x" b deep
           a ::= "(" a ")" | "."
           b ::= "(" b "]" | "."
           deep ::= "<" deep3 ">"
           deep3 ::= "<" deep4 ">"
           deep4 ::= "<" root ">" | "-""#,
    ),
    (
        "a common frame with continuations that differ",
        r#"root ::= p "!" | q n n
           p ::= "[" p "]" | "a"
           q ::= "[" q "]" "b"? | "a"
           n ::= "<" m ">" | "<" n ">"
           m ::= "(" k ")" | "(" m ")"
           k ::= "{" k "}" | "{" "}""#,
    ),
    (
        "counted",
        r#"root ::= "[" (item ","){3,40} "]"
           item ::= "x"{2,70} | root"#,
    ),
    (
        "palindrome with a centre",
        r#"root ::= "a" root "a" | "b" root "b" | "c""#,
    ),
];

#[test]
fn named_grammars() {
    let words = Words::new(&Tokenizer::train().vocabulary());
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
    let words = Words::new(&Tokenizer::train().vocabulary());
    let (mut all, mut count) = (Verdicts::default(), 0);
    for entry in suite::load() {
        let walks = Walks {
            count: times(),
            steps: 20,
        };
        if entry.name == "sql_unreserved" {
            continue;
        }
        let grammar = parse(&entry.name, &entry.ebnf).unwrap();
        if let Some(verdicts) = words.compare(&entry.name, &grammar, walks) {
            all += verdicts;
            count += 1;
        }
    }
    report("suite", count, all);
}

#[test]
fn random_grammars() {
    let tokens = random_grammar::tokens();
    let eos = vec![tokens.len() as u32 - 1];
    let words = Words::new(&vocabulary::Vocabulary::from_tokens(tokens, eos));
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut all, mut count) = (Verdicts::default(), 0);
    for _ in 0..60 * times() {
        let ast = random_grammar::grammars()
            .new_tree(&mut runner)
            .unwrap()
            .current();
        let text = ast.to_string();
        let walks = Walks {
            count: 2,
            steps: 12,
        };
        let Ok(grammar) = parse("random", &text) else {
            continue;
        };
        if let Some(verdicts) = words.compare(&text, &grammar, walks) {
            all += verdicts;
            count += 1;
        }
    }
    report("random", count, all);
}

const SCHEMAS: [(&str, &str); 6] = [
    ("two strings", include_str!("depth/two_strings.json")),
    ("a filter", include_str!("depth/filter.json")),
    (
        "arrays of strings",
        include_str!("depth/arrays_of_strings.json"),
    ),
    (
        "counted strings",
        include_str!("depth/counted_strings.json"),
    ),
    ("open objects", include_str!("depth/open_objects.json")),
    ("a tree", include_str!("depth/tree.json")),
];

fn of_schema(name: &str, text: &str) -> grammar::Grammar {
    let source = Source::new(name, text);
    json_schema::parse(&source, &Default::default())
        .unwrap()
        .grammar
}

#[test]
fn schemas() {
    let words = Words::new(&Tokenizer::train().vocabulary());
    let mut all = Verdicts::default();
    for (name, text) in SCHEMAS {
        let walks = Walks {
            count: times(),
            steps: 40,
        };
        let verdicts = words.compare(name, &of_schema(name, text), walks);
        all += verdicts.unwrap_or_else(|| panic!("{name} was refused"));
    }
    report("schemas", SCHEMAS.len(), all);
}
