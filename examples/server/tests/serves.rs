//! Every text is one that its schema allows, nothing leaks, and what a request gets does not depend on what else is decoded.

use jsonschema::Validator;
use maskwright_compiler::Vocabulary;
use maskwright_example_server::cache::Cache;
use maskwright_example_server::figures::Figures;
use maskwright_example_server::schemas::schemas;
use maskwright_example_server::serve::{Options, Output, serve};

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
    depth: 32,
    draft: 4,
    jump: true,
    seed: 7,
};

/// Serves with a cache of so many bytes and compiling on so many threads. Afterwards nothing but the cache holds tables.
fn run(options: Options, bytes: usize, threads: usize) -> (Vec<Output>, Figures) {
    let schemas = schemas().unwrap();
    let mut cache = Cache::new(schemas.clone(), &vocabulary(), bytes, threads).unwrap();
    let (outputs, figures) = serve(&mut cache, &schemas, options).unwrap();
    assert_eq!(cache.bytes_alive(), cache.bytes());
    assert!(cache.bytes() <= bytes);
    cache.clear();
    assert_eq!(cache.bytes_alive(), 0);
    (outputs, figures)
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
fn every_text_is_one_of_its_schema_and_nothing_leaks() {
    let (outputs, figures) = run(OPTIONS, 15_000, 2);
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
    // All of it was used: eviction, forced tokens, drafts confirmed and taken back.
    assert!(figures.evicted > 20 && figures.compiled > 25, "{figures}");
    assert!(figures.most_bytes > 15_000, "{figures}");
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
    // With another cache, other threads, fewer slots, and without drafts.
    let (all_kept, figures) = run(OPTIONS, usize::MAX, 1);
    assert_eq!(figures.evicted, 0);
    assert_eq!(figures.compiled, 20);
    assert!(outputs == all_kept);
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
