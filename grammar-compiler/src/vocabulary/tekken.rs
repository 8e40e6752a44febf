//! Mistral's `tekken.json`: ranks of byte-level BPE, and special tokens.
//!
//! In: the file. Out: the bytes of each id and the special tokens. What holds after: the special
//! tokens have the first ids, as many as the file's `default_num_special_tokens`; the ranks follow,
//! and those past `default_vocab_size` are left out, as Mistral's tokenizer does.

use crate::limits::Deadline;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::tokens::{NamedIds, Tokens};
use super::{FileKind, MAX_IDS, VocabularyError, watched};

/// The special tokens of files that list none, which are of version 7 and before.
const BEFORE_LISTS: [&str; 20] = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
];

/// The most special tokens: 65,536, where Mistral's files have 1,000.
const MAX_SPECIAL: u32 = 1 << 16;

/// The token that ends a sequence.
const END: &str = "</s>";

#[derive(Deserialize)]
struct TekkenFile {
    config: TekkenConfig,
    vocab: Vec<TekkenToken>,
    #[serde(default)]
    special_tokens: Option<Vec<Special>>,
}

#[derive(Deserialize)]
struct TekkenConfig {
    default_vocab_size: u32,
    default_num_special_tokens: u32,
    #[serde(default)]
    version: Option<String>,
}

#[derive(Deserialize)]
struct TekkenToken {
    rank: u32,
    token_bytes: String,
}

#[derive(Deserialize)]
struct Special {
    rank: u32,
    token_str: String,
}

/// Reads all tokens into `tokens`.
pub(super) fn read(
    content: &[u8],
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<NamedIds, VocabularyError> {
    let file: TekkenFile =
        watched::from_slice(content, deadline, |error| malformed(error.to_string()))?;
    let TekkenConfig {
        default_vocab_size: size,
        default_num_special_tokens: first,
        version,
    } = &file.config;
    let (size, first) = (*size, *first);
    if size as usize > MAX_IDS {
        let ids = u64::from(size);
        return Err(VocabularyError::TooManyIds { ids });
    }
    if first > size {
        return Err(malformed(format!(
            "{first} special tokens in a vocabulary of {size}"
        )));
    }
    if first > MAX_SPECIAL {
        return Err(malformed(format!(
            "it has {first} special tokens; it may have {MAX_SPECIAL}"
        )));
    }
    let special = match &file.special_tokens {
        Some(listed) => listed
            .iter()
            .map(|t| (t.rank, t.token_str.clone()))
            .collect(),
        None => before_lists(version.as_deref())?,
    };
    let special = in_their_places(special, first)?;
    for (id, _) in &special {
        tokens.insert(*id, Vec::new())?;
    }
    read_ranks(&file.vocab, (size, first), tokens, deadline)?;
    let ends = special.iter().filter(|(_, name)| name == END);
    Ok(NamedIds {
        eos: ends.map(|(id, _)| *id).collect(),
        special,
        added: Vec::new(),
    })
}

/// The special tokens of an old file without a list.
fn before_lists(version: Option<&str>) -> Result<Vec<(u32, String)>, VocabularyError> {
    let number = |version: &str| {
        let digits = version.strip_prefix('v')?;
        let digits = digits.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u32>().ok()
    };
    match version.map(number) {
        Some(Some(0..=7)) => {
            let named = (0..).zip(BEFORE_LISTS);
            Ok(named.map(|(id, name)| (id, name.to_owned())).collect())
        }
        _ => Err(malformed(
            "it lists no special tokens; only files up to version `v7` may".to_owned(),
        )),
    }
}

/// The special tokens by id, each with a place of its own before the ranks. Places that the file
/// leaves open have the names that Mistral's tokenizer gives them.
fn in_their_places(
    listed: Vec<(u32, String)>,
    places: u32,
) -> Result<Vec<(u32, String)>, VocabularyError> {
    let mut names: Vec<Option<String>> = vec![None; places as usize];
    for (id, name) in listed {
        let place = names.get_mut(id as usize).ok_or_else(|| {
            malformed(format!(
                "special token {id}, where there are places for {places}"
            ))
        })?;
        if place.replace(name).is_some() {
            return Err(VocabularyError::DuplicateId { id, line: None });
        }
    }
    let named = (0..).zip(names);
    let name = |id, name: Option<String>| name.unwrap_or_else(|| format!("<SPECIAL_{id}>"));
    Ok(named.map(|(id, given)| (id, name(id, given))).collect())
}

/// The ranks, `first` ids up. Each rank below the size must be there.
fn read_ranks(
    ranks: &[TekkenToken],
    (size, first): (u32, u32),
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<(), VocabularyError> {
    let mut kept = 0;
    for token in ranks {
        deadline.ticks(16 + token.token_bytes.len(), "reading ranks")?;
        let id = token.rank.checked_add(first).filter(|&id| id < size);
        let Some(id) = id else {
            continue;
        };
        let bytes = STANDARD.decode(&token.token_bytes);
        let bytes =
            bytes.map_err(|_| malformed(format!("rank {} is not valid base64", token.rank)))?;
        if !tokens.insert(id, bytes)? {
            return Err(VocabularyError::DuplicateId { id, line: None });
        }
        kept += 1;
    }
    let wanted = size.saturating_sub(first);
    match kept == wanted {
        true => Ok(()),
        false => Err(malformed(format!(
            "of {wanted} ranks, which its size asks for, it has {kept}"
        ))),
    }
}

fn malformed(what: String) -> VocabularyError {
    VocabularyError::Malformed {
        kind: FileKind::Tekken,
        at: None,
        what,
    }
}

#[cfg(test)]
mod tests;
