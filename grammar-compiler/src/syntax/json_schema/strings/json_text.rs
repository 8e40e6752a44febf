//! JSON texts of the strings of a set.
//!
//! In: a [`Language`] and which [`Escapes`] may be used. Out: a deterministic byte automaton of the
//! text between the quotes, so that what JSON decodes it to is in the set, and only that.
//!
//! Each state of the set becomes one state; between it and the next ones lie tries over the code of
//! a character: UTF-8, a short escape, four hex digits, or two times four for a surrogate pair.
//! Equal parts of tries are one, so "any character" takes about twenty states.

use super::Language;
use super::class::{self, Edge};
use crate::grammar::words::{WordState, Words};
use rustc_hash::FxHashMap as HashMap;

/// In which ways a character may be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// The characters that may be written as `\u` and four digits, or twice that, as edges to anywhere.
    fn coded(self) -> &'static [Edge] {
        match self {
            Escapes::Any => &[('\0', char::MAX, 0)],
            Escapes::Natural => &[
                ('\0', '\u{1f}', 0),
                ('"', '"', 0),
                ('\\', '\\', 0),
                ('\u{7f}', char::MAX, 0),
            ],
            Escapes::Shortest => &[
                ('\0', '\u{7}', 0),
                ('\u{b}', '\u{b}', 0),
                ('\u{e}', '\u{1f}', 0),
            ],
        }
    }

    /// The characters that may be written as a backslash and a letter, with it.
    fn short(self, decoder: Decoder) -> &'static [(char, u8)] {
        // The last, `/`, needs no escape, and is none in Python.
        let has_all = self == Escapes::Any && decoder == Decoder::Json;
        &SHORT[..SHORT.len() - usize::from(!has_all)]
    }

    /// Whether characters are written only as themselves, and as one byte.
    fn keep(self, &(low, high, _): &Edge) -> bool {
        let is_apart = |&(from, until, _): &Edge| until < low || high < from;
        let mut raw = RAW.iter();
        high.is_ascii()
            && raw.any(|&(from, until, _)| from <= low && high <= until)
            && self.coded().iter().all(is_apart)
            && self
                .short(Decoder::Json)
                .iter()
                .all(|&(c, _)| is_apart(&(c, c, 0)))
    }
}

/// Who reads the escapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decoder {
    /// JSON.
    #[default]
    Json,
    /// Python, which knows no `\/`, and to which two surrogates are two characters.
    Python,
}

/// The characters that may stand for themselves, as edges to anywhere.
const RAW: [Edge; 3] = [(' ', '!', 0), ('#', '[', 0), (']', char::MAX, 0)];

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
    quoted_text(language, escapes, Decoder::Json)
}

/// The texts, without the quotes, that a decoder reads as the strings of `language`.
pub fn quoted_text(language: &Language, escapes: Escapes, decoder: Decoder) -> Words {
    let mut builder = Builder {
        states: vec![WordState::default(); language.states().len()],
        nodes: HashMap::default(),
        single: HashMap::default(),
        escapes,
        decoder,
    };
    for (at, state) in language.states().iter().enumerate() {
        builder.states[at] = WordState {
            is_final: state.is_final,
            edges: builder.character(&state.edges),
        };
    }
    let Builder { states, .. } = builder;
    Words { states }
}

