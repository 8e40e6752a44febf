//! JSON texts of the strings of a set.
//!
//! In: a [`Language`] and which [`Escapes`] may be used. Out: a deterministic byte automaton of the
//! text between the quotes, so that what JSON decodes it to is in the set, and only that.
//!
//! Each state of the set becomes one state; between it and the next ones lie tries over the code of
//! a character: UTF-8, a short escape, four hex digits, or two times four for a surrogate pair.
//! Equal parts of tries are one, so "any character" takes about twenty states.

use super::class::{self, Edge};
use super::{Language, State};
use crate::grammar::words::{WordState, Words};
use rustc_hash::FxHashMap as HashMap;

/// In which ways a character may be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// In every way that JSON allows.
    #[default]
    Any,
    /// Printable ASCII other than `"` and `\` only as itself; everything else in every way.
    Natural,
    /// In one way: as itself, else by the short escape, else as `\u00` and two lower-case digits.
    Shortest,
}

impl Escapes {
    /// The characters that may be written as `\u` and four digits, or twice that.
    fn coded(self) -> &'static [(char, char)] {
        match self {
            Escapes::Any => &[('\0', char::MAX)],
            Escapes::Natural => &[
                ('\0', '\u{1f}'),
                ('"', '"'),
                ('\\', '\\'),
                ('\u{7f}', char::MAX),
            ],
            Escapes::Shortest => &[('\0', '\u{7}'), ('\u{b}', '\u{b}'), ('\u{e}', '\u{1f}')],
        }
    }

    /// The characters that may be written as a backslash and a letter, with it.
    fn short(self) -> &'static [(char, u8)] {
        // The last, `/`, needs no escape.
        &SHORT[..SHORT.len() - usize::from(self != Escapes::Any)]
    }
}

/// The characters that may stand for themselves.
const RAW: [(char, char); 3] = [(' ', '!'), ('#', '['), (']', char::MAX)];

/// The characters that JSON writes with a letter after the backslash.
const SHORT: [(char, u8); 8] = [
    ('\u{8}', b'b'),
    ('\t', b't'),
    ('\n', b'n'),
    ('\u{c}', b'f'),
    ('\r', b'r'),
    ('"', b'"'),
    ('\\', b'\\'),
    ('/', b'/'),
];

/// The JSON texts, without the quotes, of the strings of `language`.
pub fn json_text(language: &Language, escapes: Escapes) -> Words {
    let mut states = vec![WordState::default(); language.states().len()];
    let mut nodes: HashMap<Vec<ByteEdge>, u32> = HashMap::default();
    // States often differ in their targets only: a count, a chain.
    let mut tries: HashMap<Vec<Edge>, Trie> = HashMap::default();
    for (at, state) in language.states().iter().enumerate() {
        let (edges, targets) = abstracted(state);
        let trie = tries
            .entry(edges)
            .or_insert_with_key(|edges| Trie::new(edges, targets.len() as u32, escapes));
        let mut ids = targets;
        let concrete = |edges: &[ByteEdge], ids: &[u32]| {
            let edges = edges.iter().map(|&(l, h, to)| (l, h, ids[to as usize]));
            edges.collect::<Vec<_>>()
        };
        for node in &trie.nodes {
            let new = states.len() as u32;
            let id = *nodes
                .entry(concrete(node, &ids))
                .or_insert_with_key(|edges| {
                    let (is_final, edges) = (false, edges.clone());
                    states.push(WordState { is_final, edges });
                    new
                });
            ids.push(id);
        }
        states[at] = WordState {
            is_final: state.is_final,
            edges: concrete(&trie.start, &ids),
        };
    }
    Words { states }
}

/// The edges of a state with its targets numbered in the order in which they occur, and the targets.
fn abstracted(state: &State) -> (Vec<Edge>, Vec<u32>) {
    let mut targets: Vec<u32> = Vec::new();
    let mut numbers: HashMap<u32, u32> = HashMap::default();
    let edges = state.edges.iter().map(|&(low, high, to)| {
        let number = *numbers.entry(to).or_insert_with(|| {
            targets.push(to);
            targets.len() as u32 - 1
        });
        (low, high, number)
    });
    (edges.collect(), targets)
}

/// The JSON texts of one character, whichever.
pub fn json_char(escapes: Escapes) -> Words {
    json_text_of_class(&[('\0', char::MAX)], escapes)
}

