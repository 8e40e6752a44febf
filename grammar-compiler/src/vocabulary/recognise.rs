//! Recognises a file by its content.
//!
//! In: the content, or its beginning. Out: a [`FileKind`], or an error that says what the content
//! looks like and what to give instead. The name of a file decides nothing: `tokenizer.model` may
//! be a SentencePiece model or a file of ranks.

mod json;

use super::{FileKind, VocabularyError, sentencepiece, tiktoken};
use crate::limits::Deadline;

const EXPECTED: &str = "expected a `tokenizer.json`, a GGUF, a SentencePiece model, a `tekken.json`, a `.tiktoken` file, or a `vocab.json` beside its `merges.txt`";
const TOKENIZER: &str = "give the tokenizer's file, such as `tokenizer.json` or `tokenizer.model`, which mostly lies beside it";
const UNPACK: &str = "unpack it, and give the tokenizer's file in it";

/// How files begin that are no vocabulary, what they are, and what to give instead.
const BEGINNINGS: &[(&[u8], &str, &str)] = &[
    (
        b"version https://git-lfs",
        "a Git LFS pointer in the place of the file",
        "fetch the file itself: `git lfs pull`",
    ),
    (
        b"PK\x03\x04",
        "a zip archive, as PyTorch's checkpoints and wheels are",
        TOKENIZER,
    ),
    (b"PK\x05\x06", "an empty zip archive", TOKENIZER),
    (b"\x1F\x8B", "a gzip archive", UNPACK),
    (b"\x28\xB5\x2F\xFD", "a zstd archive", UNPACK),
    (b"BZh", "a bzip2 archive", UNPACK),
    (b"\xFD7zXZ\0", "an xz archive", UNPACK),
    (b"\x89HDF\r\n", "an HDF5 file", TOKENIZER),
    (b"\x93NUMPY", "a NumPy array", TOKENIZER),
    (
        b"lmgg",
        "a GGML file, from before GGUF",
        "convert it to GGUF, or give the tokenizer's own file",
    ),
    (
        b"tjgg",
        "a GGML file, from before GGUF",
        "convert it to GGUF, or give the tokenizer's own file",
    ),
    (
        b"fmgg",
        "a GGML file, from before GGUF",
        "convert it to GGUF, or give the tokenizer's own file",
    ),
];

/// The kind of a file with this content.
///
/// # Errors
/// [`VocabularyError::UnknownFormat`], [`VocabularyError::NoTokens`] if there is nothing but
/// blanks, or [`VocabularyError::TooSlow`].
pub(super) fn kind(content: &[u8], deadline: &Deadline) -> Result<FileKind, VocabularyError> {
    not_a_vocabulary(content)?;
    if content.starts_with(b"GGUF") {
        return Ok(FileKind::Gguf);
    }
    if sentencepiece::looks_like(content) {
        return Ok(FileKind::SentencePiece);
    }
    let text = without_mark(content);
    match text.trim_ascii_start().first() {
        None => Err(VocabularyError::NoTokens),
        Some(b'{') => json::kind(text, deadline),
        Some(b'[') if !is_list(first_line(text)) => Err(unknown("a JSON array", EXPECTED)),
        Some(_) if text.contains(&0) => Err(unknown("a binary file", EXPECTED)),
        Some(_) => of_lines(text),
    }
}

/// The content without the mark that some editors put before UTF-8.
pub(super) fn without_mark(content: &[u8]) -> &[u8] {
    content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content)
}

/// Refuses content that begins like a file of another kind; the beginning of the content is enough.
pub(super) fn not_a_vocabulary(start: &[u8]) -> Result<(), VocabularyError> {
    let text = without_mark(start);
    for (beginning, looks_like, way_out) in BEGINNINGS {
        if text.starts_with(beginning) {
            return Err(unknown(looks_like, way_out));
        }
    }
    if let [0x80, 2..=5, ..] = start {
        return Err(unknown(
            "a Python pickle, as old checkpoints are",
            TOKENIZER,
        ));
    }
    if is_safetensors(start) {
        return Err(unknown(
            "a safetensors file, which holds weights",
            TOKENIZER,
        ));
    }
    if text.trim_ascii_start().first() == Some(&b'<') && !is_list(first_line(text)) {
        let way_out = "download the file itself, not the page that shows it";
        return Err(unknown("an HTML or XML page", way_out));
    }
    Ok(())
}

/// Eight bytes with the length of a JSON object, and the object.
fn is_safetensors(start: &[u8]) -> bool {
    let Some((length, rest)) = start.split_first_chunk::<8>() else {
        return false;
    };
    // The format's own limit.
    let length = u64::from_le_bytes(*length);
    (2..=100_000_000).contains(&length) && rest.starts_with(b"{\"")
}

/// A text: ranks, or something else that has lines.
fn of_lines(text: &[u8]) -> Result<FileKind, VocabularyError> {
    let first = first_line(text);
    if tiktoken::is_line(first) {
        return Ok(FileKind::Tiktoken);
    }
    if first.starts_with(b"#version") || is_merge(first) {
        let way_out = "give the `vocab.json` beside it";
        return Err(unknown("a `merges.txt`", way_out));
    }
    if is_list(first) {
        let way_out = "give the `tokenizer.json` or the SentencePiece model beside it";
        return Err(unknown("a list of tokens, one a line", way_out));
    }
    Err(unknown("a text that is not known", EXPECTED))
}

/// The first line that is not blank.
fn first_line(text: &[u8]) -> &[u8] {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}

/// How lists of tokens begin, one token a line: WordPiece's `vocab.txt`, SentencePiece's `.vocab`.
fn is_list(line: &[u8]) -> bool {
    matches!(line, b"[PAD]" | b"<pad>" | b"<unk>" | b"[UNK]") || line.starts_with(b"<unk>\t")
}

/// Two pieces of byte-level BPE with a space between them.
fn is_merge(line: &[u8]) -> bool {
    let Ok(line) = core::str::from_utf8(line) else {
        return false;
    };
    let mut pieces = line.split(' ');
    let (first, second) = (pieces.next(), pieces.next());
    let is_piece = |piece: Option<&str>| piece.is_some_and(|piece| !piece.is_empty());
    is_piece(first) && is_piece(second) && pieces.next().is_none() && line.contains('Ġ')
}

fn unknown(looks_like: &str, way_out: &'static str) -> VocabularyError {
    VocabularyError::UnknownFormat {
        looks_like: looks_like.to_owned(),
        way_out,
    }
}

#[cfg(test)]
mod tests;
