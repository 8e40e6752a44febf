//! Jump-forward: what must come next, without asking a model.

use crate::language::Language;
use crate::matcher::Matcher;

impl<G: Language, const DEPTH: usize, const STACKS: usize> Matcher<'_, DEPTH, STACKS, G, G::Place> {
    /// Writes the longest run of bytes with which every continuation of the text begins, as far as
    /// `buffer` goes; returns the number of bytes. The run ends before the first byte that has an
    /// alternative, and where the text may end. The matcher stays where it is. Only bytes are
    /// considered: a vocabulary that lacks tokens for some bytes may force more, and may have to
    /// leave the run by a token that goes past its end. [`forced_tokens`](Self::forced_tokens)
    /// considers tokens.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// matcher.accept_bytes(b"[t")?;
    /// let mut bytes = [0; 16];
    /// let len = matcher.forced_bytes(&mut bytes);
    /// assert_eq!(&bytes[..len], b"rue");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forced_bytes(&self, buffer: &mut [u8]) -> usize {
        self.language.force_bytes(&mut { self.text }, buffer)
    }

    /// Writes the tokens that come next while the mask holds exactly one, as far as `buffer` goes;
    /// returns their number. They include an end-of-sequence token that must come. The matcher
    /// stays where it is.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// # use maskwright_core::{Grammar, Matcher, Vocabulary};
    /// # let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
    /// # let mut matcher = Matcher::<8>::new(&grammar)?;
    /// matcher.accept_bytes(b"[t")?;
    /// let mut tokens = [0; 16];
    /// let len = matcher.forced_tokens(&mut tokens);
    /// assert_eq!(tokens[..len], [b'r', b'u', b'e'].map(u32::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forced_tokens(&self, buffer: &mut [u32]) -> usize {
        self.language.force_tokens(&mut { self.text }, buffer)
    }
}
