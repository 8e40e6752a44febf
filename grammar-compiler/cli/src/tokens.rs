//! Texts in which tokens stand by name.
//!
//! In: a text, and a vocabulary. Out: the text's pieces, tokens and bytes, in order. What holds: a
//! token stands wherever its name does, and of two names that begin at one byte the longer one.

use crate::failure::Failure;
use maskwright_compiler::vocabulary::{TokenNames, Vocabulary};
use maskwright_core::{AcceptError, OwnedMatcher};
use std::sync::Arc;

/// Whether texts name tokens.
#[derive(clap::Args)]
pub struct TokenArgs {
    /// Take the name of a special or added token as that token, of two names the longer one, and
    /// `<[ID]>` as the token of this id; all else is text.
    #[arg(long, requires = "vocab")]
    tokens: bool,
}

impl TokenArgs {
    /// What cuts texts by a vocabulary.
    pub fn cutter(&self, vocabulary: Option<&Vocabulary>) -> Cutter {
        let Some(vocabulary) = vocabulary.filter(|_| self.tokens) else {
            return Cutter(None);
        };
        let tokens = TokenNames::of(Arc::new(vocabulary.clone()));
        let mut names = tokens.delimiters();
        names.sort_by(|(one, _), (other, _)| {
            let longer = other.len().cmp(&one.len());
            longer.then_with(|| one.cmp(other))
        });
        Cutter(Some((tokens, names)))
    }
}

/// Cuts texts into tokens and bytes.
pub struct Cutter(Option<(TokenNames, Vec<(String, u32)>)>);

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Byte(u8),
    Token(u32),
}

impl Cutter {
    /// The pieces of a text, each with the byte at which it begins.
    ///
    /// # Errors
    /// If an id is no token.
    pub fn pieces(&self, text: &[u8]) -> Result<Vec<(usize, Piece)>, Failure> {
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(&first) = text.get(at) {
            let rest = text.get(at..).unwrap_or_default();
            let (piece, length) = match self.token(rest)? {
                Some((id, length)) => (Piece::Token(id), length),
                None => (Piece::Byte(first), 1),
            };
            pieces.push((at, piece));
            at += length;
        }
        Ok(pieces)
    }

    /// The token that a text begins with the name of, and how long the name is.
    fn token(&self, text: &[u8]) -> Result<Option<(u32, usize)>, Failure> {
        let Some((tokens, names)) = &self.0 else {
            return Ok(None);
        };
        let mut fitting = names.iter();
        if let Some((name, id)) = fitting.find(|(name, _)| text.starts_with(name.as_bytes())) {
            return Ok(Some((*id, name.len())));
        }
        let Some((digits, length)) = id(text) else {
            return Ok(None);
        };
        let refuse = |why: String| Failure::Usage(format!("`<[{digits}]>` is no token: {why}"));
        let id: u32 = digits
            .parse()
            .map_err(|_| refuse("no vocabulary has as many".into()))?;
        let id = tokens
            .by_id(id)
            .map_err(|error| refuse(error.to_string()))?;
        Ok(Some((id, length)))
    }
}

/// The digits of `<[ID]>` that a text begins with, and how long it is.
fn id(text: &[u8]) -> Option<(&str, usize)> {
    const OPEN: &[u8] = b"<[";
    const CLOSE: &[u8] = b"]>";
    let rest = text.strip_prefix(OPEN)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, behind) = rest.split_at_checked(digits)?;
    let is_id = !digits.is_empty() && behind.starts_with(CLOSE);
    let length = OPEN.len() + digits.len() + CLOSE.len();
    let digits = std::str::from_utf8(digits).ok()?;
    is_id.then_some((digits, length))
}

/// Gives a matcher pieces up to the first that it refuses: where that begins, and why.
pub fn accept(
    matcher: &mut OwnedMatcher,
    pieces: &[(usize, Piece)],
) -> Option<(usize, Piece, AcceptError)> {
    pieces.iter().find_map(|&(at, piece)| {
        let result = match piece {
            Piece::Byte(byte) => matcher.accept_bytes(&[byte]),
            Piece::Token(id) => matcher.accept_token(id),
        };
        Some((at, piece, result.err()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cutter() -> Cutter {
        let vocabulary = Vocabulary::from_tokens(
            [&b"a"[..], b"", b"", b"<b>"].map(<[u8]>::to_vec).to_vec(),
            vec![1],
        );
        let vocabulary = vocabulary.with_special([(1, "<e>".to_owned()), (2, "<e>!".to_owned())]);
        TokenArgs { tokens: true }.cutter(Some(&vocabulary))
    }

    #[test]
    fn names_are_tokens_longest_first() {
        let Ok(pieces) = cutter().pieces("a<e>!<e>?<[3]><[".as_bytes()) else {
            panic!("the ids are tokens");
        };
        let bytes = |text: &'static str| text.bytes().map(Piece::Byte);
        let meant: Vec<Piece> = (bytes("a").chain([Piece::Token(2), Piece::Token(1)]))
            .chain(bytes("?"))
            .chain([Piece::Token(3)])
            .chain(bytes("<["))
            .collect();
        let found: Vec<Piece> = pieces.iter().map(|(_, piece)| *piece).collect();
        assert_eq!(found, meant);
        let places: Vec<usize> = pieces.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [0, 1, 5, 8, 9, 14, 15]);
    }

    #[test]
    fn an_id_past_the_vocabulary_is_refused() {
        for text in ["<[4]>", "<[99999999999]>"] {
            assert!(matches!(
                cutter().pieces(text.as_bytes()),
                Err(Failure::Usage(_))
            ));
        }
        let plain = TokenArgs { tokens: false }.cutter(None);
        assert!(plain.pieces(b"<[4]>").is_ok_and(|pieces| pieces.len() == 5));
    }
}
