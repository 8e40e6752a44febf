//! GGUF, the files of llama.cpp: a model with its vocabulary in the metadata.
//!
//! In: the beginning of a file, up to the end of its metadata. Out: the bytes of each id, by the
//! token's type and the tokenizer's model, the control tokens, the user-defined ones, and the ids
//! that end a sequence. What holds after: a token stands for the text that llama.cpp prints for it,
//! when it does not print control tokens.

mod ends;
mod metadata;
#[cfg(test)]
mod tests;

use super::tokens::{NamedIds, Tokens};
use super::{FileKind, MAX_IDS, VocabularyError, pieces};
use crate::limits::Deadline;
use ends::TokenRole;
use metadata::{Metadata, MetadataStop};

/// How the tokens of a model are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenForm {
    /// Byte-level BPE: characters stand for bytes.
    ByteLevel,
    /// SentencePiece's pieces: `▁` stands for a space.
    Pieces,
}

/// Byte-level models by their pre-tokenizer whose tokens are written as pieces.
const PIECES_BY_PRE: [&str; 3] = ["gemma4", "granite-embed-multi-311m", "sarvam-moe"];

/// The types of tokens.
mod kind {
    pub(super) const NORMAL: i64 = 1;
    pub(super) const CONTROL: i64 = 3;
    pub(super) const USER_DEFINED: i64 = 4;
    pub(super) const BYTE: i64 = 6;
}

/// How long the metadata is, if `content` holds all of it; none if more of the file is needed.
/// `whole` is the length of the file.
pub(super) fn head(
    content: &[u8],
    whole: u64,
    deadline: &Deadline,
) -> Result<Option<u64>, VocabularyError> {
    match metadata::read(content, whole, deadline) {
        Ok(metadata) => Ok(Some(metadata.end)),
        Err(MetadataStop::CutOff { .. }) => Ok(None),
        Err(MetadataStop::Bad(error)) => Err(error),
    }
}

/// Reads all tokens into `tokens`.
pub(super) fn read(
    content: &[u8],
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<NamedIds, VocabularyError> {
    let metadata =
        metadata::read(content, content.len() as u64, deadline).map_err(|stop| match stop {
            MetadataStop::Bad(error) => error,
            MetadataStop::CutOff { at } => malformed(Some(at), "the file is cut off".to_owned()),
        })?;
    let form = form(&metadata)?;
    let texts = texts(&metadata)?;
    let kinds = kinds(&metadata, texts.len())?;
    let roles = ends::roles(&texts, &given(&metadata, &texts, &kinds)?);
    let mut named = NamedIds::default();
    for ((id, text), kind) in (0..).zip(&texts).zip(kinds) {
        deadline.ticks(16 + text.len(), "reading tokens")?;
        let role = roles.get(&id).copied();
        let bytes = match (role, kind) {
            (Some(TokenRole::End | TokenRole::Control), _) => Vec::new(),
            (Some(TokenRole::Text), _) => form.bytes(text),
            (None, kind::NORMAL) => form.bytes(text),
            (None, kind::USER_DEFINED) => text.as_bytes().to_vec(),
            (None, kind::BYTE) => vec![byte(id, text)?],
            _ => Vec::new(),
        };
        match (role, kind) {
            (Some(TokenRole::Text), _) => {}
            (Some(_), _) | (None, kind::CONTROL) => named.special.push((id, (*text).to_owned())),
            (None, kind::USER_DEFINED) => named.added.push((id, (*text).to_owned())),
            _ => {}
        }
        if role == Some(TokenRole::End) {
            named.eos.push(id);
        }
        tokens.insert(id, bytes)?;
    }
    Ok(named)
}

impl TokenForm {
    fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            // For a piece that does not stand for bytes llama.cpp prints a message, so it is never
            // text.
            TokenForm::ByteLevel => pieces::mapped(text).unwrap_or_default(),
            TokenForm::Pieces => pieces::spaced(text),
        }
    }
}

