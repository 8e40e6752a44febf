//! The figures, for other programs.

use std::fmt::Write;

use super::{Measurements, Part};
use crate::distribution::Distribution;

/// A row for each engine and grammar.
pub fn grammars(measurements: &Measurements) -> String {
    let mut out = String::from(
        "vocabulary,task,engine,error,compile_ms,first_mask_ms,artifact_bytes,peak_kb,valid,valid_refused,invalid,invalid_accepted,tokens,mask_mean_ns,mask_p50_ns,mask_p99_ns,mask_max_ns,accept_alone_ns\n",
    );
    for record in &measurements.records {
        let measured = &record.measured;
        let texts = || record.valid.iter().zip(&measured.texts);
        let count = |valid: bool, accepted: Option<bool>| {
            texts()
                .filter(|(is, text)| {
                    **is == valid && accepted.is_none_or(|accepted| text.accepted == accepted)
                })
                .count()
        };
        let steps = measured.texts.iter().filter_map(|text| text.steps.as_ref());
        let masks: Vec<f64> = steps
            .flat_map(|steps| steps.mask_least.iter().map(|&mask| f64::from(mask)))
            .collect();
        let masks = Distribution::new(masks);
        let alone = measured
            .texts
            .iter()
            .filter(|text| text.steps.is_some())
            .map(|text| text.accept_alone);
        let error = measured
            .error
            .as_deref()
            .unwrap_or("")
            .lines()
            .next()
            .unwrap_or("")
            .replace('"', "'");
        let error: String = error.chars().take(160).collect();
        let _ = writeln!(
            out,
            "{},{},{},\"{error}\",{:.3},{:.3},{},{},{},{},{},{},{},{:.0},{:.0},{:.0},{:.0},{:.1}",
            record.vocabulary,
            record.task,
            record.engine,
            measured.compile_ns as f64 / 1e6,
            measured.first_mask_ns as f64 / 1e6,
            measured
                .artifact
                .map_or_else(String::new, |bytes| bytes.to_string()),
            measured.peak_kb,
            count(true, None),
            count(true, Some(false)),
            count(false, None),
            count(false, Some(true)),
            masks.len(),
            masks.mean(),
            masks.at(0.5),
            masks.at(0.99),
            masks.max(),
            Distribution::new(alone.collect()).mean(),
        );
    }
    out
}

/// The distribution of each engine's times over the steps that it walks.
pub fn quantiles(measurements: &Measurements) -> String {
    let mut out = String::from(
        "vocabulary,set,engine,share,mask_least_ns,mask_first_ns,mask_most_ns,accept_least_ns\n",
    );
    for part in Part::ALL {
        for engine in measurements.engines(&part) {
            let texts = measurements.common(&part, &[engine]);
            let of = |figure: fn(&peers_common::Steps) -> &Vec<u32>| {
                measurements.steps(&part, engine, &texts, figure)
            };
            let figures = [
                of(|s| &s.mask_least),
                of(|s| &s.mask_first),
                of(|s| &s.mask_most),
                of(|s| &s.accept_least),
            ];
            let shares = (0..20)
                .map(|part| f64::from(part) / 20.0)
                .chain([0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9999, 1.0]);
            for share in shares {
                let _ = write!(out, "{},{},{engine},{share}", part.vocabulary, part.name());
                for figure in &figures {
                    let _ = write!(out, ",{:.0}", figure.at(share));
                }
                out.push('\n');
            }
        }
    }
    out
}

/// The kinds of differences with an example each. `tokens` of the kind `steps` are the steps that
/// are equal.
pub fn differences(measurements: &Measurements) -> String {
    let mut out = String::from("vocabulary,set,engine,kind,offered_by,steps,tokens,json,example\n");
    for row in &measurements.differences {
        let set = if row.free { "Free JSON" } else { "Schemas" };
        let _ = writeln!(
            out,
            "{},{set},{},{},{},{},{},{},\"{}\"",
            row.vocabulary,
            row.engine,
            row.kind,
            row.offered_by,
            row.steps,
            row.tokens,
            row.json,
            row.example.replace('"', "\"\"")
        );
    }
    out
}
