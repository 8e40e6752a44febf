//! Decodes commands for a room controller: no `std`, nothing allocated, the tables in a static (on
//! a microcontroller: in flash).
//!
//! In: a model, as a function that scores tokens. Out: a command that the controller can parse,
//! whatever the model says.
#![no_std]

use maskwright::{AcceptError, MatcherError};

// `static COMMANDS: maskwright::Grammar` and `type CommandsMatcher`.
include!(concat!(env!("OUT_DIR"), "/commands.rs"));

/// How deep commands may nest: a frame for each `{`.
pub const DEPTH: usize = 4;

/// Why no command came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The grammar needs a larger matcher.
    Matcher(MatcherError),
    /// A token of the mask was refused, which would be a bug.
    Accept(AcceptError),
    /// The buffer is full before the command ends.
    BufferFull,
    /// There are fewer logits than tokens.
    TooFewLogits,
}

/// Decodes one command into `text` and says how long it is.
///
/// Before each token `score` is called with the tokens allowed there, the only ones whose logits
/// the model has to compute, and the row of logits, one for each token of the vocabulary.
///
/// # Errors
///
/// If `text` is too short for the command, or `logits` for the vocabulary.
pub fn decode(
    text: &mut [u8],
    logits: &mut [f32],
    mut score: impl FnMut(&[u8], maskwright::Mask<'_>, &mut [f32]),
) -> Result<usize, DecodeError> {
    let vocabulary = COMMANDS
        .vocabulary()
        .ok_or(DecodeError::Accept(AcceptError::NoVocabulary))?;
    let mut matcher = CommandsMatcher::<DEPTH>::new(&COMMANDS).map_err(DecodeError::Matcher)?;
    let mut len = 0;
    loop {
        // Where only one text can follow, no model is needed.
        let rest = text.get_mut(len..).ok_or(DecodeError::BufferFull)?;
        let forced = matcher.forced_bytes(rest);
        let bytes = rest.get(..forced).unwrap_or(&[]);
        matcher.accept_bytes(bytes).map_err(DecodeError::Accept)?;
        len += forced;
        score(text.get(..len).unwrap_or(&[]), matcher.mask(), logits);
        let token = matcher
            .mask()
            .argmax(logits)
            .ok_or(DecodeError::TooFewLogits)?;
        matcher.accept_token(token).map_err(DecodeError::Accept)?;
        if matcher.is_finished() {
            return Ok(len);
        }
        let bytes = vocabulary.bytes(token);
        let free = text
            .get_mut(len..len + bytes.len())
            .ok_or(DecodeError::BufferFull)?;
        free.copy_from_slice(bytes);
        len += bytes.len();
    }
}
