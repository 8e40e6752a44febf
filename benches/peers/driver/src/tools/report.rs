//! Tables, CSV and pictures of calls of tools.
//!
//! In: [`Record`]s. Out: `tools.md`, `tools.csv`, and pictures of times to compile and of masks.

use std::fmt::Write;
use std::path::Path;

use peers_common::{Measured, Steps, TextResult};

use super::{COUNTS, ENGINES, Record};
use crate::distribution::Distribution;
use crate::plot::{Curve, Frame, curves};
use crate::processes::Machine;
use crate::report::{digits, share, size, time, us};
use crate::{Result, VOCABULARIES};

/// The engine that others are compared with.
const OURS: &str = "maskwright";

pub fn write(records: &[Record], machine: &Machine, results: &Path) -> Result<()> {
    let all = All(records);
    std::fs::create_dir_all(results)?;
    let write = |name: &str, text: String| std::fs::write(results.join(name), text);
    write("tools.md", tables(&all, machine))?;
    write("tools.csv", csv(records))?;
    for vocabulary in VOCABULARIES {
        let short = vocabulary.trim_end_matches("_base");
        let compile = |of: &Record| Some(of.measured.compile_first_ns as f64);
        let bytes = |of: &Record| of.measured.artifact.map(|bytes| bytes as f64);
        let picture = growth(&all, vocabulary, "first time to compile", time, compile);
        write(&format!("tools-compile-{short}.svg"), picture)?;
        let picture = growth(&all, vocabulary, "size", size, bytes);
        write(&format!("tools-sizes-{short}.svg"), picture)?;
        write(&format!("tools-tail-{short}.svg"), tail(&all, vocabulary))?;
    }
    Ok(())
}

/// All that was measured.
struct All<'a>(&'a [Record]);

impl<'a> All<'a> {
    /// What compiled, for a vocabulary and a number of tools.
    fn of(&self, vocabulary: &str, tools: usize) -> Vec<&'a Record> {
        let here = |record: &&Record| record.vocabulary == vocabulary && record.tools == tools;
        self.0.iter().filter(here).collect()
    }
}

impl Record {
    fn compiled(&self) -> Option<&Measured> {
        Some(&self.measured).filter(|measured| measured.error.is_none())
    }

    fn has_walked(&self, text: usize) -> bool {
        let text = self.measured.texts.get(text);
        text.is_some_and(|text| text.steps.is_some())
    }

    /// The texts that this walked to the end, of some.
    fn walked<'r>(
        &'r self,
        texts: &'r [usize],
    ) -> impl Iterator<Item = (&'r TextResult, &'r Steps)> {
        let texts = texts
            .iter()
            .filter_map(|&text| self.measured.texts.get(text));
        texts.filter_map(|text| Some((text, text.steps.as_ref()?)))
    }

    /// A figure of the steps of some texts, nanoseconds.
    fn steps(&self, texts: &[usize], figure: fn(&Steps) -> &Vec<u32>) -> Distribution {
        let values = self.walked(texts).flat_map(|(_, steps)| figure(steps));
        Distribution::new(values.map(|&value| f64::from(value)).collect())
    }

    /// A figure of whole texts, nanoseconds a token.
    fn alone(&self, texts: &[usize], figure: fn(&TextResult) -> f64) -> f64 {
        let walked = self.walked(texts);
        let (sum, tokens) = walked.fold((0.0, 0), |(sum, tokens), (text, steps)| {
            let count = steps.mask_least.len();
            (sum + figure(text) * count as f64, tokens + count)
        });
        sum / tokens.max(1) as f64
    }

    /// Texts that are valid or not, and how many of these are accepted.
    fn verdicts(&self, valid: bool) -> (usize, usize) {
        let texts = self.valid.iter().zip(&self.measured.texts);
        let texts: Vec<_> = texts.filter(|(is, _)| **is == valid).collect();
        let accepted = texts.iter().filter(|(_, text)| text.accepted);
        (texts.len(), accepted.count())
    }
}

