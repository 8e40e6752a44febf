//! Quantiles of a sample.

use serde::Serialize;
use std::fmt;

/// Median, upper quantiles and the largest value, by nearest rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantiles {
    /// The median.
    pub p50: f64,
    /// Nine in ten values are at most this.
    pub p90: f64,
    /// 99 in 100 values are at most this.
    pub p99: f64,
    /// The largest value.
    pub max: f64,
}

impl Quantiles {
    /// The quantiles of `values`, rounded to a tenth; `None` without values.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let rank = |percent: usize| {
            let index = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
            sorted.get(index).map(|value| (value * 10.0).round() / 10.0)
        };
        Some(Quantiles {
            p50: rank(50)?,
            p90: rank(90)?,
            p99: rank(99)?,
            max: rank(100)?,
        })
    }
}

impl fmt::Display for Quantiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quantiles { p50, p90, p99, max } = self;
        write!(f, "p50 {p50}, p90 {p90}, p99 {p99}, max {max}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_nearest_rank() {
        let values: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        let expected = Quantiles {
            p50: 100.0,
            p90: 180.0,
            p99: 198.0,
            max: 200.0,
        };
        assert_eq!(Quantiles::of(&values), Some(expected));
        assert_eq!(
            Quantiles::of(&[7.04]),
            Some(Quantiles {
                p50: 7.0,
                p90: 7.0,
                p99: 7.0,
                max: 7.0
            })
        );
        assert_eq!(Quantiles::of(&[]), None);
    }
}