/// The JSON texts of one character of these ranges.
pub fn json_text_of_class(ranges: &[(char, char)], escapes: Escapes) -> Words {
    json_text(&Language::class(ranges), escapes)
}

/// A byte edge.
type ByteEdge = (u8, u8, u32);

/// The ways to write a character. States are numbered: first the targets, then the nodes, each after
/// those that it leads to.
struct Trie {
    start: Vec<ByteEdge>,
    nodes: Vec<Vec<ByteEdge>>,
}

impl Trie {
    fn new(edges: &[Edge], targets: u32, escapes: Escapes) -> Trie {
        let mut builder = Builder {
            nodes: Vec::new(),
            ids: HashMap::default(),
            whole: HashMap::default(),
            targets,
            escapes,
        };
        let start = builder.character(edges);
        let nodes = builder.nodes;
        Trie { start, nodes }
    }
}

/// The nodes of a trie made so far; each is found by its edges.
struct Builder {
    nodes: Vec<Vec<ByteEdge>>,
    ids: HashMap<Vec<ByteEdge>, u32>,
    /// The tries in which every code leads to one state, by that state and the digits of the code: most of a
    /// large class is made of these.
    whole: HashMap<(u32, Vec<Digit>), Option<u32>>,
    targets: u32,
    escapes: Escapes,
}

impl Builder {
    /// The edges over the first byte of every way to write a character.
    fn character(&mut self, edges: &[Edge]) -> Vec<ByteEdge> {
        let mut result = self.utf8(&within(edges, &RAW));
        let mut escape: Vec<ByteEdge> = (self.escapes.short().iter())
            .filter_map(|&(c, letter)| Some((letter, letter, class::step(edges, c)?)))
            .collect();
        let digits = self.four_digits(&within(edges, self.escapes.coded()));
        escape.extend(self.node(digits).map(|digits| (b'u', b'u', digits)));
        result.extend(self.node(escape).map(|escape| (b'\\', b'\\', escape)));
        merge(result)
    }

    /// The edges of the characters as themselves.
    fn utf8(&mut self, edges: &[Edge]) -> Vec<ByteEdge> {
        let codes = codes(edges);
        let next = Digit::raw(6, 0x80);
        let mut result = self.block(&clip(&codes, 0, 0x7f), 0, &[Digit::raw(7, 0)]);
        for (low, high, digits) in [
            (0x80, 0x7ff, &[Digit::raw(5, 0xc0), next][..]),
            (0x800, 0xffff, &[Digit::raw(4, 0xe0), next, next]),
            (0x10000, 0x10ffff, &[Digit::raw(3, 0xf0), next, next, next]),
        ] {
            result.extend(self.block(&clip(&codes, low, high), 0, digits));
        }
        result
    }

    /// The edges after `\u`.
    fn four_digits(&mut self, edges: &[Edge]) -> Vec<ByteEdge> {
        let codes = codes(edges);
        let hex = |bits, base| Digit::hex(bits, base, self.escapes);
        // A pair holds the 20 bits above U+10000: 10 after `d8`, 10 after `dc`.
        let (any, high, low, d) = (hex(4, 0), hex(2, 8), hex(2, 0xc), hex(0, 0xd));
        let (backslash, u) = (Digit::raw(0, b'\\'), Digit::raw(0, b'u'));
        let pair = [high, any, any, backslash, u, d, low, any, any];
        let mut result = Vec::new();
        for first in 0..16 {
            let mut rest = self.block(&codes, first << 12, &[any; 3]);
            if first == 0xd {
                rest.extend(self.block(&clip(&codes, 0x10000, 0x10ffff), 0x10000, &pair));
            }
            let Some(rest) = self.node(merge(rest)) else {
                continue;
            };
            result.extend(any.bytes(first).map(|byte| (byte, byte, rest)));
        }
        merge(result)
    }

