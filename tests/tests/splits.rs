//! Grammars that need several stacks: along walks, each mask is the oracle's answer for every token
//! of a small vocabulary, and where a number of stacks is proved, no walk passes it.

use maskwright::{AcceptError, Matcher};
use maskwright_compiler::Options;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::effort;
use maskwright_tests::harness::{Built, DEPTH, STACKS, TestMatcher, Walk, Words, random_walk};
use maskwright_tests::properties::walk_at_depth;
use maskwright_tests::random::Random;
use maskwright_tests::random_grammar;
use proptest::prelude::*;
use std::cell::Cell;

/// What is ambiguous or not deterministic, whatever X, Y and Z are.
const CONTEXTS: [&str; 10] = [
    "root ::= X* \"c\" | n\nn ::= \"a\" n Y | \"\"",
    "root ::= \"a\" root \"a\" | \"b\" root \"b\" | X",
    "root ::= X root Y | Z",
    "root ::= s\ns ::= X* s \"c\" | Y",
    "root ::= s \"c\"\ns ::= n s X | Y\nn ::= Z?",
    "root ::= \"a\" root | \"a\" root \"b\" root | X | \"c\" root Y",
    "root ::= p | q\np ::= \"a\" p \"b\" | X\nq ::= \"a\" q \"bb\" | Y",
    "root ::= p \"c\"* | \"a\"* q\np ::= \"a\" p X | \"\"\nq ::= \"b\" q Y | \"\"",
    "root ::= (\"a\" X | p)*\np ::= \"a\" p? \"b\" Y?",
    "root ::= root X root | Y | \"(\" root Z",
];

const BODIES: [&str; 12] = [
    "\"a\"",
    "\"b\"",
    "\"c\"",
    "\"ab\"",
    "[ab]",
    "(\"a\" | \"ba\")",
    "(\"b\" \"a\"*)",
    "\"aa\"",
    "[aé€]",
    "(\"c\" | \"é\")",
    "r",
    "(\"b\" | r)",
];

fn grammars() -> impl Strategy<Value = String> {
    let bodies = proptest::collection::vec(prop::sample::select(BODIES.to_vec()), 3);
    (prop::sample::select(CONTEXTS.to_vec()), bodies).prop_map(|(context, bodies)| {
        let filled = ["X", "Y", "Z"]
            .iter()
            .zip(bodies)
            .fold(context.to_owned(), |text, (name, body)| {
                text.replace(name, body)
            });
        format!("{filled}\nr ::= \"a\" r \"b\" | \"ab\"\n")
    })
}

#[derive(Default)]
struct Counts {
    one: Cell<u32>,
    several: Cell<u32>,
    unproved: Cell<u32>,
    refused: Cell<u32>,
}

fn bump(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

#[test]
fn masks_of_grammars_that_split_are_the_oracles() {
    let tokens = random_grammar::tokens();
    let eos = vec![tokens.len() as u32 - 1];
    let words = Words::all(Vocabulary::from_tokens(tokens, eos));
    let counts = Counts::default();
    let cases = effort::cases() / 2;
    let result = effort::runner(cases).run(&grammars(), |ebnf| {
        let checked = check(&ebnf, &words, &counts);
        checked.map_err(|problem| TestCaseError::fail(format!("{problem}\n{ebnf}")))
    });
    println!(
        "of {cases}: {} of one stack, {} of several, {} with a cap, {} refused",
        counts.one.get(),
        counts.several.get(),
        counts.unproved.get(),
        counts.refused.get()
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(counts.several.get() * 8 >= cases && counts.unproved.get() * 8 >= cases);
    // Among them are those with a cap for which the vocabulary lacks bytes.
    assert!(counts.refused.get() * 4 <= cases);
}

/// Where a symbol is taken again, the frames below may refuse it: need must not count on it.
#[test]
fn no_dead_ends_with_few_frames() {
    let tokens = random_grammar::tokens();
    let eos = vec![tokens.len() as u32 - 1];
    let words = Words::all(Vocabulary::from_tokens(tokens, eos));
    let several =
        "root ::= s\ns ::= (\"b\" | r)* s \"c\" | \"b\" \"a\"*\nr ::= \"a\" r \"b\" | \"ab\"\n";
    let one = "root ::= s \"c\"\ns ::= n s \"ab\" | [ab]\nn ::= r?\nr ::= \"a\" r \"b\" | \"ab\"\n";
    for (ebnf, text) in [(several, "bbbbbac"), (one, "ababaab")] {
        let built = Built::new("few frames", ebnf, &words, &options()).unwrap();
        let grammar = built.grammar();
        walk_at_depth::<2>(&built, &grammar);
        // What there is room to begin, there is room to finish.
        assert!(!is_dead_end::<4>(&grammar, text), "{ebnf}");
        assert!(!is_dead_end::<5>(&grammar, text), "{ebnf}");
    }
}

fn is_dead_end<const ROOM: usize>(grammar: &maskwright::Grammar<'_>, text: &str) -> bool {
    let Ok(mut matcher) = Matcher::<ROOM, STACKS>::new(grammar) else {
        return false;
    };
    matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.mask().is_empty()
}

fn options() -> Options {
    Options::default()
        .limits(random_grammar::limits())
        .threads(1)
}

fn check(ebnf: &str, words: &Words, counts: &Counts) -> Result<(), String> {
    let built = match Built::new("splits", ebnf, words, &options()) {
        Ok(built) => built,
        Err(error) if error.code() == "limit-exceeded" => {
            bump(&counts.refused);
            return Ok(());
        }
        Err(error) => return Err(error.to_string()),
    };
    let grammar = built.grammar();
    let proved = grammar.stacks_are_proved().then_some(grammar.max_stacks());
    bump(match proved {
        Some(1) => &counts.one,
        Some(_) => &counts.several,
        None => &counts.unproved,
    });
    if TestMatcher::new(&grammar).is_err() {
        return Err(format!("{proved:?} stacks are more than the cap"));
    }
    for seed in 0..4 {
        let mut walk = Walk::new(&built, &grammar);
        let tally = random_walk(&mut walk, 16, &mut Random::new(seed));
        let tally = tally.map_err(|mismatch| mismatch.to_string())?;
        if proved.is_some() && tally.too_many_stacks > 0 {
            return Err(format!("more than the proved {proved:?} stacks"));
        }
        // With as many stacks as were proved, and no more.
        if proved == Some(2) {
            let mut tight = Matcher::<DEPTH, 2>::new(&grammar).map_err(|e| e.to_string())?;
            let taken = tight.accept_bytes(&walk.text);
            if taken == Err(AcceptError::TooManyStacks) {
                return Err(format!("more than 2 stacks: {}", walk.text.escape_ascii()));
            }
        }
    }
    Ok(())
}
