//! Grammars and the results of reading them.

mod errors;
mod files;
mod hostile;
mod misuse;
mod notation;
mod options;
mod parametric;
mod random;
mod show;
mod templates;
mod terminals;

use crate::{Error, Lark, NoImports, ReadOptions, read};

/// Reads a grammar with the options that are the default.
fn lark(text: &str) -> Result<Lark, Error> {
    read(text, &ReadOptions::default(), &NoImports, &mut || true)
}

/// Asserts the result of reading `text`; each line of `expected` is a rule or terminal.
#[track_caller]
fn reads(text: &str, expected: &[&str]) {
    match lark(text) {
        Ok(lark) => assert_eq!(show::lark(&lark), expected, "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Asserts the error about `text`: its message, and the text of its place.
#[track_caller]
fn refuses(text: &str, message: &str, place: &str) -> Error {
    match lark(text) {
        Ok(lark) => panic!("read: {:?}\n{text}", show::lark(&lark)),
        Err(error) => {
            assert_eq!(
                (error.message.as_str(), &text[error.span.clone()]),
                (message, place)
            );
            error
        }
    }
}

/// Grammars with the message and the text of the place.
#[track_caller]
fn all_refused(cases: &[(&str, &str, &str)]) {
    for (text, message, place) in cases {
        refuses(text, message, place);
    }
}
