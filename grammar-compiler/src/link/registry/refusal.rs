//! The error of a request that has no grammar.

use crate::error::{Code, Diagnostic, Error};

/// The error of a request for which there is no grammar.
pub(super) fn refused(why: &str) -> Error {
    Diagnostic::error(Code::Build, format!("the request has no grammar: {why}")).into()
}
