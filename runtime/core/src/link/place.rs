//! Where a linked text stands, without its stack.

/// The part in which a text stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// In the outer part.
    #[default]
    Outer,
    /// In what a hole begins with.
    Names {
        /// The hole.
        hole: u16,
        /// The bytes that have been read.
        read: u16,
        /// The first name that begins with them.
        first: u32,
        /// The state of the outer part behind the hole.
        after: u32,
    },
    /// In a piece.
    Piece {
        /// The piece.
        piece: u32,
        /// The state of the outer part behind the hole.
        after: u32,
    },
}

/// Tokens that begin with an ending of one part and go on where another one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crossing {
    /// A prefix of tokens: the id of one of them (22 bits) and the prefix's length in bytes (10
    /// bits). 0 stands for the empty prefix.
    pub ending: u32,
    /// The part in which they go on.
    pub place: Place,
    /// The state in which they go on, if that is the outer part; otherwise they go on where the
    /// place begins.
    pub state: u32,
    /// The piece that has the ending, if it is a piece's: which tokens cross does not depend on it.
    pub piece: Option<u32>,
}

/// Bits of the id in [`Crossing::ending`].
const ID_BITS: u32 = 22;

impl Crossing {
    /// The word of a prefix; `None` if it is too long.
    pub fn ending(token: u32, length: usize) -> Option<u32> {
        let is_short = length < 1 << (32 - ID_BITS) && token < 1 << ID_BITS;
        is_short.then_some(token | (length as u32) << ID_BITS)
    }

    /// The token that has the prefix, and the prefix's length.
    pub fn prefix(&self) -> (u32, usize) {
        let id = self.ending & ((1 << ID_BITS) - 1);
        (id, (self.ending >> ID_BITS) as usize)
    }

    /// What tells crossings of one linked grammar apart.
    pub fn key(&self) -> [u32; 4] {
        match self.place {
            Place::Outer => [self.ending, u32::MAX, 0, self.state],
            Place::Names {
                hole,
                read,
                first,
                after,
            } => [
                self.ending,
                first,
                (u32::from(hole) << 16) | u32::from(read),
                after,
            ],
            Place::Piece { piece, after } => [self.ending, piece, u32::MAX, after],
        }
    }
}
