//! What is written of calls of tools: tables, CSV and pictures.
//!
//! In: [`Record`]s. Out: `tools.md`, `tools.csv`, and pictures: by the number of tools the times to
//! compile and to the first mask, sizes and memory; and the times of masks.

use std::fmt::Write;
use std::path::Path;

use peers_common::{Measured, Steps, TextResult};

use super::tables::tables;
use super::{COUNTS, ENGINES, Record};
use crate::distribution::Distribution;
use crate::plot::{Curve, Frame, curves};
use crate::processes::Machine;
use crate::report::{share, size, time};
use crate::{Result, VOCABULARIES};

/// The engine that others are compared with.
pub(super) const OURS: &str = "maskwright";

pub fn write(records: &[Record], machine: &Machine, results: &Path) -> Result<()> {
    let all = All(records);
    std::fs::create_dir_all(results)?;
    let write = |name: &str, text: String| std::fs::write(results.join(name), text);
    write("tools.md", tables(&all, machine))?;
    write("tools.csv", csv(records))?;
    for vocabulary in VOCABULARIES {
        let short = vocabulary.trim_end_matches("_base");
        let compile = |of: &Record| Some(of.measured.compile_first_ns as f64);
        let again = |of: &Record| Some(of.measured.compile_ns as f64);
        let first_mask = |of: &Record| Some(of.measured.first_mask_first_ns as f64);
        let memory = |of: &Record| Some(of.measured.peak_kb as f64 * 1e3);
        let bytes = |of: &Record| of.measured.artifact.map(|bytes| bytes as f64);
        let picture = growth(&all, vocabulary, "first time to compile", time, compile);
        write(&format!("tools-compile-{short}.svg"), picture)?;
        let what = "time to compile or to link tools that are known";
        let picture = growth(&all, vocabulary, what, time, again);
        write(&format!("tools-again-{short}.svg"), picture)?;
        let what = "time to the first mask of unknown tools";
        let picture = growth(&all, vocabulary, what, time, first_mask);
        write(&format!("tools-first-mask-{short}.svg"), picture)?;
        let picture = growth(&all, vocabulary, "memory", size, memory);
        write(&format!("tools-memory-{short}.svg"), picture)?;
        let picture = growth(&all, vocabulary, "size", size, bytes);
        write(&format!("tools-sizes-{short}.svg"), picture)?;
        write(&format!("tools-tail-{short}.svg"), tail(&all, vocabulary))?;
    }
    Ok(())
}

/// All that was measured.
pub(super) struct All<'a>(&'a [Record]);

impl<'a> All<'a> {
    /// What compiled, for a vocabulary and a number of tools.
    pub(super) fn of(&self, vocabulary: &str, tools: usize) -> Vec<&'a Record> {
        let here = |record: &&Record| record.vocabulary == vocabulary && record.tools == tools;
        self.0.iter().filter(here).collect()
    }
}

impl Record {
    pub(super) fn compiled(&self) -> Option<&Measured> {
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

    /// What masks and accepting take on some texts, nanoseconds.
    pub(super) fn figures(&self, texts: &[usize]) -> Figures {
        let least = self.steps(texts, |steps| &steps.mask_least);
        let first = self.steps(texts, |steps| &steps.mask_first);
        Figures {
            tokens: least.len(),
            mean: least.mean(),
            alone: self.alone(texts, |text| text.mask_alone),
            p50: least.at(0.5),
            p99: least.at(0.99),
            max: least.max(),
            most: self.steps(texts, |steps| &steps.mask_most).max(),
            first_mean: first.mean(),
            first_p99: first.at(0.99),
            first_max: first.max(),
            accept_mean: self.steps(texts, |steps| &steps.accept_least).mean(),
            accept_alone: self.alone(texts, |text| text.accept_alone),
        }
    }

    /// The first line of why it did not compile; empty if it did.
    pub(super) fn first_error(&self) -> &str {
        let error = self.measured.error.as_deref();
        error.and_then(|error| error.lines().next()).unwrap_or("")
    }

    /// Texts that are valid or not, and how many of these are accepted.
    pub(super) fn verdicts(&self, valid: bool) -> (usize, usize) {
        let texts = self.valid.iter().zip(&self.measured.texts);
        let texts: Vec<_> = texts.filter(|(is, _)| **is == valid).collect();
        let accepted = texts.iter().filter(|(_, text)| text.accepted);
        (texts.len(), accepted.count())
    }
}

/// What masks and accepting took, nanoseconds. Each step counts with its least time, but in `most`
/// and `first`.
pub(super) struct Figures {
    pub(super) tokens: usize,
    pub(super) mean: f64,
    pub(super) alone: f64,
    pub(super) p50: f64,
    pub(super) p99: f64,
    pub(super) max: f64,
    pub(super) most: f64,
    pub(super) first_mean: f64,
    pub(super) first_p99: f64,
    pub(super) first_max: f64,
    pub(super) accept_mean: f64,
    pub(super) accept_alone: f64,
}

/// The texts that all of these walked.
pub(super) fn common(records: &[&Record]) -> Vec<usize> {
    let texts = 0..records.first().map_or(0, |record| record.valid.len());
    texts
        .filter(|&text| records.iter().all(|record| record.has_walked(text)))
        .collect()
}

/// Engines that compiled and walked some text.
pub(super) fn walking<'r>(records: &[&'r Record]) -> Vec<&'r Record> {
    let walks = |record: &&&Record| (0..record.valid.len()).any(|text| record.has_walked(text));
    records.iter().filter(walks).copied().collect()
}

fn csv(records: &[Record]) -> String {
    let mut out = String::from(
        "vocabulary,engine,tools,error,compile_first_ms,compile_best_ms,compile_median_ms,first_mask_ms,first_mask_first_ms,artifact_bytes,peak_kb,valid,valid_refused,invalid,invalid_accepted,tokens,mask_mean_ns,mask_alone_ns,mask_p50_ns,mask_p99_ns,mask_max_ns,first_mean_ns,first_max_ns,accept_mean_ns,accept_alone_ns\n",
    );
    for record in records {
        let measured = &record.measured;
        let texts: Vec<usize> = (0..record.valid.len()).collect();
        let of = record.figures(&texts);
        let (valid, accepted) = record.verdicts(true);
        let (invalid, wrong) = record.verdicts(false);
        let error = record.first_error().replace('"', "'");
        let error: String = error.chars().take(160).collect();
        let bytes = measured
            .artifact
            .map_or_else(String::new, |bytes| bytes.to_string());
        let ms = |nanoseconds: u64| nanoseconds as f64 / 1e6;
        let _ = writeln!(
            out,
            "{},{},{},\"{error}\",{:.3},{:.3},{:.3},{:.3},{:.3},{bytes},{},{valid},{},{invalid},{wrong},{},{:.1},{:.1},{:.0},{:.0},{:.0},{:.1},{:.0},{:.1},{:.1}",
            record.vocabulary,
            record.engine,
            record.tools,
            ms(measured.compile_first_ns),
            ms(measured.compile_ns),
            ms(measured.compile_median_ns),
            ms(measured.first_mask_ns),
            ms(measured.first_mask_first_ns),
            measured.peak_kb,
            valid - accepted,
            of.tokens,
            of.mean,
            of.alone,
            of.p50,
            of.p99,
            of.max,
            of.first_mean,
            of.first_max,
            of.accept_mean,
            of.accept_alone,
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
