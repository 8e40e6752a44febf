//! How a delimiter is written: in characters, in tokens, or both.
//!
//! In: a text. Out: its pieces: a tokenizer takes the names of special and added tokens out of a text before anything else, so where a text holds such a name a model writes that token.
//! What holds: the pieces of a text spell it.

use super::super::ast::Delimiter;
use super::super::trie::{Symbol, characters};
use crate::grammar::{Expr, TokenSet};
use crate::vocabulary::TokenNames;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    /// The token of this name.
    pub(super) token: Option<u32>,
}

/// The tokens that texts are cut at.
pub(super) struct Speller {
    /// Longest first.
    names: Vec<(String, u32)>,
    /// Whether the names of tokens may be spelled out, too.
    spelled: bool,
}

/// The words of a delimiter in free text.
pub(super) struct Words {
    /// As it is to be written.
    pub(super) meant: Vec<Vec<Symbol>>,
    /// What looks like it, and is not meant: the free text must not hold it.
    pub(super) alike: Option<Vec<Symbol>>,
}

impl Speller {
    pub(super) fn new(tokens: &TokenNames, spelled: bool) -> Self {
        let mut names = tokens.delimiters();
        names.sort_by(|one, other| {
            (other.0.len(), &one.0, one.1).cmp(&(one.0.len(), &other.0, other.1))
        });
        names.dedup_by(|one, other| one.0 == other.0);
        Speller { names, spelled }
    }

    /// The pieces of a text: at the first place where a name begins, the longest one.
    pub(super) fn pieces<'t>(&self, text: &'t str) -> Vec<Piece<'t>> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, name, token)) = self.first_name(rest) {
            pieces.extend(plain(&rest[..before]));
            pieces.push(Piece {
                text: &rest[before..before + name],
                token: Some(token),
            });
            rest = &rest[before + name..];
        }
        pieces.extend(plain(rest));
        pieces
    }

    /// Where the first name in a text begins, its length and its token.
    fn first_name(&self, text: &str) -> Option<(usize, usize, u32)> {
        if self.names.is_empty() {
            return None;
        }
        text.char_indices().find_map(|(at, _)| {
            let name = self
                .names
                .iter()
                .find(|(name, _)| text[at..].starts_with(name.as_str()))?;
            Some((at, name.0.len(), name.1))
        })
    }

    /// A text as a right part.
    pub(super) fn literal(&self, text: &str) -> Expr {
        one_or_all(self.pieces(text).iter().map(|piece| self.piece(piece)))
    }

    /// A piece as a right part.
    pub(super) fn piece(&self, piece: &Piece<'_>) -> Expr {
        let text = || Expr::Literal(piece.text.to_owned());
        match piece.token {
            None => text(),
            Some(id) if self.spelled => Expr::Alt(vec![token(id), text()]),
            Some(id) => token(id),
        }
    }

    /// A delimiter as a right part.
    pub(super) fn delimiter(&self, delimiter: &Delimiter) -> Expr {
        match delimiter {
            Delimiter::Text(text) => self.literal(&text.value),
            Delimiter::Token(id, _) => token(*id),
        }
    }

    /// The words of a delimiter.
    pub(super) fn words(&self, delimiter: &Delimiter) -> Words {
        match delimiter {
            Delimiter::Text(text) => self.words_of(&self.pieces(&text.value)),
            Delimiter::Token(id, _) => {
                let name = self.names.iter().find(|(_, named)| named == id);
                Words {
                    meant: vec![vec![Symbol::Token(*id)]],
                    alike: name.map(|(name, _)| characters(name)),
                }
            }
        }
    }

    /// The words of a delimiter in these pieces.
    pub(super) fn words_of(&self, pieces: &[Piece<'_>]) -> Words {
        let text: String = pieces.iter().map(|piece| piece.text).collect();
        let text = characters(&text);
        if pieces.iter().all(|piece| piece.token.is_none()) {
            return Words {
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
            true => Words {
                meant: vec![tokens, text],
                alike: None,
            },
            false => Words {
                meant: vec![tokens],
                alike: Some(text),
            },
        }
    }

    /// The token that a delimiter is as a whole.
    pub(super) fn whole_token(&self, delimiter: &Delimiter) -> Option<u32> {
        match delimiter {
            Delimiter::Token(id, _) => Some(*id),
            Delimiter::Text(text) => match self.pieces(&text.value).as_slice() {
                [piece] => piece.token,
                _ => None,
            },
        }
    }
}

fn token(id: u32) -> Expr {
    Expr::Tokens(TokenSet::of([id]))
}

fn plain(text: &str) -> Option<Piece<'_>> {
    (!text.is_empty()).then_some(Piece { text, token: None })
}

/// These in order, without a sequence around a single one.
fn one_or_all(parts: impl Iterator<Item = Expr>) -> Expr {
    let mut parts: Vec<Expr> = parts.collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Expr::Seq(parts),
    }
}
