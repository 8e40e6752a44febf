//! Tables and pictures of what was measured.
//!
//! In: what `run` wrote. Out: `RESULTS.md`, `grammars.csv`, `verdicts.csv`, `quantiles.csv`,
//! `differences.csv` and SVG files.

mod csv;
mod pictures;
mod tables;

pub use pictures::{share, size, time};
pub use tables::{digits, us};

use std::path::Path;

use crate::Result;
use crate::compare::Row;
use crate::distribution::Distribution;
use crate::processes::{Machine, Record};
use peers_common::{Steps, TextResult};

/// All that was measured.
pub struct Measurements {
    pub records: Vec<Record>,
    pub differences: Vec<Row>,
    pub machine: Machine,
}

/// A part of the work: free JSON or schemas, for one vocabulary.
#[derive(Clone, Copy)]
pub struct Part {
    pub vocabulary: &'static str,
    pub free: bool,
}

pub fn report(out: &Path, results: &Path) -> Result<()> {
    let read = |name: &str| std::fs::read_to_string(out.join(name));
    let measurements = Measurements {
        records: serde_json::from_str(&read("records.json")?)?,
        differences: serde_json::from_str(&read("differences.json")?)?,
        machine: serde_json::from_str(&read("machine.json")?)?,
    };
    std::fs::create_dir_all(results)?;
    let write = |name: &str, text: String| std::fs::write(results.join(name), text);
    write("tables.md", tables::all(&measurements))?;
    write("grammars.csv", csv::grammars(&measurements))?;
    write("quantiles.csv", csv::quantiles(&measurements))?;
    write("differences.csv", csv::differences(&measurements))?;
    for (name, picture) in pictures::all(&measurements) {
        write(&name, picture)?;
    }
    Ok(())
}

impl Part {
    pub const ALL: [Part; 4] = [
        Part {
            vocabulary: "cl100k_base",
            free: true,
        },
        Part {
            vocabulary: "o200k_base",
            free: true,
        },
        Part {
            vocabulary: "cl100k_base",
            free: false,
        },
        Part {
            vocabulary: "o200k_base",
            free: false,
        },
    ];

    pub fn name(&self) -> &'static str {
        if self.free { "Free JSON" } else { "Schemas" }
    }
}

impl Measurements {
    /// An engine's records of a part.
    pub fn of<'a>(
        &'a self,
        part: &Part,
        engine: &'a str,
    ) -> impl Iterator<Item = &'a Record> + use<'a> {
        let Part { vocabulary, free } = *part;
        self.records.iter().filter(move |record| {
            record.vocabulary == vocabulary && record.free == free && record.engine == engine
        })
    }

    /// Engines that have a grammar for something of a part.
    pub fn engines(&self, part: &Part) -> Vec<&'static str> {
        let works = |engine: &&str| {
            self.of(part, engine)
                .any(|record| record.measured.error.is_none())
        };
        crate::ENGINES.into_iter().filter(works).collect()
    }

    /// The texts that an engine walked to the end, by task and place, with their steps.
    pub fn walked<'a>(
        &'a self,
        part: &Part,
        engine: &'a str,
    ) -> Vec<((&'a str, usize), &'a Steps, &'a TextResult)> {
        let mut walked = Vec::new();
        for record in self.of(part, engine) {
            for (index, text) in record.measured.texts.iter().enumerate() {
                if let Some(steps) = &text.steps {
                    walked.push(((record.task.as_str(), index), steps, text));
                }
            }
        }
        walked
    }

    /// The texts that all of some engines walked.
    pub fn common<'a>(&'a self, part: &Part, engines: &[&'a str]) -> Vec<(&'a str, usize)> {
        let keys = |engine| self.walked(part, engine).into_iter().map(|(key, ..)| key);
        let Some((first, rest)) = engines.split_first() else {
            return Vec::new();
        };
        let rest: Vec<Vec<_>> = rest.iter().map(|engine| keys(engine).collect()).collect();
        keys(first)
            .filter(|key| rest.iter().all(|walked| walked.contains(key)))
            .collect()
    }

    /// Engines that walk at least three quarters of the texts that Maskwright walks: the others are
    /// compared in pairs.
    pub fn broad(&self, part: &Part) -> Vec<&'static str> {
        let all = self.walked(part, "maskwright").len();
        let enough =
            |engine: &&str| 4 * self.common(part, &["maskwright", engine]).len() >= 3 * all;
        self.engines(part).into_iter().filter(enough).collect()
    }

    /// A figure of an engine's steps in some texts, nanoseconds.
    pub fn steps(
        &self,
        part: &Part,
        engine: &str,
        texts: &[(&str, usize)],
        figure: impl Fn(&Steps) -> &Vec<u32>,
    ) -> Distribution {
        let walked = self.walked(part, engine);
        let chosen = walked.iter().filter(|(key, ..)| texts.contains(key));
        let values =
            chosen.flat_map(|(_, steps, _)| figure(steps).iter().map(|&value| f64::from(value)));
        Distribution::new(values.collect())
    }

    /// A figure of whole texts, nanoseconds a token: the mean over some texts.
    pub fn alone(
        &self,
        part: &Part,
        engine: &str,
        texts: &[(&str, usize)],
        figure: impl Fn(&TextResult) -> f64,
    ) -> f64 {
        let walked = self.walked(part, engine);
        let chosen = walked.iter().filter(|(key, ..)| texts.contains(key));
        let (sum, tokens) = chosen.fold((0.0, 0), |(sum, tokens), (_, steps, text)| {
            let count = steps.mask_least.len();
            (sum + figure(text) * count as f64, tokens + count)
        });
        sum / tokens.max(1) as f64
    }
}
