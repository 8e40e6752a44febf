//! Vocabularies that lack tokens for some bytes: a token is offered if and only if some sequence of
//! tokens can finish the text after it, as the oracle finds by Earley's algorithm over the
//! automaton of all sequences of tokens. No mask is empty before the end.
//!
//! `PROPTEST_CASES=n` checks n grammars.

use maskwright_compiler::error::Error;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiled, Options};
use maskwright_tests::effort;
use maskwright_tests::harness::{Built, Walk, Words, compile, parse, pick, unhurried};
use maskwright_tests::oracle::{self, Spelling, allowed_tokens};
use maskwright_tests::properties::{assert_mask_is_acceptance, walk_at_depth};
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::{random_grammar, suite};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Instant;

const JSON: &str = r#"
root ::= value
value ::= object | array | "\"" [a-c]* "\"" | [0-9]+
object ::= "{" (pair ("," pair)*)? "}"
pair ::= "\"" [a-c]* "\"" ":" value
array ::= "[" (value ("," value)*)? "]"
"#;

/// A vocabulary of these tokens and an end token.
fn words(tokens: &[&str]) -> Words {
    let tokens = tokens.iter().map(|t| t.as_bytes().to_vec());
    vocabulary(tokens.collect())
}

fn vocabulary(mut tokens: Vec<Vec<u8>>) -> Words {
    tokens.push(Vec::new());
    let eos = vec![tokens.len() as u32 - 1];
    Words::all(Vocabulary::from_tokens(tokens, eos))
}

fn compiled(ebnf: &str, words: &Words) -> Result<Compiled, Error> {
    let grammar = parse("test", ebnf).unwrap();
    compile(&grammar, &words.vocabulary, &unhurried())
}

/// The text of all allowed tokens at some point, as the oracle has them; fails where the mask
/// differs.
fn compare(walk: &mut Walk<'_>, spelling: &Spelling<'_>) -> Result<Vec<u32>, String> {
    let words = walk.built.words;
    let viable = allowed_tokens(&mut walk.chart, &words.trie);
    let can_finish = |&id: &u32| {
        let text = [&walk.text, words.vocabulary.bytes(id)].concat();
        spelling.can_finish(&text)
    };
    let allowed: Vec<u32> = viable.into_iter().filter(can_finish).collect();
    let mut expected = allowed.clone();
    if walk.chart.is_sentence() {
        expected.extend(words.vocabulary.eos());
    }
    expected.sort_unstable();
    let found: Vec<u32> = walk.matcher.mask().iter().collect();
    if found != expected {
        let show = |ids: &[u32]| -> Vec<String> {
            let bytes = |&id: &u32| words.vocabulary.bytes(id).escape_ascii().to_string();
            ids.iter().map(bytes).collect()
        };
        return Err(format!(
            "after \"{}\" the mask has {:?}, the oracle {:?}, of {:?}",
            walk.text.escape_ascii(),
            show(&found),
            show(&expected),
            show(&words.asked)
        ));
    }
    if expected.is_empty() {
        return Err(format!("a dead end after \"{}\"", walk.text.escape_ascii()));
    }
    Ok(allowed)
}

/// Random walks with all masks compared; whether the stacks sufficed.
fn walks(built: &Built<'_>, count: u64, steps: usize) -> Result<(), String> {
    let grammar = built.grammar();
    let tokens = built.words.vocabulary.iter();
    let spelling = Spelling::new(&built.cfg, tokens);
    for seed in 0..count {
        let mut random = Random::new(seed);
        let mut walk = Walk::new(built, &grammar);
        for _ in 0..steps {
            let allowed = compare(&mut walk, &spelling)?;
            assert_mask_is_acceptance(&built.name, &walk.matcher);
            let Some(id) = pick(&allowed, built.words, &mut random) else {
                break;
            };
            if !walk.advance(id) {
                break;
            }
        }
    }
    Ok(())
}

fn assert_walks(ebnf: &str, tokens: &[&str]) {
    let words = words(tokens);
    let built = Built::new("test", ebnf, &words, &unhurried()).unwrap();
    walks(&built, 12, 14).unwrap_or_else(|error| panic!("{error}\n{tokens:?}\n{ebnf}"));
    let grammar = built.grammar();
    walk_at_depth::<1>(&built, &grammar);
    walk_at_depth::<2>(&built, &grammar);
    walk_at_depth::<4>(&built, &grammar);
}

/// The texts of the first mask.
fn first_mask(ebnf: &str, tokens: &[&str]) -> Vec<String> {
    let words = words(tokens);
    let built = Built::new("test", ebnf, &words, &unhurried()).unwrap();
    let grammar = built.grammar();
    let walk = Walk::new(&built, &grammar);
    let text = |id| String::from_utf8_lossy(words.vocabulary.bytes(id)).into_owned();
    walk.matcher.mask().iter().map(text).collect()
}

