//! Every text is one that its schema allows, and what a request gets does not depend on what else
//! is decoded.

use jsonschema::Validator;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::{Compiler, GrammarText, vocabulary::Vocabulary};
use server::figures::Figures;
use server::schemas::schemas;
use server::serve::{Options, Output, serve};

/// All bytes, what schemas are written with, and an end. Small, since tests are not optimised.
fn vocabulary() -> Vocabulary {
    let pieces = [
        "{\"", "\":", "\": ", "\",", "\", \"", "\"}", "\"]", "},", "}]", "}}", "[]", "[{", "{}",
        "true", "false", "null", "name", "ity", "na", "me", "qu", "ery", "fil", "ter", "field",
        "value", "er", "in", "on", "th", "re", "st", "tool", "10", "00", "20", "1.", ".5",
        "\"],\"", "\":\"", "\":[", "\":{\"", "children", "\":[]}",
    ];
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    tokens.extend(pieces.map(|piece| piece.as_bytes().to_vec()));
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![end])
}

const OPTIONS: Options = Options {
    slots: 16,
    requests: 120,
    draft: 4,
    jump: true,
    seed: 7,
};

/// Serves with a registry that keeps so many bytes and compiles on so many threads.
fn run(options: Options, bytes: usize, threads: usize) -> (Vec<Output>, Figures) {
    run_with(&registry(bytes, threads), options)
}

fn registry(bytes: usize, threads: usize) -> Registry {
    let kept = RegistryOptions::default().bytes(bytes).threads(threads);
    Registry::new(&Compiler::new(&vocabulary()).unwrap(), kept).unwrap()
}

fn run_with(registry: &Registry, options: Options) -> (Vec<Output>, Figures) {
    serve(registry, vocabulary().eos(), &schemas().unwrap(), options).unwrap()
}

/// Compiles all tables ahead.
fn compile_all(registry: &Registry) {
    for schema in schemas().unwrap() {
        let handle = registry.get(&GrammarText::schema(schema)).unwrap();
        handle.wait().unwrap();
    }
}

fn validators() -> Vec<Validator> {
    let schemas = schemas().unwrap();
    let parse = |text: &String| serde_json::from_str(text).unwrap();
    let validator = |text| {
        jsonschema::options()
            .should_validate_formats(true)
            .build(&parse(text))
    };
    schemas
        .iter()
        .map(|text| validator(text).unwrap())
        .collect()
}

#[test]
fn every_text_is_one_of_its_schema() {
    let registry = registry(usize::MAX, 2);
    compile_all(&registry);
    let (outputs, figures) = run_with(&registry, OPTIONS);
    let validators = validators();
    let requests: Vec<usize> = outputs.iter().map(|output| output.request).collect();
    assert_eq!(requests, (0..OPTIONS.requests).collect::<Vec<_>>());
    let mut seen = vec![0; validators.len()];
    for output in &outputs {
        let text = std::str::from_utf8(&output.text).unwrap();
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let validator = &validators[output.schema];
        assert!(
            validator.is_valid(&value),
            "schema {}: {text}",
            output.schema
        );
        seen[output.schema] += 1;
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    // All of it was used: forced tokens, drafts confirmed and taken back, rows of the pool.
    assert_eq!((figures.compiled, figures.evicted), (20, 0));
    assert!(figures.tokens_forced > 100, "{figures}");
    assert!(figures.tokens_confirmed > 50, "{figures}");
    assert!(
        figures.tokens_drafted > figures.tokens_confirmed + 100,
        "{figures}"
    );
    assert!(
        figures.masks > figures.rows_written && figures.steps_without_writing > 0,
        "{figures}"
    );
}

#[test]
fn the_same_seed_gives_the_same_texts() {
    let (outputs, _) = run(OPTIONS, 15_000, 2);
    // Where all is kept, and compiled by another number of threads.
    assert!(outputs == run(OPTIONS, usize::MAX, 1).0);
    // Where tables were there, and have been dropped.
    let dropping = registry(15_000, 2);
    compile_all(&dropping);
    let (with_tables, figures) = run_with(&dropping, OPTIONS);
    assert!(figures.evicted > 0, "{figures}");
    assert!(outputs == with_tables);
    let (alone, _) = run(
        Options {
            slots: 1,
            ..OPTIONS
        },
        1,
        3,
    );
    assert!(outputs == alone);
    let other = Options { seed: 8, ..OPTIONS };
    assert!(outputs != run(other, 15_000, 2).0);
}

#[test]
fn drafts_change_no_text() {
    let options = Options {
        jump: false,
        requests: 60,
        ..OPTIONS
    };
    let (with, figures) = run(options, 15_000, 2);
    let (without, _) = run(
        Options {
            draft: 0,
            ..options
        },
        15_000,
        2,
    );
    assert!(figures.tokens_confirmed > 0);
    assert!(with == without);
}
