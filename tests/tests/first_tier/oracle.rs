//! Masks of random grammars are those of the oracle.

use super::{ids, lazy, letters, runner, tight};
use maskwright_compiler::lazy::{LazyMatcher, LazyVocabulary};
use maskwright_tests::harness::parse;
use maskwright_tests::oracle::{self, Chart, Trie, allowed_tokens};
use maskwright_tests::random::Random;
use maskwright_tests::random_grammar;
use proptest::prelude::*;
use std::cell::Cell;
use std::sync::Arc;

/// Walks along random tokens; each mask is the oracle's.
fn walk_beside_oracle(ebnf: &str, words: &Arc<LazyVocabulary>, seed: u64) -> Result<bool, String> {
    let grammar = parse("random", ebnf).map_err(|error| error.to_string())?;
    let Ok(matcher) = LazyMatcher::new(Arc::new(grammar), words.clone()) else {
        return Ok(false);
    };
    let mut matcher = match seed % 2 {
        0 => matcher,
        _ => matcher.bounds(tight()),
    };
    let vocabulary = words.prepared().vocabulary().clone();
    let trie = Trie::new((0..).zip(vocabulary.iter()));
    let cfg = oracle::grammar_from_ebnf(ebnf)?;
    let mut chart = Chart::new(&cfg);
    let mut random = Random::new(seed);
    for _ in 0..15 {
        let Ok(mask) = matcher.mask() else {
            return Ok(false);
        };
        let mut expected = allowed_tokens(&mut chart, &trie);
        if chart.is_sentence() {
            expected.extend(vocabulary.eos());
        }
        expected.sort_unstable();
        let found = ids(&mask);
        if found != expected {
            return Err(format!("the mask is {found:?}, not {expected:?}"));
        }
        if matcher.is_complete() != chart.is_sentence() {
            return Err("the ends differ".to_owned());
        }
        let mut forced = [0; 1];
        let is_forced = matcher.forced_bytes(&mut forced) == 1;
        let possible = (0..=255).filter(|&byte| {
            let is_possible = chart.push(byte);
            if is_possible {
                chart.pop();
            }
            is_possible
        });
        let possible: Vec<u8> = possible.collect();
        let expected = !chart.is_sentence() && possible.len() == 1;
        if is_forced != expected || is_forced && possible != forced {
            return Err(format!("forced: {is_forced} {forced:?}, not {possible:?}"));
        }
        let refused = random.below(vocabulary.size() as usize) as u32;
        if !found.contains(&refused) && matcher.accept_token(refused).is_ok() {
            return Err(format!("{refused} is taken though the mask has it not"));
        }
        let text = found.iter().filter(|id| !vocabulary.eos().contains(id));
        let text: Vec<u32> = text.copied().collect();
        let Some(&next) = random.pick(&text) else {
            break;
        };
        if matcher.accept_token(next).is_err() {
            return Err(format!("{next} is refused though the mask has it"));
        }
        chart.push_all(vocabulary.bytes(next));
    }
    Ok(true)
}

#[test]
fn masks_are_the_oracles() {
    let words = lazy(&letters());
    let (followed, all) = (Cell::new(0), Cell::new(0));
    let bump = |cell: &Cell<u32>| cell.set(cell.get() + 1);
    let result = runner().run(&random_grammar::grammars(), |ast| {
        let ebnf = ast.to_string();
        for seed in 0..4 {
            bump(&all);
            match walk_beside_oracle(&ebnf, &words, seed) {
                Ok(true) => bump(&followed),
                Ok(false) => {}
                Err(error) => return Err(TestCaseError::fail(format!("{error}\n{ebnf}"))),
            }
        }
        Ok(())
    });
    println!("{} of {} walks were followed", followed.get(), all.get());
    if let Err(error) = result {
        panic!("{error}");
    }
    assert_eq!(followed.get(), all.get());
}