#[test]
fn tokens_of_two_bytes_only() {
    assert_walks("root ::= [ab]*", &["ab", "ba"]);
    assert_walks("root ::= \"a\" root \"b\" | \"\"", &["ab", "aa", "bb"]);
    assert_walks(
        "root ::= (\"ab\" | \"ba\")* \"abba\" [ab]*",
        &["ab", "ba", "bba"],
    );
    // An odd number of `a`s on the left can only be closed after `ab`.
    assert_walks(
        "root ::= \"a\" root \"b\" | \"c\"",
        &["aa", "aca", "acb", "bb", "ac", "b"],
    );
    assert_walks(
        "root ::= \"a\" root \"b\" | \"c\"",
        &["aa", "a", "cb", "bb"],
    );
}

#[test]
fn what_remains_matters_not_what_was_spelled() {
    // The text `abc` is `a` and `bc`; after the token `ab` nothing spells `c`.
    assert_eq!(first_mask("root ::= \"abc\"", &["a", "ab", "bc"]), ["a"]);
    // What a list may end with depends on the list around it.
    let nested =
        "root ::= \"<\" list \">\" | \"(\" list \")\"\nlist ::= \"[\" (\"x\" | list) \"]\"";
    assert_eq!(first_mask(nested, &["<", "(", "[", "x", "]", "])"]), ["("]);
    assert_walks(nested, &["<", "(", "[", "x", "]", "]>", "])"]);
    assert_walks(nested, &["<", "(", "[", "x", "]]", "]>", "])"]);
    assert_walks(nested, &["<", "(", "[", "x", "]]", "]]>", "])"]);
}

