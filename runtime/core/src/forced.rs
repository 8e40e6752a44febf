//! Jump-forward: what must come next, without asking a model.

use crate::layout::END_OF_TEXT;
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
        let mut copy = *self;
        let mut len = 0;
        for slot in buffer {
            let Some(byte) = copy.forced_byte() else {
                break;
            };
            if copy.step_byte(byte).is_err() {
                break;
            }
            *slot = byte;
            len += 1;
        }
        len
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
        let mut copy = *self;
        let mut len = 0;
        for slot in buffer {
            let mut ids = copy.mask().iter();
            let (Some(id), None) = (ids.next(), ids.next()) else {
                break;
            };
            *slot = id;
            len += 1;
            if copy.accept_token(id).is_err() {
                break;
            }
        }
        len
    }

    /// The only symbol that can come next, if it is a byte.
    fn forced_byte(&self) -> Option<u8> {
        let grammar = self.grammar();
        let end = grammar.header.end_class;
        let mut possible = (0..grammar.header.classes.min(END_OF_TEXT as u32 + 1))
            .filter(|&class| self.can_take(class));
        let class = possible.next().filter(|&class| class != end)?;
        if possible.next().is_some() {
            return None;
        }
        let mut bytes = (0..=u8::MAX).filter(|&byte| grammar.class(byte) == class);
        let byte = bytes.next()?;
        bytes.next().is_none().then_some(byte)
    }
}
