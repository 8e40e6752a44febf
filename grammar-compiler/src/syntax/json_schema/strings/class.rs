//! Edges over ranges of characters.

use crate::grammar::characters::{complement, next, previous};

/// An edge: an inclusive range of characters and the state it leads to.
pub(super) type CharEdge = (char, char, u32);

/// Appends `edge` to sorted, disjoint edges, and joins it to the last one where they touch.
pub(super) fn push(edges: &mut Vec<CharEdge>, edge: CharEdge) {
    if let Some(last) = edges.last_mut()
        && last.2 == edge.2
        && next(last.1) == Some(edge.0)
    {
        last.1 = edge.1;
        return;
    }
    edges.push(edge);
}

/// The state that `c` leads to, by sorted, disjoint edges.
pub(super) fn step(edges: &[CharEdge], c: char) -> Option<u32> {
    let at = edges.partition_point(|e| e.1 < c);
    edges.get(at).filter(|e| e.0 <= c).map(|e| e.2)
}

/// What the edges leave out, as edges to `target`.
pub(super) fn gaps(edges: &[CharEdge], target: u32) -> Vec<CharEdge> {
    let ranges = edges.iter().map(|edge| (edge.0, edge.1));
    let gaps = complement(ranges).into_iter();
    gaps.map(|(low, high)| (low, high, target)).collect()
}

/// Calls `visit` with each piece of two sorted, disjoint lists of edges and where either leads on
/// it.
pub(super) fn overlay(
    left: &[CharEdge],
    right: &[CharEdge],
    mut visit: impl FnMut(char, char, Option<u32>, Option<u32>),
) {
    let (mut i, mut j) = (0, 0);
    let mut from = '\0';
    loop {
        let l = left.get(i).map(|e| (e.0.max(from), e.1, e.2));
        let r = right.get(j).map(|e| (e.0.max(from), e.1, e.2));
        let (low, high, to_left, to_right) = match (l, r) {
            (None, None) => return,
            (Some(l), None) => (l.0, l.1, Some(l.2), None),
            (None, Some(r)) => (r.0, r.1, None, Some(r.2)),
            (Some(l), Some(r)) if l.0 == r.0 => (l.0, l.1.min(r.1), Some(l.2), Some(r.2)),
            (Some(l), Some(r)) if l.0 < r.0 => (l.0, before(r.0, l.1), Some(l.2), None),
            (Some(l), Some(r)) => (r.0, before(l.0, r.1), None, Some(r.2)),
        };
        visit(low, high, to_left, to_right);
        i += usize::from(l.is_some_and(|l| l.1 == high));
        j += usize::from(r.is_some_and(|r| r.1 == high));
        match next(high) {
            Some(c) => from = c,
            None => return,
        }
    }
}

/// The end of a piece that ends at `high` or just before `c`.
fn before(c: char, high: char) -> char {
    previous(c).map_or(high, |p| p.min(high))
}
