//! The vocabularies that the crate `tiktoken-rs` ships.

use tiktoken_rs::CoreBPE;

use super::{Vocabulary, VocabularyError};

/// Number of ids, special tokens included, and the tokens that end a sequence.
struct Facts {
    size: u32,
    eos: &'static [&'static str],
}

/// Loads the vocabulary `name`, which is one of [`super::NAMES`].
pub(super) fn load(name: &str) -> Result<Vocabulary, VocabularyError> {
    const END: &[&str] = &["<|endoftext|>"];
    let unknown = || VocabularyError::UnknownName { name: name.into() };
    let facts = |size, eos| Facts { size, eos };
    let (bpe, facts) = match name {
        "cl100k_base" => (tiktoken_rs::cl100k_base(), facts(100_277, END)),
        "o200k_base" => (tiktoken_rs::o200k_base(), facts(200_019, END)),
        "o200k_harmony" => (
            tiktoken_rs::o200k_harmony(),
            facts(201_088, &["<|endoftext|>", "<|return|>", "<|call|>"]),
        ),
        "p50k_base" => (tiktoken_rs::p50k_base(), facts(50_281, END)),
        "p50k_edit" => (tiktoken_rs::p50k_edit(), facts(50_284, END)),
        "r50k_base" => (tiktoken_rs::r50k_base(), facts(50_257, END)),
        _ => return Err(unknown()),
    };
    let bpe = bpe.map_err(|error| VocabularyError::Io {
        message: error.to_string(),
    })?;
    from_bpe(&bpe, &facts)
}

/// Asks for the bytes of each id. The encoder knows the special tokens by name.
fn from_bpe(bpe: &CoreBPE, facts: &Facts) -> Result<Vocabulary, VocabularyError> {
    let mut tokens: Vec<Vec<u8>> = (0..facts.size)
        .map(|id| bpe.decode_bytes(&[id]).unwrap_or_default())
        .collect();
    let (mut eos, mut special) = (Vec::new(), Vec::new());
    for name in bpe.special_tokens() {
        for id in bpe.encode_with_special_tokens(name) {
            if let Some(token) = tokens.get_mut(id as usize) {
                token.clear();
            }
            if facts.eos.contains(&name) {
                eos.push(id);
            }
            special.push((id, name.to_owned()));
        }
    }
    let vocabulary = Vocabulary::from_tokens(tokens, eos).with_special(special);
    vocabulary.check()?;
    Ok(vocabulary)
}
