//! The bytes that begin each way to write a character.

use super::super::class::{self, CharEdge};
use super::codes::{codes, within};
use super::nodes::{TextNodes, merge};
use super::tail::{Tail, Tails};
use super::{ByteEdge, RAW_ASCII, Writing};
use crate::maps::KeyedMap;
use std::rc::Rc;

/// The first character that is not ASCII.
const BEHIND_ASCII: char = '\u{80}';

/// The automaton of texts as it is made: the states of a set, and the nodes between them.
pub(super) struct JsonTextBuilder {
    pub nodes: TextNodes,
    tails: KeyedMap<Vec<CharEdge>, Rc<Tail>>,
    /// By the edges of the characters that may be written otherwise than as one byte: see
    /// [`JsonTextBuilder::others`].
    others: KeyedMap<Vec<CharEdge>, Vec<ByteEdge>>,
    writing: Writing,
}

impl JsonTextBuilder {
    /// With this many states without edges.
    pub fn new(states: usize, writing: Writing) -> Self {
        JsonTextBuilder {
            nodes: TextNodes::new(states),
            tails: KeyedMap::default(),
            others: KeyedMap::default(),
            writing,
        }
    }

    /// The edges over the first byte of every way to write a character.
    pub fn character(&mut self, edges: &[CharEdge], tails: &mut Tails) -> Vec<ByteEdge> {
        let escapes = self.writing.escapes;
        if edges.iter().all(|edge| escapes.keep(edge)) {
            return single_bytes(edges);
        }
        let mut result = single_bytes(&within(edges, &RAW_ASCII));
        let apart = within(edges, escapes.apart());
        match self.others.get(&apart) {
            Some(known) => result.extend_from_slice(known),
            None => {
                let others = self.others(&apart, tails);
                result.extend_from_slice(&others);
                self.others.insert(apart, others);
            }
        }
        merge(&mut result);
        result
    }

    /// The edges over the first byte of every way to write a character but that of one byte. Most
    /// states of a set tell few characters apart that are written otherwise.
    fn others(&mut self, edges: &[CharEdge], tails: &mut Tails) -> Vec<ByteEdge> {
        let Writing { escapes, decoder } = self.writing;
        let (ascii, behind) = split(edges);
        let tail = self.known_tail(behind, tails);
        let mut result = tail.raw.clone();
        let mut escape: Vec<ByteEdge> = (escapes.short(decoder).iter())
            .filter_map(|&(c, letter)| Some((letter, letter, class::step(&ascii, c)?)))
            .collect();
        let digits = self.four_digits(&within(&ascii, escapes.coded()), &tail);
        escape.extend(self.nodes.node(digits).map(|digits| (b'u', b'u', digits)));
        result.extend(self.nodes.node(escape).map(|escape| (b'\\', b'\\', escape)));
        result
    }

    /// The edges of the characters as themselves.
    pub fn raw(&mut self, edges: &[CharEdge], tails: &mut Tails) -> Vec<ByteEdge> {
        let (ascii, behind) = split(edges);
        let mut result = single_bytes(&ascii);
        result.extend_from_slice(&self.known_tail(behind, tails).raw);
        merge(&mut result);
        result
    }

    /// The edges after `\u`: of ASCII characters, beside those of the others.
    fn four_digits(&mut self, ascii: &[CharEdge], tail: &Tail) -> Vec<ByteEdge> {
        let hex = self.writing.hex();
        let [any, ..] = hex.code;
        let mut edges = self.nodes.block(&codes(ascii), 0, &hex.code[2..]);
        for behind in [&tail.code_00, &tail.code_0] {
            edges.extend_from_slice(behind);
            let node = self.nodes.node(edges);
            edges = (node.into_iter().flat_map(|node| any.edges(0, 0, node))).collect();
        }
        edges.extend_from_slice(&tail.code);
        edges
    }

    fn known_tail(&mut self, edges: Vec<CharEdge>, tails: &mut Tails) -> Rc<Tail> {
        if let Some(known) = self.tails.get(&edges) {
            return known.clone();
        }
        let tail = Rc::new(tails.copy(&edges, self.writing, &mut self.nodes));
        self.tails.insert(edges, tail.clone());
        tail
    }
}

/// The edges of characters that are written as one byte.
fn single_bytes(edges: &[CharEdge]) -> Vec<ByteEdge> {
    let edges = edges.iter();
    edges
        .map(|&(low, high, to)| (low as u8, high as u8, to))
        .collect()
}

/// The edges of ASCII characters, and those of the others.
fn split(edges: &[CharEdge]) -> (Vec<CharEdge>, Vec<CharEdge>) {
    const LAST: char = '\u{7f}';
    let ascii = edges.iter().take_while(|edge| edge.0 < BEHIND_ASCII);
    let ascii = ascii.map(|&(low, high, to)| (low, high.min(LAST), to));
    let behind = edges.iter().filter(|edge| edge.1 >= BEHIND_ASCII);
    let behind = behind.map(|&(low, high, to)| (low.max(BEHIND_ASCII), high, to));
    (ascii.collect(), behind.collect())
}
