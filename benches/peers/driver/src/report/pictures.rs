//! The pictures.

use super::{Measurements, Part};
use crate::distribution::Distribution;
use crate::plot::{Curve, Frame, curves};

/// Names and contents of the SVG files.
pub fn all(measurements: &Measurements) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for part in Part::ALL {
        if measurements.engines(&part).is_empty() {
            continue;
        }
        let short = part.vocabulary.trim_end_matches("_base");
        let set = if part.free { "json" } else { "schemas" };
        files.push((format!("tail-{set}-{short}.svg"), tail(measurements, &part)));
        if !part.free {
            files.push((format!("compile-{short}.svg"), compile(measurements, &part)));
            files.push((format!("sizes-{short}.svg"), sizes(measurements, &part)));
        }
    }
    files
}

/// The share of steps whose mask takes longer.
fn tail(measurements: &Measurements, part: &Part) -> String {
    let broad = measurements.broad(part);
    let texts = measurements.common(part, &broad);
    let curve = |engine: &&str| {
        let times = measurements.steps(part, engine, &texts, |steps| &steps.mask_least);
        let count = times.len() as f64;
        let points = times.sorted().iter().enumerate();
        Curve {
            name: (*engine).to_owned(),
            points: points
                .map(|(rank, &time)| (time, (count - rank as f64) / count))
                .collect(),
        }
    };
    let title = format!(
        "{}, {}: the share of masks that take longer",
        part.name(),
        part.vocabulary
    );
    let frame = Frame {
        title: &title,
        x: "time of a mask",
        y: "share of steps",
        x_names: Some(time),
        y_names: share,
    };
    curves(&frame, &broad.iter().map(curve).collect::<Vec<_>>())
}

fn compile(measurements: &Measurements, part: &Part) -> String {
    let title = format!(
        "Schemas, {}: compile times, each engine's sorted",
        part.vocabulary
    );
    ranked(
        measurements,
        part,
        &title,
        "until the first mask",
        time,
        |measured| Some(measured.first_mask_ns as f64),
    )
}

fn sizes(measurements: &Measurements, part: &Part) -> String {
    let title = format!(
        "Schemas, {}: artifact sizes, each engine's sorted",
        part.vocabulary
    );
    ranked(measurements, part, &title, "size", size, |measured| {
        measured.artifact.map(|bytes| bytes as f64)
    })
}

fn ranked(
    measurements: &Measurements,
    part: &Part,
    title: &str,
    y: &str,
    names: fn(i32) -> String,
    figure: fn(&peers_common::Measured) -> Option<f64>,
) -> String {
    let mut all = Vec::new();
    for engine in measurements.engines(part) {
        let measured = measurements.of(part, engine).map(|record| &record.measured);
        let values = measured
            .filter(|measured| measured.error.is_none())
            .filter_map(figure);
        let values = Distribution::new(values.collect());
        let points = values
            .sorted()
            .iter()
            .enumerate()
            .map(|(rank, &value)| ((rank + 1) as f64, value));
        if !values.is_empty() {
            all.push(Curve {
                name: engine.to_owned(),
                points: points.collect(),
            });
        }
    }
    curves(
        &Frame {
            title,
            x: "schemas",
            y,
            x_names: None,
            y_names: names,
        },
        &all,
    )
}

/// Powers of ten of nanoseconds.
pub fn time(exponent: i32) -> String {
    let units = ["ns", "µs", "ms", "s"];
    let unit = (exponent / 3).clamp(0, 3);
    format!(
        "{} {}",
        10f64.powi(exponent - 3 * unit),
        units[unit as usize]
    )
}

/// Powers of ten of bytes.
pub fn size(exponent: i32) -> String {
    let units = ["B", "KB", "MB", "GB"];
    let unit = (exponent / 3).clamp(0, 3);
    format!(
        "{} {}",
        10f64.powi(exponent - 3 * unit),
        units[unit as usize]
    )
}

/// Powers of ten as shares of all.
pub fn share(exponent: i32) -> String {
    match exponent {
        0 => "all".to_owned(),
        _ => format!("1 in {}", 10f64.powi(-exponent)),
    }
}
