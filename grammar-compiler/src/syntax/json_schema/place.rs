//! Places in a schema document.

use crate::source::Span;

/// A place in a schema document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaPlace {
    /// The JSON pointer, such as `#/properties/id`.
    pub pointer: String,
    /// The place in the text.
    pub span: Span,
}
