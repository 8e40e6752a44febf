//! Calls of tools: each number of tools with each engine, one after the other; tables, CSV and
//! pictures of that.

mod report;
mod tables;

use std::path::Path;
use std::time::Duration;

use peers_common::Measured;
use serde::{Deserialize, Serialize};

use crate::{Result, VOCABULARIES, processes, work};

/// Engines that read tools. The first measures masks in a pool, and compiles in one thread; the
/// third compiles in as many as there are processors; the fourth links tools.
pub const ENGINES: [&str; 8] = [
    "maskwright",
    "maskwright-fill",
    "maskwright-threads",
    "maskwright-linked",
    "llguidance",
    "xgrammar",
    "xgrammar-rs",
    "glrmask",
];
/// Numbers of tools.
pub const COUNTS: [usize; 4] = [10, 100, 500, 1_000];
/// A process is ended after so long. An engine that is ended, by this or by the system, is not
/// tried with more tools.
const LIMIT: Duration = Duration::from_secs(120);

/// What one engine did with some number of tools.
#[derive(Serialize, Deserialize)]
pub struct Record {
    pub vocabulary: String,
    pub engine: String,
    pub tools: usize,
    /// Which texts are valid.
    pub valid: Vec<bool>,
    /// Tokens of the valid texts.
    pub tokens: usize,
    pub measured: Measured,
}

pub fn run(binaries: &Path, out: &Path, results: &Path) -> Result<()> {
    std::fs::create_dir_all(out)?;
    let before = processes::load();
    let mut records = Vec::new();
    for vocabulary in VOCABULARIES {
        let path = out.join(format!("{vocabulary}.bin"));
        std::fs::write(&path, work::vocabulary(vocabulary)?.write())?;
        let tokenizer = work::tokenizer(vocabulary)?;
        let mut too_slow = Vec::new();
        for count in COUNTS {
            let Some(task) = work::tools::task(count, &tokenizer)? else {
                return Err("no shared/data beside the repository: no tools".into());
            };
            for engine in ENGINES {
                if too_slow.contains(&engine) {
                    continue;
                }
                let (program, words) = ((binaries, engine), (vocabulary, path.as_path()));
                let measured = processes::measure_and_say(program, &task, words, out, LIMIT)?;
                let Some(measured) = measured else {
                    continue;
                };
                if measured.error.as_deref().is_some_and(processes::is_ended) {
                    too_slow.push(engine);
                }
                let valid = task.texts.iter().filter(|text| text.valid);
                records.push(Record {
                    vocabulary: vocabulary.to_owned(),
                    engine: engine.to_owned(),
                    tools: count,
                    tokens: valid.map(|text| text.tokens.len()).sum(),
                    valid: task.texts.iter().map(|text| text.valid).collect(),
                    measured,
                });
            }
        }
    }
    report::write(&records, &processes::machine(before), results)
}
