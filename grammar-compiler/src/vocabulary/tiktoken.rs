//! `.tiktoken` files: a line for each token, its bytes in base64, a space and its rank.

use crate::limits::Deadline;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::VocabularyError;
use super::tokens::Tokens;

/// Reads all lines into `tokens`. Empty lines are skipped. An empty token is written as nothing
/// before the space, or as a lone `=`.
pub(super) fn read(
    content: &[u8],
    tokens: &mut Tokens,
    deadline: &Deadline,
) -> Result<(), VocabularyError> {
    for (line, text) in (1..).zip(content.split(|&byte| byte == b'\n')) {
        deadline.ticks(4 + text.len(), "reading lines")?;
        if text.trim_ascii().is_empty() {
            continue;
        }
        let (id, bytes) = parse_line(text).map_err(|what| VocabularyError::Line { line, what })?;
        if !tokens.insert(id, bytes)? {
            return Err(VocabularyError::DuplicateId {
                id,
                line: Some(line),
            });
        }
    }
    Ok(())
}

/// Whether this could be a line of such a file: a token in base64, a space and a rank. If the first
/// line could not, the file is of another kind. [`read`] reports what is wrong with a line that
/// could.
pub(super) fn is_line(line: &[u8]) -> bool {
    let base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let line = line.trim_ascii();
    let space = line.iter().position(u8::is_ascii_whitespace);
    let (token, rank) = line.split_at(space.unwrap_or(0));
    let rank = rank.trim_ascii();
    token.iter().all(base64) && !rank.is_empty() && rank.iter().all(u8::is_ascii_digit)
        || line.iter().all(u8::is_ascii_digit)
}

fn parse_line(text: &[u8]) -> Result<(u32, Vec<u8>), &'static str> {
    let text = text.trim_ascii_end();
    let space = text.iter().position(u8::is_ascii_whitespace);
    let (token, rank) = text.split_at(space.unwrap_or(text.len()));
    let bytes = match token {
        b"=" => Vec::new(),
        _ => STANDARD
            .decode(token)
            .map_err(|_| "the token is not valid base64")?,
    };
    let rank = rank.trim_ascii();
    if rank.is_empty() {
        return Err("expected a token in base64, a space and its rank");
    }
    let id = core::str::from_utf8(rank)
        .ok()
        .and_then(|rank| rank.parse().ok())
        .ok_or("the rank is not a number below 2^32")?;
    Ok((id, bytes))
}
