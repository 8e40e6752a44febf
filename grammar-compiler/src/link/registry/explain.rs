//! Why a matcher of a request refuses a text.
//!
//! In: the matcher, and what it refuses. Out: where, and what may come there. It works on copies,
//! byte by byte, so it is for people who look for a fault, not for each step of a text.

use maskwright_core::{AcceptError, Followers, Refusal};

use super::ServedMatcher;
use crate::error::Error;
use crate::lazy::{MaskError, OrRefused};
use crate::vocabulary::Vocabulary;

/// The most bytes that are shown as certain.
const MOST_CERTAIN: usize = 32;

impl ServedMatcher {
    /// Why [`accept_bytes`](Self::accept_bytes) refuses these bytes: where, and what may come there
    /// instead. None if it accepts them. The vocabulary is that of the registry.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn explain_bytes(
        &self,
        bytes: &[u8],
        vocabulary: &Vocabulary,
    ) -> Result<Option<Refusal>, Error> {
        let mut copy = self.clone();
        for (offset, byte) in bytes.iter().enumerate() {
            if let Err(error) = taken(copy.accept_bytes(&[*byte]))? {
                let rest = bytes.get(offset..).unwrap_or_default();
                return copy.refusal((error, offset), rest, vocabulary).map(Some);
            }
        }
        Ok(None)
    }

    /// Why [`accept_token`](Self::accept_token) refuses this token, as
    /// [`explain_bytes`](Self::explain_bytes). The offset is that in the token's bytes.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn explain_token(
        &self,
        id: u32,
        vocabulary: &Vocabulary,
    ) -> Result<Option<Refusal>, Error> {
        let Err(error) = taken(self.clone().accept_token(id))? else {
            return Ok(None);
        };
        match self.explain_bytes(vocabulary.bytes(id), vocabulary)? {
            Some(refusal) => Ok(Some(refusal)),
            None => self.refusal((error, 0), &[], vocabulary).map(Some),
        }
    }

    /// The refusal of a text that goes on with `rest` here.
    fn refusal(
        &self,
        refused: (AcceptError, usize),
        rest: &[u8],
        vocabulary: &Vocabulary,
    ) -> Result<Refusal, Error> {
        let mut copy = self.clone();
        let mut row = vec![0; vocabulary.size().div_ceil(32) as usize];
        match copy.fill(&mut row) {
            Err(MaskError::Refused(error)) => return Err(*error),
            // A row of the vocabulary's length is long enough.
            Err(MaskError::TooShort(_) | MaskError::Pool(_) | MaskError::GaveUp) | Ok(()) => {}
        }
        let mut certain = vec![0; MOST_CERTAIN];
        let length = copy.forced_bytes(&mut certain)?;
        certain.truncate(length);
        let mut takes = [false; 256];
        for (byte, takes) in (0..=u8::MAX).zip(&mut takes) {
            *takes = taken(copy.clone().accept_bytes(&[byte]))?.is_ok();
        }
        let is_allowed = |id: &u32| {
            let word = row.get(*id as usize / 32).copied().unwrap_or(0);
            word >> (id % 32) & 1 != 0
        };
        let followers = Followers {
            mask: (0..vocabulary.size()).filter(is_allowed).collect(),
            certain,
            takes,
            may_end: copy.is_complete(),
        };
        let name = |id| vocabulary.token_name(id).unwrap_or_default();
        let spelling = |id| (vocabulary.bytes(id), name(id));
        Ok(Refusal::new(refused, rest, spelling, followers))
    }
}

/// What a matcher answered, unless the request is refused.
fn taken(result: Result<(), OrRefused<AcceptError>>) -> Result<Result<(), AcceptError>, Error> {
    match result {
        Ok(()) => Ok(Ok(())),
        Err(OrRefused::Matcher(error)) => Ok(Err(error)),
        Err(OrRefused::Refused(error)) => Err(*error),
    }
}

#[cfg(test)]
mod tests {
    use crate::link::registry::{Registry, RegistryOptions};
    use crate::syntax::tools::ToolOptions;
    use crate::vocabulary::Vocabulary;
    use crate::{Compiler, GrammarText};

    /// Before there are tables and with them, the same is said.
    #[test]
    fn what_was_expected_in_a_call_is_said() {
        let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
        let vocabulary = Vocabulary::from_tokens(tokens, vec![256]);
        let compiler = Compiler::new(&vocabulary).unwrap();
        let registry = Registry::new(&compiler, RegistryOptions::default()).unwrap();
        let tools = r#"[{"name": "now", "inputSchema": {"type": "object", "properties": {}}}]"#;
        let options = ToolOptions::format("qwen_3");
        let request = GrammarText::tools(tools).tool_options(options);
        let handle = registry.get(&request).unwrap();
        let said = || {
            let mut matcher = handle.matcher().unwrap();
            matcher.accept_bytes(b"<tool_call>\n{").unwrap();
            let refusal = matcher.explain_bytes(b"\"nome\"", &vocabulary).unwrap();
            let token = matcher.explain_token(256, &vocabulary).unwrap();
            assert_eq!(token.unwrap().offset, 0);
            assert_eq!(matcher.explain_bytes(b"\"name", &vocabulary), Ok(None));
            refusal.unwrap().to_string()
        };
        let first = said();
        assert!(
            first.starts_with(r#"refused at byte 2: `ame": "now"#),
            "{first}"
        );
        handle.wait().unwrap();
        assert_eq!(said(), first);
    }
}
