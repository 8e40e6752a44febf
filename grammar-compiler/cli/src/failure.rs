//! Why a command did not do what it was asked for, and the exit code for it.

use crate::diagnostic;
use maskwright_compiler::error::Error;
use maskwright_compiler::vocabulary::VocabularyError;
use std::fmt;
use std::path::Path;

/// How a command that ran to its end ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Good,
    /// What was checked is not as it should be; the command has said so.
    Bad,
}

impl Outcome {
    /// Good if `good`.
    pub fn good_if(good: bool) -> Self {
        if good { Outcome::Good } else { Outcome::Bad }
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// The grammar was refused.
    Grammar(Error),
    /// The vocabulary could not be loaded.
    Vocabulary(String, VocabularyError),
    /// A file could not be read or written.
    File(String, std::io::Error),
    /// The tables do not suit the matcher of the command.
    Matcher(String),
    /// A file of cases of which none was run: its name, and why.
    NoCase(String, String),
    /// The command line asks for something that cannot be.
    Usage(String),
}

impl Failure {
    /// A failure to read or write `path`.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
        let path = path.display().to_string();
        |error| Failure::File(path, error)
    }

    /// The message, with colours or without.
    pub fn drawn(&self, colour: bool) -> String {
        match self {
            Failure::Grammar(error) => error.render(colour),
            other => other.to_string(),
        }
    }

    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            _ => 1,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Grammar(diagnostic::error_with_options(error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Grammar(error) => write!(f, "{error}"),
            // The name is the path that the error of a file begins with.
            Failure::Vocabulary(_, error @ VocabularyError::File { .. }) => {
                write!(f, "error: vocabulary {error}")
            }
            Failure::Vocabulary(name, error) => write!(f, "error: vocabulary `{name}`: {error}"),
            Failure::File(path, error) => write!(f, "error: {path}: {error}"),
            Failure::NoCase(path, why) => write!(f, "error: {path}: no case was run: {why}"),
            Failure::Matcher(message) | Failure::Usage(message) => write!(f, "error: {message}"),
        }
    }
}
