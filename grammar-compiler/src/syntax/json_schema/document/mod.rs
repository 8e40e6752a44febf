//! A JSON text with the place of everything in it.
//!
//! In: JSON text (RFC 8259, nothing beside it). Out: [`JsonNode`]s: values with their spans,
//! numbers as written, keys in order. What holds: no key stands twice in an object, and nothing
//! nests deeper than [`NESTING`].
//!
//! Written by hand: no parser that keeps places also keeps numbers as written and takes only strict
//! JSON, and their messages say less than a schema's author needs.

mod message;
mod number;
mod outline;
mod parse;
mod reader;
mod scan;
mod string;
#[cfg(test)]
mod tests;

use crate::source::Span;

pub(crate) use outline::{Outline, OutlineValue};
pub use parse::{parse, parse_within};
pub use string::part_of_string;

/// How deep arrays and objects may nest. A level of a schema takes two or three.
pub const NESTING: usize = 512;

/// A JSON value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonNode {
    /// The value.
    pub value: JsonValue,
    /// Its place in the text.
    pub span: Span,
}

/// A JSON value whose numbers are as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonValue {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string, decoded.
    String(String),
    /// An array.
    Array(Vec<JsonNode>),
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
    pub value: JsonNode,
}

impl JsonNode {
    /// The members, if this is an object.
    pub fn members(&self) -> Option<&[Member]> {
        match &self.value {
            JsonValue::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member `key`, if this is an object that has it.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members()?.iter().find(|member| member.key == key)
    }

    /// The value of the member `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&JsonNode> {
        self.member(key).map(|member| &member.value)
    }

    /// The string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            JsonValue::String(text) => Some(text),
            _ => None,
        }
    }
}

impl JsonValue {
    /// What a user calls this kind of value.
    pub fn kind(&self) -> &'static str {
        match self {
            JsonValue::Null => "null",
            JsonValue::Bool(_) => "a boolean",
            JsonValue::Number(_) => "a number",
            JsonValue::String(_) => "a string",
            JsonValue::Array(_) => "an array",
            JsonValue::Object(_) => "an object",
        }
    }
}
