//! What stands for `json_schema` in a compiler without the feature `json-schema`.
//!
//! Grammars that can embed a schema hold its options, of which there are none here.

use crate::digest::{DigestFields, Digester};
use crate::error::Error;
use crate::source::{Source, Span};
use crate::syntax::settings::{Setting, Settings};
use crate::syntax::{Kind, ParseOptions, Parsed};
use std::path::Path;

/// How a JSON Schema is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaOptions;

impl SchemaOptions {
    pub(crate) fn has_documents(&self) -> bool {
        false
    }

    pub(crate) fn document_folders(&self) -> impl Iterator<Item = &Path> {
        std::iter::empty()
    }

    pub(crate) fn within(self, _package: &Path) -> Self {
        self
    }
}

impl Settings for SchemaOptions {
    const SETTINGS: &'static [Setting<Self>] = &[];
}

impl DigestFields for SchemaOptions {
    fn write_fields(&self, _: &mut Digester) {}
}

/// Refuses the schema.
///
/// # Errors
/// Always.
pub fn parse(_: &Source, _: &ParseOptions) -> Result<Parsed, Error> {
    Err(Kind::JsonSchema.absent("schema").into())
}

/// As [`parse`].
pub(crate) fn parse_within(_: &Source, _: Span, _: &ParseOptions) -> Result<Parsed, Error> {
    Err(Kind::JsonSchema.absent("schema").into())
}
