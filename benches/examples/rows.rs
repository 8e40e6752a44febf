//! What a row of a mask costs in Rust, for the figures of Python's bindings:
//! runtime/python/bench/peers.py calls it.
//!
//! ```sh
//! cargo run --release -p maskwright-benches --example rows -- cl100k_base
//! ```
//!
//! In: the documents of benches/peers/work, in tokens of the vocabulary, each the longest that
//! fits. Out: one line of JSON, in nanoseconds: median and 90th percentile of `Mask::fill`, and of
//! `MaskPool::copy_to` with as many rows as Python keeps. Each is called once at each step of the
//! documents, and the least of three walks counts, as in Python.

use maskwright::{MaskPool, OwnedGrammar, OwnedMatcher, OwnedVocabulary, PoolSlot};
use maskwright_benches::percentiles::Percentiles;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Whitespace};
use maskwright_compiler::{Compiler, GrammarText, vocabulary::Vocabulary};
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const DEPTH: usize = 64;
const ROUNDS: usize = 3;
/// Rows that Python keeps for a vocabulary.
const KEPT: usize = 96;

/// The tokens of a text, each the longest that fits.
fn longest(ids: &HashMap<&[u8], u32>, mut text: &[u8]) -> Option<Vec<u32>> {
    let mut tokens = Vec::new();
    while !text.is_empty() {
        let mut lengths = (1..=text.len().min(64)).rev();
        let length = lengths.find(|&length| ids.contains_key(&text[..length]))?;
        tokens.push(ids[&text[..length]]);
        text = &text[length..];
    }
    Some(tokens)
}

/// Nanoseconds of `write` at each step of the texts.
fn walk(
    grammar: &OwnedGrammar,
    texts: &[Vec<u32>],
    mut write: impl FnMut(&OwnedMatcher),
) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut times = Vec::new();
    for text in texts {
        let mut matcher = OwnedMatcher::new(grammar, DEPTH)?;
        for &token in text {
            let start = Instant::now();
            write(&matcher);
            times.push(start.elapsed().as_nanos() as f64);
            matcher.accept_token(token)?;
        }
    }
    Ok(times)
}

/// Percentiles of the least times of some walks.
fn least(
    mut walk: impl FnMut() -> Result<Vec<f64>, Box<dyn Error>>,
) -> Result<Percentiles, Box<dyn Error>> {
    let mut least = walk()?;
    for _ in 1..ROUNDS {
        for (least, time) in least.iter_mut().zip(walk()?) {
            *least = least.min(time);
        }
    }
    Ok(Percentiles::of(least))
}

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("cl100k_base".to_owned());
    let vocabulary = Vocabulary::named(&name)?;
    let packed = OwnedVocabulary::load(vocabulary.pack()?)?;
    let ids: HashMap<&[u8], u32> = (vocabulary.iter().zip(0..))
        .filter(|(token, _)| !token.is_empty())
        .collect();
    let options = SchemaOptions::default().whitespace(Whitespace::Unbounded);
    let text = GrammarText::schema("{}").schema_options(options);
    let compiled = Compiler::new(&vocabulary)?.compile_text(&text)?;
    let grammar = OwnedGrammar::load(compiled.into_tables())?.with_vocabulary(&packed)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/work/documents");
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(|file| file.path());
    let mut texts = Vec::new();
    for file in files {
        let text = std::fs::read(file.path())?;
        texts.push(longest(&ids, text.trim_ascii()).ok_or("a byte without a token")?);
    }
    let words = vocabulary.iter().count().div_ceil(32);
    let mut row = vec![0; words];
    let filled = least(|| {
        walk(&grammar, &texts, |matcher| {
            let filled = matcher.with_mask(|mask| mask.fill(&mut row));
            filled.expect("the row is as wide as the mask");
        })
    })?;
    let mut pool = MaskPool::new(
        vec![0; KEPT * words],
        vec![PoolSlot::default(); KEPT],
        words,
    );
    let copied = least(|| {
        walk(&grammar, &texts, |matcher| {
            let copied = matcher.with_mask(|mask| pool.copy_to(mask, 1, &mut row));
            copied.expect("the row is as wide as the mask");
        })
    })?;
    println!(
        r#"{{"fill": [{}, {}], "copy_to": [{}, {}]}}"#,
        filled.p50, filled.p90, copied.p50, copied.p90
    );
    Ok(())
}
