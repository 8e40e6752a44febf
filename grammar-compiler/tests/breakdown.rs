//! Whose the bytes of tables are: the shares add up, and what one rule alone uses is its own.

use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ebnf;
use maskwright_compiler::{Breakdown, Compiler, vocabulary::Vocabulary};

/// Bytes, two-byte tokens of letters and brackets, and an end token.
fn compiler() -> Compiler {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    let pieces = [
        "ab", "\"a", "a\"", "[[", "]]", "],", "\"]", "12", "true", ",\"",
    ];
    tokens.extend(pieces.map(|piece| piece.as_bytes().to_vec()));
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Compiler::new(&Vocabulary::from_tokens(tokens, vec![end])).unwrap()
}

fn parse(text: &str) -> Grammar {
    let source = Source::new("g", text);
    let parsed = ebnf::parse(&source, &Default::default());
    parsed.unwrap().grammar
}

fn breakdown(text: &str) -> (usize, Breakdown) {
    let grammar = parse(text);
    let (compiled, automaton) = compiler().compile_and_keep(&grammar).unwrap();
    let breakdown = Breakdown::new(compiled.tables(), &automaton).unwrap();
    (compiled.tables().len(), breakdown)
}

const LISTS: &str = "root ::= value
value ::= \"[\" (value (\",\" value)*)? \"]\" | string | [0-9]+ | \"true\"
string ::= \"\\\"\" [a-z]* \"\\\"\"";

#[test]
fn shares_add_up_to_the_tables() {
    for text in [
        LISTS,
        "root ::= \"a\" | \"b\"",
        "root ::= \"a\" root \"b\" | \"\"",
    ] {
        let (total, breakdown) = breakdown(text);
        let of_states: usize = breakdown.states.iter().map(|state| state.bytes).sum();
        let of_rules: usize = breakdown.rules.iter().map(|rule| rule.bytes).sum();
        // Each share is rounded.
        let close = |sum: usize, parts: usize| {
            (sum + breakdown.fixed_bytes).abs_diff(total) <= parts / 2 + 1
        };
        assert!(
            close(of_states, breakdown.states.len()),
            "{of_states} of {total}"
        );
        assert!(
            close(of_rules, breakdown.rules.len()),
            "{of_rules} of {total}"
        );
        assert!(
            breakdown.fixed_bytes >= 128 + 256 + 4,
            "header, classes, end tokens"
        );
        assert!(
            breakdown
                .rules
                .is_sorted_by_key(|rule| std::cmp::Reverse(rule.bytes))
        );
    }
}

#[test]
fn each_state_has_its_rule() {
    let (_, breakdown) = breakdown(LISTS);
    let names: Vec<&str> = breakdown
        .rules
        .iter()
        .map(|rule| rule.name.as_str())
        .collect();
    assert!(
        names.iter().any(|name| name.starts_with("value")),
        "{names:?}"
    );
    // Its record alone has eight bytes, and its row and mask four at least.
    assert!(
        breakdown
            .states
            .iter()
            .all(|state| !state.rules.is_empty() && state.bytes >= 12)
    );
    let largest = breakdown.largest_states(2);
    assert_eq!(largest.len(), 2);
    assert!(largest[0].1.bytes >= largest[1].1.bytes);
}

#[test]
fn the_worst_mask_counts_words_and_ids() {
    // 267 ids: a bitmap has 9 words. One state after another allows one byte, then the end.
    let (_, breakdown) = breakdown("root ::= \"x\" \"y\"");
    assert!(
        (1..=9).contains(&breakdown.worst_mask),
        "{}",
        breakdown.worst_mask
    );
    // Closing brackets look down the stack, which adds a node's sets for each frame.
    let (_, nested) = self::breakdown(LISTS);
    assert!(nested.worst_mask > breakdown.worst_mask);
}

#[test]
fn the_worst_mask_beside_others_is_that_of_their_sets() {
    let ready = compiler();
    let (grammar, other) = (parse(LISTS), parse("root ::= [a-c]+ | [0-9]+"));
    let (alone, automaton) = ready.compile_and_keep(&grammar).unwrap();
    let expected = Breakdown::new(alone.tables(), &automaton)
        .unwrap()
        .worst_mask;

    // Beside itself each set is one of the other tables', and all of them cost what they cost
    // alone.
    let alone = alone.grammar().unwrap();
    let beside = ready.beside(&alone).unwrap();
    let (beside, automaton) = beside.compile_and_keep(&grammar).unwrap();
    let with = Breakdown::beside(beside.tables(), &automaton, &alone).unwrap();
    assert_eq!(with.worst_mask, expected);
    let without = Breakdown::new(beside.tables(), &automaton).unwrap();
    assert!(without.worst_mask > expected, "no less than any set costs");
    assert_eq!((with.states, with.rules), (without.states, without.rules));

    // These are not the tables that it stands beside; tables that stand alone stand beside any.
    let (other, of_other) = ready.compile_and_keep(&other).unwrap();
    let wrong = other.grammar().unwrap();
    assert_eq!(Breakdown::beside(beside.tables(), &automaton, &wrong), None);
    assert_eq!(
        Breakdown::beside(other.tables(), &of_other, &alone),
        Breakdown::new(other.tables(), &of_other)
    );
}
