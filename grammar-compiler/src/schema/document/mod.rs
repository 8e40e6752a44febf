//! A JSON text with the place of everything in it.
//!
//! In: JSON text. Out: [`Node`]s: values with their spans, numbers as written, keys in order.

use crate::source::Span;

/// A JSON value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its place in the text.
    pub span: Span,
}

/// A JSON value whose numbers are as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string, decoded.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object, in the order of the text; no key twice.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key, decoded.
    pub key: String,
    /// The place of the key, with its quotes.
    pub span: Span,
    /// The value.
    pub value: Node,
}
