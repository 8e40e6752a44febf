//! Sets of strings as finite automata over characters.
//!
//! In: what a schema says about strings: literals, patterns, formats, lengths. Out: [`Language`],
//! closed under the boolean operations, and its JSON texts as [`Words`](crate::grammar::Words).
//!
//! Every operation is exact. An operation whose result would pass a bound fails with
//! [`LanguageError`].

mod algebra;
mod bounds;
mod class;
mod construct;
mod counted;
mod determinize;
mod format;
mod intern;
mod json_text;
mod language;
mod measure;
mod minimize;
mod pattern;

pub use bounds::{LanguageError, MAX_STATES};
pub use counted::{CountedTail, CountedTails};
pub use format::{
    STANDARD_FORMATS, format, format_of_draft_3, is_standard_format, with_early_address,
};
pub use json_text::{
    Decoder, Escapes, QuotedTexts, json_char, json_text, json_text_of_class, raw_text, raw_text_of,
};
pub use language::{Language, LanguageState};
pub use pattern::{Pattern, PatternError, pattern, read_pattern};

#[cfg(test)]
mod tests;
