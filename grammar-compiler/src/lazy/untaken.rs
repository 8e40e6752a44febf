//! Why the first tier did not take something.

use std::fmt;

use maskwright_core::AcceptError;

use super::Beyond;

/// Why a token or some bytes were not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Untaken {
    /// It is not allowed.
    Refused(AcceptError),
    /// A bound is passed.
    Beyond,
}

impl fmt::Display for Untaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untaken::Refused(error) => error.fmt(f),
            Untaken::Beyond => Beyond.fmt(f),
        }
    }
}

impl std::error::Error for Untaken {}

impl From<Beyond> for Untaken {
    fn from(_: Beyond) -> Self {
        Untaken::Beyond
    }
}
