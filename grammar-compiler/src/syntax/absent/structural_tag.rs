//! What stands for `structural_tag` in a compiler without the feature `tags`.

use crate::digest::{DigestFields, Digester};
use crate::error::{Diagnostic, Error};
use crate::grammar::Expr;
use crate::source::{Source, Span};
use crate::syntax::settings::{Setting, Settings};
use crate::syntax::{Kind, ParseOptions, Parsed};

/// How structural tags are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TagOptions {
    /// As where there are tags; nothing sets it.
    pub(super) spelled: bool,
}

impl Settings for TagOptions {
    const SETTINGS: &'static [Setting<Self>] = &[];
}

impl DigestFields for TagOptions {
    fn write_fields(&self, _: &mut Digester) {}
}

/// A text and its place.
pub(super) struct FieldText {
    pub(super) value: String,
    pub(super) span: Span,
}

/// The mark that ends free text.
pub(super) enum Delimiter {
    Text(FieldText),
    Token(u32, Span),
}

/// What free text is made of.
pub(super) enum Unit {
    Text,
    Tokens,
}

/// Refuses the tag.
///
/// # Errors
/// Always.
pub fn parse(_: &Source, _: &ParseOptions) -> Result<Parsed, Error> {
    Err(Kind::StructuralTag.absent("structural_tag").into())
}

/// Refuses a `TagDispatch`, at its first trigger.
///
/// # Errors
/// Always.
pub(super) fn dispatch(
    _: Unit,
    rules: &[(Delimiter, Expr)],
    _: &[Delimiter],
    _: bool,
    _: &ParseOptions,
) -> Result<Expr, Vec<Diagnostic>> {
    let first = rules.first().map(|(delimiter, _)| match delimiter {
        Delimiter::Text(text) => text.span,
        Delimiter::Token(_, span) => *span,
    });
    let refused = Kind::StructuralTag.absent("TagDispatch");
    Err(vec![refused.at(first.unwrap_or_default(), "")])
}
