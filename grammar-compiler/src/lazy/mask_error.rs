//! Why a matcher with two tiers has no mask.

use std::fmt;

use maskwright_core::{BufferTooSmall, PoolError};

use super::GaveUp;
use crate::error::Error;

/// Why there is no mask.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MaskError {
    /// The row is too short.
    TooShort(BufferTooSmall),
    /// The pool has no row.
    Pool(PoolError),
    /// The grammar is refused, and the text has come to where the first tier does not follow.
    Refused(Box<Error>),
    /// The first tier cannot follow, and the matcher has no tables.
    GaveUp,
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaskError::TooShort(error) => error.fmt(f),
            MaskError::Pool(error) => error.fmt(f),
            MaskError::Refused(error) => error.fmt(f),
            MaskError::GaveUp => GaveUp.fmt(f),
        }
    }
}

impl std::error::Error for MaskError {}

impl From<BufferTooSmall> for MaskError {
    fn from(error: BufferTooSmall) -> Self {
        MaskError::TooShort(error)
    }
}

impl From<PoolError> for MaskError {
    fn from(error: PoolError) -> Self {
        MaskError::Pool(error)
    }
}
