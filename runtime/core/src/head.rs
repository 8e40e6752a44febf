//! A stack without its frames.

/// A stack without its frames: memory that a [`LentMatcher`](crate::LentMatcher) is given. What is
/// in it is the matcher's.
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
}
