//! A drawing as SVG: for documents, and as the picture of the report's page.
//!
//! In: a [`Drawing`]. Out: one `svg` element that needs nothing else, light or dark as its
//! surroundings. Arrows between the same two states are drawn as one; their labels are cut short,
//! and whole in a tooltip. Elements carry `data-state`, `data-from` and `data-to`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::labels::{Boxes, NARROW, Rect, columns, cut};
use super::layout::{Input, Layout, layout};
use super::{Arrow, Drawing, Node};
use maskwright_compiler::pda::StateId;

const STYLE: &str = include_str!("svg.css");
/// Height of a node, and of a line of text.
const HEIGHT: f64 = 38.0;
const LINE: f64 = 13.0;
/// Distance between nodes in a layer.
const ROW: f64 = 74.0;
/// Around everything.
const MARGIN: f64 = 46.0;
/// Labels of an arrow, and columns of a label, that are drawn.
const MAX_LABELS: usize = 3;
const MAX_LABEL: usize = 26;
/// Columns of a node's rules that are drawn.
const MAX_RULES: usize = 22;
/// Where a label is put along its arrow: at the first of these parts of its length where it runs
/// over no node, else at the first of all.
const SPOTS: [f64; 7] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];

/// All arrows between two states.
struct Bundle<'a> {
    from: usize,
    to: usize,
    arrows: Vec<&'a Arrow>,
}

/// The picture.
pub fn svg(drawing: &Drawing) -> String {
    let bundles = bundles(drawing);
    let pairs: Vec<(usize, usize)> = bundles.iter().map(|b| (b.from, b.to)).collect();
    let widths: Vec<f64> = drawing.nodes.iter().map(width).collect();
    let mut longest = vec![0; drawing.nodes.len()];
    for bundle in &bundles {
        let columns = bundle.labels().iter().map(|label| columns(label)).max();
        longest[bundle.from] = longest[bundle.from].max(columns.unwrap_or(0));
    }
    let gap = |row: &[usize], next: &[usize]| {
        let both = row.iter().chain(next).map(|&node| widths[node]);
        let label = row.iter().map(|&node| longest[node]).max();
        both.fold(0.0, f64::max) + 50.0 + NARROW * label.unwrap_or(0) as f64
    };
    let layout = layout(&Input {
        start: drawing.start.index(),
        nodes: drawing.nodes.len(),
        arrows: &pairs,
        row: ROW,
        gap: &gap,
    });
    let mut picture = Picture {
        layout,
        widths,
        boxes: Boxes::new(std::iter::empty()),
        out: String::new(),
    };
    let boxes = (0..drawing.nodes.len())
        .map(|node| Rect::around(picture.place(node), picture.widths[node], HEIGHT));
    picture.boxes = Boxes::new(boxes);
    for bundle in &bundles {
        picture.arrow(bundle);
    }
    for (state, node) in drawing.nodes.iter().enumerate() {
        picture.node(state, node, state == drawing.start.index());
    }
    picture.finish()
}

fn bundles(drawing: &Drawing) -> Vec<Bundle<'_>> {
    let mut all: BTreeMap<(StateId, StateId), Vec<&Arrow>> = BTreeMap::new();
    for arrow in &drawing.arrows {
        all.entry((arrow.from, arrow.to)).or_default().push(arrow);
    }
    let bundle = |((from, to), arrows): ((StateId, StateId), _)| Bundle {
        from: from.index(),
        to: to.index(),
        arrows,
    };
    all.into_iter().map(bundle).collect()
}

impl Bundle<'_> {
    /// The lines that are drawn.
    fn labels(&self) -> Vec<String> {
        let shown = self
            .arrows
            .iter()
            .take(MAX_LABELS)
            .map(|arrow| short(arrow));
        let mut lines: Vec<String> = shown.collect();
        if self.arrows.len() > MAX_LABELS {
            lines.push(format!("and {} more", self.arrows.len() - MAX_LABELS));
        }
        lines
    }

    /// The whole text.
    fn title(&self) -> String {
        let lines: Vec<String> = self.arrows.iter().map(|arrow| whole(arrow)).collect();
        format!("{} → {}\n{}", self.from, self.to, lines.join("\n"))
    }

    fn is_conditional(&self) -> bool {
        self.arrows.iter().all(|arrow| !arrow.conditions.is_empty())
    }
}

fn whole(arrow: &Arrow) -> String {
    format!("{}  {arrow}", arrow.symbols).trim_end().to_owned()
}

fn short(arrow: &Arrow) -> String {
    let operations = arrow.to_string();
    let room = MAX_LABEL.saturating_sub(operations.chars().count()).max(8);
    format!("{} {operations}", cut(&arrow.symbols, room))
        .trim_end()
        .to_owned()
}

fn width(node: &Node) -> f64 {
    let rules = columns(&cut(&node.rules.join(" "), MAX_RULES));
    (NARROW * rules as f64 + 18.0).max(46.0)
}

struct Picture {
    layout: Layout,
    widths: Vec<f64>,
    boxes: Boxes,
    out: String,
}

impl Picture {
    /// The middle of a node.
    fn place(&self, node: usize) -> (f64, f64) {
        let (x, y) = self.layout.places[node];
        let first = self.widths.first().copied().unwrap_or(0.0) / 2.0;
        (x + MARGIN + first, y + MARGIN + HEIGHT / 2.0)
    }

