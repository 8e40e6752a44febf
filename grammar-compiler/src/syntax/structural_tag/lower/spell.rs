//! How a delimiter is written: in characters, in tokens, or both.
//!
//! In: a delimiter. Out: right parts, and the words that free text looks for.

use super::super::ast::Delimiter;
use crate::grammar::{Expr, TokenSet};
pub(super) use crate::syntax::spell::{DelimiterWords, Speller, TextPiece};
use crate::syntax::trie::{Symbol, characters};

impl Speller {
    /// A text as a right part.
    pub(super) fn literal(&self, text: &str) -> Expr {
        one_or_all(self.pieces(text).iter().map(|piece| self.piece(piece)))
    }

    /// A piece as a right part.
    pub(super) fn piece(&self, piece: &TextPiece<'_>) -> Expr {
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
    pub(super) fn words(&self, delimiter: &Delimiter) -> DelimiterWords {
        match delimiter {
            Delimiter::Text(text) => self.words_of(&self.pieces(&text.value)),
            Delimiter::Token(id, _) => {
                let name = self.names.iter().find(|(_, named)| named == id);
                DelimiterWords {
                    meant: vec![vec![Symbol::Token(*id)]],
                    alike: name.map(|(name, _)| characters(name)),
                }
            }
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

/// These in order, without a sequence around a single one.
fn one_or_all(parts: impl Iterator<Item = Expr>) -> Expr {
    let mut parts: Vec<Expr> = parts.collect();
    match parts.len() {
        1 => parts.remove(0),
        _ => Expr::Seq(parts),
    }
}