/// The texts that all of these walked.
fn common(records: &[&Record]) -> Vec<usize> {
    let texts = 0..records.first().map_or(0, |record| record.valid.len());
    texts
        .filter(|&text| records.iter().all(|record| record.has_walked(text)))
        .collect()
}

fn tables(all: &All, machine: &Machine) -> String {
    let mut out = format!(
        "# Calls of tools\n\n```\nbenches/peers/run --tools\n```\n\n\
         Machine: {} core(s) of {}, {}; load averages before {} and after {}. What is measured and how: [README.md](../README.md#calls-of-tools).\n",
        machine.cores, machine.processor, machine.compiler, machine.load_before, machine.load_after
    );
    for vocabulary in VOCABULARIES {
        let _ = write!(out, "\n## Compiling tools, {vocabulary}\n");
        compiling(all, vocabulary, &mut out);
        let _ = write!(out, "\n## Masks of tools, {vocabulary}\n");
        for tools in COUNTS {
            masks(&all.of(vocabulary, tools), tools, &mut out);
        }
        let _ = write!(
            out,
            "\n## Masks of tools, {vocabulary}: how many times longer the peers take\n\n"
        );
        ratios(all, vocabulary, &mut out);
        let _ = write!(out, "\n## Verdicts on calls, {vocabulary}\n\n");
        verdicts(all, vocabulary, &mut out);
    }
    out
}

fn compiling(all: &All, vocabulary: &str, out: &mut String) {
    out.push_str(
        "\nFrom the text of the tools to a compiled grammar, with one thread, but `maskwright-threads`. *First* is the first compile of the process: later ones of XGrammar find most \
         in a cache of the process. *Size* is what can be kept; *memory* what was resident at the most above the vocabulary and the texts.\n\n\
         | engine | tools | first, ms | times ours | best, ms | median, ms | to the first mask, best, ms | size, KB | memory, MB | stacks |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for tools in COUNTS {
        let records = all.of(vocabulary, tools);
        let ours = records.iter().find(|record| record.engine == OURS);
        let ours = ours.map_or(0, |record| record.measured.compile_first_ns);
        for record in records {
            let Some(measured) = record.compiled() else {
                let error = record
                    .measured
                    .error
                    .as_deref()
                    .unwrap_or("")
                    .lines()
                    .next();
                let error = error.unwrap_or("").replace('|', "/");
                let _ = writeln!(out, "| {} | {tools} | {error} |", record.engine);
                continue;
            };
            let ms = |nanoseconds: u64| digits(nanoseconds as f64 / 1e6);
            let bytes = measured.artifact.map(|bytes| digits(bytes as f64 / 1e3));
            let extra = |name: &str| {
                let found = measured.extras.iter().find(|extra| extra.0 == name);
                found.map(|extra| extra.1)
            };
            let stacks = match (extra("stacks"), extra("stacks proved")) {
                (Some(stacks), Some(1.0)) => format!("{stacks}, proved"),
                (Some(stacks), _) => stacks.to_string(),
                _ => "–".to_owned(),
            };
            let _ = writeln!(
                out,
                "| {} | {tools} | {} | {} | {} | {} | {} | {} | {} | {stacks} |",
                record.engine,
                ms(measured.compile_first_ns),
                digits(measured.compile_first_ns as f64 / ours.max(1) as f64),
                ms(measured.compile_ns),
                ms(measured.compile_median_ns),
                ms(measured.first_mask_ns),
                bytes.as_deref().unwrap_or("–"),
                digits(measured.peak_kb as f64 / 1e3),
            );
        }
    }
}

