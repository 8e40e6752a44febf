//! How the characters behind ASCII are written: found once for each way in which states tell them
//! apart, and then copied.
//!
//! Nearly every state of a set of strings tells few of them apart, or none, so there are few ways;
//! but each takes some twenty nodes.

use super::super::class::CharEdge;
use super::codes::{clip, codes, within};
use super::digits::UTF8;
use super::nodes::TextNodes;
use super::{ByteEdge, Decoder, Writing};
use crate::grammar::words::WordState;
use crate::intern::number;
use crate::maps::KeyedMap;
use std::collections::hash_map::Entry;

/// The edges over the characters behind ASCII, by where they begin in a text.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// The characters as themselves.
    pub raw: Vec<ByteEdge>,
    /// Behind `\u`, of codes that do not begin with `0`.
    pub code: Vec<ByteEdge>,
    /// Behind `\u0`, of codes that do not go on with `0`.
    pub code_0: Vec<ByteEdge>,
    /// Behind `\u00`.
    pub code_00: Vec<ByteEdge>,
}

impl Tail {
    /// The ways to write the characters of these edges.
    fn new(edges: &[CharEdge], writing: Writing, nodes: &mut TextNodes) -> Self {
        let hex = writing.hex();
        let as_is = codes(edges);
        let mut raw = Vec::new();
        for (low, high, digits) in UTF8 {
            raw.extend(nodes.block(&clip(&as_is, low, high), 0, digits));
        }
        let codes = codes(&within(edges, writing.escapes.coded()));
        let [d, any @ ..] = &hex.code;
        let code_00 = nodes.block(&clip(&codes, 0x80, 0xff), 0, &any[1..]);
        let code_0 = nodes.block(&clip(&codes, 0x100, 0xfff), 0, any);
        let mut code = nodes.block(&clip(&codes, 0x1000, 0xcfff), 0, &hex.code);
        // Behind `d` no character's own code begins with 8 or more: there pairs do.
        let mut behind_d = nodes.block(&codes, 0xd000, any);
        if writing.decoder == Decoder::Json {
            behind_d.extend(nodes.block(&codes, 0x10000, &hex.pair));
        }
        if let Some(behind_d) = nodes.node(behind_d) {
            code.extend(d.edges(0xd, 0xd, behind_d));
        }
        code.extend(nodes.block(&clip(&codes, 0xe000, 0xffff), 0, &hex.code));
        Tail {
            raw,
            code,
            code_0,
            code_00,
        }
    }
}

/// The tails of all states, of any language.
#[derive(Debug, Default)]
pub(super) struct Tails {
    /// By edges whose targets are numbered as they occur.
    templates: KeyedMap<Vec<CharEdge>, TailTemplate>,
}

/// A tail that leads to the first states, and the nodes behind them.
#[derive(Debug)]
struct TailTemplate {
    tail: Tail,
    nodes: Vec<WordState>,
}

impl Tails {
    /// A copy of the tail with these edges, in which characters are written so. Its nodes are among
    /// `nodes`.
    pub fn copy(&mut self, edges: &[CharEdge], writing: Writing, nodes: &mut TextNodes) -> Tail {
        let numbers = number(edges.iter().map(|edge| edge.2));
        let mut targets = Vec::new();
        let mut key = Vec::with_capacity(edges.len());
        for (&(low, high, to), number) in edges.iter().zip(numbers) {
            if number as usize == targets.len() {
                targets.push(to);
            }
            key.push((low, high, number));
        }
        let template = match self.templates.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let new = TailTemplate::new(free.key(), targets.len(), writing);
                free.insert(new)
            }
        };
        template.copy(targets, nodes)
    }
}

impl TailTemplate {
    fn new(edges: &[CharEdge], targets: usize, writing: Writing) -> Self {
        let mut nodes = TextNodes::new(targets);
        let tail = Tail::new(edges, writing, &mut nodes);
        let nodes = nodes.states.split_off(targets);
        TailTemplate { tail, nodes }
    }

    /// The tail that leads to these states.
    fn copy(&self, mut ids: Vec<u32>, nodes: &mut TextNodes) -> Tail {
        let copy = |edges: &[ByteEdge], ids: &[u32]| -> Vec<ByteEdge> {
            let edges = edges.iter();
            edges
                .map(|&(low, high, to)| (low, high, ids[to as usize]))
                .collect()
        };
        // Each leads to nodes before it.
        for node in &self.nodes {
            let id = nodes.merged_node(copy(&node.edges, &ids));
            ids.push(id);
        }
        let Tail {
            raw,
            code,
            code_0,
            code_00,
        } = &self.tail;
        Tail {
            raw: copy(raw, &ids),
            code: copy(code, &ids),
            code_0: copy(code_0, &ids),
            code_00: copy(code_00, &ids),
        }
    }
}
