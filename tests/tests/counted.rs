//! Counted repetition in blocks: masks are the oracle's, all levels agree, and counts are exact at
//! both ends.

use maskwright::{AcceptError, Matcher};
use maskwright_compiler::automata::interpret as automata_level;
use maskwright_compiler::lr::interpret as lr_level;
use maskwright_compiler::pda::stacks::Stacks;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Automaton, Options, limits::Tuning};
use maskwright_tests::effort;
use maskwright_tests::harness::{
    Built, STACKS, TestMatcher, Walk, Words, parse, random_walk, unhurried,
};
use maskwright_tests::oracle::Chart;
use maskwright_tests::properties::{assert_mask_is_acceptance, walk_at_depth};
use maskwright_tests::random::Random;
use maskwright_tests::random_grammar;
use proptest::prelude::*;
use std::cell::Cell;

fn words() -> Words {
    let tokens = random_grammar::tokens();
    let eos = vec![tokens.len() as u32 - 1];
    Words::all(Vocabulary::from_tokens(tokens, eos))
}

/// Blocks of this many iterations for every repetition that is longer.
fn blocks_of(block: u32) -> Options {
    Options::default()
        .limits(random_grammar::limits())
        .tuning(Tuning::default().block(block).expansion(0))
        .threads(1)
}

/// Things to repeat: of one byte and of several, of several lengths, with a text that goes on or is
/// the beginning of another, recursive, nullable, and counted themselves.
fn bodies() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "\"a\"",
        "\"ab\"",
        "[a-c]",
        "[aé€]",
        "(\"a\" | \"bc\")",
        "(\"a\" \"b\"?)",
        "(\"a\" | \"aa\")",
        "(\"b\"* \"a\")",
        "r",
        "(\"a\" r)",
        "(\"a\" [bc]*)",
        "\"a\"?",
        "(\"é\" | \"€a\")",
        "s",
    ]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(2, 4, 2, |inner| {
            let pair = (inner.clone(), inner.clone());
            prop_oneof![
                (inner.clone(), 0u32..4, 0u32..6)
                    .prop_map(|(x, m, n)| format!("({x}{{{m},{}}} \"c\")", m + n)),
                (inner, 1u32..5).prop_map(|(x, m)| format!("(\"b\" {x}{{{m}}})")),
                pair.prop_map(|(x, y)| format!("({x} | \"c\" {y})")),
            ]
        })
}

fn grammars() -> impl Strategy<Value = String> {
    let count = prop_oneof![
        3 => (0u32..4, 0u32..24).prop_map(|(m, n)| format!("{{{m},{}}}", m + n)),
        1 => (3u32..24).prop_map(|m| format!("{{{m}}}")),
        1 => (3u32..12).prop_map(|m| format!("{{{m},}}")),
        1 => (0u32..12, 0u32..12).prop_map(|(m, n)| format!("{{{m},{}}}", m + n)),
    ];
    let context = prop::sample::select(vec![
        "root ::= X",
        "root ::= X \"c\"",
        "root ::= \"b\" X \"cc\"",
        "root ::= X \"b\" X",
        "root ::= t\nt ::= \"c\" t \"c\" | \"b\" X",
        "root ::= (X \"c\")*",
        "root ::= X \"ba\" | X \"c\"",
        "root ::= X \"ca\" | \"a\"* \"cb\"",
        "root ::= t\nt ::= \"b\" (X | t)? \"c\"",
    ]);
    (context, bodies(), proptest::collection::vec(count, 2)).prop_map(|(context, body, counts)| {
        let mut text = context.to_owned();
        for count in counts {
            text = text.replacen('X', &format!("{body}{count}"), 1);
        }
        format!("{text}\nr ::= \"a\" r? \"b\"\ns ::= \"a\" | \"b\" s \"c\"\n").replace('X', &body)
    })
}