    /// The edges of a trie over the codes from `base` that `digits` can write.
    fn block(&mut self, codes: &[Code], base: u32, digits: &[Digit]) -> Vec<ByteEdge> {
        let Some((digit, rest)) = digits.split_first() else {
            return Vec::new();
        };
        let size = 1u32 << rest.iter().map(|d| d.bits).sum::<u32>();
        let past = base + (size << digit.bits);
        if codes.first().is_none_or(|code| code.0 >= past)
            || codes.last().is_none_or(|code| code.1 < base)
        {
            return Vec::new();
        }
        let mut result = Vec::new();
        // The last block that one range covers whole: the next one may be equal to it.
        let mut covered: Option<(Code, u32)> = None;
        for value in 0..1 << digit.bits {
            let (low, high) = (base + value * size, base + value * size + (size - 1));
            let first = codes.partition_point(|c| c.1 < low);
            let Some(&code) = codes.get(first).filter(|c| c.0 <= high) else {
                continue;
            };
            let is_whole = code.0 <= low && high <= code.1;
            let to = match covered {
                Some((before, to)) if is_whole && before == code => Some(to),
                _ if rest.is_empty() => Some(code.2),
                _ if is_whole => self.whole(code.2, rest),
                _ => {
                    let edges = self.block(&codes[first..], low, rest);
                    self.node(edges)
                }
            };
            let Some(to) = to else { continue };
            covered = is_whole.then_some((code, to));
            result.extend(digit.bytes(value).map(|byte| (byte, byte, to)));
        }
        merge(result)
    }

    /// The trie in which all codes of `digits` lead to `to`.
    fn whole(&mut self, to: u32, digits: &[Digit]) -> Option<u32> {
        if let Some(&known) = self.whole.get(&(to, digits.to_vec())) {
            return known;
        }
        let size = 1u32 << digits.iter().map(|d| d.bits).sum::<u32>();
        let edges = self.block(&[(0, size - 1, to)], 0, digits);
        let node = self.node(edges);
        self.whole.insert((to, digits.to_vec()), node);
        node
    }

    /// The node with these edges; none if there are none.
    fn node(&mut self, edges: Vec<ByteEdge>) -> Option<u32> {
        if edges.is_empty() {
            return None;
        }
        let edges = merge(edges);
        let new = self.targets + self.nodes.len() as u32;
        let id = *self.ids.entry(edges).or_insert_with_key(|edges| {
            self.nodes.push(edges.clone());
            new
        });
        Some(id)
    }
}

/// An inclusive range of codes, and the state that they lead to.
type Code = (u32, u32, u32);

/// A part of a code, written as one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Digit {
    bits: u32,
    base: u8,
    /// Whether it is a hexadecimal digit, and may be upper case.
    hex: Option<bool>,
}

impl Digit {
    fn raw(bits: u32, base: u8) -> Digit {
        let hex = None;
        Digit { bits, base, hex }
    }

    fn hex(bits: u32, base: u8, escapes: Escapes) -> Digit {
        let hex = Some(escapes != Escapes::Shortest);
        Digit { bits, base, hex }
    }

    /// The bytes that write `value`.
    fn bytes(self, value: u32) -> impl Iterator<Item = u8> {
        let value = self.base + value as u8;
        let (lower, upper) = match self.hex {
            None => (value, None),
            Some(_) if value < 10 => (b'0' + value, None),
            Some(upper) => (
                b'a' + value - 10,
                upper.then_some(b'A' + value.wrapping_sub(10)),
            ),
        };
        std::iter::once(lower).chain(upper)
    }
}

/// The edges cut down to `ranges`.
fn within(edges: &[Edge], ranges: &[(char, char)]) -> Vec<Edge> {
    let ranges: Vec<Edge> = ranges.iter().map(|&(low, high)| (low, high, 0)).collect();
    let mut result = Vec::new();
    class::overlay(edges, &ranges, |low, high, to, inside| {
        if let (Some(to), Some(_)) = (to, inside) {
            result.push((low, high, to));
        }
    });
    result
}

/// The codes of the characters of edges: a range that spans the surrogates in two parts.
fn codes(edges: &[Edge]) -> Vec<Code> {
    let all = edges.iter().map(|&(l, h, to)| (l as u32, h as u32, to));
    let parts = all.flat_map(|(l, h, to)| [(l, h.min(0xd7ff), to), (l.max(0xe000), h, to)]);
    parts.filter(|p| p.0 <= p.1).collect()
}

/// The codes from `low` to `high`.
fn clip(codes: &[Code], low: u32, high: u32) -> Vec<Code> {
    let clipped = codes.iter().map(|c| (c.0.max(low), c.1.min(high), c.2));
    clipped.filter(|c| c.0 <= c.1).collect()
}

/// The edges sorted, with neighbours that lead to one state joined.
fn merge(mut edges: Vec<ByteEdge>) -> Vec<ByteEdge> {
    edges.sort_unstable();
    edges.dedup_by(|later, earlier| {
        let joins = earlier.2 == later.2 && earlier.1.checked_add(1) == Some(later.0);
        if joins {
            earlier.1 = later.1;
        }
        joins
    });
    edges
}
