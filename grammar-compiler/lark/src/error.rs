//! Why a grammar is not read.

use std::fmt;
use std::ops::Range;

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The grammar is wrong, or asks for something unsupported.
    Grammar,
    /// The grammar passes one of [`Limits`](crate::Limits).
    Limit,
    /// The caller's clock said no.
    Stopped,
}

/// Why a grammar is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong, one line.
    pub message: String,
    /// Where, in bytes of the grammar's text; for an error in an imported file, the import.
    pub span: Range<usize>,
    /// How to mend it; empty if nothing is known.
    pub help: String,
    /// Other places that matter, each with a label.
    pub also: Vec<(Range<usize>, String)>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        let message = message.into();
        Self {
            kind: ErrorKind::Grammar,
            message,
            span,
            help: String::new(),
            also: Vec::new(),
        }
    }

    pub(crate) fn limit(message: impl Into<String>, span: Range<usize>, help: &str) -> Self {
        Self {
            kind: ErrorKind::Limit,
            ..Self::new(message, span)
        }
        .help(help)
    }

    pub(crate) fn stopped(span: Range<usize>) -> Self {
        Self {
            kind: ErrorKind::Stopped,
            ..Self::new("reading was stopped by the caller", span)
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    pub(crate) fn also(mut self, span: Range<usize>, what: impl Into<String>) -> Self {
        self.also.push((span, what.into()));
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (bytes {}..{})",
            self.message, self.span.start, self.span.end
        )?;
        if self.help.is_empty() {
            Ok(())
        } else {
            write!(f, "; {}", self.help)
        }
    }
}

impl std::error::Error for Error {}

/// Names that are compared with a name that is not defined; more are not looked at.
const COMPARED: usize = 2_000;

/// Names longer than this get no suggestion.
const LONGEST: usize = 40;

/// "did you mean …?" with the nearest of `names`, or nothing if none is near.
pub(crate) fn suggest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let allowed = ((name.chars().count() + 1) / 3).min(3);
    let near = names
        .take(COMPARED)
        .filter_map(|other| Some((distance(name, other)?, other)))
        .filter(|&(distance, _)| distance <= allowed)
        .min();
    near.map_or_else(String::new, |(_, other)| format!("did you mean `{other}`?"))
}

/// The edit distance of two short names.
fn distance(a: &str, b: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied()
}
