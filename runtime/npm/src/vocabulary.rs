//! Vocabularies: from a tokenizer's file, from packed tables, or from tokens.

use maskwright_compiler::Compiler;
use maskwright_compiler::vocabulary::Vocabulary as Tokens;
use maskwright_core::OwnedVocabulary;
use serde_json::{Value, json};

use crate::objects::Failure;

/// A vocabulary, prepared for all its grammars.
pub(crate) struct Vocabulary {
    pub(crate) tokens: Tokens,
    pub(crate) tables: OwnedVocabulary,
    pub(crate) compiler: Compiler,
}

impl Vocabulary {
    fn new(tokens: Tokens) -> Result<Self, Failure> {
        let packed = tokens.pack().map_err(Failure::of)?;
        Ok(Vocabulary {
            tables: OwnedVocabulary::load(packed).map_err(Failure::of)?,
            compiler: Compiler::new(&tokens).map_err(Failure::of)?,
            tokens,
        })
    }

    /// What a tokenizer's file holds; its content tells what it is.
    pub(crate) fn of_file(content: &[u8], options: &Value) -> Result<Self, Failure> {
        let tokens = Tokens::from_bytes(content).map_err(Failure::of)?;
        Vocabulary::new(changed(tokens, options)?)
    }

    /// Tables that `maskwright … --vocab-output` has packed. They know the names of control tokens,
    /// but not which of them end a text: `options` say that.
    pub(crate) fn of_tables(tables: &[u8], options: &Value) -> Result<Self, Failure> {
        let packed = maskwright_core::Vocabulary::load(tables).map_err(Failure::of)?;
        let names =
            (0..packed.size()).filter_map(|id| Some((id, packed.token_name(id)?.to_owned())));
        let tokens = Tokens::from_tables(tables, Vec::new()).map_err(Failure::of)?;
        Vocabulary::new(changed(tokens.with_special(names), options)?)
    }

    /// Tokens one after the other, and the length of each.
    pub(crate) fn of_tokens(
        bytes: &[u8],
        lengths: &[u8],
        options: &Value,
    ) -> Result<Self, Failure> {
        let mut rest = bytes;
        let mut tokens = Vec::new();
        for length in lengths.as_chunks::<4>().0 {
            let length = u32::from_le_bytes(*length) as usize;
            let (token, others) = rest
                .split_at_checked(length)
                .ok_or_else(|| Failure::text("the lengths of tokens are more than their bytes"))?;
            tokens.push(token.to_vec());
            rest = others;
        }
        let tokens = Tokens::from_tokens(tokens, Vec::new());
        Vocabulary::new(changed(tokens, options)?)
    }

    /// Its size, the tokens that end a text, and the names of those that are no text.
    pub(crate) fn about(&self) -> Value {
        let special: Vec<Value> = self
            .tokens
            .special()
            .map(|(id, name)| json!([id, name]))
            .collect();
        let warnings = self.tokens.warnings();
        let warnings: Vec<String> = warnings
            .iter()
            .map(|warning| warning.render(None, false))
            .collect();
        json!({
            "size": self.tokens.size(),
            "eos": self.tokens.eos(),
            "special": special,
            "hash": format!("{:016x}", self.tokens.hash()),
            "warnings": warnings,
        })
    }

    /// Where each token ends in the bytes of all, as words, then these bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut end = 0u32;
        for token in self.tokens.iter() {
            end += token.len() as u32;
            out.extend_from_slice(&end.to_le_bytes());
        }
        self.tokens
            .iter()
            .for_each(|token| out.extend_from_slice(token));
        out
    }
}

/// The same vocabulary with what the options say: `special`, pairs of an id and a name; `eos`, the
/// ids that end a text; `size`, the number of a model's logits.
fn changed(mut tokens: Tokens, options: &Value) -> Result<Tokens, Failure> {
    let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
    if let Some(special) = options["special"].as_array() {
        let named = special
            .iter()
            .map(|pair| Some((id(&pair[0])?, pair[1].as_str()?.to_owned())));
        let named: Option<Vec<(u32, String)>> = named.collect();
        let wrong = || Failure::text("`special` is a list of pairs of an id and a name");
        tokens = tokens.with_special(named.ok_or_else(wrong)?);
    }
    if !options["size"].is_null() {
        let size = id(&options["size"]).ok_or_else(|| Failure::text("`size` is a number"))?;
        tokens = tokens.with_size(size).map_err(Failure::of)?;
    }
    if let Some(eos) = options["eos"].as_array() {
        let eos: Option<Vec<u32>> = eos.iter().map(id).collect();
        let eos = eos.ok_or_else(|| Failure::text("`eos` is a list of ids"))?;
        tokens = tokens.with_eos(eos).map_err(Failure::of)?;
    }
    Ok(tokens)
}
