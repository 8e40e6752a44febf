//! How a text is written where some tokens have names: in characters, in those tokens, or both.
//!
//! In: a text. Out: its pieces: a tokenizer takes the names of special and added tokens out of a
//! text before anything else, so where a text holds such a name a model writes that token. What
//! holds: the pieces of a text spell it. Without a vocabulary there is one piece.

use crate::syntax::trie::{Symbol, characters};
use crate::vocabulary::TokenNames;
use std::ops::Range;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextPiece<'t> {
    pub(super) text: &'t str,
    /// The token of this name.
    pub(super) token: Option<u32>,
}

/// The words of a delimiter in free text.
pub(super) struct DelimiterWords {
    /// As it is to be written.
    pub(super) meant: Vec<Vec<Symbol>>,
    /// What looks like it, and is not meant: the free text must not hold it.
    pub(super) alike: Option<Vec<Symbol>>,
}

/// The tokens that texts are cut at.
#[derive(Default)]
pub(super) struct Speller {
    /// Longest first.
    pub(super) names: Vec<(String, u32)>,
    /// The places of names in that list, by the bytes of the names.
    by_bytes: Vec<usize>,
    /// Whether the names of tokens may be spelled out, too.
    pub(super) spelled: bool,
    /// The first bytes of names: one bit for each byte.
    firsts: [u64; 4],
}

impl Speller {
    pub(super) fn new(tokens: &TokenNames, spelled: bool) -> Self {
        Speller::of(tokens.delimiters(), spelled)
    }

    /// One that finds control tokens only, which have no text.
    pub(super) fn of_control_tokens(tokens: &TokenNames) -> Self {
        Speller::of(tokens.control_tokens(), false)
    }

    fn of(mut names: Vec<(String, u32)>, spelled: bool) -> Self {
        names.sort_by(|one, other| {
            (other.0.len(), &one.0, one.1).cmp(&(one.0.len(), &other.0, other.1))
        });
        names.dedup_by(|one, other| one.0 == other.0);
        let mut firsts = [0; 4];
        for first in names.iter().filter_map(|(name, _)| name.bytes().next()) {
            firsts[usize::from(first / 64)] |= 1 << (first % 64);
        }
        let mut by_bytes: Vec<usize> = (0..names.len()).collect();
        by_bytes.sort_unstable_by_key(|&at| names[at].0.as_bytes());
        Speller {
            names,
            by_bytes,
            spelled,
            firsts,
        }
    }

    /// The places from `start` on at which a name may begin, by its first byte.
    fn starts<'t>(&'t self, text: &'t str, start: usize) -> impl Iterator<Item = usize> + 't {
        let bytes = text.as_bytes().get(start..).unwrap_or_default();
        let may_begin = |byte: u8| self.firsts[usize::from(byte / 64)] >> (byte % 64) & 1 != 0;
        let starts = (start..).zip(bytes);
        starts.filter_map(move |(at, &byte)| may_begin(byte).then_some(at))
    }

    /// The pieces of a text: at the first place where a name begins, the longest one.
    pub(super) fn pieces<'t>(&self, text: &'t str) -> Vec<TextPiece<'t>> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, name, token)) = self.first_name(rest) {
            pieces.extend(plain(&rest[..before]));
            pieces.push(TextPiece {
                text: &rest[before..before + name],
                token: Some(token),
            });
            rest = &rest[before + name..];
        }
        pieces.extend(plain(rest));
        pieces
    }

    /// The words of a delimiter in these pieces.
    pub(super) fn words_of(&self, pieces: &[TextPiece<'_>]) -> DelimiterWords {
        let text: String = pieces.iter().map(|piece| piece.text).collect();
        let text = characters(&text);
        if pieces.iter().all(|piece| piece.token.is_none()) {
            return DelimiterWords {
                meant: vec![text],
                alike: None,
            };
        }
        let symbols = pieces.iter().flat_map(|piece| match piece.token {
            Some(id) => vec![Symbol::Token(id)],
            None => characters(piece.text),
        });
        let tokens: Vec<Symbol> = symbols.collect();
        match self.spelled {
            true => DelimiterWords {
                meant: vec![tokens, text],
                alike: None,
            },
            false => DelimiterWords {
                meant: vec![tokens],
                alike: Some(text),
            },
        }
    }

    /// Where the first name begins at or behind `start` in a text.
    pub(super) fn next_name(&self, text: &str, start: usize) -> Option<usize> {
        let begins = |at: &usize| self.longest(&text.as_bytes()[*at..]).is_some();
        self.starts(text, start).find(begins)
    }

    /// Whether a name stands within a part of a text, or across one of its ends.
    pub(super) fn cuts(&self, text: &str, part: Range<usize>) -> bool {
        let mut starts = self.starts(text, 0).take_while(|at| *at < part.end);
        starts.any(|at| {
            let longest = self.longest(&text.as_bytes()[at..]);
            longest.is_some_and(|(name, _)| at + name.len() > part.start)
        })
    }

    /// The first name in a text, and its token.
    pub(super) fn first_token<'t>(&self, text: &'t str) -> Option<(&'t str, u32)> {
        let (start, length, token) = self.first_name(text)?;
        Some((text.get(start..start + length)?, token))
    }

    /// Where the first name in a text begins, its length and its token.
    fn first_name(&self, text: &str) -> Option<(usize, usize, u32)> {
        self.starts(text, 0).find_map(|at| {
            let (name, token) = self.longest(&text.as_bytes()[at..])?;
            Some((at, name.len(), *token))
        })
    }

    /// The longest name that a text begins with. The names that begin as the text does are narrowed
    /// byte by byte, so texts that are nearly names take few steps.
    fn longest(&self, text: &[u8]) -> Option<&(String, u32)> {
        let mut left = &self.by_bytes[..];
        let mut found = None;
        for length in 0.. {
            let byte_of = |at: &usize| self.names[*at].0.as_bytes().get(length).copied();
            // A name that has ended stands before those that go on.
            if let Some(whole) = left.first().filter(|at| byte_of(at).is_none()) {
                found = Some(&self.names[*whole]);
            }
            let Some(&byte) = text.get(length) else {
                break;
            };
            let from = left.partition_point(|at| byte_of(at) < Some(byte));
            let past = left.partition_point(|at| byte_of(at) <= Some(byte));
            left = &left[from..past];
            if left.is_empty() {
                break;
            }
        }
        found.filter(|(name, _)| !name.is_empty())
    }
}

fn plain(text: &str) -> Option<TextPiece<'_>> {
    (!text.is_empty()).then_some(TextPiece { text, token: None })
}
