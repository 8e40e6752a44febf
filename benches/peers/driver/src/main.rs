//! Walks the same tokens through Maskwright and its peers: `peers run BINARIES OUT` measures,
//! `peers report OUT RESULTS` makes tables and pictures of what was measured.
//! `peers tools BINARIES OUT RESULTS` does both for calls of tools, and
//! `peers grammars BINARIES OUT RESULTS` for ambiguous grammars.

mod compare;
mod distribution;
mod grammars;
mod json;
mod plot;
mod processes;
mod report;
mod tools;
mod work;

use std::path::{Path, PathBuf};
use std::time::Duration;

use compare::Differences;
use processes::{Outcome, Record};

/// The engines: the name of the program is `peer-` and this.
pub const ENGINES: [&str; 8] = [
    "maskwright",
    "maskwright-fill",
    "glrmask",
    "llguidance",
    "xgrammar",
    "xgrammar-rs",
    "outlines-core",
    "kbnf",
];
/// The vocabularies.
pub const VOCABULARIES: [&str; 2] = ["cl100k_base", "o200k_base"];
/// A process is ended after so long: vocabulary, compiles and walks together.
const LIMIT: Duration = Duration::from_secs(10);

const USAGE: &str = "usage: peers run BINARIES OUT [TASKS] | peers report OUT RESULTS \
    | peers tools BINARIES OUT RESULTS | peers grammars BINARIES OUT RESULTS";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["run", binaries, out] => run(Path::new(binaries), Path::new(out), ""),
        ["run", binaries, out, only] => run(Path::new(binaries), Path::new(out), only),
        ["tools", binaries, out, results] => {
            tools::run(Path::new(binaries), Path::new(out), Path::new(results))
        }
        ["grammars", binaries, out, results] => {
            grammars::run(Path::new(binaries), Path::new(out), Path::new(results))
        }
        ["report", out, results] => report::report(Path::new(out), Path::new(results)),
        _ => Err(USAGE.into()),
    }
}

/// Each task with each engine, one after the other, so that what else the machine does falls on all
/// alike.
fn run(binaries: &Path, out: &Path, only: &str) -> Result<()> {
    std::fs::create_dir_all(out)?;
    let items = work::items()?;
    let mut records = Vec::new();
    let mut differences = Differences::default();
    let before = processes::load();
    let mut tools = Vec::new();
    for name in VOCABULARIES {
        let vocabulary = work::vocabulary(name)?;
        let path = out.join(format!("{name}.bin"));
        std::fs::write(&path, vocabulary.write())?;
        tools.push((name, vocabulary, path, work::tokenizer(name)?));
    }
    for item in items.iter().filter(|item| item.name.contains(only)) {
        for (name, vocabulary, path, tokenizer) in &tools {
            let task = item.task(tokenizer);
            let mut reference = compare::Masks::new();
            for engine in ENGINES {
                let program = binaries.join(format!("peer-{engine}"));
                let outcome = processes::measure(&program, &task, path, out, LIMIT)?;
                let Some(Outcome { measured, masks }) = outcome else {
                    continue;
                };
                let place = compare::Place {
                    vocabulary: name,
                    engine,
                    free: item.free(),
                };
                let masks = compare::steps(&task, &measured, masks, vocabulary);
                if engine == "maskwright" {
                    reference = masks;
                } else {
                    differences.compare(&place, &task, vocabulary, &reference, &masks);
                }
                processes::say(name, engine, &task, &measured);
                records.push(Record::new(&place, &task, measured));
            }
        }
    }
    let machine = processes::machine(before);
    let save = |name: &str, text: String| std::fs::write(out.join(name), text);
    save("records.json", serde_json::to_string(&records)?)?;
    save(
        "differences.json",
        serde_json::to_string(&differences.rows())?,
    )?;
    save("machine.json", serde_json::to_string(&machine)?)?;
    Ok(())
}

/// The folder of this harness.
pub fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_owned)
        .unwrap_or_default()
}
