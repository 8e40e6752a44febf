//! Drafts of several tokens, as in speculative decoding.

use crate::language::Language;
use crate::matcher::Matcher;

impl<G: Language, const DEPTH: usize, const STACKS: usize> Matcher<'_, DEPTH, STACKS, G, G::Place> {
    /// How many tokens of `draft`, from its first, would be accepted one after the other.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// let draft = [b'[' as u32, 257, b',' as u32, b',' as u32]; // 257 is `12`
    /// assert_eq!(matcher.check_draft(&draft), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_draft(&self, draft: &[u32]) -> usize {
        self.language.follow_draft(&mut { self.text }, draft)
    }

    /// Takes the tokens of `draft` up to the first that is refused; returns how many.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// let accepted = matcher.accept_draft(&[b'[' as u32, 257, b'x' as u32]);
    /// assert_eq!(accepted, 2);
    /// matcher.accept_bytes(b"]")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept_draft(&mut self, draft: &[u32]) -> usize {
        draft
            .iter()
            .take_while(|&&id| self.accept_token(id).is_ok())
            .count()
    }
}
