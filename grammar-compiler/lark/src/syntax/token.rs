//! The tokens of the notation.

use crate::grammar::Token as Special;
use maskwright_regular::Flags;
use std::ops::Range;

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A name; its text is that of the span.
    Name,
    /// A number; its text is that of the span.
    Number,
    /// A string, its escapes resolved.
    String { text: String, ignore_case: bool },
    /// A regular expression; `source` is the place of what stands between the slashes.
    Regex { source: Range<usize>, flags: Flags },
    /// `<name>` or `<[…]>`.
    Special(Special),
    /// `%word`.
    Directive,
    /// The braces, or the word, behind `%json` and its like.
    Block,
    /// An operator or bracket.
    Sign(&'static str),
    /// The end of an item.
    Newline,
    /// The end of the text.
    End,
}

impl Kind {
    /// How messages call it.
    pub(super) fn describe(&self, text: &str) -> String {
        match self {
            Kind::Newline => "the end of the line".to_owned(),
            Kind::End => "the end of the grammar".to_owned(),
            Kind::Block => "`{`".to_owned(),
            Kind::String { .. } => "a string".to_owned(),
            Kind::Regex { .. } => "a regular expression".to_owned(),
            _ => format!("`{text}`"),
        }
    }
}

/// All signs; a longer one stands before those that begin it.
pub(super) const SIGNS: [&str; 25] = [
    "::", "->", "..", ":", "|", "(", ")", "[", "]", "{", "}", "?", "*", "+", "~", "&", "!", ",",
    ".", "-", "=", "@", "_", "^", ";",
];
