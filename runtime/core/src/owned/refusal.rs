//! Why a text is refused at some point, and what was expected there.
//!
//! In: what a matcher would take, and the text that it does not. Out: [`Refusal`], for people to
//! read. It takes a look at every allowed token, so it is worked out only when it is asked for.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::AcceptError;

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
    /// Why [`accept_bytes`](Self::accept_bytes) refuses these bytes: where, and what may come there
    /// instead. None if it accepts them.
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

    /// Why [`accept_token`](Self::accept_token) refuses this token, as
    /// [`explain_bytes`](Self::explain_bytes). The offset is that in the token's bytes.
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
        let grammar = self.grammar().view();
        let spelling = |id| match grammar.vocabulary() {
            Some(known) => (known.bytes(id), known.token_name(id).unwrap_or_default()),
            None => (&[][..], ""),
        };
        Refusal::new(refused, rest, spelling, followers)
    }
}

impl Refusal {
    /// The refusal of a text that goes on with `rest` at `offset`. `spelling` says of a token its
    /// bytes, and its name if it has none.
    #[doc(hidden)]
    pub fn new<'v>(
        (error, offset): (AcceptError, usize),
        rest: &[u8],
        spelling: impl Fn(u32) -> (&'v [u8], &'v str),
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
            let (bytes, name) = spelling(id);
            let text = if bytes.is_empty() {
                name.as_bytes()
            } else {
                bytes
            };
            let is_text = |byte: &u8| followers.takes[usize::from(*byte)];
            if text.is_empty() || bytes.first().is_some_and(is_text) {
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

/// Bytes as a text in which control characters are escaped.
fn one_line(bytes: &[u8]) -> String {
    let mut line = String::new();
    for character in shown(bytes).chars() {
        match character.is_control() {
            true => line.extend(character.escape_default()),
            false => line.push(character),
        }
    }
    line
}

/// Bytes as a text.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused at byte {}: {}", self.offset, self.expected())
    }
}

/// What a refusal says besides the place.
struct Expected<'r>(&'r Refusal);

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refusal = self.0;
        if let Some((id, name)) = &refusal.spelled {
            return write!(
                f,
                "`{name}` is token {id} here, and its characters are no text"
            );
        }
        if refusal.error != AcceptError::NotAllowed {
            return write!(f, "{}", refusal.error);
        }
        if !refusal.certain.is_empty() {
            return write!(f, "`{}` must come here", one_line(&refusal.certain));
        }
        refusal.fmt_expected(f)
    }
}

impl Refusal {
    /// What was expected, or why nothing could be, without the place.
    pub fn expected(&self) -> impl fmt::Display + '_ {
        Expected(self)
    }

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
            write!(f, "`{}`", low.escape_ascii())?;
            match high - low {
                0 => {}
                1 => write!(f, ", `{}`", high.escape_ascii())?,
                _ => write!(f, " to `{}`", high.escape_ascii())?,
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
