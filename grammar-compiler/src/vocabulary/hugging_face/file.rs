//! The fields of a `tokenizer.json` that determine the bytes of tokens.
//!
//! Fields that only matter for splitting text into tokens (merges, scores, post-processing) are
//! skipped without being stored.

use core::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The whole file.
#[derive(Deserialize)]
pub(super) struct TokenizerFile {
    pub(super) model: TokenizerModel,
    #[serde(default)]
    pub(super) added_tokens: Vec<AddedToken>,
    #[serde(default)]
    pub(super) normalizer: Option<Component>,
    #[serde(default)]
    pub(super) pre_tokenizer: Option<Component>,
    #[serde(default)]
    pub(super) decoder: Option<Component>,
}

/// A token beside the model's own.
#[derive(Deserialize)]
pub(super) struct AddedToken {
    pub(super) id: u32,
    pub(super) content: String,
    #[serde(default)]
    pub(super) special: bool,
}

/// The model: pieces and their ids.
#[derive(Deserialize)]
pub(super) struct TokenizerModel {
    /// Missing in old files, where it is told by the shape of `vocab` and by `merges`.
    #[serde(rename = "type", default)]
    pub(super) kind: Option<String>,
    pub(super) vocab: ModelPieces,
    #[serde(default)]
    pub(super) merges: Option<IgnoredAny>,
    #[serde(default)]
    pub(super) byte_fallback: bool,
    #[serde(default)]
    pub(super) unk_token: Option<String>,
    #[serde(default)]
    pub(super) unk_id: Option<u32>,
    #[serde(default)]
    pub(super) continuing_subword_prefix: Option<String>,
    #[serde(default)]
    pub(super) end_of_word_suffix: Option<String>,
}

/// The pieces: by name in BPE, by position in Unigram.
pub(super) enum ModelPieces {
    ByName(Vec<(String, u32)>),
    InOrder(Vec<String>),
}

impl<'de> Deserialize<'de> for ModelPieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PiecesVisitor)
    }
}

struct PiecesVisitor;

impl<'de> Visitor<'de> for PiecesVisitor {
    type Value = ModelPieces;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from pieces to ids, or a list of pieces with their scores")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ModelPieces, A::Error> {
        let mut pieces = Vec::new();
        while let Some(entry) = map.next_entry()? {
            pieces.push(entry);
        }
        Ok(ModelPieces::ByName(pieces))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ModelPieces, A::Error> {
        let mut pieces = Vec::new();
        while let Some((piece, _score)) = seq.next_element::<(String, IgnoredAny)>()? {
            pieces.push(piece);
        }
        Ok(ModelPieces::InOrder(pieces))
    }
}

impl TokenizerModel {
    /// The name of the kind of model.
    pub(super) fn kind(&self) -> &str {
        match (&self.kind, &self.vocab) {
            (Some(kind), _) => kind,
            (None, ModelPieces::InOrder(_)) => "Unigram",
            (None, ModelPieces::ByName(_)) if self.merges.is_some() => "BPE",
            (None, ModelPieces::ByName(_)) => "WordPiece or WordLevel",
        }
    }

    /// The piece that stands for unknown text, and so for no text at all.
    pub(super) fn unknown(&self) -> Option<&str> {
        match (&self.vocab, self.unk_id) {
            (ModelPieces::InOrder(pieces), Some(id)) => pieces.get(id as usize).map(String::as_str),
            _ => self.unk_token.as_deref(),
        }
    }
}

/// A normalizer, pre-tokenizer or decoder; which fields are present depends on its type.
#[derive(Deserialize)]
pub(super) struct Component {
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// Of a sequence of normalizers.
    #[serde(default)]
    pub(super) normalizers: Vec<Component>,
    /// Of a sequence of pre-tokenizers.
    #[serde(default)]
    pub(super) pretokenizers: Vec<Component>,
    /// Of a sequence of decoders.
    #[serde(default)]
    pub(super) decoders: Vec<Component>,
    /// Of `Replace`.
    #[serde(default)]
    pub(super) pattern: Option<ReplacePattern>,
    /// Of `Replace` and `Strip`.
    #[serde(default)]
    pub(super) content: Option<String>,
    /// Of `Metaspace`.
    #[serde(default)]
    pub(super) replacement: Option<String>,
}

/// What `Replace` looks for.
#[derive(Deserialize)]
pub(super) enum ReplacePattern {
    /// This text.
    String(String),
    /// A regular expression.
    Regex(String),
}

impl Component {
    /// The component itself, or the parts of a sequence, nested ones in their place.
    pub(super) fn parts(&self) -> Vec<&Component> {
        if self.kind != "Sequence" {
            return vec![self];
        }
        [&self.normalizers, &self.pretokenizers, &self.decoders]
            .into_iter()
            .flatten()
            .flat_map(Component::parts)
            .collect()
    }
}
