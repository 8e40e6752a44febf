//! `tokenizer.json` of Hugging Face tokenizers.
//!
//! In: the file. Out: the bytes of each id and the names of the special tokens, by which end tokens
//! are guessed. How a token's text turns into bytes is read from the file's decoder (see
//! [`byte_form`]), never guessed from the tokens.

mod byte_form;
mod file;

use super::tokens::{NamedIds, Tokens};
use super::{VocabularyError, watched};
use crate::limits::Deadline;
use byte_form::{ByteForm, PIECE_STEPS};
use file::{AddedToken, ModelPieces, TokenizerFile, TokenizerModel};

/// Names of special tokens that end a sequence or a turn in the templates of well-known models.
const END_NAMES: &[&str] = &[
    "</s>",
    "<eos>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<seed:eos>",
    "<turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|assistant_end|>",
    "<|call|>",
    "<|end_of_msg|>",
    "<|end_of_role|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|endoftext|>",
    "<|endofturn|>",
    "<|eom_id|>",
    "<|eom|>",
    "<|eos|>",
    "<|eot_id|>",
    "<|eot|>",
    "<|im_end|>",
    "<|return|>",
    "<\u{ff5c}end\u{2581}of\u{2581}sentence\u{ff5c}>",
    "[EOS]",
    "[EOT]",
    "[e~[",
    "[|endofturn|]",
];

/// Whether a special token of this name ends a sequence.
pub(super) fn ends(name: &str) -> bool {
    END_NAMES.contains(&name)
}

/// The special tokens that end a sequence, by their names. Where an answer ends with `<|return|>`
/// or `<|call|>`, as in Harmony, `<|end|>` ends a message before it. Where there is
/// `<|observation|>`, as in GLM, the model stops before a tool's answer with that token, and before
/// the user's with `<|user|>`.
pub(super) fn end_ids(special: &[(u32, String)]) -> Vec<u32> {
    let has = |name: &str| special.iter().any(|token| token.1 == name);
    let harmony = has("<|return|>") && has("<|call|>");
    let glm = has("<|observation|>") && has("<|user|>");
    let is_end = |name: &str| match name {
        "<|end|>" => !harmony,
        "<|observation|>" | "<|user|>" => glm,
        _ => ends(name),
    };
    let found = special.iter().filter(|token| is_end(&token.1));
    found.map(|token| token.0).collect()
}

/// Reads all tokens into `tokens`, and answers the ids and names of those that were added or end a
/// sequence.
pub(super) fn read(
    content: &[u8],
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<NamedIds, VocabularyError> {
    let file: TokenizerFile =
        watched::from_slice(content, deadline, |error| VocabularyError::Json {
            message: error.to_string(),
        })?;
    let form = byte_form::of(&file)?;
    read_model(&file.model, &form, tokens, deadline)?;
    let mut named = read_added(&file.added_tokens, &form, tokens, deadline)?;
    named.eos = end_ids(&named.special);
    Ok(named)
}

fn read_model(
    model: &TokenizerModel,
    form: &ByteForm,
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<(), VocabularyError> {
    let unknown = model.unknown();
    let mut add = |id: u32, piece: &str| {
        let bytes = match unknown {
            Some(unknown) if unknown == piece => Vec::new(),
            _ => form.bytes(id, piece, deadline)?,
        };
        match tokens.insert(id, bytes)? {
            true => Ok(()),
            false => Err(VocabularyError::DuplicateId { id, line: None }),
        }
    };
    match &model.vocab {
        ModelPieces::ByName(pieces) => pieces.iter().try_for_each(|(piece, id)| add(*id, piece)),
        ModelPieces::InOrder(pieces) => {
            (0..).zip(pieces).try_for_each(|(id, piece)| add(id, piece))
        }
    }
}

/// Added tokens come after the model's own and overrule them. A special one has no bytes.
fn read_added(
    added: &[AddedToken],
    form: &ByteForm,
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<NamedIds, VocabularyError> {
    let mut named = NamedIds::default();
    for token in added {
        deadline.ticks(PIECE_STEPS, "reading added tokens")?;
        let bytes = match token.special {
            true => Vec::new(),
            // The decoder takes it for one of the model's pieces.
            false => form.bytes(token.id, &token.content, deadline)?,
        };
        tokens.replace(token.id, bytes)?;
        let list = match token.special {
            true => &mut named.special,
            false => &mut named.added,
        };
        list.push((token.id, token.content.clone()));
    }
    Ok(named)
}