#[test]
fn json_without_a_closing_brace() {
    let common = ["[", "]", "{", ",", ":", "\"", "a", "b", "0", "1"];
    let with = |more: &[&'static str]| [&common[..], more].concat();
    assert_walks(JSON, &with(&["\"}", "}}"]));
    assert_walks(JSON, &with(&["\"}"]));
    assert_walks(JSON, &with(&["}}"]));
    assert_walks(JSON, &with(&["}]", "{}", "[{"]));
    assert_walks(JSON, &with(&["}}}", "1}", "},{"]));
    assert_walks(JSON, &with(&[]));
}

#[test]
fn what_cannot_be_spelled_at_all_is_an_error() {
    let error = compiled("root ::= \"a\" [x-z] \"c\"", &words(&["a", "c", "bc"])).unwrap_err();
    assert_eq!(error.code(), "unspellable");
    assert!(
        error
            .message()
            .contains("`x` (0x78), `y` (0x79), `z` (0x7A) of rule `root`"),
        "{error}"
    );
    // Each byte alone is in a token, but no sequence comes to the sentence.
    let error = compiled("root ::= \"abc\"", &words(&["ab", "bc"])).unwrap_err();
    assert_eq!(error.code(), "unspellable");
    assert!(
        error.message().contains("`a` (0x61), `c` (0x63)"),
        "{error}"
    );
}

#[test]
fn what_is_in_no_token_is_a_warning() {
    let ebnf = "root ::= \"a\" tail?\ntail ::= \"b\" | \"é\"";
    let warnings = |tokens: &[&str]| -> Vec<String> {
        let compiled = compiled(ebnf, &words(tokens)).unwrap();
        let texts = compiled
            .warnings()
            .iter()
            .map(|w| format!("{}: {}", w.code(), w.message()));
        texts.collect()
    };
    assert_eq!(warnings(&["a", "b", "é"]), Vec::<String>::new());
    let [warning] = &warnings(&["a", "é"])[..] else {
        panic!("one warning");
    };
    assert!(
        warning.starts_with("unspellable: rule `tail` needs `b` (0x62)"),
        "{warning}"
    );
}

#[test]
fn a_class_of_bytes_is_spelled_by_any_of_them() {
    // No token for `y` and most characters, yet nothing is lost: the automaton is that of all text.
    let words = words(&["\"", "x", "z"]);
    let compiled = compiled("root ::= \"\\\"\" [^\"]* \"\\\"\"", &words).unwrap();
    assert!(compiled.warnings().is_empty());
}

/// For each grammar of the suite, tokens cut at random from its own sentences.
#[test]
fn masks_are_the_oracles_for_the_suite() {
    let mut random = Random::new(11);
    let (mut walked, mut unspellable) = (0, 0);
    // The ambiguous SQL takes long for any vocabulary.
    let is_wanted = |e: &suite::Entry| !e.sentences.is_empty() && e.name != "sql_unreserved";
    for entry in suite::load().into_iter().filter(is_wanted) {
        let mut tokens = BTreeSet::new();
        for _ in 0..24 {
            let text = random.pick(&entry.sentences).map_or(&[][..], Vec::as_slice);
            let begin = random.below(text.len() + 1);
            let length = 1 + random.below(3);
            let token: Vec<u8> = text.iter().skip(begin).take(length).copied().collect();
            tokens.extend((!token.is_empty()).then_some(token));
        }
        let words = vocabulary(tokens.into_iter().collect());
        match Built::new(&entry.name, &entry.ebnf, &words, &unhurried()) {
            Ok(built) => {
                walked += 1;
                walks(&built, 1, 6).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            }
            Err(error) if error.code() == "unspellable" => unspellable += 1,
            Err(error) => panic!("{}: {error}", entry.name),
        }
    }
    assert!(
        walked > 2 * unspellable,
        "{walked} walked, {unspellable} unspellable"
    );
}

/// A few thousand tokens, without those of one byte for brackets, quotes and letters: no dead ends.
#[test]
fn large_vocabularies_without_some_bytes() {
    let tokenizer = Tokenizer::train();
    for (name, without) in [("json", "}]\""), ("sql", ")'e"), ("c_like", ";})a")] {
        let is_kept = |token: &Vec<u8>| token.len() != 1 || !without.as_bytes().contains(&token[0]);
        let keep = |token: &Vec<u8>| {
            if is_kept(token) {
                token.clone()
            } else {
                Vec::new()
            }
        };
        let tokens = tokenizer.tokens.iter().map(keep).collect();
        let words = Words::all(Vocabulary::from_tokens(tokens, tokenizer.eos.clone()));
        let entry = suite::entry(name);
        let start = Instant::now();
        let built = Built::new(name, &entry.ebnf, &words, &unhurried()).unwrap();
        println!("{name}: {:?}", start.elapsed());
        let grammar = built.grammar();
        assert!(walk_at_depth::<6>(&built, &grammar));
        assert!(walk_at_depth::<60>(&built, &grammar));
    }
}

#[derive(Default)]
struct Counts {
    grammars: Cell<u32>,
    refused: Cell<u32>,
    unspellable: Cell<u32>,
}

fn bump(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

/// A subset of the tokens of the random grammars, often without most single bytes.
fn some_tokens(random: &mut Random) -> Vec<Vec<u8>> {
    let keep_single = random.below(4);
    let keep_longer = 1 + random.below(6);
    let mut tokens = random_grammar::tokens();
    tokens.retain(|token| match token.len() {
        0 => false,
        1 => random.below(4) < keep_single,
        _ => random.below(12) < keep_longer,
    });
    if tokens.is_empty() {
        tokens.push(b"ab".to_vec());
    }
    tokens
}

#[test]
fn masks_are_the_oracles_for_random_grammars() {
    let counts = Counts::default();
    let config = Config {
        cases: effort::cases(),
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let cases = (random_grammar::grammars(), any::<u64>());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
    let result = TestRunner::new_with_rng(config, rng).run(&cases, |(ast, seed)| {
        bump(&counts.grammars);
        check(&ast.to_string(), seed, &counts)
    });
    let (grammars, refused) = (counts.grammars.get(), counts.refused.get());
    println!(
        "{grammars} grammars, {refused} refused, {} unspellable",
        counts.unspellable.get()
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(
        refused * 2 <= grammars,
        "more than half of the grammars are refused"
    );
    assert!(counts.unspellable.get() * 2 <= grammars, "too few walks");
}

fn check(ebnf: &str, seed: u64, counts: &Counts) -> Result<(), TestCaseError> {
    let mut random = Random::new(seed);
    let words = vocabulary(some_tokens(&mut random));
    let limits = random_grammar::limits();
    let options = Options::default().limits(limits).threads(1);
    let fail = |message: String| {
        let tokens: Vec<String> = words
            .vocabulary
            .iter()
            .map(|t| t.escape_ascii().to_string())
            .collect();
        TestCaseError::fail(format!("{message}\n{ebnf}\ntokens {}", tokens.join(" ")))
    };
    let built = match Built::new("random", ebnf, &words, &options) {
        Ok(built) => built,
        Err(error) if error.code() == "limit-exceeded" => {
            bump(&counts.refused);
            return Ok(());
        }
        Err(error) if error.code() == "unspellable" => {
            bump(&counts.unspellable);
            let cfg = oracle::grammar_from_ebnf(ebnf).map_err(fail)?;
            let spelling = Spelling::new(&cfg, words.vocabulary.iter());
            return if spelling.can_finish(b"") {
                Err(fail(error.to_string()))
            } else {
                Ok(())
            };
        }
        Err(error) => return Err(fail(error.to_string())),
    };
    let grammar = built.grammar();
    walk_at_depth::<0>(&built, &grammar);
    walk_at_depth::<1>(&built, &grammar);
    walk_at_depth::<3>(&built, &grammar);
    walks(&built, 3, 10).map_err(fail)
}