/// The strings of `language` as they are, in UTF-8.
pub fn raw_text(language: &Language) -> Words {
    let mut builder = Builder {
        states: vec![WordState::default(); language.states().len()],
        nodes: HashMap::default(),
        single: HashMap::default(),
        escapes: Escapes::Any,
        decoder: Decoder::Json,
    };
    for (at, state) in language.states().iter().enumerate() {
        builder.states[at] = WordState {
            is_final: state.is_final,
            edges: merge(builder.utf8(&state.edges)),
        };
    }
    let Builder { states, .. } = builder;
    Words { states }
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

/// The states made so far; those between the states of the set are each found by their edges.
struct Builder {
    states: Vec<WordState>,
    nodes: HashMap<Vec<ByteEdge>, u32>,
    /// The tries over the codes of one range, counted from the least that the digits can write: nearly all of what
    /// a large class is made of, and much the same for each state.
    single: HashMap<(Code, &'static [Digit]), u32>,
    escapes: Escapes,
    decoder: Decoder,
}

impl Builder {
    /// The edges over the first byte of every way to write a character.
    fn character(&mut self, edges: &[Edge]) -> Vec<ByteEdge> {
        if edges.iter().all(|edge| self.escapes.keep(edge)) {
            let edges = edges.iter();
            return edges
                .map(|&(low, high, to)| (low as u8, high as u8, to))
                .collect();
        }
        let mut result = self.utf8(&within(edges, &RAW));
        let mut escape: Vec<ByteEdge> = (self.escapes.short(self.decoder).iter())
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
        let mut result = Vec::new();
        for (low, high, digits) in UTF8 {
            result.extend(self.block(clip(&codes, low, high), 0, digits));
        }
        result
    }

    /// The edges after `\u`.
    fn four_digits(&mut self, edges: &[Edge]) -> Vec<ByteEdge> {
        let codes = codes(edges);
        let hex = match self.escapes {
            Escapes::Shortest => &LOWER,
            Escapes::Any | Escapes::Natural => &EITHER,
        };
        let [d, any @ ..] = &hex.code;
        let mut result = self.block(clip(&codes, 0, 0xcfff), 0, &hex.code);
        // Behind `d` no character's own code begins with 8 or more: there pairs do.
        let mut behind_d = self.block(&codes, 0xd000, any);
        if self.decoder == Decoder::Json {
            behind_d.extend(self.block(&codes, 0x10000, &hex.pair));
        }
        if let Some(behind_d) = self.node(behind_d) {
            result.extend(d.edges(0xd, 0xd, behind_d));
        }
        result.extend(self.block(clip(&codes, 0xe000, 0xffff), 0, &hex.code));
        merge(result)
    }

    /// The edges of a trie over the codes from `base` that `digits` can write.
    fn block(&mut self, codes: &[Code], base: u32, digits: &'static [Digit]) -> Vec<ByteEdge> {
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
        merge(result)
    }

    /// The trie over the codes of one range that `digits` can write: what it leads to, if there are none.
    fn single(&mut self, code: Code, digits: &'static [Digit]) -> Option<u32> {
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
    fn node(&mut self, edges: Vec<ByteEdge>) -> Option<u32> {
        if edges.is_empty() {
            return None;
        }
        let edges = merge(edges);
        if let Some(&known) = self.nodes.get(&edges) {
            return Some(known);
        }
        let new = self.states.len() as u32;
        self.states.push(WordState {
            is_final: false,
            edges: edges.clone(),
        });
        self.nodes.insert(edges, new);
        Some(new)
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
    const fn raw(bits: u32, base: u8) -> Digit {
        let hex = None;
        Digit { bits, base, hex }
    }

    const fn hex(bits: u32, base: u8, upper: bool) -> Digit {
        let hex = Some(upper);
        Digit { bits, base, hex }
    }

    /// The edges over the bytes that write `first` to `last`.
    fn edges(self, first: u32, last: u32, to: u32) -> impl Iterator<Item = ByteEdge> {
        let (first, last) = (self.base + first as u8, self.base + last as u8);
        let letters = |a: u8| (a + first.max(10) - 10, a + last.max(10) - 10);
        let ranges = match self.hex {
            None => [Some((first, last)), None, None],
            Some(upper) => [
                (first < 10).then(|| (b'0' + first, b'0' + last.min(9))),
                (last >= 10 && upper).then(|| letters(b'A')),
                (last >= 10).then(|| letters(b'a')),
            ],
        };
        (ranges.into_iter().flatten()).map(move |(low, high)| (low, high, to))
    }
}

/// The characters of each length in UTF-8, and how they are written.
const UTF8: [(u32, u32, &[Digit]); 4] = {
    const NEXT: Digit = Digit::raw(6, 0x80);
    [
        (0, 0x7f, &[Digit::raw(7, 0)]),
        (0x80, 0x7ff, &[Digit::raw(5, 0xc0), NEXT]),
        (0x800, 0xffff, &[Digit::raw(4, 0xe0), NEXT, NEXT]),
        (0x10000, 0x10ffff, &[Digit::raw(3, 0xf0), NEXT, NEXT, NEXT]),
    ]
};

/// How hexadecimal digits write a character.
struct Hex {
    /// After `\u`, one below U+10000.
    code: [Digit; 4],
    /// After `\ud`, another: the 20 bits above U+10000, of which 10 follow `d8` and 10 follow `dc`.
    pair: [Digit; 9],
}

static LOWER: Hex = Hex::new(false);
static EITHER: Hex = Hex::new(true);

impl Hex {
    const fn new(upper: bool) -> Hex {
        let (any, d) = (Digit::hex(4, 0, upper), Digit::hex(0, 0xd, upper));
        let (high, low) = (Digit::hex(2, 8, upper), Digit::hex(2, 0xc, upper));
        let (backslash, u) = (Digit::raw(0, b'\\'), Digit::raw(0, b'u'));
        Hex {
            code: [any; 4],
            pair: [high, any, any, backslash, u, d, low, any, any],
        }
    }
}

/// The edges cut down to the characters of `others`.
fn within(edges: &[Edge], others: &[Edge]) -> Vec<Edge> {
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
fn codes(edges: &[Edge]) -> Vec<Code> {
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

/// The codes from `low` to `high`, between which and the others lie bounds.
fn clip(codes: &[Code], low: u32, high: u32) -> &[Code] {
    let first = codes.partition_point(|code| code.1 < low);
    let past = codes.partition_point(|code| code.0 <= high);
    &codes[first..past]
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
