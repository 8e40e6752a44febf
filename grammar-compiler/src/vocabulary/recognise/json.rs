//! Recognises a JSON object by its keys.
//!
//! The object is read only up to the key that decides, so that a file of many megabytes is not read
//! twice.

use core::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::watched::Watched;
use super::super::{FileKind, VocabularyError};
use super::{EXPECTED, TOKENIZER, unknown};
use crate::limits::Deadline;

/// At most so many keys are named in an error.
const MAX_NAMED: usize = 6;
/// At most so many keys are kept: far more than a file has that is no vocabulary.
const MAX_KEPT: usize = 100;
/// At most so many characters of a key are shown.
const MAX_SHOWN: usize = 40;

/// Keys by which files are recognised that are not vocabularies, with the kind of the file and what
/// to give instead.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "added_tokens_decoder",
        "a `tokenizer_config.json`",
        TOKENIZER,
    ),
    ("tokenizer_class", "a `tokenizer_config.json`", TOKENIZER),
    ("chat_template", "a `tokenizer_config.json`", TOKENIZER),
    ("model_type", "a model's `config.json`", TOKENIZER),
    ("architectures", "a model's `config.json`", TOKENIZER),
    ("weight_map", "an index of weights", TOKENIZER),
    ("eos_token_id", "a `generation_config.json`", TOKENIZER),
    ("eos_token", "a `special_tokens_map.json`", TOKENIZER),
    ("bos_token", "a `special_tokens_map.json`", TOKENIZER),
    (
        "additional_special_tokens",
        "a `special_tokens_map.json`",
        TOKENIZER,
    ),
];

/// The kind of a file with this JSON object.
pub(super) fn kind(text: &[u8], deadline: &Deadline) -> Result<FileKind, VocabularyError> {
    let mut keys = ObjectKeys::default();
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = KeysOf(&mut keys).deserialize(Watched::new(&mut json, deadline));
    deadline.confirm("recognising the file")?;
    if let Some(kind) = keys.kind() {
        return Ok(kind);
    }
    if let Err(error) = read {
        let looks_like = format!("JSON that cannot be read ({error})");
        return Err(unknown(&looks_like, "download or write the file again"));
    }
    if keys.ids > 0 && keys.others == 0 {
        return Ok(FileKind::VocabJson);
    }
    for (key, looks_like, way_out) in OTHERS {
        if keys.named.iter().any(|named| named == key) {
            return Err(unknown(looks_like, way_out));
        }
    }
    Err(unknown(&keys.listed(), EXPECTED))
}

/// What was found of an object.
#[derive(Default)]
struct ObjectKeys {
    /// Keys whose values are no ids.
    named: Vec<String>,
    /// How many values are ids.
    ids: usize,
    /// How many are something else.
    others: usize,
    has_model: bool,
    has_config: bool,
    has_vocab: bool,
}

impl ObjectKeys {
    fn add(&mut self, key: &str) {
        match key {
            "model" => self.has_model = true,
            "config" => self.has_config = true,
            "vocab" => self.has_vocab = true,
            _ => {}
        }
    }

    fn kind(&self) -> Option<FileKind> {
        match self {
            ObjectKeys {
                has_model: true, ..
            } => Some(FileKind::TokenizerJson),
            ObjectKeys {
                has_config: true,
                has_vocab: true,
                ..
            } => Some(FileKind::Tekken),
            _ => None,
        }
    }

    /// For an error: `JSON with the keys "a", "b"`.
    fn listed(&self) -> String {
        if self.named.is_empty() {
            return "a JSON object without the key `model` of a `tokenizer.json`".to_owned();
        }
        let shown = self.named.iter().take(MAX_NAMED).map(|key| {
            let short: String = key.chars().take(MAX_SHOWN).collect();
            format!("`{short}`")
        });
        let shown: Vec<String> = shown.collect();
        let more = if self.others > shown.len() {
            ", …"
        } else {
            ""
        };
        format!("JSON with the keys {}{more}", shown.join(", "))
    }
}

struct KeysOf<'k>(&'k mut ObjectKeys);

impl<'de> DeserializeSeed<'de> for KeysOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for KeysOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            map.next_value_seed(ValueOf { keys: self.0, key })?;
        }
        Ok(())
    }
}

/// The value of a key, which is read only if the key does not decide.
struct ValueOf<'k> {
    keys: &'k mut ObjectKeys,
    key: String,
}

impl ValueOf<'_> {
    /// Takes in a key whose value is no id. Fails once the kind is known: nothing more needs to be
    /// read.
    fn other<E: Error>(self) -> Result<(), E> {
        self.keys.add(&self.key);
        if self.keys.kind().is_some() {
            return Err(E::custom("the kind is known"));
        }
        self.keys.others += 1;
        if self.keys.named.len() < MAX_KEPT {
            self.keys.named.push(self.key);
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ValueOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.keys.ids += 1;
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.other()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.other()
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.other()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.other()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.other()
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.other()?;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.other()?;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
