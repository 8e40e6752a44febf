//! SentencePiece models: `tokenizer.model`, `spiece.model`.
//!
//! In: the file, a message of Protocol Buffers. Out: the bytes of each piece by its type, the
//! control pieces and the end of a sequence. What holds after: a token stands for the bytes that
//! SentencePiece decodes it to in the middle of a text. At the start of a text its decoder drops
//! one space, if the model adds one when it encodes.

#[cfg(test)]
mod tests;
mod wire;

use super::tokens::{NamedIds, Tokens};
use super::{FileKind, MAX_IDS, VocabularyError, hugging_face, pieces};
use crate::limits::Deadline;
use wire::{Broken, Field, WireValue, fields};

/// The types of pieces.
mod kind {
    pub(super) const NORMAL: u64 = 1;
    pub(super) const UNKNOWN: u64 = 2;
    pub(super) const CONTROL: u64 = 3;
    pub(super) const USER_DEFINED: u64 = 4;
    pub(super) const UNUSED: u64 = 5;
    pub(super) const BYTE: u64 = 6;
}

/// The piece that ends a sequence, if the model names none.
const END: &str = "</s>";

/// Whether content begins with a piece, as every model does.
pub(super) fn looks_like(content: &[u8]) -> bool {
    let first = fields(content).next();
    let Some(Ok(Field {
        number: 1,
        value: WireValue::Bytes(piece),
        ..
    })) = first
    else {
        return cut_off(content);
    };
    let mut parts = fields(piece);
    let text = matches!(
        parts.next(),
        Some(Ok(Field {
            number: 1,
            value: WireValue::Bytes(_),
            ..
        }))
    );
    text && parts.all(|part| part.is_ok())
}

/// Whether this is the beginning of a first piece, with a text that is not blank and a score.
fn cut_off(content: &[u8]) -> bool {
    match content {
        [0x0A, length, 0x0A, text, rest @ ..] => {
            let (length, text) = (usize::from(*length), usize::from(*text));
            let after = rest.get(text);
            (text > 0 && text + 2 <= length) && after.is_some_and(|&tag| tag == 0x15)
        }
        _ => false,
    }
}

/// Reads all pieces into `tokens`.
pub(super) fn read(
    content: &[u8],
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<NamedIds, VocabularyError> {
    let mut named = NamedIds::default();
    let mut end = END.to_owned();
    let mut count = 0_u64;
    let mut has_trainer = false;
    for field in fields(content) {
        let field = field.map_err(|Broken { at }| malformed(at, "a field is broken or cut off"))?;
        let length = match field.value {
            WireValue::Bytes(bytes) => bytes.len(),
            WireValue::Number(_) | WireValue::Fixed => 0,
        };
        deadline.ticks(8 + length, "reading fields")?;
        match (field.number, field.value) {
            (1, WireValue::Bytes(piece)) => {
                let id = u32::try_from(count).unwrap_or(u32::MAX);
                count += 1;
                if count > MAX_IDS as u64 {
                    return Err(VocabularyError::TooManyIds { ids: count });
                }
                read_piece(piece, id, field.at, tokens, &mut named)?;
            }
            (2, WireValue::Bytes(trainer)) => {
                has_trainer = true;
                if let Some(name) = end_piece(trainer, field.at)? {
                    end = name;
                }
            }
            (5, WireValue::Bytes(denormalizer)) => check_denormalizer(denormalizer, field.at)?,
            _ => {}
        }
    }
    if !has_trainer {
        let what = "what the trainer wrote is missing: the file is cut off";
        return Err(malformed(content.len(), what));
    }
    let ends = |name: &str| name == end || hugging_face::ends(name);
    let eos = (named.special.iter()).filter(|token| ends(&token.1));
    named.eos = eos.map(|token| token.0).collect();
    Ok(named)
}

/// A piece: its text, its score, its type.
fn read_piece(
    piece: &[u8],
    id: u32,
    at: usize,
    tokens: &mut Tokens,
    named: &mut NamedIds,
) -> Result<(), VocabularyError> {
    let (mut text, mut kind) = (&b""[..], kind::NORMAL);
    for field in fields(piece) {
        let field = field.map_err(|_| malformed(at, format!("piece {id} is broken")))?;
        match (field.number, field.value) {
            (1, WireValue::Bytes(bytes)) => text = bytes,
            (3, WireValue::Number(number)) => kind = number,
            _ => {}
        }
    }
    let text = core::str::from_utf8(text);
    let text = text.map_err(|_| malformed(at, format!("piece {id} is not UTF-8")))?;
    let bytes = match kind {
        kind::NORMAL => pieces::spaced(text),
        kind::USER_DEFINED => {
            named.added.push((id, text.to_owned()));
            pieces::spaced(text)
        }
        kind::CONTROL => {
            named.special.push((id, text.to_owned()));
            Vec::new()
        }
        kind::UNKNOWN | kind::UNUSED => Vec::new(),
        kind::BYTE => {
            let byte = pieces::fallback_byte(text);
            let what = || malformed(at, format!("piece {id} is a byte, and not written as one"));
            vec![byte.ok_or_else(what)?]
        }
        other => {
            return Err(malformed(
                at,
                format!("piece {id} has the type {other}, which is none"),
            ));
        }
    };
    tokens.insert(id, bytes).map(drop)
}

/// What the trainer called the piece that ends a sequence.
fn end_piece(trainer: &[u8], at: usize) -> Result<Option<String>, VocabularyError> {
    const EOS_PIECE: u64 = 47;
    let mut found = None;
    for field in fields(trainer) {
        let field = field.map_err(|_| malformed(at, "what the trainer wrote is broken"))?;
        if let (EOS_PIECE, WireValue::Bytes(name)) = (field.number, field.value) {
            let name = core::str::from_utf8(name);
            let name = name.map_err(|_| malformed(at, "the name of the end piece is not UTF-8"))?;
            found = Some(name.to_owned());
        }
    }
    Ok(found)
}

/// A model whose decoder changes the text afterwards does not say what one piece stands for.
fn check_denormalizer(denormalizer: &[u8], at: usize) -> Result<(), VocabularyError> {
    const CHARSMAP: u64 = 2;
    for field in fields(denormalizer) {
        let field = field.map_err(|_| malformed(at, "the denormalizer is broken"))?;
        match (field.number, field.value) {
            (CHARSMAP, WireValue::Bytes(map)) if !map.is_empty() => {
                return Err(VocabularyError::Unsupported {
                    field: "denormalizer_spec",
                    value: format!("a map of {} bytes", map.len()),
                    why: "it changes the decoded text, so a token's text depends on the tokens around it",
                });
            }
            _ => {}
        }
    }
    Ok(())
}

fn malformed(at: usize, what: impl Into<String>) -> VocabularyError {
    VocabularyError::Malformed {
        kind: FileKind::SentencePiece,
        at: Some(at as u64),
        what: what.into(),
    }
}
