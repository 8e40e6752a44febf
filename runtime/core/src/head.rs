//! A stack without its frames.

/// A stack without its frames: memory that a [`BorrowedMatcher`](crate::BorrowedMatcher) is given.
/// Its contents are the matcher's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Head {
    pub(crate) state: u32,
    pub(crate) height: u16,
    /// The tokens so far of the text that is limited in tokens, if the stack stands in one: see
    /// [`crate::limit`]. In a graph, whose grammars limit no text: the node of the frames.
    pub(crate) tokens: u16,
}

impl Head {
    /// The head of no stack.
    pub(crate) const NONE: Self = Head {
        state: 0,
        height: 0,
        tokens: 0,
    };

    /// The head as half-words: its state, low half first, its height, and its count or node.
    #[cfg(feature = "graph")]
    #[inline]
    pub(crate) fn to_halves(self) -> [u16; 4] {
        let [low, high] = [self.state as u16, (self.state >> 16) as u16];
        [low, high, self.height, self.tokens]
    }

    /// The head of these half-words.
    #[cfg(feature = "graph")]
    #[inline]
    pub(crate) fn from_halves([low, high, height, tokens]: [u16; 4]) -> Self {
        Head {
            state: u32::from(low) | u32::from(high) << 16,
            height,
            tokens,
        }
    }
}
