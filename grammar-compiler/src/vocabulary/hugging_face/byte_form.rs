//! How a token's text in a `tokenizer.json` turns into bytes.
//!
//! The decoder says it. Where a file has none, the normalizer or pre-tokenizer that changed the
//! text on the way in is inverted. What holds after: every step is understood, or the file is
//! refused by the name of the one that is not.

use super::super::VocabularyError;
use super::file::{Component, File, Model, Pattern};

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
pub(super) fn of(file: &File) -> Result<ByteForm, VocabularyError> {
    check_model(&file.model)?;
    match &file.decoder {
        Some(decoder) => from_decoder(decoder, file.model.byte_fallback),
        None => without_decoder(file),
    }
}

fn check_model(model: &Model) -> Result<(), VocabularyError> {
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
fn without_decoder(file: &File) -> Result<ByteForm, VocabularyError> {
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
        .unwrap_or_else(|| "\u{2581}".into())
}

fn replacement(field: &'static str, part: &Component) -> Result<(String, String), VocabularyError> {
    match (&part.pattern, &part.content) {
        (Some(Pattern::String(from)), Some(to)) if !from.is_empty() => {
            Ok((from.clone(), to.clone()))
        }
        (Some(Pattern::Regex(regex)), _) => Err(unsupported(
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

impl ByteForm {
    /// The bytes of one of the model's pieces.
    pub(super) fn bytes(&self, piece: &str) -> Vec<u8> {
        match self {
            // A piece with a character outside the map is its own text.
            ByteForm::ByteLevel => piece
                .chars()
                .map(byte_of)
                .collect::<Option<Vec<u8>>>()
                .unwrap_or_else(|| piece.as_bytes().to_vec()),
            ByteForm::Pieces {
                replace,
                byte_fallback,
            } => {
                if let (true, Some(byte)) = (*byte_fallback, fallback_byte(piece)) {
                    return vec![byte];
                }
                let mut text = piece.to_owned();
                for (from, to) in replace {
                    if text.contains(from.as_str()) {
                        text = text.replace(from.as_str(), to);
                    }
                }
                text.into_bytes()
            }
        }
    }

    /// The bytes of an added token that is not special: matched in the text before the byte-level map.
    pub(super) fn added_bytes(&self, content: &str) -> Vec<u8> {
        match self {
            ByteForm::ByteLevel => content.as_bytes().to_vec(),
            ByteForm::Pieces { .. } => self.bytes(content),
        }
    }
}

/// The byte of `<0xHH>`.
fn fallback_byte(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    let two = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| two)
}

/// The byte that a character stands for in byte-level BPE. Printable characters of Latin-1 stand
/// for themselves; the other 68 bytes, in order, are the characters from U+0100 on.
fn byte_of(character: char) -> Option<u8> {
    match u32::from(character) {
        code @ (0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF) => u8::try_from(code).ok(),
        code @ 0x100..=0x120 => u8::try_from(code - 0x100).ok(), // 0x00..=0x20
        code @ 0x121..=0x142 => u8::try_from(code - 0x121 + 0x7F).ok(), // 0x7F..=0xA0
        0x143 => Some(0xAD),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_level_map_is_a_bijection() {
        let mut seen = [false; 256];
        for code in 0..0x200 {
            if let Some(byte) = char::from_u32(code).and_then(byte_of) {
                assert!(!seen[usize::from(byte)], "byte {byte:#x} twice");
                seen[usize::from(byte)] = true;
            }
        }
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(byte_of('Ġ'), Some(b' '));
        assert_eq!(byte_of('Ċ'), Some(b'\n'));
        assert_eq!(byte_of('ĉ'), Some(b'\t'));
        assert_eq!(byte_of('Ń'), Some(0xAD));
        assert_eq!(byte_of('é'), Some(0xE9));
    }

    #[test]
    fn fallback_bytes_have_two_digits() {
        assert_eq!(fallback_byte("<0x0A>"), Some(10));
        assert_eq!(fallback_byte("<0xff>"), Some(255));
        for other in ["<0xA>", "<0x+A>", "<0x0A", "0x0A", "<0x00A>", "<0xÄ>"] {
            assert_eq!(fallback_byte(other), None, "{other}");
        }
    }
}