    fn node(&mut self, state: usize, node: &Node, is_start: bool) {
        let ((x, y), width) = (self.place(state), self.widths[state]);
        let (left, top) = (x - width / 2.0, y - HEIGHT / 2.0);
        let class = match (is_start, node.is_end) {
            (true, _) => "node start",
            (_, true) => "node end",
            _ => "node",
        };
        let rules = escape(&cut(&node.rules.join(" "), MAX_RULES));
        let title = escape(&node.rules.join(" "));
        let middle = y - 2.0;
        let below = y + LINE - 1.0;
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.out,
            "<g class=\"{class}\" data-state=\"{state}\"><title>state {state}: {title}</title>\
             <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" rx=\"9\"/>\
             <text x=\"{x:.1}\" y=\"{middle:.1}\" class=\"id\">{state}</text>\
             <text x=\"{x:.1}\" y=\"{below:.1}\" class=\"rule\">{rules}</text></g>"
        );
    }

    fn arrow(&mut self, bundle: &Bundle<'_>) {
        let labels = bundle.labels();
        let (path, at) = self.route(bundle.from, bundle.to, &labels);
        let class = if bundle.is_conditional() {
            "arrow if"
        } else {
            "arrow"
        };
        let (from, to) = (bundle.from, bundle.to);
        let title = escape(&bundle.title());
        let _ = write!(
            self.out,
            "<g class=\"{class}\" data-from=\"{from}\" data-to=\"{to}\"><title>{title}</title>\
             <path d=\"{path}\" marker-end=\"url(#tip)\"/>"
        );
        let top = at.1 - LINE * (labels.len() as f64 - 1.0) / 2.0 + 4.0;
        for (line, label) in labels.iter().enumerate() {
            let y = top + LINE * line as f64;
            let label = escape(label);
            let _ = write!(
                self.out,
                "<text x=\"{:.1}\" y=\"{y:.1}\">{label}</text>",
                at.0
            );
        }
        self.out.push_str("</g>\n");
    }

    /// The path of an arrow, and where the middle of its labels goes.
    fn route(&self, from: usize, to: usize, labels: &[String]) -> (String, (f64, f64)) {
        let ((ax, ay), (bx, by)) = (self.place(from), self.place(to));
        let (a, b) = (self.widths[from] / 2.0, self.widths[to] / 2.0);
        let half = HEIGHT / 2.0;
        if from == to {
            let (x, y) = (ax, ay - half);
            let path = format!(
                "M{:.1} {y:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {y:.1}",
                x - 9.0,
                x - 24.0,
                y - 26.0,
                x + 24.0,
                y - 26.0,
                x + 9.0
            );
            return (path, (x, y - 25.0));
        }
        let (from, to) = (self.layout.layers[from], self.layout.layers[to]);
        let (start, c, d, end) = if to > from {
            let reach = (bx - b - ax - a) * 0.45;
            let (start, end) = ((ax + a, ay), (bx - b, by));
            (start, (start.0 + reach, ay), (end.0 - reach, by), end)
        } else if to == from {
            // Down on the right, up on the left.
            let side = if by > ay { 1.0 } else { -1.0 };
            let bulge = side * (26.0 + 0.16 * (by - ay).abs());
            let start = (ax + side * a, ay + side * 5.0);
            let end = (bx + side * b, by - side * 5.0);
            (start, (start.0 + bulge, ay), (end.0 + bulge, by), end)
        } else {
            // Back, below what lies between.
            let dip = 24.0 + 0.10 * (ax - bx);
            let (start, end) = ((ax - 8.0, ay + half), (bx + 8.0, by + half));
            (
                start,
                (ax - 20.0, ay + half + dip),
                (bx + 20.0, by + half + dip),
                end,
            )
        };
        let path = format!(
            "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            start.0, start.1, c.0, c.1, d.0, d.1, end.0, end.1
        );
        let widest = labels.iter().map(|label| columns(label)).max();
        let width = NARROW * widest.unwrap_or(0) as f64;
        let height = LINE * labels.len() as f64;
        let spots = SPOTS.map(|part| on_curve([start, c, d, end], part));
        let mut free = spots
            .into_iter()
            .filter(|&spot| self.boxes.is_free(&Rect::around(spot, width, height)));
        (path, free.next().unwrap_or(spots[0]))
    }

    fn finish(self) -> String {
        let last = self.widths.iter().copied().fold(0.0, f64::max);
        let width = self.layout.size.0 + 2.0 * MARGIN + last;
        let height = self.layout.size.1 + 2.0 * MARGIN + HEIGHT;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"automaton\">\n\
             <style>{STYLE}</style>\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0 0.8L8 4L0 7.2z\"/></marker></defs>\n<g class=\"automaton\">\n{}</g>\n</svg>\n",
            self.out
        )
    }
}

/// The point of a Bézier curve at a part of its length.
fn on_curve(points: [(f64, f64); 4], part: f64) -> (f64, f64) {
    let rest = 1.0 - part;
    let weights = [
        rest.powi(3),
        3.0 * rest * rest * part,
        3.0 * rest * part * part,
        part.powi(3),
    ];
    let weighted = points.into_iter().zip(weights);
    weighted.fold((0.0, 0.0), |sum, (point, weight)| {
        (sum.0 + point.0 * weight, sum.1 + point.1 * weight)
    })
}

/// Escaped for text and attributes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
