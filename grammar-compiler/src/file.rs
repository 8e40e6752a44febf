//! Files read with a bound.
//!
//! In: a path and a number of bytes. Out: the content, or an error that says what is wrong; never more is read than the bound and one
//! byte, however long a file is and whatever it says about its length: a device or a pipe may have no end.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use crate::limits::{LimitExceeded, Limits};

/// The most bytes of a file that is no grammar, if nothing else bounds it: 1 GiB.
pub const MAX_BYTES: u64 = 1 << 30;

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// What the system says, or [`ErrorKind::FileTooLarge`].
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    read_all(File::open(path)?, most)
}

/// Reads a file of UTF-8 of at most `most` bytes.
///
/// # Errors
/// As for [`read`], or [`ErrorKind::InvalidData`] if it is no UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    text(read(path, most)?)
}

/// Reads all that a reader gives, at most `most` bytes.
///
/// # Errors
/// As for [`read`].
pub fn read_all(reader: impl Read, most: u64) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    reader
        .take(most.saturating_add(1))
        .read_to_end(&mut content)?;
    match content.len() as u64 > most {
        true => Err(Error::new(
            ErrorKind::FileTooLarge,
            format!("longer than {most} bytes"),
        )),
        false => Ok(content),
    }
}

/// The content of a file as text.
///
/// # Errors
/// [`ErrorKind::InvalidData`] if it is no UTF-8.
pub fn text(content: Vec<u8>) -> Result<String> {
    String::from_utf8(content).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

/// The most bytes that a file with a grammar or a schema may have.
pub fn most_of_grammar(limits: &Limits) -> u64 {
    limits.grammar_bytes as u64
}

/// The limit that a file with a grammar or a schema passes, if that is why it could not be read.
pub fn grammar_too_long(path: &Path, error: &Error, limits: &Limits) -> Option<LimitExceeded> {
    (error.kind() == ErrorKind::FileTooLarge).then(|| LimitExceeded {
        limit: "grammar_bytes",
        value: most_of_grammar(limits),
        what: format!("{} is longer than a grammar may be", path.display()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that never ends, and counts what is read.
    struct Endless<'c>(&'c mut u64);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            buffer.fill(0);
            *self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn what_has_no_end_is_read_up_to_the_bound() {
        let mut read = 0;
        let error = read_all(Endless(&mut read), 100_000).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "longer than 100000 bytes");
        assert_eq!(read, 100_001);
    }

    #[test]
    fn what_is_as_long_as_the_bound_is_read() {
        assert_eq!(read_all(&b"abc"[..], 3).unwrap(), b"abc");
        assert!(read_all(&b"abcd"[..], 3).is_err());
        assert!(text(vec![0xff]).is_err());
    }
}