fn masks(records: &[&Record], tools: usize, out: &mut String) {
    let records = walking(records);
    let texts = common(&records);
    let steps = records.first().map_or(0, |record| {
        record.steps(&texts, |steps| &steps.mask_least).len()
    });
    let _ = write!(
        out,
        "\n{tools} tools: masks and accepting in µs, on {} texts with {steps} tokens that all of these walk. Each step counts with its least time of 5 rounds, but in `first` (the first \
         walk of each text) and `most` (the longest of all rounds).\n\n\
         | engine, {tools} tools | mean, µs | alone, µs | p50, µs | p99, µs | max, µs | most, µs | first mean, µs | first p99, µs | first max, µs | accept mean, µs | accept alone, µs |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
        texts.len()
    );
    for record in records {
        let least = record.steps(&texts, |steps| &steps.mask_least);
        let most = record.steps(&texts, |steps| &steps.mask_most);
        let first = record.steps(&texts, |steps| &steps.mask_first);
        let accept = record.steps(&texts, |steps| &steps.accept_least);
        let cells = [
            least.mean(),
            record.alone(&texts, |text| text.mask_alone),
            least.at(0.5),
            least.at(0.99),
            least.max(),
            most.max(),
            first.mean(),
            first.at(0.99),
            first.max(),
            accept.mean(),
            record.alone(&texts, |text| text.accept_alone),
        ];
        let cells: Vec<String> = cells.iter().map(|&value| us(value)).collect();
        let _ = writeln!(out, "| {} | {} |", record.engine, cells.join(" | "));
    }
}

/// Engines that compiled and walked some text.
fn walking<'r>(records: &[&'r Record]) -> Vec<&'r Record> {
    let walks = |record: &&&Record| (0..record.valid.len()).any(|text| record.has_walked(text));
    records.iter().filter(walks).copied().collect()
}

fn ratios(all: &All, vocabulary: &str, out: &mut String) {
    out.push_str(
        "| peer | tools | texts | mask mean | mask alone | mask p50 | mask p99 | mask max | first mean | first max | accept alone |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for engine in ENGINES.into_iter().filter(|&engine| engine != OURS) {
        for tools in COUNTS {
            let records = walking(&all.of(vocabulary, tools));
            let find = |name: &str| records.iter().copied().find(|record| record.engine == name);
            let (Some(ours), Some(peer)) = (find(OURS), find(engine)) else {
                continue;
            };
            let texts = common(&[ours, peer]);
            let of = |record: &Record| {
                let least = record.steps(&texts, |steps| &steps.mask_least);
                let first = record.steps(&texts, |steps| &steps.mask_first);
                [
                    least.mean(),
                    record.alone(&texts, |text| text.mask_alone),
                    least.at(0.5),
                    least.at(0.99),
                    least.max(),
                    first.mean(),
                    first.max(),
                    record.alone(&texts, |text| text.accept_alone),
                ]
            };
            let cells = of(peer).into_iter().zip(of(ours));
            let cells = cells.map(|(peer, ours)| digits(peer / ours.max(1e-3)));
            let cells: Vec<String> = cells.collect();
            let _ = writeln!(
                out,
                "| {engine} | {tools} | {} | {} |",
                texts.len(),
                cells.join(" | ")
            );
        }
    }
}

fn verdicts(all: &All, vocabulary: &str, out: &mut String) {
    out.push_str(
        "| engine | tools | valid texts | refused | texts with an invalid call | accepted | masks that disagree with accepting |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for engine in ENGINES {
        for tools in COUNTS {
            let records = all.of(vocabulary, tools);
            let record = records.iter().find(|record| record.engine == engine);
            let Some(record) = record.filter(|record| record.compiled().is_some()) else {
                continue;
            };
            let (valid, accepted) = record.verdicts(true);
            let (invalid, wrong) = record.verdicts(false);
            let texts = record.measured.texts.iter();
            let disagree: usize = texts.map(|text| text.inconsistent).sum();
            let _ = writeln!(
                out,
                "| {engine} | {tools} | {valid} | {} | {invalid} | {wrong} | {disagree} |",
                valid - accepted
            );
        }
    }
}

