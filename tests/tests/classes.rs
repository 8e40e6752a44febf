//! What becomes of the known classes of grammars: the table in docs/decoding.md, a test for each
//! row.

use maskwright_compiler::Automaton;
use maskwright_compiler::pda::interpret as pda_level;
use maskwright_compiler::pda::stacks::Stacks;
use maskwright_tests::effort;
use maskwright_tests::harness::compile;
use maskwright_tests::harness::{Built, Walk, Words, parse, random_walk, unhurried, walk_along};
use maskwright_tests::random::Random;
use maskwright_tests::tokenizer::Tokenizer;
use maskwright_tests::{random_grammar, suite};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::LazyLock;

static WORDS: LazyLock<Words> = LazyLock::new(|| Words::all(Tokenizer::train().vocabulary()));

/// What a grammar becomes.
#[derive(Debug, PartialEq, Eq)]
struct Becomes {
    stacks: Stacks,
    /// The codes of the warnings.
    warnings: Vec<&'static str>,
}

const ONE: Stacks = Stacks::Proved(1);
const TWO: Stacks = Stacks::Proved(2);

/// Asserts what the grammar becomes, and that masks are the oracle's along these sentences and
/// random walks.
fn check(name: &str, ebnf: &str, sentences: &[&str], stacks: Stacks) {
    let grammar = parse(name, ebnf).unwrap();
    let options = unhurried();
    let compiled = compile(&grammar, &WORDS.vocabulary, &options).unwrap();
    let report = compiled.report();
    let warnings = compiled
        .warnings()
        .iter()
        .map(|w| w.code().as_str())
        .collect();
    let found = Becomes {
        stacks: match report.stacks_proved {
            true => Stacks::Proved(report.max_stacks as u32),
            false => Stacks::Unproved,
        },
        warnings,
    };
    let expected = Becomes {
        stacks,
        warnings: Vec::new(),
    };
    assert_eq!(found, expected, "{name}");
    let strict = options.deterministic(true);
    let refused = compile(&grammar, &WORDS.vocabulary, &strict).map(|_| ());
    match refused {
        Ok(()) => assert_eq!(stacks, ONE, "{name}"),
        Err(error) => {
            assert_eq!(error.code(), "not-deterministic", "{name}");
            assert_ne!(stacks, ONE, "{name}");
            assert!(error.message().contains("after `"), "{name}: {error}");
            assert!(
                !error.diagnostics()[0].labels().is_empty(),
                "{name}: {error}"
            );
        }
    }

    let built = Built::new(name, ebnf, &WORDS, &unhurried()).unwrap();
    let tables = built.grammar();
    let mut random = Random::new(7);
    for sentence in sentences {
        let mut walk = Walk::new(&built, &tables);
        let tally = walk_along(&mut walk, sentence.as_bytes(), &mut random);
        assert_eq!(tally.unwrap().too_many_stacks, 0, "{name}: {sentence}");
        assert_eq!(walk.text, sentence.as_bytes(), "{name}");
        assert!(walk.matcher.is_complete(), "{name}: {sentence}");
    }
    for _ in 0..4 {
        let mut walk = Walk::new(&built, &tables);
        let tally = random_walk(&mut walk, 20, &mut random).unwrap();
        assert_eq!(tally.too_many_stacks, 0, "{name}");
    }
}

#[test]
fn lr1() {
    let grammar = r#"
        root ::= sum
        sum ::= sum "+" product | product
        product ::= product "*" atom | atom
        atom ::= [0-9] | "(" sum ")"
    "#;
    check("lr1", grammar, &["1+2*(3+4)", "((1))*2"], ONE);
}

#[test]
fn lr1_but_not_lalr1() {
    // After `c`, the states of the two beginnings merge in LALR(1), and `d` no longer says what `c`
    // was.
    let grammar = r#"
        root ::= "a" x "d" | "b" y "d" | "a" y "e" | "b" x "e"
        x ::= "c" | "(" x ")"
        y ::= "c" | "(" y ")"
    "#;
    check(
        "lr1_but_not_lalr1",
        grammar,
        &["acd", "b((c))e", "a(c)e"],
        ONE,
    );
}

#[test]
fn lr2_but_not_lr1() {
    // What `n` was shows two symbols after it ends.
    let grammar = r#"
        root ::= x "c" "d" | y "c" "e"
        x ::= "n" | "(" x ")"
        y ::= "n" | "(" y ")"
    "#;
    check("lr2_but_not_lr1", grammar, &["ncd", "((n))ce"], ONE);
}

#[test]
fn deterministic_but_not_lr_k() {
    // Any number of symbols may have to be read before the first rule is known; the language is
    // regular but for the brackets.
    let grammar = r#"
        root ::= xs "c" | ys "d"
        xs ::= x xs | x
        ys ::= y ys | y
        x ::= "n" | "(" x ")"
        y ::= "n" | "(" y ")"
    "#;
    check(
        "deterministic_but_not_lr_k",
        grammar,
        &["nnn(n)c", "n((n))nd"],
        ONE,
    );
}

#[test]
fn visibly_pushdown() {
    let grammar = r#"
        root ::= item*
        item ::= "<" item* ">" | "[" item* "]" | [a-z] | "<" item* "]!"
    "#;
    check(
        "visibly_pushdown",
        grammar,
        &["<a[b]c>", "<<a]!>", "[]<>"],
        ONE,
    );
}

#[test]
fn ambiguous() {
    let grammar = r#"
        root ::= root "+" root | root "*" root | "(" root ")" | [0-9]
    "#;
    check("ambiguous", grammar, &["1+2*3", "(1+2)*3"], ONE);
}

