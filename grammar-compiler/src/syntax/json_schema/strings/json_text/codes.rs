//! Characters as ranges of codes, cut where another way of writing them begins.

use super::super::class::{self, CharEdge};

/// An inclusive range of codes, and the state that they lead to.
pub(super) type CodeEdge = (u32, u32, u32);

/// The edges cut down to the characters of `others`.
pub(super) fn within(edges: &[CharEdge], others: &[CharEdge]) -> Vec<CharEdge> {
    let mut result = Vec::with_capacity(edges.len() + others.len());
    class::overlay(edges, others, |low, high, to, inside| {
        if let (Some(to), Some(_)) = (to, inside) {
            result.push((low, high, to));
        }
    });
    result
}

/// Where another way of writing codes begins, ascending; the surrogates, between two of these, are
/// no characters.
const BOUNDS: [u32; 6] = [0x80, 0x800, 0xd000, 0xd800, 0xe000, 0x10000];

/// The codes of the characters of edges, cut at [`BOUNDS`].
pub(super) fn codes(edges: &[CharEdge]) -> Vec<CodeEdge> {
    let mut codes = Vec::with_capacity(edges.len() + BOUNDS.len());
    for &(low, high, to) in edges {
        let (mut from, until) = (low as u32, high as u32);
        for bound in BOUNDS {
            if from < bound && bound <= until {
                codes.push((from, bound - 1, to));
                from = bound;
            }
        }
        codes.push((from, until, to));
    }
    codes.retain(|code| code.0 != 0xd800);
    codes
}

/// The codes from `low` to `high`.
pub(super) fn clip(codes: &[CodeEdge], low: u32, high: u32) -> Vec<CodeEdge> {
    let first = codes.partition_point(|code| code.1 < low);
    let past = codes.partition_point(|code| code.0 <= high);
    let codes = codes[first..past].iter();
    codes
        .map(|&(from, until, to)| (from.max(low), until.min(high), to))
        .collect()
}
