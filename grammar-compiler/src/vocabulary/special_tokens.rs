//! Lists of special tokens, for files that leave them out.
//!
//! In: JSON: names in the order of their ids, or names with ids, or a `tokenizer_config.json`. Out:
//! the vocabulary with these tokens. What holds after: a special token never matches text, an added
//! one does; both can be named by a grammar.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{MAX_IDS, Vocabulary, VocabularyError, hugging_face, watched};
use crate::limits::{Deadline, Limits};

/// A token of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: String,
    /// None: the next id after the vocabulary's last.
    pub(super) id: Option<u32>,
    /// Never text, or text too.
    pub(super) special: bool,
}

/// Special and added tokens, and what is known of the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SpecialTokens {
    pub(super) tokens: Vec<Listed>,
    /// Names of tokens that end a sequence.
    pub(super) ends: Vec<String>,
}

/// A token as `tokenizer_config.json` and `special_tokens_map.json` write it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum WrittenToken {
    Plain(String),
    Detailed { content: String },
}

impl WrittenToken {
    pub(super) fn into_text(self) -> String {
        match self {
            WrittenToken::Plain(text) | WrittenToken::Detailed { content: text } => text,
        }
    }
}

/// A token of `added_tokens_decoder`.
#[derive(Deserialize)]
struct DecoderToken {
    content: String,
    #[serde(default)]
    special: bool,
}

impl SpecialTokens {
    /// Reads a list.
    pub(super) fn read(content: &[u8], deadline: &Deadline) -> Result<Self, VocabularyError> {
        let json: Value = watched::from_slice(content, deadline, |error| {
            wrong(format!("it is no JSON: {error}"))
        })?;
        match json {
            Value::Array(names) => SpecialTokens::of_names(names),
            Value::Object(mut object) => match object.remove("added_tokens_decoder") {
                Some(decoder) => SpecialTokens::of_decoder(decoder, object.remove("eos_token")),
                None => SpecialTokens::of_ids(object),
            },
            _ => Err(wrong(EXPECTED.to_owned())),
        }
    }

    /// `["<|begin|>", "<|end|>"]`.
    fn of_names(names: Vec<Value>) -> Result<Self, VocabularyError> {
        let listed = names.into_iter().map(|name| match name {
            Value::String(name) => Ok(Listed {
                name,
                id: None,
                special: true,
            }),
            _ => Err(wrong(EXPECTED.to_owned())),
        });
        Ok(SpecialTokens {
            tokens: listed.collect::<Result<_, _>>()?,
            ends: Vec::new(),
        })
    }

    /// `{"<|begin|>": 100257}`.
    pub(super) fn of_ids(ids: serde_json::Map<String, Value>) -> Result<Self, VocabularyError> {
        let listed = ids.into_iter().map(|(name, id)| match id_of(&id) {
            Some(id) => Ok(Listed {
                name,
                id: Some(id),
                special: true,
            }),
            None => Err(wrong(format!("`{name}` has no id; {EXPECTED}"))),
        });
        Ok(SpecialTokens {
            tokens: listed.collect::<Result<_, _>>()?,
            ends: Vec::new(),
        })
    }

    /// `{"100257": {"content": "<|begin|>", "special": true}}`, and the end token.
    pub(super) fn of_decoder(decoder: Value, end: Option<Value>) -> Result<Self, VocabularyError> {
        let field = |error: serde_json::Error| wrong(format!("`added_tokens_decoder`: {error}"));
        let decoder: serde_json::Map<String, Value> =
            serde_json::from_value(decoder).map_err(field)?;
        let listed = decoder.into_iter().map(|(id, token)| {
            let token: DecoderToken = serde_json::from_value(token).map_err(field)?;
            let number = id.parse().map_err(|_| wrong(format!("`{id}` is no id")))?;
            Ok(Listed {
                name: token.content,
                id: Some(number),
                special: token.special,
            })
        });
        let tokens = listed.collect::<Result<_, VocabularyError>>()?;
        let end = end.map(serde_json::from_value::<Option<WrittenToken>>);
        let end = end.and_then(Result::ok).flatten();
        Ok(SpecialTokens {
            tokens,
            ends: end.map(WrittenToken::into_text).into_iter().collect(),
        })
    }

