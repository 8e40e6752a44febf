//! Decodes JSON documents with a model that knows nothing of JSON: only the masks make the output
//! valid.
//!
//! Usage: `json-decode [SEED]…`

mod decode;
mod model;

use std::error::Error;
use std::io::{Write, stdout};

// `static JSON: maskwright::Grammar` and `type JsonMatcher`.
include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

/// Tokens that the model likes a text to have.
const LENGTH: usize = 80;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds: Result<Vec<u64>, _> = std::env::args().skip(1).map(|seed| seed.parse()).collect();
    let mut seeds = seeds.map_err(|_| "usage: json-decode [SEED]...")?;
    if seeds.is_empty() {
        seeds = vec![1, 2, 3];
    }
    println!(
        "tables: {} KB, vocabulary: {} tokens\n",
        JSON.as_bytes().len() / 1000,
        JSON.vocab_size()
    );
    seeds.into_iter().try_for_each(document)
}

/// Decodes a document, prints it and its figures, and checks it.
fn document(seed: u64) -> Result<(), Box<dyn Error>> {
    let vocabulary = JSON.vocabulary().ok_or("the grammar has no vocabulary")?;
    let eos: Vec<u32> = JSON.eos().collect();
    let tokens = (0..JSON.vocab_size()).map(|id| vocabulary.bytes(id));
    let model = model::Model::new(seed, LENGTH, tokens, &eos);
    println!("--- seed {seed}");
    let decoded = decode::decode(&JSON, &model, &mut stdout().lock())?;
    let value: serde_json::Value = serde_json::from_slice(&decoded.text)?;
    let masked = 100.0 * decoded.masked.iter().sum::<f64>() / decoded.masked.len() as f64;
    println!(
        "\n--- {} tokens, {} bytes",
        decoded.masked.len(),
        decoded.text.len()
    );
    println!("masked: {masked:.1} % of the tokens, on average");
    println!("mask:   {} ns (median)", median(decoded.mask_ns));
    println!("accept: {} ns (median)", median(decoded.accept_ns));
    println!("serde_json: valid, {}\n", describe(&value));
    Ok(stdout().flush()?)
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

/// A value in a few words.
fn describe(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(members) => format!("an object of {} members", members.len()),
        serde_json::Value::Array(elements) => format!("an array of {} elements", elements.len()),
        other => format!("{other}"),
    }
}
