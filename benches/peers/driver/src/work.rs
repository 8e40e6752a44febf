//! The work: JSON documents, and schemas with their instances; as tokens.
//!
//! In: the folder `work`, and MaskBench from `../shared/data` beside the repository, when it is
//! there. Out: [`Item`]s.

pub mod tools;

use std::io::Read;
use std::path::PathBuf;

use peers_common::{Source, Task, Text, Vocabulary};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tiktoken_rs::CoreBPE;

use crate::{Result, home};

/// Every so many schemas of MaskBench are taken.
const EVERY: usize = 96;
/// Instances of a schema, at most.
const INSTANCES: usize = 12;
/// MaskBench's largest valid instances, so many, are documents too.
const DOCUMENTS: usize = 6;
/// But none above so many bytes.
const LARGEST: usize = 20_000;
/// Walks of each text after the first.
pub const ROUNDS: usize = 5;
/// Steps a task whose masks are compared.
const KEPT_MASKS: usize = 400;
/// Compiling is not repeated once it took so long in all: a second.
pub const ENOUGH_NS: u64 = 1_000_000_000;

/// A grammar and its texts.
pub struct Item {
    /// `json/…` or `schema/…`.
    pub name: String,
    source: Source,
    texts: Vec<(bool, String)>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    schema: Value,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    valid: bool,
    data: Value,
}

impl Item {
    /// Whether its language is all JSON texts.
    pub fn free(&self) -> bool {
        matches!(self.source, Source::Json)
    }

    /// The same with the texts in tokens.
    pub fn task(&self, tokenizer: &CoreBPE) -> Task {
        let texts = self.texts.iter().map(|(valid, text)| Text {
            valid: *valid,
            tokens: tokenizer.encode_ordinary(text),
        });
        Task {
            name: self.name.clone(),
            source: self.source.clone(),
            texts: texts.collect(),
            rounds: ROUNDS,
            kept_masks: KEPT_MASKS,
            enough_ns: ENOUGH_NS,
        }
    }
}

/// Whether a task's texts are committed here. Of MaskBench's none are, not even as examples in the
/// results.
pub fn is_own(task: &str) -> bool {
    task.starts_with("schema/own-") || (task.starts_with("json/") && task != "json/maskbench")
}

/// All of the work.
pub fn items() -> Result<Vec<Item>> {
    let maskbench = maskbench()?;
    let mut items = documents()?;
    if let Some(item) = largest(&maskbench) {
        items.push(item);
    }
    let own = std::fs::read_to_string(home().join("work/schemas.jsonl"))?;
    let own: Vec<Row> = rows(&own)?;
    let chosen = maskbench.iter().step_by(EVERY);
    items.extend(own.iter().chain(chosen).map(schema));
    Ok(items)
}

/// The committed documents.
fn documents() -> Result<Vec<Item>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(home().join("work/documents"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<_>>()?;
    paths.sort();
    let mut items = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path)?;
        // A document, and the same cut in the middle with a bracket that closes nothing.
        let half = text.floor_char_boundary(text.len() / 2);
        let broken = format!("{}]}}]", &text[..half]);
        items.push(Item {
            name: format!("json/{name}"),
            source: Source::Json,
            texts: vec![(true, text), (false, broken)],
        });
    }
    Ok(items)
}

/// MaskBench's largest instances as documents.
fn largest(rows: &[Row]) -> Option<Item> {
    let tests = rows.iter().flat_map(|row| &row.tests);
    let mut texts: Vec<String> = tests
        .filter(|test| test.valid && (test.data.is_object() || test.data.is_array()))
        .map(|test| spaced(&test.data))
        .filter(|text| text.len() <= LARGEST)
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.dedup();
    texts.truncate(DOCUMENTS);
    (!texts.is_empty()).then(|| Item {
        name: "json/maskbench".to_owned(),
        source: Source::Json,
        texts: texts.into_iter().map(|text| (true, text)).collect(),
    })
}

fn schema(row: &Row) -> Item {
    let tests = row.tests.iter().take(INSTANCES);
    Item {
        name: format!("schema/{}", row.name),
        source: Source::Schema(row.schema.to_string()),
        texts: tests.map(|test| (test.valid, spaced(&test.data))).collect(),
    }
}

fn maskbench() -> Result<Vec<Row>> {
    let mut folder = home();
    // The data lies beside the repository, or beside where its worktrees lie.
    while folder.pop() {
        let path = folder.join("shared/data/maskbench.jsonl.gz");
        if let Ok(file) = std::fs::File::open(path) {
            let mut text = String::new();
            flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
            return rows(&text);
        }
    }
    eprintln!("no shared/data beside the repository: the committed work only");
    Ok(Vec::new())
}

pub fn rows<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    Ok(text
        .lines()
        .map(serde_json::from_str)
        .collect::<serde_json::Result<_>>()?)
}

/// One space after each comma and colon, as Python writes JSON.
fn spaced(value: &Value) -> String {
    struct Spaced;
    impl serde_json::ser::Formatter for Spaced {
        fn begin_array_value<W: ?Sized + std::io::Write>(
            &mut self,
            out: &mut W,
            first: bool,
        ) -> std::io::Result<()> {
            out.write_all(if first { b"" } else { b", " })
        }
        fn begin_object_key<W: ?Sized + std::io::Write>(
            &mut self,
            out: &mut W,
            first: bool,
        ) -> std::io::Result<()> {
            out.write_all(if first { b"" } else { b", " })
        }
        fn begin_object_value<W: ?Sized + std::io::Write>(
            &mut self,
            out: &mut W,
        ) -> std::io::Result<()> {
            out.write_all(b": ")
        }
    }
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Spaced);
    serde::Serialize::serialize(value, &mut serializer).expect("it is JSON");
    String::from_utf8(out).expect("JSON is text")
}

/// The tokens' bytes.
pub fn vocabulary(name: &str) -> Result<Vocabulary> {
    let vocabulary = maskwright_compiler::vocabulary::Vocabulary::named(name)?;
    Ok(Vocabulary {
        tokens: vocabulary.iter().map(<[u8]>::to_vec).collect(),
        eos: *vocabulary.eos().first().ok_or("no token ends a text")?,
    })
}

/// The tokenizer.
pub fn tokenizer(name: &str) -> Result<CoreBPE> {
    Ok(match name {
        "cl100k_base" => tiktoken_rs::cl100k_base()?,
        _ => tiktoken_rs::o200k_base()?,
    })
}
