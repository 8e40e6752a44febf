//! The automaton of texts as it is made: states, of which those between the characters are found by their edges.

use super::super::class::{self, CharEdge};
use super::digits::{Digit, EITHER, Hex, LOWER, UTF8};
use super::tail::{Tail, Tails};
use super::{ByteEdge, Decoder, Escapes, RAW};
use crate::grammar::words::WordState;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};
use std::hash::BuildHasher;
use std::rc::Rc;

/// An inclusive range of codes, and the state that they lead to.
type CodeEdge = (u32, u32, u32);

/// The first character that is not ASCII.
pub(super) const BEHIND_ASCII: char = '\u{80}';

/// The states made so far: first those of the set, then the nodes between them.
pub(super) struct JsonTextBuilder {
    pub states: Vec<WordState>,
    /// The hashes of nodes' edges, and the nodes.
    nodes: HashTable<(u64, u32)>,
    /// The tries over the codes of one range, counted from the least that the digits can write: nearly all of what
    /// a large class is made of, and much the same for each state.
    single: HashMap<(CodeEdge, &'static [Digit]), u32>,
    tails: HashMap<Vec<CharEdge>, Rc<Tail>>,
    escapes: Escapes,
    decoder: Decoder,
}

impl JsonTextBuilder {
    /// With this many states without edges.
    pub fn new(states: usize, escapes: Escapes, decoder: Decoder) -> Self {
        JsonTextBuilder {
            states: vec![WordState::default(); states],
            nodes: HashTable::new(),
            single: HashMap::default(),
            tails: HashMap::default(),
            escapes,
            decoder,
        }
    }

    /// The same for other states.
    pub fn empty(&self, states: usize) -> Self {
        JsonTextBuilder::new(states, self.escapes, self.decoder)
    }

    /// The edges over the first byte of every way to write a character.
    pub fn character(&mut self, edges: &[CharEdge], tails: &mut Tails) -> Vec<ByteEdge> {
        if edges.iter().all(|edge| self.escapes.keep(edge)) {
            return single_bytes(edges);
        }
        let (ascii, behind) = split(edges);
        let tail = self.known_tail(behind, tails);
        let mut result = single_bytes(&within(&ascii, &RAW));
        result.extend_from_slice(&tail.raw);
        let mut escape: Vec<ByteEdge> = (self.escapes.short(self.decoder).iter())
            .filter_map(|&(c, letter)| Some((letter, letter, class::step(&ascii, c)?)))
            .collect();
        let digits = self.four_digits(&within(&ascii, self.escapes.coded()), &tail);
        escape.extend(self.node(digits).map(|digits| (b'u', b'u', digits)));
        result.extend(self.node(escape).map(|escape| (b'\\', b'\\', escape)));
        merge(&mut result);
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
        let [any, ..] = self.hex().code;
        let mut edges = self.block(&codes(ascii), 0, &self.hex().code[2..]);
        for behind in [&tail.code_00, &tail.code_0] {
            edges.extend_from_slice(behind);
            let node = self.node(edges);
            edges = (node.into_iter().flat_map(|node| any.edges(0, 0, node))).collect();
        }
        edges.extend_from_slice(&tail.code);
        edges
    }

    fn known_tail(&mut self, edges: Vec<CharEdge>, tails: &mut Tails) -> Rc<Tail> {
        if let Some(known) = self.tails.get(&edges) {
            return known.clone();
        }
        let tail = Rc::new(tails.copy(&edges, self));
        self.tails.insert(edges, tail.clone());
        tail
    }

    /// How the characters behind ASCII are written.
    pub fn tail(&mut self, edges: &[CharEdge]) -> Tail {
        let as_is = codes(edges);
        let mut raw = Vec::new();
        for (low, high, digits) in UTF8 {
            raw.extend(self.block(&clip(&as_is, low, high), 0, digits));
        }
        let codes = codes(&within(edges, self.escapes.coded()));
        let [d, any @ ..] = &self.hex().code;
        let code_00 = self.block(&clip(&codes, 0x80, 0xff), 0, &any[1..]);
        let code_0 = self.block(&clip(&codes, 0x100, 0xfff), 0, any);
        let mut code = self.block(&clip(&codes, 0x1000, 0xcfff), 0, &self.hex().code);
        // Behind `d` no character's own code begins with 8 or more: there pairs do.
        let mut behind_d = self.block(&codes, 0xd000, any);
        if self.decoder == Decoder::Json {
            behind_d.extend(self.block(&codes, 0x10000, &self.hex().pair));
        }
        if let Some(behind_d) = self.node(behind_d) {
            code.extend(d.edges(0xd, 0xd, behind_d));
        }
        code.extend(self.block(&clip(&codes, 0xe000, 0xffff), 0, &self.hex().code));
        Tail {
            raw,
            code,
            code_0,
            code_00,
        }
    }

