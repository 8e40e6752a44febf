//! One thing that must hold of the text that follows.
//!
//! In: the state of a longer try, or a condition of a terminal. Out: [`Obligation`], a plain value.

use crate::id::id;

id! {
    /// A state of the [scanner](super::scanner).
    pub(super) struct ScanState;
}

/// Something that must hold of the text that follows: a kind, and two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Obligation(pub(super) u8, pub(super) u32, pub(super) u32);

crate::maps::own_keys!(Obligation);

/// The terminals in a state must not match.
pub(super) const NO_MATCH: u8 = 0;
/// A condition of a terminal must hold.
pub(super) const MUST: u8 = 1;
/// A condition of a terminal must not hold.
pub(super) const MUST_NOT: u8 = 2;

impl Obligation {
    /// The terminals in this state must not match.
    pub(super) fn no_match(of: ScanState) -> Self {
        Obligation(NO_MATCH, of.number(), 0)
    }

    /// A condition of a terminal must hold.
    pub(super) fn must(terminal: u16, condition: u32) -> Self {
        Obligation(MUST, terminal.into(), condition)
    }

    /// A condition of a terminal must not hold.
    pub(super) fn must_not(terminal: u16, condition: u32) -> Self {
        Obligation(MUST_NOT, terminal.into(), condition)
    }
}
