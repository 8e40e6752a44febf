//! `vocab.json` beside `merges.txt`: GPT-2's way to store byte-level BPE.
//!
//! In: the file, and its companions `added_tokens.json`, `special_tokens_map.json` and
//! `tokenizer_config.json`. Out: a vocabulary. The merges are not needed; their presence shows that
//! the tokens are of BPE. What holds after: the tokens are byte-level, since all 256 characters
//! that stand for bytes are tokens.

use crate::limits::Deadline;
use crate::maps::KeyedSet;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::special_tokens::{Listed, SpecialTokens, WrittenToken};
use super::tokens::{NamedIds, Tokens};
use super::{FileKind, Vocabulary, VocabularyError, hugging_face, pieces, watched};

/// What may lie beside a `vocab.json`.
pub(super) const ADDED: &str = "added_tokens.json";
pub(super) const SPECIAL: &str = "special_tokens_map.json";
pub(super) const CONFIG: &str = "tokenizer_config.json";

/// The companion files of a `vocab.json`; each is optional.
#[derive(Clone, Copy, Default)]
pub(super) struct CompanionFiles<'f> {
    pub(super) added: Option<&'f [u8]>,
    pub(super) special: Option<&'f [u8]>,
    pub(super) config: Option<&'f [u8]>,
}

/// The special tokens of a `special_tokens_map.json`, and of a `tokenizer_config.json`.
#[derive(Default, Deserialize)]
struct SpecialNames {
    #[serde(default)]
    bos_token: Option<WrittenToken>,
    #[serde(default)]
    eos_token: Option<WrittenToken>,
    #[serde(default)]
    unk_token: Option<WrittenToken>,
    #[serde(default)]
    pad_token: Option<WrittenToken>,
    #[serde(default)]
    sep_token: Option<WrittenToken>,
    #[serde(default)]
    cls_token: Option<WrittenToken>,
    #[serde(default)]
    mask_token: Option<WrittenToken>,
    #[serde(default)]
    additional_special_tokens: Option<Vec<WrittenToken>>,
    #[serde(default)]
    added_tokens_decoder: Option<Value>,
}

/// Reads a vocabulary.
pub(super) fn read(
    content: &[u8],
    beside: CompanionFiles<'_>,
    deadline: &Deadline,
) -> Result<Vocabulary, VocabularyError> {
    let pieces = pieces_of(content, deadline)?;
    check_byte_level(&pieces)?;
    let mut tokens = Tokens::default();
    for (piece, id) in &pieces {
        deadline.ticks(16 + piece.len(), "reading pieces")?;
        if !tokens.insert(*id, pieces::byte_level(piece))? {
            return Err(VocabularyError::DuplicateId {
                id: *id,
                line: None,
            });
        }
    }
    let vocabulary = tokens.finish(NamedIds::default())?;
    let special = special_tokens(&pieces, beside, deadline)?;
    deadline.check("reading special tokens")?;
    // Where the model's own pieces are special, their bytes are those of their names.
    special.apply(vocabulary)
}

fn pieces_of(content: &[u8], deadline: &Deadline) -> Result<Vec<(String, u32)>, VocabularyError> {
    let map: Map<String, Value> =
        watched::from_slice(content, deadline, |error| malformed(error.to_string()))?;
    let piece = |(piece, id): (String, Value)| {
        let number = id.as_u64().and_then(|id| u32::try_from(id).ok());
        let number = number.ok_or_else(|| malformed(format!("`{piece}` has no id")))?;
        Ok((piece, number))
    };
    map.into_iter().map(piece).collect()
}

