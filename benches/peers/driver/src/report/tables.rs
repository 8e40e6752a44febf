//! The tables, in Markdown.

use std::fmt::Write;

use super::{Measurements, Part};
use crate::distribution::Distribution;

pub fn all(measurements: &Measurements) -> String {
    let machine = &measurements.machine;
    let mut out = format!(
        "Machine: {} core(s) of {}, {}; load averages before {} and after {}.\n",
        machine.cores, machine.processor, machine.compiler, machine.load_before, machine.load_after
    );
    for part in Part::ALL {
        if measurements.engines(&part).is_empty() {
            continue;
        }
        let _ = write!(out, "\n## {}, {}\n", part.name(), part.vocabulary);
        masks(measurements, &part, &mut out);
        pairs(measurements, &part, &mut out);
        grammars(measurements, &part, &mut out);
        verdicts(measurements, &part, &mut out);
        same(measurements, &part, &mut out);
        extras(measurements, &part, &mut out);
    }
    out
}

/// Microseconds with three digits or so.
pub fn us(nanoseconds: f64) -> String {
    digits(nanoseconds / 1e3)
}

/// Three digits or so.
pub fn digits(value: f64) -> String {
    match value {
        v if v >= 1e3 => {
            let whole = format!("{v:.0}");
            let (head, tail) = whole.split_at(whole.len() - 3);
            format!("{head},{tail}")
        }
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

/// Times of masks and of accepting, on the texts that all broad engines walk.
fn masks(measurements: &Measurements, part: &Part, out: &mut String) {
    let broad = measurements.broad(part);
    let texts = measurements.common(part, &broad);
    let steps = measurements
        .steps(part, "maskwright", &texts, |steps| &steps.mask_least)
        .len();
    let _ = write!(
        out,
        "\nMasks and accepting in µs, on {} texts with {steps} tokens that all of these walk. Each step counts with its least time of 5 rounds, \
         but in `most` (the longest of all rounds) and `first` (the first walk of each text).\n\n\
         | engine | mean | alone | p50 | p90 | p99 | p99.9 | max | most | first: mean | p99 | max | accept: p50 | p99 | alone |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        texts.len()
    );
    for engine in broad {
        let of = |figure: fn(&peers_common::Steps) -> &Vec<u32>| {
            measurements.steps(part, engine, &texts, figure)
        };
        let least = of(|steps| &steps.mask_least);
        let most = of(|steps| &steps.mask_most);
        let first = of(|steps| &steps.mask_first);
        let accept = of(|steps| &steps.accept_least);
        let cells = [
            least.mean(),
            measurements.alone(part, engine, &texts, |text| text.mask_alone),
            least.at(0.5),
            least.at(0.9),
            least.at(0.99),
            least.at(0.999),
            least.max(),
            most.max(),
            first.mean(),
            first.at(0.99),
            first.max(),
            accept.at(0.5),
            accept.at(0.99),
            measurements.alone(part, engine, &texts, |text| text.accept_alone),
        ];
        let cells: Vec<String> = cells.iter().map(|&value| us(value)).collect();
        let _ = writeln!(out, "| {engine} | {} |", cells.join(" | "));
    }
    let clock = measurements
        .of(part, "maskwright")
        .map(|record| f64::from(record.measured.clock_ns));
    let _ = write!(
        out,
        "\nReading the clock takes {:.0} ns of each time but `alone`.\n",
        Distribution::new(clock.collect()).at(0.5)
    );
}

/// Each peer with Maskwright, on the texts that both walk: how many times faster Maskwright is.
fn pairs(measurements: &Measurements, part: &Part, out: &mut String) {
    out.push_str(
        "\nHow many times the peer's time is ours, on the texts that both walk:\n\n\
         | peer | texts | tokens | mean | alone | p50 | p90 | p99 | p99.9 | max | first: mean | accept alone | our max ÷ its p90 |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for engine in measurements.engines(part) {
        if engine == "maskwright" {
            continue;
        }
        let texts = measurements.common(part, &["maskwright", engine]);
        let of = |engine, figure: fn(&peers_common::Steps) -> &Vec<u32>| {
            measurements.steps(part, engine, &texts, figure)
        };
        let (ours, theirs) = (
            of("maskwright", |s| &s.mask_least),
            of(engine, |s| &s.mask_least),
        );
        let first =
            of(engine, |s| &s.mask_first).mean() / of("maskwright", |s| &s.mask_first).mean();
        let alone = |figure: fn(&peers_common::TextResult) -> f64| {
            let of = |engine| measurements.alone(part, engine, &texts, figure);
            of(engine) / of("maskwright")
        };
        let shares = [0.5, 0.9, 0.99, 0.999, 1.0].map(|share| theirs.at(share) / ours.at(share));
        let means = [theirs.mean() / ours.mean(), alone(|text| text.mask_alone)];
        let ratios = means
            .into_iter()
            .chain(shares)
            .chain([first, alone(|text| text.accept_alone)]);
        let ratios: Vec<String> = ratios
            .chain([ours.max() / theirs.at(0.9)])
            .map(digits)
            .collect();
        let _ = writeln!(
            out,
            "| {engine} | {} | {} | {} |",
            texts.len(),
            ours.len(),
            ratios.join(" | ")
        );
    }
}

/// Compile times, sizes, memory: each engine on what it compiles.
fn grammars(measurements: &Measurements, part: &Part, out: &mut String) {
    out.push_str(
        "\nGrammars: compile times in ms, artifacts in KB, peak memory of the process above the vocabulary's and the texts' in MB; each engine on what it compiles:\n\n\
         | engine | compiled | compile: p50 | p90 | max | to the first mask: p50 | p90 | max | artifact: p50 | p90 | max | memory: p50 | max | vocabulary |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for engine in measurements.engines(part) {
        let all = measurements.of(part, engine).count();
        let measured = || {
            measurements
                .of(part, engine)
                .map(|record| &record.measured)
                .filter(|measured| measured.error.is_none())
        };
        let of = |figure: &dyn Fn(&peers_common::Measured) -> Option<f64>| {
            Distribution::new(measured().filter_map(figure).collect())
        };
        let compile = of(&|m| Some(m.compile_ns as f64 / 1e6));
        let first = of(&|m| Some(m.first_mask_ns as f64 / 1e6));
        let size = of(&|m| m.artifact.map(|bytes| bytes as f64 / 1e3));
        let memory = of(&|m| Some(m.peak_kb as f64 / 1e3));
        let vocabulary = of(&|m| Some(m.vocabulary_ns as f64 / 1e6));
        let three = |d: &Distribution| {
            [0.5, 0.9, 1.0]
                .map(|share| {
                    if d.is_empty() {
                        "–".to_owned()
                    } else {
                        digits(d.at(share))
                    }
                })
                .join(" | ")
        };
        let _ = writeln!(
            out,
            "| {engine} | {} of {all} | {} | {} | {} | {} | {} | {} |",
            compile.len(),
            three(&compile),
            three(&first),
            three(&size),
            digits(memory.at(0.5)),
            digits(memory.max()),
            digits(vocabulary.at(0.0)),
        );
    }
}

fn verdicts(measurements: &Measurements, part: &Part, out: &mut String) {
    out.push_str(
        "\nVerdicts on the texts of what compiles; `own mask` counts steps where an engine's mask and its accepting disagree about the next token:\n\n\
         | engine | valid | refused | invalid | accepted | own mask |\n|---|---|---|---|---|---|\n",
    );
    for engine in measurements.engines(part) {
        let (mut valid, mut refused, mut invalid, mut accepted, mut own) = (0, 0, 0, 0, 0);
        for record in measurements.of(part, engine) {
            for (&is_valid, text) in record.valid.iter().zip(&record.measured.texts) {
                valid += usize::from(is_valid);
                invalid += usize::from(!is_valid);
                refused += usize::from(is_valid && !text.accepted);
                accepted += usize::from(!is_valid && text.accepted);
                own += text.inconsistent;
            }
        }
        let _ = writeln!(
            out,
            "| {engine} | {valid} | {refused} | {invalid} | {accepted} | {own} |"
        );
    }
}

/// Where masks differ.
fn same(measurements: &Measurements, part: &Part, out: &mut String) {
    let rows = || {
        measurements
            .differences
            .iter()
            .filter(|row| row.vocabulary == part.vocabulary && row.free == part.free)
    };
    out.push_str("\nMasks that differ from Maskwright's, by the token's kind; `JSON` are those tokens after which the text is still the beginning of some JSON text:\n\n\
         | peer | masks | equal | kind | offered by | masks | tokens | JSON |\n|---|---|---|---|---|---|---|---|\n");
    for total in rows().filter(|row| row.kind == "steps") {
        let _ = writeln!(
            out,
            "| {} | {} | {} | | | | | |",
            total.engine, total.steps, total.tokens
        );
        for row in rows().filter(|row| row.engine == total.engine && row.kind != "steps") {
            let _ = writeln!(
                out,
                "| | | | {} | {} | {} | {} | {} |",
                row.kind, row.offered_by, row.steps, row.tokens, row.json
            );
        }
    }
}

fn extras(measurements: &Measurements, part: &Part, out: &mut String) {
    let extras = || {
        measurements
            .of(part, "maskwright")
            .flat_map(|record| &record.measured.extras)
    };
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in extras() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    out.push_str("\nMaskwright alone, over the grammars:\n\n| | p50 | max |\n|---|---|---|\n");
    for name in names {
        let values = extras()
            .filter(|(other, _)| other == name)
            .map(|(_, value)| *value);
        let values = Distribution::new(values.collect());
        let _ = writeln!(
            out,
            "| {name} | {} | {} |",
            digits(values.at(0.5)),
            digits(values.max())
        );
    }
}