#[test]
fn masks_of_counted_repetitions_are_the_oracles() {
    let words = words();
    let cases = effort::cases();
    let (counted, refused) = (Cell::new(0), Cell::new(0));
    let mut runner = effort::runner(cases);
    let result = runner.run(&(grammars(), 2u32..5), |(ebnf, block)| {
        match check(&ebnf, block, &words) {
            Ok(Some(blocks)) => counted.set(counted.get() + (blocks > 0) as u32),
            Ok(None) => refused.set(refused.get() + 1),
            Err(problem) => {
                return Err(TestCaseError::fail(format!(
                    "block {block}: {problem}\n{ebnf}"
                )));
            }
        }
        Ok(())
    });
    println!(
        "{} of {cases} counted, {} refused",
        counted.get(),
        refused.get()
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(
        counted.get() * 4 > cases,
        "{} of {cases} are counted in blocks",
        counted.get()
    );
    assert!(
        refused.get() * 2 <= cases,
        "{} of {cases} are refused",
        refused.get()
    );
}

/// The number of block rules, or `None` if the grammar is refused.
fn check(ebnf: &str, block: u32, words: &Words) -> Result<Option<usize>, String> {
    let options = blocks_of(block);
    let built = match Built::new("counted", ebnf, words, &options) {
        Ok(built) => built,
        Err(error) if error.code() == "limit-exceeded" => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let grammar = built.grammar();
    if TestMatcher::new(&grammar).is_err() {
        return Ok(None);
    }
    walk_at_depth::<1>(&built, &grammar);
    walk_at_depth::<2>(&built, &grammar);
    walk_at_depth::<4>(&built, &grammar);
    let parsed = parse("counted", ebnf).map_err(|e| e.to_string())?;
    let levels = match Automaton::new(&parsed, &options) {
        Ok(levels) => levels,
        Err(error) if error.code() == "limit-exceeded" => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    for seed in 0..6 {
        let mut walk = Walk::new(&built, &grammar);
        random_walk(&mut walk, 20, &mut Random::new(seed)).map_err(|m| m.to_string())?;
        let text = walk.text;
        let mut chart = Chart::new(&built.cfg);
        let expected = chart.push_all(&text) && chart.is_sentence();
        if automata_level::accepts(&levels.network, &text) != expected {
            return Err(format!("automata: {}", text.escape_ascii()));
        }
        if lr_level::accepts(&levels.built.positions, &text) != expected {
            return Err(format!("item sets: {}", text.escape_ascii()));
        }
    }
    Ok(Some(levels.network.blocks))
}

/// `X{min,max}` between `[` and `]`, with words of X of different lengths.
struct Bounds {
    body: &'static str,
    iterations: &'static [&'static str],
}

const BODIES: [Bounds; 5] = [
    Bounds {
        body: "\"a\"",
        iterations: &["a"],
    },
    Bounds {
        body: "\"ab\"",
        iterations: &["ab"],
    },
    Bounds {
        body: "([^\"\\\\] | \"\\\\\" [nt] | \"\\\\u\" [0-9]{4})",
        iterations: &["x", "é", "€", "😀", "\\n", "\\u0041"],
    },
    Bounds {
        body: "(\"a\" [bc]*)",
        iterations: &["a", "abcb", "ac"],
    },
    Bounds {
        body: "r",
        iterations: &["()", "(())", "((()))"],
    },
];

/// Walks to the ends of the bounds, and compares there.
fn check_bounds(bounds: &Bounds, min: u32, max: u32) {
    let Bounds { body, iterations } = bounds;
    let ebnf = format!("root ::= \"\\\"\" {body}{{{min},{max}}} \"\\\"\"\nr ::= \"(\" r? \")\"\n");
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    let repeated = iterations
        .iter()
        .flat_map(|text| [2, 3, 17, 40].map(|n| text.repeat(n)));
    tokens.extend(repeated.map(String::into_bytes));
    // Several iterations and the end.
    let ended = iterations.iter().flat_map(|text| {
        [1, 2, 16, 33].map(|count| format!("{}\"", text.repeat(count)).into_bytes())
    });
    tokens.extend(ended);
    tokens.extend([
        b"\"".repeat(2),
        b"a\"b".to_vec(),
        "é€x".into(),
        "é\"".into(),
        vec![],
    ]);
    let eos = vec![tokens.len() as u32 - 1];
    let words = Words::all(Vocabulary::from_tokens(tokens, eos));
    let grammar = parse("bounds", &ebnf).unwrap();
    let built =
        maskwright_tests::harness::compile(&grammar, &words.vocabulary, &unhurried()).unwrap();
    assert!(
        built.report().stacks_proved && built.report().max_stacks == 1,
        "{ebnf}"
    );
    let tables = built.grammar().unwrap();
    let vocabulary = maskwright::Vocabulary::load(&words.tables).unwrap();
    let tables = tables.with_vocabulary(vocabulary).unwrap();
    let mut matcher = TestMatcher::new(&tables).unwrap();
    matcher.accept_bytes(b"\"").unwrap();
    let mut random = Random::new(min as u64);
    let near = |count: u32| {
        [0, min, max, max / 2, 256, 16]
            .iter()
            .any(|&end| count.abs_diff(end) <= 2)
    };
    for count in 0..=max {
        let mut closed = matcher;
        let ended = closed.accept_bytes(b"\"");
        assert_eq!(ended.is_ok(), count >= min, "{ebnf}: {count} iterations");
        assert!(ended.is_err() || closed.is_complete());
        if near(count) {
            assert_tokens(&ebnf, &matcher, &words, iterations, (min, max), count);
        }
        let next = random.pick(iterations).unwrap();
        let taken = matcher.accept_bytes(next.as_bytes());
        assert_eq!(
            taken.is_ok(),
            count < max,
            "{ebnf}: iteration {} is {taken:?}",
            count + 1
        );
    }
}

/// The mask says what acceptance says, and for tokens of whole iterations what counting says.
fn assert_tokens(
    ebnf: &str,
    matcher: &Matcher<'_, { maskwright_tests::harness::DEPTH }, STACKS>,
    words: &Words,
    iterations: &[&str],
    (min, max): (u32, u32),
    count: u32,
) {
    assert_mask_is_acceptance(ebnf, matcher);
    let mask = matcher.mask();
    for id in 0..words.vocabulary.size() {
        let token = std::str::from_utf8(words.vocabulary.bytes(id)).unwrap_or_default();
        let (text, ends) = match token.strip_suffix('"') {
            Some(text) => (text, true),
            None => (token, false),
        };
        let whole = iterations
            .iter()
            .find(|one| !text.is_empty() && text.replace(*one, "").is_empty());
        if let Some(one) = whole {
            let after = count + (text.len() / one.len()) as u32;
            let expected = after <= max && (!ends || after >= min);
            assert_eq!(mask.contains(id), expected, "{ebnf}: {token} after {count}");
        }
    }
}

#[test]
fn counts_are_exact_at_both_ends() {
    let bounds = [
        (0, 0),
        (0, 1),
        (1, 1),
        (0, 2),
        (1, 2),
        (2, 2),
        (0, 16),
        (0, 17),
        (1, 33),
        (0, 64),
        (5, 100),
        (16, 255),
        (100, 100),
        (255, 257),
        (0, 600),
        (513, 4096),
        (4096, 4097),
    ];
    for body in &BODIES {
        for (min, max) in bounds {
            check_bounds(body, min, max);
        }
    }
}

#[test]
fn counts_are_exact_far_out() {
    check_bounds(&BODIES[0], 2, 70_000);
    check_bounds(&BODIES[2], 40_000, 65_535);
    check_bounds(&BODIES[1], 65_536, 65_537);
}

#[test]
fn nested_counts() {
    let words = words();
    let ebnf = "root ::= (\"a\" [bc]{2,40} \"a\"){3,50} \"c\"\n";
    let built = Built::new("nested", ebnf, &words, &blocks_of(16)).unwrap();
    let grammar = built.grammar();
    let levels = Automaton::new(&parse("nested", ebnf).unwrap(), &blocks_of(16)).unwrap();
    assert_eq!(levels.stacks, Stacks::Proved(1));
    assert!(levels.network.blocks >= 4);
    let text = |outer: usize, inner: usize| {
        [
            format!("a{}a", "b".repeat(inner)).repeat(outer).as_str(),
            "c",
        ]
        .concat()
    };
    for (outer, inner) in [
        (2, 5),
        (3, 2),
        (3, 1),
        (50, 40),
        (51, 40),
        (50, 41),
        (17, 17),
        (16, 33),
    ] {
        let mut matcher = TestMatcher::new(&grammar).unwrap();
        let taken = matcher.accept_bytes(text(outer, inner).as_bytes());
        let expected = (3..=50).contains(&outer) && (2..=40).contains(&inner);
        assert_eq!(taken.is_ok(), expected, "{outer} of {inner}: {taken:?}");
        assert!(taken != Err(AcceptError::TooManyStacks));
    }
}

#[test]
fn what_cannot_be_counted_byte_by_byte_is_written_out() {
    let of = |ebnf: &str| Automaton::new(&parse("x", ebnf).unwrap(), &blocks_of(2)).unwrap();
    for ebnf in [
        "root ::= (\"a\" | \"aa\"){0,20} \"b\"",
        "root ::= [a-z]{0,20} \"end\"",
        "root ::= (\"a\" \"b\"?){0,20} \"b\"",
        "root ::= x{0,20} x\nx ::= \"a\"",
    ] {
        let automaton = of(ebnf);
        assert_eq!(
            (automaton.network.blocks, automaton.stacks),
            (0, Stacks::Proved(1)),
            "{ebnf}"
        );
    }
    let exact = of("root ::= [a-z]{20} \"end\"");
    assert!(exact.network.blocks > 0);
}