fn csv(records: &[Record]) -> String {
    let mut out = String::from(
        "vocabulary,engine,tools,error,compile_first_ms,compile_best_ms,compile_median_ms,first_mask_ms,artifact_bytes,peak_kb,valid,valid_refused,invalid,invalid_accepted,tokens,mask_mean_ns,mask_alone_ns,mask_p50_ns,mask_p99_ns,mask_max_ns,first_mean_ns,first_max_ns,accept_mean_ns,accept_alone_ns\n",
    );
    for record in records {
        let measured = &record.measured;
        let texts: Vec<usize> = (0..record.valid.len()).collect();
        let least = record.steps(&texts, |steps| &steps.mask_least);
        let first = record.steps(&texts, |steps| &steps.mask_first);
        let accept = record.steps(&texts, |steps| &steps.accept_least);
        let (valid, accepted) = record.verdicts(true);
        let (invalid, wrong) = record.verdicts(false);
        let error = measured.error.as_deref().unwrap_or("").lines().next();
        let error: String = error
            .unwrap_or("")
            .replace('"', "'")
            .chars()
            .take(160)
            .collect();
        let bytes = measured
            .artifact
            .map_or_else(String::new, |bytes| bytes.to_string());
        let ms = |nanoseconds: u64| nanoseconds as f64 / 1e6;
        let _ = writeln!(
            out,
            "{},{},{},\"{error}\",{:.3},{:.3},{:.3},{:.3},{bytes},{},{valid},{},{invalid},{wrong},{},{:.1},{:.1},{:.0},{:.0},{:.0},{:.1},{:.0},{:.1},{:.1}",
            record.vocabulary,
            record.engine,
            record.tools,
            ms(measured.compile_first_ns),
            ms(measured.compile_ns),
            ms(measured.compile_median_ns),
            ms(measured.first_mask_ns),
            measured.peak_kb,
            valid - accepted,
            least.len(),
            least.mean(),
            record.alone(&texts, |text| text.mask_alone),
            least.at(0.5),
            least.at(0.99),
            least.max(),
            first.mean(),
            first.max(),
            accept.mean(),
            record.alone(&texts, |text| text.accept_alone),
        );
    }
    out
}

/// A figure of each engine by the number of tools.
fn growth(
    all: &All,
    vocabulary: &str,
    y: &str,
    names: fn(i32) -> String,
    figure: fn(&Record) -> Option<f64>,
) -> String {
    let curve = |engine: &str| {
        let points = COUNTS.iter().filter_map(|&tools| {
            let records = all.of(vocabulary, tools);
            let record = records.into_iter().find(|record| record.engine == engine)?;
            record.compiled()?;
            Some((tools as f64, figure(record)?))
        });
        Curve {
            name: engine.to_owned(),
            points: points.collect(),
        }
    };
    let title = format!("Calls of tools, {vocabulary}: {y}");
    let frame = Frame {
        title: &title,
        x: "tools",
        y,
        x_names: Some(|exponent| 10f64.powi(exponent).to_string()),
        y_names: names,
    };
    let lines = ENGINES
        .into_iter()
        .filter(|&engine| engine != "maskwright-fill");
    let lines = lines.map(curve).filter(|curve| !curve.points.is_empty());
    curves(&frame, &lines.collect::<Vec<_>>())
}

/// The share of steps with 100 tools whose mask takes longer.
fn tail(all: &All, vocabulary: &str) -> String {
    let records = all.of(vocabulary, COUNTS[1]);
    let records = walking(&records).into_iter();
    let records = records.filter(|record| record.engine != "maskwright-threads");
    let records: Vec<&Record> = records.collect();
    let texts = common(&records);
    let curve = |record: &&Record| {
        let times = record.steps(&texts, |steps| &steps.mask_least);
        let count = times.len() as f64;
        let points = times.sorted().iter().enumerate();
        Curve {
            name: record.engine.clone(),
            points: points
                .map(|(rank, &time)| (time, (count - rank as f64) / count))
                .collect(),
        }
    };
    let title = format!(
        "Calls of {} tools, {vocabulary}: the share of masks that take longer",
        COUNTS[1]
    );
    let frame = Frame {
        title: &title,
        x: "time of a mask",
        y: "share of steps",
        x_names: Some(time),
        y_names: share,
    };
    curves(&frame, &records.iter().map(curve).collect::<Vec<_>>())
}
