//! What stands for `tools` in a compiler without the feature `tags`.

use crate::digest::{DigestFields, Digester};
use crate::error::{Diagnostic, Error};
use crate::source::Source;
use crate::syntax::settings::{Setting, Settings};
use crate::syntax::{Kind, ParseOptions, Parsed};
use maskwright_core::calls::CallFormat;

/// How the tools of a request are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolOptions;

impl ToolOptions {
    pub(crate) fn reads_file(&self) -> bool {
        false
    }
}

impl Settings for ToolOptions {
    const SETTINGS: &'static [Setting<Self>] = &[];
}

impl DigestFields for ToolOptions {
    fn write_fields(&self, _: &mut Digester) {}
}

/// The format and the tools that a reader of outputs needs: no grammar has any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolCalls {}

impl ToolCalls {
    /// Calls `use_it` with the format of the outputs.
    pub fn with_format<R>(&self, _: impl FnOnce(&CallFormat<'_>) -> R) -> R {
        match *self {}
    }

    /// The names of the tools that can be called.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    pub(super) fn unopened_reasoning(&self) -> Option<Diagnostic> {
        match *self {}
    }
}

/// Refuses the tools.
///
/// # Errors
/// Always.
pub fn parse(_: &Source, _: &ParseOptions) -> Result<Parsed, Error> {
    Err(Kind::Tools.absent("tools").into())
}
