//! How a token's text in a `tokenizer.json` turns into bytes.
//!
//! The decoder says it. Where a file has none, the normalizer or pre-tokenizer that changed the
//! text on the way in is inverted. What holds after: every step is understood, or the file is
//! refused by the name of the one that is not.

use super::super::{MAX_TOKEN_BYTES, VocabularyError, pieces};
use super::file::{Component, ReplacePattern, TokenizerFile, TokenizerModel};
use crate::limits::Deadline;

/// How a token's text turns into bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ByteForm {
    /// Each character stands for one byte, by GPT-2's map.
    ByteLevel,
    /// Text, of which some parts are replaced; with `byte_fallback`, `<0xHH>` is a byte.
    Pieces {
        /// Texts and their replacements, in order.
        replace: Vec<(String, String)>,
        byte_fallback: bool,
    },
}

/// Reads the form from the file's fields.
pub(super) fn of(file: &TokenizerFile) -> Result<ByteForm, VocabularyError> {
    check_model(&file.model)?;
    match &file.decoder {
        Some(decoder) => from_decoder(decoder, file.model.byte_fallback),
        None => without_decoder(file),
    }
}

fn check_model(model: &TokenizerModel) -> Result<(), VocabularyError> {
    if !matches!(model.kind(), "BPE" | "Unigram") {
        return Err(unsupported(
            "model.type",
            model.kind(),
            "its tokens do not spell the bytes of a text; only BPE and Unigram are read",
        ));
    }
    let affixes = [
        (
            "model.continuing_subword_prefix",
            &model.continuing_subword_prefix,
        ),
        ("model.end_of_word_suffix", &model.end_of_word_suffix),
    ];
    for (field, affix) in affixes {
        if let Some(affix) = affix.as_deref().filter(|affix| !affix.is_empty()) {
            return Err(unsupported(
                field,
                affix,
                "whether a space follows a token would depend on the next token",
            ));
        }
    }
    Ok(())
}

fn from_decoder(decoder: &Component, model_fallback: bool) -> Result<ByteForm, VocabularyError> {
    let mut replace = Vec::new();
    let mut byte_fallback = model_fallback;
    let mut byte_level = false;
    let mut fused = false;
    for part in decoder.parts() {
        match part.kind.as_str() {
            "ByteLevel" => byte_level = true,
            "ByteFallback" => byte_fallback = true,
            "Fuse" => fused = true,
            // Strips from the whole text, which is not what a token in its middle stands for.
            "Strip" if fused => {}
            "Metaspace" => replace.push((metaspace(part), " ".to_owned())),
            "Replace" => replace.push(replacement("decoder", part)?),
            kind => {
                return Err(unsupported(
                    "decoder",
                    kind,
                    "it makes a token's text depend on the tokens around it",
                ));
            }
        }
    }
    match (byte_level, replace.is_empty()) {
        (true, true) => Ok(ByteForm::ByteLevel),
        (true, false) => Err(unsupported(
            "decoder",
            "ByteLevel with Replace or Metaspace",
            "only one of them can say what a token stands for",
        )),
        (false, _) => Ok(ByteForm::Pieces {
            replace,
            byte_fallback,
        }),
    }
}

/// What came in through the normalizer and the pre-tokenizer, inverted.
fn without_decoder(file: &TokenizerFile) -> Result<ByteForm, VocabularyError> {
    let mut replace = Vec::new();
    for part in file.pre_tokenizer.iter().flat_map(Component::parts) {
        match part.kind.as_str() {
            "ByteLevel" => return Ok(ByteForm::ByteLevel),
            "Metaspace" => replace.push((metaspace(part), " ".to_owned())),
            _ => {}
        }
    }
    for part in file.normalizer.iter().flat_map(Component::parts) {
        match part.kind.as_str() {
            "ByteLevel" => return Ok(ByteForm::ByteLevel),
            "Replace" => {
                let (from, to) = replacement("normalizer", part)?;
                if from == " " && !to.is_empty() {
                    replace.push((to, from));
                }
            }
            _ => {}
        }
    }
    Ok(ByteForm::Pieces {
        replace,
        byte_fallback: file.model.byte_fallback,
    })
}

fn metaspace(part: &Component) -> String {
    part.replacement
        .clone()
        .unwrap_or_else(|| pieces::SPACE.into())
}

fn replacement(field: &'static str, part: &Component) -> Result<(String, String), VocabularyError> {
    match (&part.pattern, &part.content) {
        (Some(ReplacePattern::String(from)), Some(to)) if !from.is_empty() => {
            Ok((from.clone(), to.clone()))
        }
        (Some(ReplacePattern::Regex(regex)), _) => Err(unsupported(
            field,
            &format!("Replace with the regular expression {regex}"),
            "only the replacement of a plain text is read",
        )),
        _ => Err(unsupported(
            field,
            "Replace",
            "it lacks a pattern or the content to put in its place",
        )),
    }
}

fn unsupported(field: &'static str, value: &str, why: &'static str) -> VocabularyError {
    VocabularyError::Unsupported {
        field,
        value: value.into(),
        why,
    }
}

/// The steps that a piece takes, and a replacement in one.
pub(super) const PIECE_STEPS: usize = 16;

/// What is being done.
const DOING: &str = "turning tokens into bytes";

/// The most bytes of a piece while its parts are replaced.
const LONGEST: usize = 8 * MAX_TOKEN_BYTES;

impl ByteForm {
    /// The bytes of one of the model's pieces.
    ///
    /// # Errors
    /// If it becomes too long on the way, or the deadline passes.
    pub(super) fn bytes(
        &self,
        id: u32,
        piece: &str,
        deadline: &Deadline,
    ) -> Result<Vec<u8>, VocabularyError> {
        deadline.ticks(PIECE_STEPS + piece.len(), DOING)?;
        match self {
            ByteForm::ByteLevel => Ok(pieces::byte_level(piece)),
            ByteForm::Pieces {
                replace,
                byte_fallback,
            } => {
                if let (true, Some(byte)) = (*byte_fallback, pieces::fallback_byte(piece)) {
                    return Ok(vec![byte]);
                }
                let mut text = piece.to_owned();
                for (from, to) in replace {
                    deadline.ticks(PIECE_STEPS + text.len(), DOING)?;
                    let found = text.matches(from.as_str()).count();
                    // What is put in may be the whole file, in the place of each character.
                    let bytes = text.len().saturating_add(found.saturating_mul(to.len()));
                    if bytes > LONGEST {
                        return Err(VocabularyError::TokenTooLong { id, bytes });
                    }
                    if found > 0 {
                        text = text.replace(from.as_str(), to);
                    }
                }
                Ok(text.into_bytes())
            }
        }
    }
}
