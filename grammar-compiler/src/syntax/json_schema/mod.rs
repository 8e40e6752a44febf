//! JSON Schema: from a schema to a grammar of the texts of its values.
//!
//! ```text
//! text ── document ──▶ JsonNode ── model ──▶ Model ── values ──▶ SchemaValues ── lower ──▶ Grammar
//! ```
//!
//! | stage | out | holds afterwards |
//! |---|---|---|
//! | [`document`] | a JSON value with the place of everything in it | numbers are kept as written, keys in order |
//! | [`model`] | typed keywords of every subschema | references are resolved, drafts have one spelling, equal schemas are one |
//! | [`values`] | sets of values, by JSON type | combinators are gone: each set is a union of cases |
//! | [`lower`] | a [`Grammar`](crate::grammar::Grammar) | its sentences are the texts of those values |
//!
//! A schema that cannot be honoured exactly is refused, with the JSON pointer, the keyword and a
//! way out. The modules of the stages are hidden.

mod compile;
#[doc(hidden)]
pub mod document;
mod fields;
mod form;
#[doc(hidden)]
pub mod lower;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod numbers;
#[doc(hidden)]
pub mod options;
mod place;
#[doc(hidden)]
pub mod refusal;
mod settings;
#[doc(hidden)]
pub mod strings;
#[doc(hidden)]
pub mod values;

pub use compile::parse;
pub(crate) use compile::parse_within;
pub use form::{FormError, FormFields, OwnedForm};
pub use maskwright_core::style::{Style, UnknownStyle};
pub use model::{DocumentFolder, Draft, Resolver};
pub use numbers::{Digits, NumberForms};
pub(crate) use options::RawEnds;
pub use options::{KeyOrder, SchemaOptions, Whitespace};
pub use strings::Escapes;