    /// The vocabulary with these tokens. Its end tokens are those that it has, or else those of the
    /// list.
    pub(super) fn apply(self, vocabulary: Vocabulary) -> Result<Vocabulary, VocabularyError> {
        let SpecialTokens { tokens, ends } = self;
        let mut next = vocabulary.size();
        let mut listed = Vec::with_capacity(tokens.len());
        for Listed { name, id, special } in tokens {
            let id = id.unwrap_or_else(|| {
                next = next.saturating_add(1);
                next.saturating_sub(1)
            });
            if id as usize >= MAX_IDS {
                let ids = u64::from(id) + 1;
                return Err(VocabularyError::TooManyIds { ids });
            }
            listed.push((id, name, special));
        }
        listed.sort();
        listed.dedup();
        if let Some(twice) = listed.windows(2).find(|two| two[0].0 == two[1].0) {
            let (id, line) = (twice[0].0, None);
            return Err(VocabularyError::DuplicateId { id, line });
        }
        add(vocabulary, listed, &ends)
    }
}

const EXPECTED: &str = "expected a list of names, an object of names with their ids, or a `tokenizer_config.json` with `added_tokens_decoder`";

/// The vocabulary with these tokens, which ascend by id.
fn add(
    vocabulary: Vocabulary,
    listed: Vec<(u32, String, bool)>,
    ends: &[String],
) -> Result<Vocabulary, VocabularyError> {
    let last = listed.last().map_or(0, |token| token.0.saturating_add(1));
    let size = vocabulary.size().max(last) as usize;
    let mut bytes: Vec<Vec<u8>> = vocabulary.iter().map(<[u8]>::to_vec).collect();
    bytes.resize(size, Vec::new());
    let known = vocabulary
        .special()
        .map(|(id, name)| (id, (name.to_owned(), true)));
    let added = vocabulary
        .added()
        .map(|(id, name)| (id, (name.to_owned(), false)));
    let mut named: BTreeMap<u32, (String, bool)> = known.chain(added).collect();
    for (id, name, is_special) in listed {
        let slot = bytes.get_mut(id as usize);
        let slot = slot.ok_or(VocabularyError::TooManyIds { ids: u64::from(id) })?;
        // A token that is text already may only be called by that text.
        if !named.contains_key(&id) && !slot.is_empty() && *slot != name.as_bytes() {
            return Err(VocabularyError::DuplicateId { id, line: None });
        }
        if !is_special {
            *slot = name.clone().into_bytes();
        }
        named.insert(id, (name, is_special));
    }
    let of_kind = |wanted: bool| {
        let tokens = named.iter().filter(move |(_, token)| token.1 == wanted);
        tokens.map(|(id, (name, _))| (*id, name.clone()))
    };
    let (special, added): (Vec<_>, Vec<_>) = (of_kind(true).collect(), of_kind(false).collect());
    let mut eos = vocabulary.eos().to_vec();
    if eos.is_empty() {
        let named = special.iter().filter(|token| ends.contains(&token.1));
        eos.extend(named.map(|token| token.0));
        eos.extend(hugging_face::end_ids(&special));
    }
    let vocabulary = Vocabulary::from_tokens(bytes, eos)
        .with_special(special)
        .with_added(added);
    vocabulary.check()?;
    Ok(vocabulary)
}

fn id_of(id: &Value) -> Option<u32> {
    u32::try_from(id.as_u64()?).ok()
}

fn wrong(what: String) -> VocabularyError {
    VocabularyError::SpecialTokens { what }
}

impl Vocabulary {
    /// The same vocabulary with the special tokens of a list, for a file that leaves them out, such
    /// as a `.tiktoken` file. The list is JSON: names in the order of their ids, which follow the
    /// vocabulary's last (`["<|begin|>", "<|end|>"]`), names with their ids
    /// (`{"<|begin|>": 100257}`), or a `tokenizer_config.json` with `added_tokens_decoder`. Of a
    /// vocabulary without an end token, those of the list with a well-known name end a sequence.
    ///
    /// # Errors
    /// [`VocabularyError::SpecialTokens`] if it is no such list, [`VocabularyError::DuplicateId`]
    /// if an id has another text, or a limit.
    pub fn with_special_tokens(self, list: &[u8]) -> Result<Self, VocabularyError> {
        self.with_special_tokens_in_time(list, &Deadline::of_vocabulary(&Limits::default()))
    }

    pub(super) fn with_special_tokens_in_time(
        self,
        list: &[u8],
        deadline: &Deadline,
    ) -> Result<Self, VocabularyError> {
        let special = SpecialTokens::read(list, deadline)?;
        deadline.check("reading special tokens")?;
        special.apply(self)
    }
}
