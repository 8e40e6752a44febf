//! What states need and frames reserve so that a text can be finished: see
//! [`headroom`](super::headroom).

/// How many frames above the present height a state needs; `None` if it cannot be finished, which
/// happens only where a vocabulary cannot spell what is missing, or within a symbol that is taken
/// again.
pub type Need = Option<u8>;

/// The greatest need that tables can say.
pub const MAX_NEED: u8 = maskwright_core::layout::state::MAX_NEED as u8;

/// What states need and frames reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headroom {
    /// The need of each state.
    pub states: Vec<Need>,
    /// For each frame, how many more must fit above it when it is pushed.
    pub frames: Vec<u8>,
}