/// Fails unless the pieces are of byte-level BPE whose tokens spell text by themselves.
fn check_byte_level(pieces: &[(String, u32)]) -> Result<(), VocabularyError> {
    let refused = |value: &str, why| VocabularyError::Unsupported {
        field: "vocab.json",
        value: value.to_owned(),
        why,
    };
    let mut alone = [false; 256];
    for (piece, _) in pieces {
        let mut characters = piece.chars();
        let only = characters.next().filter(|_| characters.next().is_none());
        let byte = only.and_then(pieces::byte_of);
        if let Some(seen) = byte.and_then(|byte| alone.get_mut(usize::from(byte))) {
            *seen = true;
        }
    }
    if !alone.iter().all(|&seen| seen) {
        let why = "not all 256 characters that stand for bytes are tokens, so it is not byte-level; give the `tokenizer.json`";
        return Err(refused("a map from tokens to ids", why));
    }
    if pieces.iter().any(|(piece, _)| piece == "a</w>") {
        let why = "whether a space follows a token would depend on the next token";
        return Err(refused("`</w>` at the end of words", why));
    }
    Ok(())
}

fn special_tokens(
    pieces: &[(String, u32)],
    beside: CompanionFiles<'_>,
    deadline: &Deadline,
) -> Result<SpecialTokens, VocabularyError> {
    let mut names = SpecialNames::read(beside.special, SPECIAL, deadline)?.into_names();
    let mut config = SpecialNames::read(beside.config, CONFIG, deadline)?;
    let mut found = match config.added_tokens_decoder.take() {
        Some(decoder) => SpecialTokens::of_decoder(decoder, None)?,
        None => SpecialTokens::default(),
    };
    let of_config = config.into_names();
    names.all.append(of_config.all);
    names.ends.extend(of_config.ends);
    let nothing = names.all.is_empty() && found.tokens.is_empty();
    if let Some(added) = beside.added {
        let map: Map<String, Value> = watched::from_slice(added, deadline, |error| {
            malformed(format!("in `{ADDED}`: {error}"))
        })?;
        let known = ids(&found);
        let mut more = SpecialTokens::of_ids(map)?.tokens;
        more.retain(|token| token.id.is_none_or(|id| !known.contains(&id)));
        for token in &mut more {
            token.special = names.all.contains(&token.name);
        }
        found.tokens.extend(more);
    }
    let known = ids(&found);
    for (piece, id) in pieces {
        // Without a file that tells, the usual end token is no text.
        let is_special = names.all.contains(piece) || nothing && hugging_face::ends(piece);
        if is_special && !known.contains(id) {
            found.tokens.push(Listed {
                name: piece.clone(),
                id: Some(*id),
                special: true,
            });
        }
    }
    found.ends = names.ends;
    Ok(found)
}

/// The ids that a list names.
fn ids(found: &SpecialTokens) -> KeyedSet<u32> {
    found.tokens.iter().filter_map(|token| token.id).collect()
}

/// Names of special tokens, and of those that end a sequence.
struct Flat {
    all: KeyedSet<String>,
    ends: Vec<String>,
}

impl SpecialNames {
    fn read(
        content: Option<&[u8]>,
        file: &str,
        deadline: &Deadline,
    ) -> Result<Self, VocabularyError> {
        match content {
            None => Ok(SpecialNames::default()),
            Some(content) => watched::from_slice(content, deadline, |error| {
                malformed(format!("in `{file}`: {error}"))
            }),
        }
    }

    fn into_names(self) -> Flat {
        let SpecialNames {
            bos_token,
            eos_token,
            unk_token,
            pad_token,
            sep_token,
            cls_token,
            mask_token,
            additional_special_tokens,
            added_tokens_decoder: _,
        } = self;
        let end = eos_token.map(WrittenToken::into_text);
        let single = [
            bos_token, unk_token, pad_token, sep_token, cls_token, mask_token,
        ];
        let others = single.into_iter().flatten();
        let more = additional_special_tokens.into_iter().flatten();
        let names = others.chain(more).map(WrittenToken::into_text);
        Flat {
            all: names.chain(end.clone()).collect(),
            ends: end.into_iter().collect(),
        }
    }
}

fn malformed(what: String) -> VocabularyError {
    VocabularyError::Malformed {
        kind: FileKind::VocabJson,
        at: None,
        what,
    }
}