#[test]
fn dangling_else() {
    let grammar = r#"
        root ::= s
        s ::= "i" s | "i" s "e" s | "x" | "{" s "}"
    "#;
    check(
        "dangling_else",
        grammar,
        &["iixex", "{iix}", "iiixexex"],
        ONE,
    );
}

#[test]
fn dangling_else_whose_first_byte_is_another_words() {
    let entry = suite::entry("dangling_else");
    let sentences: Vec<&str> = (entry.sentences.iter())
        .map(|s| std::str::from_utf8(s).unwrap())
        .collect();
    check("dangling_else (suite)", &entry.ebnf, &sentences, TWO);
}

#[test]
fn hidden_left_recursion_that_counts() {
    // Each `x` may end a call or go on with the left recursion: the lowest stack takes what all
    // take.
    let grammar = r#"
        root ::= a
        a ::= n a "x" | "y"
        n ::= "n"?
    "#;
    check(
        "hidden_left_recursion",
        grammar,
        &["nnyxx", "nyxxxx", "y"],
        ONE,
    );
}

#[test]
fn union_of_two_deterministic_languages() {
    let grammar = r#"
        root ::= "a"* "c" | n
        n ::= "a" n "b" | ""
    "#;
    check("union", grammar, &["aaaac", "aaabbb", "c", ""], TWO);
}

#[test]
fn inherently_ambiguous() {
    // aⁱbʲcᵏ with i = j or j = k.
    let grammar = r#"
        root ::= ab "c"* | "a"* bc
        ab ::= "a" ab "b" | ""
        bc ::= "b" bc "c" | ""
    "#;
    check(
        "inherently_ambiguous",
        grammar,
        &["aabbcc", "aabbc", "abbcc", ""],
        TWO,
    );
}

#[test]
fn unambiguous_but_not_deterministic() {
    let grammar = r#"root ::= "a" root "a" | "b" root "b" | """#;
    check(
        "palindromes",
        grammar,
        &["abba", "aabbaa", ""],
        Stacks::Unproved,
    );
}

#[test]
fn hidden_left_recursion_behind_a_repetition() {
    let entry = suite::entry("hidden_left_star");
    check(
        "hidden_left_star",
        &entry.ebnf,
        &["abdc", "dccc", "abbadcc"],
        ONE,
    );
}

#[test]
fn where_no_bound_is_proved_the_stacks_grow_with_the_text() {
    let grammar = parse("palindrome", &suite::entry("palindrome").ebnf).unwrap();
    let pda = Automaton::new(&grammar, &unhurried()).unwrap().pda;
    let class = pda.classes.of(b'a');
    let mut stacks = vec![(pda.start, Vec::new())];
    let mut counts = Vec::new();
    for _ in 0..10 {
        for _ in 0..4 {
            stacks = pda_level::step(&pda, &stacks, class);
        }
        counts.push(stacks.len());
    }
    let grow = counts.windows(2).all(|pair| pair[0] < pair[1]);
    assert!(grow && counts[9] > 16, "{counts:?}");
}

/// The most stacks on walks of random symbols, each chosen among those that some stack can take.
fn widest(automaton: &Automaton, walks: usize, steps: usize, random: &mut Random) -> usize {
    let pda = &automaton.pda;
    let mut most = 0;
    for _ in 0..walks {
        let mut stacks = vec![(pda.start, Vec::new())];
        for _ in 0..steps {
            let states = stacks.iter().map(|stack| &pda.states[stack.0.index()]);
            let mut classes: Vec<u16> = states.flat_map(|s| s.edges.iter().map(|e| e.0)).collect();
            classes.sort_unstable();
            classes.dedup();
            let Some(&class) = random.pick(&classes) else {
                break;
            };
            let next = pda_level::step(pda, &stacks, class);
            if !next.is_empty() {
                stacks = next;
            }
            most = most.max(stacks.len());
        }
    }
    most
}

fn keeps_its_bound(automaton: &Automaton, walks: usize, random: &mut Random) -> Result<(), String> {
    let widest = widest(automaton, walks, 60, random);
    match automaton.stacks {
        Stacks::Proved(count) if widest > count as usize => {
            Err(format!("{widest} stacks, proved were {count}"))
        }
        _ => Ok(()),
    }
}

/// The grammars of the suite with more than one stack; all others are proved to need one.
const SEVERAL: [(&str, Stacks); 4] = [
    ("c_like", TWO),
    ("dangling_else", TWO),
    ("palindrome", Stacks::Unproved),
    ("split", TWO),
];

#[test]
fn bounds_of_the_suite_are_these_and_walks_keep_them() {
    let mut random = Random::new(3);
    for entry in suite::load() {
        if entry.name == "sql_unreserved" || entry.name == "sql" {
            continue;
        }
        let grammar = parse(&entry.name, &entry.ebnf).unwrap();
        let automaton = Automaton::new(&grammar, &unhurried()).unwrap();
        let expected = SEVERAL.iter().find(|s| s.0 == entry.name);
        let expected = expected.map_or(ONE, |s| s.1);
        assert_eq!(automaton.stacks, expected, "{}", entry.name);
        let kept = keeps_its_bound(&automaton, 200, &mut random);
        assert_eq!(kept, Ok(()), "{}", entry.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effort::of(60), rng_seed: RngSeed::Fixed(11), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn walks_keep_the_bounds_of_random_grammars(ast in random_grammar::grammars()) {
        let grammar = parse("random", &ast.to_string());
        let options = unhurried().limits(random_grammar::limits());
        let automaton = grammar.and_then(|grammar| Automaton::new(&grammar, &options));
        let Ok(automaton) = automaton else { return Err(TestCaseError::reject("refused")) };
        let kept = keeps_its_bound(&automaton, 40, &mut Random::new(5));
        prop_assert!(kept.is_ok(), "{kept:?}\n{ast}");
    }
}
