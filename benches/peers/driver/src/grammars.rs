//! Ambiguous grammars: each with each engine, one after the other, and a table of that.
//!
//! In: `work/ambiguous.jsonl`: kinds of grammars, in EBNF and in Lark, with texts that belong to
//! their languages and texts that do not. Out: `ambiguous.md`. A test of the workspace above checks
//! the verdicts of the file with an Earley recogniser.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use peers_common::{Measured, Source, Task, Text, Written};
use serde::Deserialize;

use crate::distribution::Distribution;
use crate::report::{digits, us};
use crate::work::{self, ENOUGH_NS, ROUNDS};
use crate::{Result, VOCABULARIES, home, processes};

/// Engines that read context-free grammars.
const ENGINES: [&str; 5] = [
    "maskwright",
    "maskwright-fill",
    "llguidance",
    "xgrammar-rs",
    "glrmask",
];
/// A process is ended after so long.
const LIMIT: Duration = Duration::from_secs(30);

/// A line of the file.
#[derive(Deserialize)]
struct Kind {
    name: String,
    #[serde(flatten)]
    written: Written,
    valid: Vec<String>,
    invalid: Vec<String>,
}

/// What one engine did with one grammar.
struct Row {
    vocabulary: &'static str,
    kind: String,
    engine: &'static str,
    valid: Vec<bool>,
    measured: Measured,
}

pub fn run(binaries: &Path, out: &Path, results: &Path) -> Result<()> {
    std::fs::create_dir_all(out)?;
    let before = processes::load();
    let kinds: Vec<Kind> = work::rows(&std::fs::read_to_string(
        home().join("work/ambiguous.jsonl"),
    )?)?;
    let mut rows = Vec::new();
    for vocabulary in VOCABULARIES {
        let path = out.join(format!("{vocabulary}.bin"));
        std::fs::write(&path, work::vocabulary(vocabulary)?.write())?;
        let tokenizer = work::tokenizer(vocabulary)?;
        for kind in &kinds {
            let text = |valid, text: &String| Text {
                valid,
                tokens: tokenizer.encode_ordinary(text),
            };
            let valid = kind.valid.iter().map(|of| text(true, of));
            let task = Task {
                name: format!("ambiguous/{}", kind.name),
                source: Source::Grammar(kind.written.clone()),
                texts: valid
                    .chain(kind.invalid.iter().map(|of| text(false, of)))
                    .collect(),
                rounds: ROUNDS,
                kept_masks: 0,
                enough_ns: ENOUGH_NS,
            };
            for engine in ENGINES {
                let (program, words) = ((binaries, engine), (vocabulary, path.as_path()));
                let measured = processes::measure_and_say(program, &task, words, out, LIMIT)?;
                let Some(measured) = measured else {
                    continue;
                };
                rows.push(Row {
                    vocabulary,
                    kind: kind.name.clone(),
                    engine,
                    valid: task.texts.iter().map(|text| text.valid).collect(),
                    measured,
                });
            }
        }
    }
    let table = table(&rows, &processes::machine(before));
    Ok(std::fs::write(results.join("ambiguous.md"), table)?)
}

impl Row {
    /// How many texts were judged as the file has it.
    fn right(&self) -> usize {
        let texts = self.valid.iter().zip(&self.measured.texts);
        texts
            .filter(|(valid, text)| **valid == text.accepted)
            .count()
    }

    /// Times of masks, nanoseconds: the least of the rounds, and those of the first walk.
    fn masks(&self) -> [Distribution; 2] {
        let steps = || {
            self.measured
                .texts
                .iter()
                .filter_map(|text| text.steps.as_ref())
        };
        let numbers = |all: Vec<u32>| Distribution::new(all.into_iter().map(f64::from).collect());
        [
            numbers(steps().flat_map(|steps| steps.mask_least.clone()).collect()),
            numbers(steps().flat_map(|steps| steps.mask_first.clone()).collect()),
        ]
    }

    /// Accepting a token, nanoseconds: the mean over the texts.
    fn accept(&self) -> f64 {
        let texts = self
            .measured
            .texts
            .iter()
            .filter(|text| text.steps.is_some());
        Distribution::new(texts.map(|text| text.accept_alone).collect()).mean()
    }
}

fn table(rows: &[Row], machine: &processes::Machine) -> String {
    let mut out = format!(
        "Machine: {} core(s) of {}, {}; load averages before {} and after {}.\n\n\
         `benches/peers/run --grammars`: twelve ambiguous grammars, `work/ambiguous.jsonl`. \
         Times in µs; compile in ms. Each mask counts with its least time of {ROUNDS} rounds, \
         in `first` with that of the first walk.\n",
        machine.cores, machine.processor, machine.compiler, machine.load_before, machine.load_after,
    );
    for vocabulary in VOCABULARIES {
        let _ = write!(
            out,
            "\n## {vocabulary}\n\n\
             | kind | engine | texts right | compile | mask: mean | p99 | max \
             | first: mean | max | accept |\n\
             |---|---|---|---|---|---|---|---|---|---|\n"
        );
        for row in rows.iter().filter(|row| row.vocabulary == vocabulary) {
            let _ = write!(out, "| {} | {} | ", row.kind, row.engine);
            if let Some(error) = &row.measured.error {
                let error = error.lines().next().unwrap_or("").replace('|', "\\|");
                let error: String = error.chars().take(80).collect();
                let _ = writeln!(out, "{error} | – | – | – | – | – | – | – |");
                continue;
            }
            let [least, first] = row.masks();
            let _ = writeln!(
                out,
                "{} of {} | {} | {} | {} | {} | {} | {} | {} |",
                row.right(),
                row.valid.len(),
                digits(row.measured.compile_ns as f64 / 1e6),
                us(least.mean()),
                us(least.at(0.99)),
                us(least.max()),
                us(first.mean()),
                us(first.max()),
                us(row.accept()),
            );
        }
    }
    out
}
