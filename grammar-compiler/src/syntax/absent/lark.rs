//! What stands for `lark` in a compiler without the feature `lark`.

use crate::digest::{DigestFields, Digester};
use crate::error::Error;
use crate::source::Source;
use crate::syntax::settings::{Setting, Settings};
use crate::syntax::{Kind, ParseOptions, Parsed};

/// How grammars in the dialects of Lark are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LarkOptions;

impl Settings for LarkOptions {
    const SETTINGS: &'static [Setting<Self>] = &[];
}

impl DigestFields for LarkOptions {
    fn write_fields(&self, _: &mut Digester) {}
}

/// Refuses the grammar.
///
/// # Errors
/// Always.
pub fn parse(_: &Source, _: &ParseOptions) -> Result<Parsed, Error> {
    Err(Kind::Lark.absent("lark").into())
}
