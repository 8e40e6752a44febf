//! States in layers.
//!
//! In: sizes of nodes and arrows between them. Out: [`Layout`]: a place for each node. The layer of
//! a node is its distance from the start, so an arrow leads at most one layer on; others stay in
//! their layer or lead back. Within a layer nodes are ordered by where their neighbours are
//! (barycentres, a fixed number of sweeps), and then moved towards them as far as others leave
//! room.

use std::collections::VecDeque;

/// Sweeps over all layers.
const SWEEPS: usize = 12;

/// What is laid out.
pub struct Input<'a> {
    /// The node to begin with.
    pub start: usize,
    /// Number of nodes.
    pub nodes: usize,
    /// Arrows between nodes.
    pub arrows: &'a [(usize, usize)],
    /// Distance between the middles of neighbours in one layer.
    pub row: f64,
    /// The distance of a layer to the next one, which is empty behind the last, is asked for here.
    pub gap: &'a dyn Fn(&[usize], &[usize]) -> f64,
}

/// Where everything lies.
pub struct Layout {
    /// The middle of each node.
    pub places: Vec<(f64, f64)>,
    /// The layer of each node.
    pub layers: Vec<usize>,
    /// Width and height of all middles.
    pub size: (f64, f64),
}

/// Lays out nodes in layers.
pub fn layout(input: &Input<'_>) -> Layout {
    let layers = distances(input);
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (node, &layer) in layers.iter().enumerate() {
        rows.resize_with(rows.len().max(layer + 1), Vec::new);
        rows[layer].push(node);
    }
    let neighbours = neighbours(input);
    let mut y = vec![0.0; input.nodes];
    rows.iter().for_each(|row| spread(row, &mut y, input.row));
    for _ in 0..SWEEPS {
        for row in &mut rows {
            let wanted = |node: usize| barycentre(&neighbours[node], &y).unwrap_or(y[node]);
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&n| (wanted(n), n)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            *row = keyed.iter().map(|k| k.1).collect();
            place(&keyed, &mut y, input.row);
        }
    }
    let top = y.iter().copied().fold(f64::INFINITY, f64::min);
    let mut x = 0.0;
    let mut places = vec![(0.0, 0.0); input.nodes];
    let mut width = 0.0;
    for (at, row) in rows.iter().enumerate() {
        row.iter()
            .for_each(|&node| places[node] = (x, y[node] - top));
        width = x;
        let next = rows.get(at + 1).map_or(&[][..], Vec::as_slice);
        x += (input.gap)(row, next);
    }
    let height = places.iter().map(|place| place.1).fold(0.0, f64::max);
    Layout {
        places,
        layers,
        size: (width, height),
    }
}

/// The distance of each node from the start; those that it does not reach come last.
fn distances(input: &Input<'_>) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); input.nodes];
    input
        .arrows
        .iter()
        .for_each(|&(from, to)| next[from].push(to));
    let mut layers = vec![usize::MAX; input.nodes];
    let mut queue = VecDeque::from([input.start]);
    layers[input.start] = 0;
    let mut last = 0;
    while let Some(node) = queue.pop_front() {
        last = layers[node];
        for &to in &next[node] {
            if layers[to] == usize::MAX {
                layers[to] = layers[node] + 1;
                queue.push_back(to);
            }
        }
    }
    layers
        .iter()
        .map(|&layer| if layer == usize::MAX { last + 1 } else { layer })
        .collect()
}

fn neighbours(input: &Input<'_>) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); input.nodes];
    for &(from, to) in input.arrows.iter().filter(|arrow| arrow.0 != arrow.1) {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    neighbours
}

fn barycentre(neighbours: &[usize], y: &[f64]) -> Option<f64> {
    let sum: f64 = neighbours.iter().map(|&n| y[n]).sum();
    (!neighbours.is_empty()).then(|| sum / neighbours.len() as f64)
}

/// Evenly around 0.
fn spread(row: &[usize], y: &mut [f64], distance: f64) {
    let middle = (row.len() as f64 - 1.0) / 2.0;
    for (at, &node) in row.iter().enumerate() {
        y[node] = (at as f64 - middle) * distance;
    }
}

/// Each node where it wants to be, as far as their order and distance allow: runs that want to
/// overlap are put around their mean.
fn place(wanted: &[(f64, usize)], y: &mut [f64], distance: f64) {
    // A run: the sum of where its first node would have to be, its length.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for &(want, _) in wanted {
        let mut run = (want, 1);
        while let Some(&(sum, len)) = runs.last() {
            let end = sum / len as f64 + len as f64 * distance;
            if run.0 / run.1 as f64 >= end {
                break;
            }
            // The first node of the joined run is that of the earlier one.
            let shifted = run.0 - run.1 as f64 * len as f64 * distance;
            run = (sum + shifted, len + run.1);
            runs.pop();
        }
        runs.push(run);
    }
    let mut nodes = wanted.iter();
    for (sum, len) in runs {
        let first = sum / len as f64;
        for (at, &(_, node)) in nodes.by_ref().take(len).enumerate() {
            y[node] = first + at as f64 * distance;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(nodes: usize, arrows: &[(usize, usize)]) -> Layout {
        let gap = |_: &[usize], _: &[usize]| 100.0;
        layout(&Input {
            start: 0,
            nodes,
            arrows,
            row: 40.0,
            gap: &gap,
        })
    }

    #[test]
    fn layers_are_distances() {
        let layout = of(5, &[(0, 1), (1, 2), (2, 0), (0, 3), (3, 3), (2, 3)]);
        assert_eq!(layout.layers, [0, 1, 2, 1, 3], "the last is not reached");
        assert_eq!(layout.size.0, 300.0);
    }

    #[test]
    fn nodes_of_a_layer_keep_their_distance() {
        let arrows: Vec<(usize, usize)> =
            (1..9).flat_map(|n| [(0, n), (n, n * 3 % 8 + 1)]).collect();
        let layout = of(9, &arrows);
        for a in 0..9 {
            for b in 0..a {
                let near = (layout.places[a].1 - layout.places[b].1).abs() < 39.9;
                assert!(layout.layers[a] != layout.layers[b] || !near, "{a} and {b}");
            }
        }
        assert!(layout.places.iter().all(|place| place.1 >= 0.0));
    }

    #[test]
    fn a_chain_is_straight() {
        let layout = of(4, &[(0, 1), (1, 2), (2, 3)]);
        assert!(layout.places.iter().all(|place| place.1 == 0.0));
    }
}