/// Rules that begin with each other, also behind parts that may be empty, and grammars with several
/// readings: as many as the text is long, or exponentially many.
const AMBIGUOUS: [&str; 22] = [
    r#"root ::= root root | "a" | """#,
    r#"root ::= root root root | root root | "b""#,
    r#"root ::= root | "a" root | """#,
    "root ::= e\ne ::= sum | product | \"a\" | \"(\" e \")\"\nsum ::= e \"b\" e\nproduct ::= e \"c\" e",
    "root ::= a\na ::= b \"a\" | \"c\"\nb ::= c \"b\" | a\nc ::= a \"c\" | root \"ab\"",
    "root ::= n root \"a\" | \"b\"\nn ::= \"\" | \"c\"",
    "root ::= n n root \"a\" | n \"b\"\nn ::= \"c\" n | n \"c\" | \"\"",
    "root ::= n* root? \"a\"\nn ::= \"b\"? root? \"c\"?",
    "root ::= x y\nx ::= y x | \"\"\ny ::= x y \"a\" | \"b\" | \"\"",
    r#"root ::= "a" root "a" | "b" root "b" | """#,
    r#"root ::= "a" root "a" | "b" root "b" | "a" | "b" | "c""#,
    "root ::= s\ns ::= \"(\" s (\"b\" s)? | \"a\"",
    "root ::= ab | bc\nab ::= \"a\" ab \"b\" c | c\nc ::= \"c\"*\nbc ::= a \"b\" bc \"c\" | a\na ::= \"a\"*",
    "root ::= (word | blank)*\nword ::= [ab]+\nblank ::= \"c\"+ | word \"c\"",
    r#"root ::= ("a" | "ab" | "b" | root "c")+"#,
    "root ::= (root \"a\"){0,3} \"b\"",
    "root ::= (root \"a\"){2,14} | \"b\"",
    "root ::= n{0,20} root \"a\" | \"b\"\nn ::= \"c\"{0,3}",
    "root ::= n{1,40} \"a\"\nn ::= root? \"c\"?",
    "root ::= x \"b\" | x \"c\"\nx ::= x x | [ab]{0,90}",
    "root ::= e (\",\" e)*\ne ::= e e | \"(\" root? \")\" | \"\"",
    "root ::= l r\nl ::= r \"a\" | l\nr ::= l \"b\" | r root | \"c\"",
];

#[test]
fn masks_of_ambiguous_grammars_are_the_oracles() {
    let words = lazy(&letters());
    for ebnf in AMBIGUOUS {
        for seed in 0..12 {
            let walked = walk_beside_oracle(ebnf, &words, seed);
            let is_followed = walked.unwrap_or_else(|error| panic!("{error}\n{ebnf}"));
            assert!(is_followed, "not followed:\n{ebnf}");
        }
    }
}

/// A text has exponentially many readings. The work of a step is bounded, so time grows with the
/// text and not with the readings.
#[test]
fn long_texts_of_ambiguous_grammars_are_followed() {
    let words = lazy(&letters());
    let texts: [(&str, &[u8], usize); 4] = [
        (AMBIGUOUS[0], b"a", 100_000),
        (AMBIGUOUS[1], b"b", 100_000),
        (AMBIGUOUS[3], b"(acaba)c", 100_000),
        // Its stacks have ninety frames more for each byte, of which a matcher holds a million.
        (AMBIGUOUS[19], b"aab", 5_000),
    ];
    for (ebnf, unit, bytes) in texts {
        let grammar = parse("ambiguous", ebnf).unwrap();
        let mut matcher = LazyMatcher::new(Arc::new(grammar), words.clone()).unwrap();
        let text: Vec<u8> = unit.iter().copied().cycle().take(bytes).collect();
        for part in text.chunks(1_000) {
            matcher
                .accept_bytes(part)
                .unwrap_or_else(|error| panic!("{error:?}\n{ebnf}"));
        }
        assert_ne!(ids(&matcher.mask().unwrap()), [0_u32; 0]);
    }
}

/// Rules that call themselves before anything else.
#[test]
fn masks_of_left_recursive_rules_are_those_of_tables() {
    let words = lazy(&letters());
    let grammars = [
        r#"root ::= root "a" | "b""#,
        r#"root ::= root "a" root | "b" | "c""#,
        r#"root ::= root "a" | root "b" "c" | """#,
        "root ::= sum
        sum ::= sum \"a\" product | sum \"b\" product | product
        product ::= product \"c\" value | value
        value ::= \"ab\"+ | \"(\" sum \")\"",
        "root ::= \"c\" list? \"b\"
        list ::= list \"a\" root | root",
        r#"root ::= (root "a" | "b")? "c""#,
        r#"root ::= (root | "b") ("a" | "c")"#,
    ];
    for ebnf in grammars {
        for seed in 0..8 {
            let walked = walk_beside_oracle(ebnf, &words, seed);
            let is_followed = walked.unwrap_or_else(|error| panic!("{error}\n{ebnf}"));
            assert!(is_followed, "not followed:\n{ebnf}");
        }
    }
}
