//! Why a text is refused at some point, and what was expected there.
//!
//! In: what a matcher would take, and the text that it does not. Out: [`Refusal`], for people to read. It takes a look at
//! every allowed token, so it is worked out only when it is asked for.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::AcceptError;
use crate::vocabulary::Vocabulary;

use super::OwnedMatcher;

/// The most tokens that a refusal names.
const MOST_TOKENS: usize = 8;
/// The most ranges of bytes that are shown.
const MOST_RANGES: usize = 12;

/// Why bytes or a token were refused, where, and what could have come there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Why.
    pub error: AcceptError,
    /// How many bytes could have been taken: the next one is refused.
    pub offset: usize,
    /// The bytes that must come there, as far as they are certain.
    pub certain: Vec<u8>,
    /// Inclusive ranges of the bytes that may come there, ascending.
    pub bytes: Vec<(u8, u8)>,
    /// Tokens that may come there and whose characters may not, with their names: at most eight.
    pub tokens: Vec<(u32, String)>,
    /// The one of these tokens whose characters come there in the text that is refused.
    pub spelled: Option<(u32, String)>,
    /// Whether the text may end there.
    pub may_end: bool,
}

/// What a matcher says of the point at which it refuses a text.
#[doc(hidden)]
pub struct Followers {
    /// The tokens that may come.
    pub mask: Vec<u32>,
    /// The bytes that must come.
    pub certain: Vec<u8>,
    /// For each byte, whether it may come.
    pub takes: [bool; 256],
    /// Whether the text may end.
    pub may_end: bool,
}

impl OwnedMatcher {
    /// Why [`accept_bytes`](Self::accept_bytes) refuses these bytes: where, and what may come there instead. None if it
    /// accepts them.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, _) = example::tables();
    /// use maskwright_core::{OwnedGrammar, OwnedMatcher};
    ///
    /// let matcher = OwnedMatcher::new(&OwnedGrammar::load(tables)?, 8)?;
    /// let refusal = matcher.explain_bytes(b"[12,[trap]").ok_or("it is a text")?;
    /// assert_eq!(refusal.to_string(), "refused at byte 7: `ue` must come here");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_bytes(&self, bytes: &[u8]) -> Option<Refusal> {
        let mut fork = self.fork();
        let error = fork.accept_bytes(bytes).err()?;
        let offset = self.accepted_prefix(bytes);
        let (taken, rest) = bytes.split_at_checked(offset)?;
        fork.accept_bytes(taken).ok()?;
        Some(fork.refusal((error, offset), rest))
    }

    /// Why [`accept_token`](Self::accept_token) refuses this token, as [`explain_bytes`](Self::explain_bytes). The
    /// offset is that in the token's bytes.
    pub fn explain_token(&self, id: u32) -> Option<Refusal> {
        let error = self.fork().accept_token(id).err()?;
        let grammar = self.grammar().view();
        let bytes = grammar
            .vocabulary()
            .map_or(&[][..], |known| known.bytes(id));
        let explained = self.explain_bytes(bytes);
        Some(explained.unwrap_or_else(|| self.refusal((error, 0), &[])))
    }

    /// The refusal of a text that goes on with `rest` here.
    fn refusal(&self, refused: (AcceptError, usize), rest: &[u8]) -> Refusal {
        let mut certain = vec![0; 32];
        let length = self.forced_bytes(&mut certain);
        certain.truncate(length);
        let mut takes = [false; 256];
        for (byte, takes) in (0..=u8::MAX).zip(&mut takes) {
            *takes = self.accepted_prefix(&[byte]) == 1;
        }
        let followers = Followers {
            mask: self.with_mask(|mask| mask.iter().collect()),
            certain,
            takes,
            may_end: self.is_complete(),
        };
        Refusal::new(refused, rest, self.grammar().view().vocabulary(), followers)
    }
}

impl Refusal {
    /// The refusal of a text that goes on with `rest` at `offset`.
    #[doc(hidden)]
    pub fn new(
        (error, offset): (AcceptError, usize),
        rest: &[u8],
        vocabulary: Option<&Vocabulary<'_>>,
        followers: Followers,
    ) -> Self {
        let mut refusal = Refusal {
            error,
            offset,
            certain: followers.certain,
            bytes: ranges(&followers.takes),
            tokens: Vec::new(),
            spelled: None,
            may_end: followers.may_end,
        };
        for id in followers.mask {
            let Some(vocabulary) = vocabulary else { break };
            let text = match vocabulary.bytes(id) {
                [] => vocabulary.token_name(id).unwrap_or_default().as_bytes(),
                bytes => bytes,
            };
            let is_text = |byte: &u8| followers.takes[usize::from(*byte)];
            if text.is_empty() || !vocabulary.bytes(id).is_empty() && is_text(&text[0]) {
                continue;
            }
            let longest = refusal
                .spelled
                .as_ref()
                .map_or(0, |spelled| spelled.1.len());
            if rest.starts_with(text) && text.len() > longest {
                refusal.spelled = Some((id, shown(text)));
            }
            if refusal.tokens.len() < MOST_TOKENS {
                refusal.tokens.push((id, shown(text)));
            }
        }
        refusal
    }
}

/// The ranges of the bytes that are marked.
fn ranges(takes: &[bool; 256]) -> Vec<(u8, u8)> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in (0..=u8::MAX).filter(|byte| takes[usize::from(*byte)]) {
        match ranges.last_mut() {
            Some(last) if last.1.checked_add(1) == Some(byte) => last.1 = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
}

/// Bytes as a text.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused at byte {}: ", self.offset)?;
        if let Some((id, name)) = &self.spelled {
            return write!(
                f,
                "`{name}` is token {id} here, and its characters are no text"
            );
        }
        if self.error != AcceptError::NotAllowed {
            return write!(f, "{}", self.error);
        }
        if !self.certain.is_empty() {
            return write!(
                f,
                "`{}` must come here",
                shown(&self.certain).escape_debug()
            );
        }
        self.fmt_expected(f)
    }
}

impl Refusal {
    /// All that may come, in one line.
    fn fmt_expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut next = |f: &mut fmt::Formatter<'_>| {
            f.write_str(separator)?;
            separator = ", ";
            Ok(())
        };
        for &(low, high) in self.bytes.iter().take(MOST_RANGES) {
            next(f)?;
            match low == high {
                true => write!(f, "`{}`", low.escape_ascii())?,
                false => write!(f, "`{}` to `{}`", low.escape_ascii(), high.escape_ascii())?,
            }
        }
        if self.bytes.len() > MOST_RANGES {
            next(f)?;
            write!(
                f,
                "{} other ranges of bytes",
                self.bytes.len() - MOST_RANGES
            )?;
        }
        for (id, name) in &self.tokens {
            next(f)?;
            write!(f, "the token `{name}` ({id})")?;
        }
        if self.may_end {
            next(f)?;
            f.write_str("the end")?;
        }
        match separator.is_empty() {
            true => f.write_str("nothing may come here"),
            false => f.write_str(" may come here"),
        }
    }
}
