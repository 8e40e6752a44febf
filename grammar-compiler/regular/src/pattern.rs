//! What a terminal matches, as its definition says it.

use std::sync::Arc;

/// What a terminal matches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// This text.
    Text {
        /// The text.
        text: String,
        /// Whether letters match in both cases (simple case folding of Unicode).
        ignore_case: bool,
    },
    /// One character from the first to the last, both included.
    Range(char, char),
    /// Any one character, the line feed too.
    AnyCharacter,
    /// A regular expression in the syntax of Python's `re`.
    Regex {
        /// Its text as it stands between the slashes, `\/` included.
        source: String,
        /// Its flags.
        flags: Flags,
        /// Where its text begins in the grammar, in bytes; errors count from there.
        start: usize,
    },
    /// All of these, one behind the other; nothing at all matches the empty text.
    Sequence(Vec<Pattern>),
    /// One of these; the order counts where the preferred match is asked for.
    Union(Vec<Pattern>),
    /// This, at least `min` and at most `max` times; as often as possible where the preferred match
    /// is asked for.
    Repeat {
        /// What is repeated.
        of: Box<Pattern>,
        /// The least number of times.
        min: u32,
        /// The largest number of times, if there is one.
        max: Option<u32>,
    },
    /// What all of these match.
    Intersection(Vec<Pattern>),
    /// Every text of whole characters that this does not match.
    Complement(Box<Pattern>),
    /// What this matches and no shorter beginning of which it matches.
    Shortest(Box<Pattern>),
    /// Any run of neighbours among these texts, the empty one too.
    Substring(Arc<[String]>),
    /// The same pattern as elsewhere: another terminal's, shared.
    Shared(Arc<Pattern>),
}

/// The flags of a regular expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags {
    /// `i`: letters match in both cases.
    pub ignore_case: bool,
    /// `m`: `^` and `$` match at line feeds.
    pub multi_line: bool,
    /// `s`: `.` matches the line feed too.
    pub dot_all: bool,
    /// `x`: blanks and comments in the expression do not count.
    pub verbose: bool,
    /// `a`: `\d`, `\w`, `\s`, `\b` and `i` know ASCII only.
    pub ascii: bool,
}