fn form(metadata: &Metadata<'_>) -> Result<TokenForm, VocabularyError> {
    const KEY: &str = "tokenizer.ggml.model";
    let pre = metadata.text("tokenizer.ggml.pre")?.unwrap_or_default();
    let why = match metadata.text(KEY)? {
        Some("gpt2") if PIECES_BY_PRE.contains(&pre) => return Ok(TokenForm::Pieces),
        Some("gpt2") => return Ok(TokenForm::ByteLevel),
        Some("llama" | "t5" | "gemma4") => return Ok(TokenForm::Pieces),
        None => {
            let what = "it has no `tokenizer.ggml.model`, so there is no vocabulary in it: a model that is split into files has it in the first one";
            return Err(malformed(None, what.to_owned()));
        }
        Some("bert") => {
            "it is WordPiece: whether a space stands before a token depends on the next one"
        }
        Some("none" | "no_vocab") => "the model has no vocabulary",
        Some(_) => "only `gpt2`, `llama`, `t5` and `gemma4` are read",
    };
    let value = metadata.text(KEY)?.unwrap_or_default();
    Err(VocabularyError::Unsupported {
        field: KEY,
        value: value.chars().take(40).collect(),
        why,
    })
}

fn texts<'f>(metadata: &Metadata<'f>) -> Result<Vec<&'f str>, VocabularyError> {
    const KEY: &str = "tokenizer.ggml.tokens";
    let Some(array) = metadata.array(KEY)? else {
        return Err(malformed(None, format!("it has no `{KEY}`")));
    };
    if array.count() > MAX_IDS as u64 {
        return Err(VocabularyError::TooManyIds { ids: array.count() });
    }
    let at = Some(array.at());
    let texts = array.texts();
    let texts = texts.ok_or_else(|| malformed(at, format!("`{KEY}` holds no texts")))?;
    let text = |(id, text)| {
        core::str::from_utf8(text).map_err(|_| malformed(at, format!("token {id} is not UTF-8")))
    };
    (0_u32..).zip(texts).map(text).collect()
}

/// The types of all tokens. Without them all are normal.
fn kinds(metadata: &Metadata<'_>, count: usize) -> Result<Vec<i64>, VocabularyError> {
    const KEY: &str = "tokenizer.ggml.token_type";
    let Some(array) = metadata.array(KEY)? else {
        return Ok(vec![kind::NORMAL; count]);
    };
    let at = Some(array.at());
    let kinds = array.integers();
    let kinds = kinds.ok_or_else(|| malformed(at, format!("`{KEY}` holds no integers")))?;
    let kinds: Vec<i64> = kinds.take(count).collect();
    match kinds.len() == count {
        true => Ok(kinds),
        false => Err(malformed(
            at,
            format!("{count} tokens, and types of {}", kinds.len()),
        )),
    }
}

/// The ids that the metadata has for [`ends::KEYS`].
fn given(
    metadata: &Metadata<'_>,
    texts: &[&str],
    kinds: &[i64],
) -> Result<Vec<Option<u32>>, VocabularyError> {
    let mut given = Vec::new();
    for (key, _) in ends::KEYS {
        given.push(match metadata.integer(key)? {
            // What some converters write for "none".
            None | Some(-1 | 0xFFFF_FFFF) => None,
            Some(id) => {
                let id = u32::try_from(id)
                    .ok()
                    .filter(|&id| (id as usize) < texts.len());
                Some(id.ok_or_else(|| {
                    malformed(
                        None,
                        format!("`{key}` is no id of its {} tokens", texts.len()),
                    )
                })?)
            }
        });
    }
    // The end token of a model that names none.
    let usual = match metadata.text("tokenizer.ggml.model")? {
        Some("llama") => Some(2),
        Some("t5") => Some(1),
        _ => None,
    };
    let is_control = |id: &u32| kinds.get(*id as usize) == Some(&kind::CONTROL);
    if let Some(eos @ None) = given.first_mut() {
        *eos = usual.filter(is_control);
    }
    Ok(given)
}

fn byte(id: u32, text: &str) -> Result<u8, VocabularyError> {
    let byte = pieces::fallback_byte(text);
    byte.ok_or_else(|| {
        malformed(
            None,
            format!("token {id} is a byte, and not written as one"),
        )
    })
}

fn malformed(at: Option<u64>, what: String) -> VocabularyError {
    VocabularyError::Malformed {
        kind: FileKind::Gguf,
        at,
        what,
    }
}
