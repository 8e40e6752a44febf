//! Percentiles of many short measurements.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// Nanoseconds: median, 90th and 99th percentile, largest.
#[derive(Clone, Copy, Debug)]
pub struct Percentiles {
    /// The median.
    pub p50: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl Percentiles {
    /// Of these values. None of them: all zero.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = values.len().saturating_sub(1);
            values
                .get((last as f64 * share).round() as usize)
                .copied()
                .unwrap_or(0.0)
        };
        Percentiles {
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            max: at(1.0),
        }
    }

    /// Of the time that `run` takes on each item: the least mean of three rounds of `repeat` calls
    /// each.
    pub fn time<T, R>(items: &[T], repeat: u32, mut run: impl FnMut(&T) -> R) -> Self {
        let mut measure = |item: &T| {
            let mut round = || {
                let start = Instant::now();
                for _ in 0..repeat {
                    black_box(run(black_box(item)));
                }
                start.elapsed().as_nanos() as f64 / repeat as f64
            };
            round().min(round()).min(round())
        };
        Percentiles::of(items.iter().map(&mut measure).collect())
    }
}

impl fmt::Display for Percentiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Percentiles { p50, p90, p99, max } = self;
        write!(
            f,
            "p50 {p50:7.0}  p90 {p90:7.0}  p99 {p99:7.0}  max {max:7.0} ns"
        )
    }
}
