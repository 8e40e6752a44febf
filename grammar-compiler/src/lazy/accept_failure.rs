//! Why the first tier did not take something.

use std::fmt;

use maskwright_core::AcceptError;

use super::GaveUp;

/// Why a token or some bytes were not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AcceptFailure {
    /// It is not allowed.
    Refused(AcceptError),
    /// A bound is passed.
    GaveUp,
}

impl fmt::Display for AcceptFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AcceptFailure::Refused(error) => error.fmt(f),
            AcceptFailure::GaveUp => GaveUp.fmt(f),
        }
    }
}

impl std::error::Error for AcceptFailure {}

impl From<GaveUp> for AcceptFailure {
    fn from(_: GaveUp) -> Self {
        AcceptFailure::GaveUp
    }
}
