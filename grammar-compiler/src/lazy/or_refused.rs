//! Why a matcher of a request did not do something.

use std::fmt;

use super::MaskError;
use crate::error::Error;

/// Why a matcher of a request did not do something: for the reason `E`, which a matcher of tables
/// has as well, or because the request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrRefused<E> {
    /// The matcher's own reason.
    Matcher(E),
    /// The grammar is refused, so nothing can be said about the text.
    Refused(Box<Error>),
}

impl<E> OrRefused<E> {
    /// The refusal, if that is the reason.
    pub fn refusal(&self) -> Option<&Error> {
        match self {
            OrRefused::Matcher(_) => None,
            OrRefused::Refused(error) => Some(error),
        }
    }
}

impl<E> From<E> for OrRefused<E> {
    fn from(error: E) -> Self {
        OrRefused::Matcher(error)
    }
}

impl<E: fmt::Display> fmt::Display for OrRefused<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrRefused::Matcher(error) => error.fmt(f),
            OrRefused::Refused(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for OrRefused<E> {}

impl From<Error> for MaskError {
    fn from(error: Error) -> Self {
        MaskError::Refused(Box::new(error))
    }
}
