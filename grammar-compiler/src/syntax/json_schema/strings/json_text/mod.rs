//! JSON texts of the strings of a set.
//!
//! In: a [`Language`] and which [`Escapes`] may be used. Out: a deterministic byte automaton of the
//! text between the quotes, so that what JSON decodes it to is in the set, and only that.
//!
//! Each state of the set becomes one state; between it and the next ones lie tries over the code of
//! a character: UTF-8, a short escape, four hex digits, or two times four for a surrogate pair.
//! Equal parts of tries are one, so "any character" takes about twenty states.

mod builder;
mod codes;
mod digits;
mod nodes;
mod tail;

use super::class::CharEdge;
use super::{Language, LanguageState};
use crate::grammar::words::{WordState, Words};
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::KeyedMap;
use builder::JsonTextBuilder;
use digits::{EITHER, Hex, LOWER};
use tail::Tails;

/// The stage, as a passed limit names it.
const DOING: &str = "writing the texts of strings";

/// Units of work for a state of a set: the tries over the codes of its characters.
const STATE: usize = 64;

/// A byte edge.
type ByteEdge = (u8, u8, u32);

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
    /// The characters that may be written as `\u` and four digits, or twice that, as edges to
    /// anywhere.
    fn coded(self) -> &'static [CharEdge] {
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

    /// The characters that may be written otherwise than as one byte, and perhaps some more.
    fn apart(self) -> &'static [CharEdge] {
        match self {
            Escapes::Any => self.coded(),
            Escapes::Natural | Escapes::Shortest => Escapes::Natural.coded(),
        }
    }

    /// The characters that may be written as a backslash and a letter, with it.
    fn short(self, decoder: Decoder) -> &'static [(char, u8)] {
        // The last, `/`, needs no escape, and is none in Python.
        let has_all = self == Escapes::Any && decoder == Decoder::Json;
        &SHORT[..SHORT.len() - usize::from(!has_all)]
    }

    /// Whether characters are written only as themselves, and as one byte.
    fn keep(self, &(low, high, _): &CharEdge) -> bool {
        let is_apart = |&(from, until, _): &CharEdge| until < low || high < from;
        let mut raw = RAW_ASCII.iter();
        raw.any(|&(from, until, _)| from <= low && high <= until)
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

/// How characters are written, and who reads them.
#[derive(Clone, Copy, Debug)]
struct Writing {
    escapes: Escapes,
    decoder: Decoder,
}

impl Writing {
    /// The hexadecimal digits.
    fn hex(self) -> &'static Hex {
        match self.escapes {
            Escapes::Shortest => &LOWER,
            Escapes::Any | Escapes::Natural => &EITHER,
        }
    }
}

/// The characters of ASCII that may stand for themselves, as edges to anywhere.
const RAW_ASCII: [CharEdge; 3] = [(' ', '!', 0), ('#', '[', 0), (']', '\u{7f}', 0)];

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

/// The JSON texts, without the quotes, of the strings of `language`, which is no client's.
pub fn json_text(language: &Language, escapes: Escapes) -> Words {
    let tails = &mut Tails::default();
    let decoder = Decoder::Json;
    let writing = Writing { escapes, decoder };
    words(language.states(), writing, None, |builder, edges| {
        builder.character(edges, tails)
    })
}

/// Writes texts that one decoder reads, and keeps what they have in common.
#[derive(Debug)]
pub struct QuotedTexts {
    decoder: Decoder,
    tails: KeyedMap<Escapes, Tails>,
}

impl QuotedTexts {
    /// For texts that `decoder` reads.
    pub fn new(decoder: Decoder) -> Self {
        QuotedTexts {
            decoder,
            tails: KeyedMap::default(),
        }
    }

    /// The texts, without the quotes, that are read as the strings of `language`, in an automaton
    /// of at most `most` states.
    ///
    /// # Errors
    /// If the deadline passes, or it takes more states: no rule could have them, and all that looks
    /// at them would take long.
    pub fn of(
        &mut self,
        language: &Language,
        escapes: Escapes,
        most: usize,
        deadline: &Deadline,
    ) -> Result<Words, LimitExceeded> {
        let tails = self.tails.entry(escapes).or_default();
        let decoder = self.decoder;
        let writing = Writing { escapes, decoder };
        let bounds = Some((most, deadline));
        let texts = words(language.states(), writing, bounds, |builder, edges| {
            builder.character(edges, tails)
        });
        deadline.confirm(DOING)?;
        if texts.states.len() > most {
            return Err(LimitExceeded::new(
                "automaton_states",
                most,
                "the texts of a schema's strings need too many automaton states; shorten them or \
                 list fewer",
            ));
        }
        Ok(texts)
    }
}

/// The strings of `language` as they are, in UTF-8.
///
/// # Errors
/// If the deadline passes.
pub fn raw_text(language: &Language, deadline: &Deadline) -> Result<Words, LimitExceeded> {
    let texts = raw(language.states(), Some(deadline));
    deadline.confirm(DOING)?;
    Ok(texts)
}

/// The strings that lead from the first of these states to a final one as they are, in UTF-8. The
/// states come first among those of the automaton. For few states: this looks at no clock.
pub fn raw_text_of(states: &[LanguageState]) -> Words {
    raw(states, None)
}

fn raw(states: &[LanguageState], deadline: Option<&Deadline>) -> Words {
    let tails = &mut Tails::default();
    // No character is escaped.
    let writing = Writing {
        escapes: Escapes::Shortest,
        decoder: Decoder::Json,
    };
    let bounds = deadline.map(|deadline| (usize::MAX, deadline));
    words(states, writing, bounds, |builder, edges| {
        builder.raw(edges, tails)
    })
}

/// The automaton in which `edges` says for each state of a language how it goes on. When the
/// deadline passes, or it has more than these states, it is not the whole.
fn words(
    states: &[LanguageState],
    writing: Writing,
    bounds: Option<(usize, &Deadline)>,
    mut edges: impl FnMut(&mut JsonTextBuilder, &[CharEdge]) -> Vec<ByteEdge>,
) -> Words {
    let mut builder = JsonTextBuilder::new(states.len(), writing);
    for (at, state) in states.iter().enumerate() {
        if let Some((most, deadline)) = bounds
            && (builder.nodes.states.len() > most || deadline.stops_after(STATE, DOING))
        {
            break;
        }
        builder.nodes.states[at] = WordState {
            is_final: state.is_final,
            edges: edges(&mut builder, &state.edges),
        };
    }
    Words {
        states: builder.nodes.states,
    }
}

/// The JSON texts of one character, whichever.
pub fn json_char(escapes: Escapes) -> Words {
    json_text_of_class(&[('\0', char::MAX)], escapes)
}

/// The JSON texts of one character of these ranges.
pub fn json_text_of_class(ranges: &[(char, char)], escapes: Escapes) -> Words {
    json_text(&Language::class(ranges), escapes)
}
