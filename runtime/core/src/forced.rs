//! Jump-forward: what must come next, without asking a model.

use crate::matcher::Matcher;

impl<const DEPTH: usize, const STACKS: usize> Matcher<'_, DEPTH, STACKS> {
    /// Writes the longest run of bytes with which every continuation of the text begins, as far as `buffer` goes;
    /// how many bytes were written. The run ends before a byte that could be another one and where the text may end.
    /// The matcher stays where it is. This is about bytes: a vocabulary that cannot spell every byte may force more, and may
    /// have to come to the end of the run by a token that goes past it; [`forced_tokens`](Self::forced_tokens) knows.
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
        let mut copy = self.stacks;
        copy.force_bytes(self.grammar(), buffer)
    }

    /// Writes the tokens that come next while the mask holds exactly one, as far as `buffer` goes; how many were
    /// written. An end-of-sequence token that must come is among them. The matcher stays where it is.
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
        let mut copy = self.stacks;
        copy.force_tokens(self.grammar(), buffer)
    }
}
