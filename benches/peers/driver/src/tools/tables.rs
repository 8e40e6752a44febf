//! Tables of calls of tools.
//!
//! In: all that was measured. Out: the text of `tools.md`.

use std::fmt::Write;

use super::report::{All, Figures, OURS, common, walking};
use super::{COUNTS, ENGINES, Record};
use crate::VOCABULARIES;
use crate::processes::Machine;
use crate::report::{digits, us};

pub(super) fn tables(all: &All, machine: &Machine) -> String {
    let mut out = format!(
        "# Calls of tools\n\n```\nbenches/peers/run --tools\n```\n\n\
         Machine: {} core(s) of {}, {}; load averages before {} and after {}. What is measured and how: [README.md](../README.md#calls-of-tools).\n",
        machine.cores, machine.processor, machine.compiler, machine.load_before, machine.load_after
    );
    for vocabulary in VOCABULARIES {
        let _ = write!(out, "\n## Compiling tools, {vocabulary}\n");
        compiling(all, vocabulary, &mut out);
        pictures(vocabulary, &mut out);
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

/// The pictures of what grows with the number of tools.
fn pictures(vocabulary: &str, out: &mut String) {
    let short = vocabulary.trim_end_matches("_base");
    for (what, name) in [
        ("Time to the first mask of unknown tools", "first-mask"),
        ("Time to compile or to link tools that are known", "again"),
        ("Memory", "memory"),
    ] {
        let _ = write!(
            out,
            "\n![{what}, by the number of tools](tools-{name}-{short}.svg)\n"
        );
    }
}

fn compiling(all: &All, vocabulary: &str, out: &mut String) {
    out.push_str(
        "\nFrom the text of the tools to a compiled grammar, with one thread, but `maskwright-threads`. *First* is the first compile of the process: later ones of XGrammar find most \
         in a cache of the process. `maskwright-linked` is a registry, which answers with a handle that can be used at once: the first time it knows none of the tools, later it links them, in another order. \
         *Size* is what can be kept, and of a registry what it holds; *memory* what was resident at the most above the vocabulary and the texts.\n\n",
    );
    head(
        "engine | tools | first, ms | times ours | best, ms | median, ms | to the first mask, first, ms | best, ms | size, KB | memory, MB | stacks",
        out,
    );
    for tools in COUNTS {
        let records = all.of(vocabulary, tools);
        let ours = records.iter().find(|record| record.engine == OURS);
        let ours = ours.and_then(|record| record.compiled());
        let ours = ours.map(|measured| measured.compile_first_ns);
        for record in records {
            let Some(measured) = record.compiled() else {
                let error = record.first_error().replace('|', "/");
                row([record.engine.clone(), tools.to_string(), error], out);
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
            let times_ours = ours.map_or_else(
                || "–".to_owned(),
                |ours| digits(measured.compile_first_ns as f64 / ours.max(1) as f64),
            );
            let cells = [
                record.engine.clone(),
                tools.to_string(),
                ms(measured.compile_first_ns),
                times_ours,
                ms(measured.compile_ns),
                ms(measured.compile_median_ns),
                ms(measured.first_mask_first_ns),
                ms(measured.first_mask_ns),
                bytes.unwrap_or_else(|| "–".to_owned()),
                digits(measured.peak_kb as f64 / 1e3),
                stacks,
            ];
            row(cells, out);
        }
    }
}

fn masks(records: &[&Record], tools: usize, out: &mut String) {
    let records = walking(records);
    let texts = common(&records);
    let figures = records.iter().map(|record| record.figures(&texts));
    let figures: Vec<Figures> = figures.collect();
    let steps = figures.first().map_or(0, |figures| figures.tokens);
    let _ = write!(
        out,
        "\n{tools} tools: masks and accepting in µs, on {} texts with {steps} tokens that all of these walk. Each step counts with its least time of 5 rounds, but in `first` (the first \
         walk of each text) and `most` (the longest of all rounds).\n\n",
        texts.len()
    );
    let columns = format!(
        "engine, {tools} tools | mean, µs | alone, µs | p50, µs | p99, µs | max, µs | most, µs | first mean, µs | first p99, µs | first max, µs | accept mean, µs | accept alone, µs"
    );
    head(&columns, out);
    for (record, of) in records.iter().zip(figures) {
        let values = [
            of.mean,
            of.alone,
            of.p50,
            of.p99,
            of.max,
            of.most,
            of.first_mean,
            of.first_p99,
            of.first_max,
            of.accept_mean,
            of.accept_alone,
        ];
        let cells = [record.engine.clone()].into_iter().chain(values.map(us));
        row(cells, out);
    }
}

fn ratios(all: &All, vocabulary: &str, out: &mut String) {
    head(
        "peer | tools | texts | mask mean | mask alone | mask p50 | mask p99 | mask max | first mean | first max | accept alone",
        out,
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
                let of = record.figures(&texts);
                [
                    of.mean,
                    of.alone,
                    of.p50,
                    of.p99,
                    of.max,
                    of.first_mean,
                    of.first_max,
                    of.accept_alone,
                ]
            };
            let ratios = of(peer).into_iter().zip(of(ours));
            let ratios = ratios.map(|(peer, ours)| digits(peer / ours.max(1e-3)));
            let named = [
                engine.to_owned(),
                tools.to_string(),
                texts.len().to_string(),
            ];
            row(named.into_iter().chain(ratios), out);
        }
    }
}

fn verdicts(all: &All, vocabulary: &str, out: &mut String) {
    head(
        "engine | tools | valid texts | refused | texts with an invalid call | accepted | masks that disagree with accepting",
        out,
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
            let counts = [tools, valid, valid - accepted, invalid, wrong, disagree];
            let counts = counts.into_iter().map(|count| count.to_string());
            let cells = [engine.to_owned()].into_iter().chain(counts);
            row(cells, out);
        }
    }
}

/// The head of a table with these columns, which bars part, and the line below it.
fn head(columns: &str, out: &mut String) {
    let lines = "---|".repeat(columns.split(" | ").count());
    let _ = writeln!(out, "| {columns} |\n|{lines}");
}

/// A row of a table.
fn row(cells: impl IntoIterator<Item = String>, out: &mut String) {
    let cells: Vec<String> = cells.into_iter().collect();
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}
