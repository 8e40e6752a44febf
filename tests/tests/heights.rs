//! The height that is said of a grammar's stacks, against stacks that texts bring about: none is
//! higher, and some text comes as high.

use maskwright_compiler::limits::Deadline;
use maskwright_compiler::lr::Sharing;
use maskwright_compiler::pda::Pda;
use maskwright_compiler::pda::height::{Height, Origin, height};
use maskwright_compiler::pda::interpret::{Stack, step};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{Automaton, Options, grammar};
use maskwright_tests::effort;
use maskwright_tests::harness::{parse, unhurried};
use maskwright_tests::{random_grammar, suite};
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::{BinaryHeap, HashSet};
use std::path::Path;

/// Stacks that are looked at for one grammar.
const STACKS: usize = 100_000;
/// What counts as without end.
const HIGH: usize = 40;

/// The height of the highest stack that is found: all stacks, the highest first, no higher than
/// [`HIGH`].
fn highest(pda: &Pda, enough: usize) -> usize {
    let start: Stack = (pda.start, Vec::new());
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = BinaryHeap::from([(0, start)]);
    let mut most = 0;
    while let Some((height, stack)) = queue.pop() {
        most = most.max(height);
        if most >= enough || seen.len() > STACKS {
            break;
        }
        let edges = &pda.states[stack.0.index()].edges;
        // Symbols with one tree lead to the same stacks, but where they are taken again.
        let same = edges.chunk_by(|a, b| a.1 == b.1 && !pda.takes_again(a.1));
        for class in same.map(|edges| edges[0].0) {
            for next in step(pda, std::slice::from_ref(&stack), class) {
                if next.1.len() <= HIGH && seen.insert(next.clone()) {
                    queue.push((next.1.len(), next));
                }
            }
        }
    }
    most
}

/// What is said of a grammar and what is found; an error where they differ.
fn compare(grammar: &grammar::Grammar) -> Result<Height, String> {
    let automaton = Automaton::new(grammar, &unhurried()).map_err(|error| error.to_string())?;
    compare_automaton(&automaton, &unhurried())
}

/// The same for an automaton.
fn compare_automaton(automaton: &Automaton, options: &Options) -> Result<Height, String> {
    let pda = &automaton.pda;
    let origin = Origin {
        network: &automaton.network,
        has_lexer: false,
        is_under_exact: automaton.built.positions.sharing == Sharing::Together,
    };
    let said = height(pda, origin, &Deadline::start(&options.limits));
    let said = said.map_err(|limit| limit.what)?;
    // One more than is said is never enough to stop at, so that a higher stack would be found.
    let found = highest(pda, said.at_most().map_or(HIGH, |frames| frames + 1));
    let is_highest = said.at_most().is_some_and(|frames| found == frames);
    let is_beyond = said.grows_by().is_some_and(|by| found > HIGH - by);
    match is_highest || is_beyond {
        true => Ok(said),
        false => Err(format!("{said}, found were {found}")),
    }
}

#[test]
fn heights_of_the_suite_are_exact() {
    let mut bounded = 0;
    for entry in suite::load() {
        if entry.name.starts_with("sql") {
            continue;
        }
        let grammar = parse(&entry.name, &entry.ebnf).unwrap();
        let compared = compare(&grammar);
        let said = compared.unwrap_or_else(|wrong| panic!("{}: {wrong}", entry.name));
        println!("{}: {said}", entry.name);
        bounded += usize::from(said.at_most().is_some());
    }
    assert!(bounded > 5, "{bounded}");
}

#[test]
fn heights_of_schemas_are_exact() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
    files.sort_by_key(|file| file.as_ref().unwrap().path());
    let mut bounded = 0;
    for file in files {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        for case in cases {
            let source = Source::new("schema", case["schema"].to_string());
            let grammar = json_schema::parse(&source, &Default::default())
                .unwrap()
                .grammar;
            let compared = compare(&grammar);
            let said = compared.unwrap_or_else(|wrong| panic!("{}: {wrong}", case["name"]));
            println!("{}: {said}", case["name"]);
            bounded += usize::from(said.at_most().is_some());
        }
    }
    assert!(bounded > 50, "{bounded}");
}

#[test]
fn heights_of_random_grammars_are_exact() {
    let bounded = Cell::new(0);
    let cases = effort::of(300);
    let mut runner = effort::runner(cases);
    let result = runner.run(&random_grammar::grammars(), |ast| {
        let grammar = parse("random", &ast.to_string());
        let options = unhurried().limits(random_grammar::limits());
        let Ok(grammar) = grammar else {
            return Err(TestCaseError::reject("refused"));
        };
        // Past a limit, that of time too, a grammar is refused: nothing is said of its height.
        let Ok(automaton) = Automaton::new(&grammar, &options) else {
            return Err(TestCaseError::reject("refused"));
        };
        match compare_automaton(&automaton, &unhurried()) {
            Ok(said) => {
                bounded.set(bounded.get() + usize::from(said.at_most().is_some_and(|h| h > 0)));
                Ok(())
            }
            Err(wrong) => Err(TestCaseError::fail(format!("{wrong}\n{ast}"))),
        }
    });
    println!("{} of {cases} are bounded, above 0", bounded.get());
    if let Err(error) = result {
        panic!("{error}");
    }
}
