//! What a build script tells Cargo, and its errors that are about no grammar.

use std::fmt;
use std::path::PathBuf;

use super::vocabulary::VocabularySpec;
use crate::error::{Code, Diagnostic};

/// A line on standard output that Cargo reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// The script is run again if this file, or something in this folder, changes.
    RerunIfChanged(PathBuf),
    /// Cargo shows this warning.
    Warning(String),
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Directive::RerunIfChanged(path) => {
                write!(f, "cargo::rerun-if-changed={}", path.display())
            }
            Directive::Warning(message) => write!(f, "cargo::warning={message}"),
        }
    }
}

/// The warning on a vocabulary with which no text can end.
pub(super) fn no_end_token(spec: &VocabularySpec) -> String {
    format!(
        "the vocabulary {} has no token that ends a sequence, so no mask will ever offer one: \
         name it with `VocabularySpec::eos`",
        spec.description()
    )
}

/// An error of the build itself.
pub(super) fn failure(message: String) -> Diagnostic {
    Diagnostic::error(Code::Build, message)
}
