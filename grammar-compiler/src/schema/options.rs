//! How the texts of a schema's values are written, and how strict the reading of the schema is.

use super::model::Draft;
use super::numbers::NumberForms;
use super::strings::Escapes;
use crate::limits::Limits;

/// Options for a JSON Schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaOptions {
    /// Blanks between tokens.
    pub whitespace: Whitespace,
    /// The order of an object's keys.
    pub key_order: KeyOrder,
    /// How characters of strings may be written.
    pub escapes: Escapes,
    /// How numbers may be written.
    pub numbers: NumberForms,
    /// Whether `format` is demanded (the default) or only an annotation.
    pub formats: bool,
    /// Keywords that are ignored, with a warning, where they cannot be honoured exactly.
    pub lenient: Vec<String>,
    /// The draft to read the schema by, if its `$schema` does not say.
    pub draft: Option<Draft>,
    /// Bounds on sizes.
    pub limits: Limits,
}

/// Blanks between the tokens of a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whitespace {
    /// None.
    Compact,
    /// One space after each comma and colon, as Python's `json.dumps` writes.
    Spaced,
    /// Up to so many blanks wherever JSON allows some.
    Flexible(u8),
    /// Each item on a line of its own, indented by so many spaces a level.
    Indent(u8),
}

/// The order of an object's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// Those that the schema names in its order, then all others.
    Schema,
    /// Any order; an object may then name few keys only.
    Any,
}

impl Default for SchemaOptions {
    fn default() -> Self {
        SchemaOptions {
            whitespace: Whitespace::Flexible(2),
            key_order: KeyOrder::Schema,
            escapes: Escapes::Any,
            numbers: NumberForms::default(),
            formats: true,
            lenient: Vec::new(),
            draft: None,
            limits: Limits::default(),
        }
    }
}
