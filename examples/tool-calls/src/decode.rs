//! Decoding along a script.

use maskwright::{Grammar, Matcher, Vocabulary};
use std::error::Error;

/// Frames of a matcher: these grammars nest no deeper.
const DEPTH: usize = 8;
/// The most tokens of an output.
const MAX_TOKENS: usize = 2000;

/// How many bytes of the script a model passes over to find something that it may write.
const MAX_SKIP: usize = 3;

/// What a model writes that wants to write `script`.
///
/// The longest allowed token that goes on with the script is taken. If there is none, a few bytes
/// of the script are passed over; if that does not help, the first allowed token stands for the
/// next byte.
pub fn decode(grammar: &Grammar<'static>, script: &str) -> Result<String, Box<dyn Error>> {
    let vocabulary = grammar.vocabulary().ok_or("no vocabulary")?;
    let mut matcher = Matcher::<DEPTH>::new(grammar)?;
    let mut output: Vec<u8> = Vec::new();
    let mut rest = script.as_bytes();
    for _ in 0..MAX_TOKENS {
        let (token, behind) = choose(&matcher, vocabulary, rest).ok_or("an empty mask")?;
        matcher.accept_token(token)?;
        if matcher.is_finished() {
            return Ok(String::from_utf8(output)?);
        }
        output.extend_from_slice(vocabulary.bytes(token));
        rest = behind;
    }
    Err("the output has become too long".into())
}

/// The token that is taken, and what is left of the script then.
fn choose<'s>(
    matcher: &Matcher<'_, DEPTH>,
    vocabulary: &Vocabulary<'_>,
    script: &'s [u8],
) -> Option<(u32, &'s [u8])> {
    let mask = matcher.mask();
    let behind = |token: u32, rest: &'s [u8]| rest.strip_prefix(vocabulary.bytes(token));
    for skip in 0..=MAX_SKIP {
        let rest = script.get(skip..).filter(|rest| !rest.is_empty());
        let fitting = mask
            .iter()
            .filter_map(|token| Some((token, behind(token, rest?)?)));
        // An end has no bytes, and is no progress.
        let fitting = fitting.filter(|(token, _)| !vocabulary.bytes(*token).is_empty());
        if let Some(longest) = fitting.min_by_key(|(_, behind)| behind.len()) {
            return Some(longest);
        }
    }
    let rest = script.get(1..).unwrap_or_default();
    let is_end = |token: &u32| vocabulary.bytes(*token).is_empty();
    let end = mask.iter().find(is_end).filter(|_| script.is_empty());
    Some((end.or_else(|| mask.iter().next())?, rest))
}