    fn hex(&self) -> &'static Hex {
        match self.escapes {
            Escapes::Shortest => &LOWER,
            Escapes::Any | Escapes::Natural => &EITHER,
        }
    }

    /// The edges of a trie over the codes from `base` that `digits` can write.
    fn block(&mut self, codes: &[CodeEdge], base: u32, digits: &'static [Digit]) -> Vec<ByteEdge> {
        let Some((digit, rest)) = digits.split_first() else {
            return Vec::new();
        };
        // How many codes begin with one value of the digit.
        let size = 1u32 << rest.iter().map(|d| d.bits).sum::<u32>();
        let values = 1u32 << digit.bits;
        let mut result = Vec::new();
        let mut value = 0;
        let mut codes = &codes[codes.partition_point(|code| code.1 < base)..];
        while let &[(from, until, target), ref behind @ ..] = codes {
            value = value.max(from.saturating_sub(base) / size);
            if value >= values {
                break;
            }
            let (low, high) = (base + value * size, base + value * size + (size - 1));
            let mut last = value;
            let to = if from <= low && high <= until {
                last = ((until + 1 - base) / size).min(values) - 1;
                self.single((0, size - 1, target), rest)
            } else if behind.first().is_none_or(|next| next.0 > high) {
                let within = (from.max(low) - low, until.min(high) - low, target);
                self.single(within, rest)
            } else {
                let edges = self.block(codes, low, rest);
                self.node(edges)
            };
            result.extend(to.into_iter().flat_map(|to| digit.edges(value, last, to)));
            value = last + 1;
            let looked_at = base + value * size;
            codes = &codes[codes.partition_point(|code| code.1 < looked_at)..];
        }
        merge(&mut result);
        result
    }

    /// The trie over the codes of one range that `digits` can write: what it leads to, if there are none.
    fn single(&mut self, code: CodeEdge, digits: &'static [Digit]) -> Option<u32> {
        if digits.is_empty() {
            return Some(code.2);
        }
        if let Some(&known) = self.single.get(&(code, digits)) {
            return Some(known);
        }
        let edges = self.block(&[code], 0, digits);
        let node = self.node(edges)?;
        self.single.insert((code, digits), node);
        Some(node)
    }

    /// The node with these edges; none if there are none.
    fn node(&mut self, mut edges: Vec<ByteEdge>) -> Option<u32> {
        if edges.is_empty() {
            return None;
        }
        merge(&mut edges);
        Some(self.merged_node(edges))
    }

    /// The node with these edges, which are sorted, neighbours that lead to one state joined.
    pub fn merged_node(&mut self, edges: Vec<ByteEdge>) -> u32 {
        let hash = FxBuildHasher.hash_one(&edges);
        let states = &self.states;
        let is_known =
            |&(known, id): &(u64, u32)| known == hash && states[id as usize].edges == edges;
        if let Some(&(_, known)) = self.nodes.find(hash, is_known) {
            return known;
        }
        let new = self.states.len() as u32;
        self.nodes.insert_unique(hash, (hash, new), |of| of.0);
        let is_final = false;
        self.states.push(WordState { is_final, edges });
        new
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

/// The edges cut down to the characters of `others`.
fn within(edges: &[CharEdge], others: &[CharEdge]) -> Vec<CharEdge> {
    let mut result = Vec::with_capacity(edges.len() + others.len());
    class::overlay(edges, others, |low, high, to, inside| {
        if let (Some(to), Some(_)) = (to, inside) {
            result.push((low, high, to));
        }
    });
    result
}

/// Where another way of writing codes begins, ascending; the surrogates, between two of these, are no characters.
const BOUNDS: [u32; 6] = [0x80, 0x800, 0xd000, 0xd800, 0xe000, 0x10000];

/// The codes of the characters of edges, cut at [`BOUNDS`].
fn codes(edges: &[CharEdge]) -> Vec<CodeEdge> {
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
fn clip(codes: &[CodeEdge], low: u32, high: u32) -> Vec<CodeEdge> {
    let first = codes.partition_point(|code| code.1 < low);
    let past = codes.partition_point(|code| code.0 <= high);
    let codes = codes[first..past].iter();
    codes
        .map(|&(from, until, to)| (from.max(low), until.min(high), to))
        .collect()
}

/// Sorts edges, and joins neighbours that lead to one state.
fn merge(edges: &mut Vec<ByteEdge>) {
    edges.sort_unstable();
    edges.dedup_by(|later, earlier| {
        let joins = earlier.2 == later.2 && earlier.1.checked_add(1) == Some(later.0);
        if joins {
            earlier.1 = later.1;
        }
        joins
    });
}
