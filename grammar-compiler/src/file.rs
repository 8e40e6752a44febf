//! Files read with a bound.
//!
//! In: a path and a number of bytes. Out: the content, or an error that says what is wrong. What
//! holds after: opening the file has not waited, since only regular files are opened; never more
//! was read than the bound and one byte, however long the file is and whatever it says about its
//! length.
//! [`read_any`] reads pipes and devices too, and may wait: it is for paths that a user types.

use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use crate::limits::{LimitExceeded, Limits};

/// The most bytes of a file that is no grammar, if nothing else bounds it: 1 GiB.
pub const MAX_BYTES: u64 = 1 << 30;

/// Opens a regular file for reading, and never waits for it.
///
/// # Errors
/// What the system says; [`ErrorKind::IsADirectory`] for a folder, [`ErrorKind::InvalidInput`] for
/// a pipe, a device or a socket.
pub fn open(path: &Path) -> Result<File> {
    check_regular(&path.metadata()?)?;
    let file = open_without_waiting(path)?;
    // Another file may have taken its place since.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Opens a file; a pipe without a writer, or a terminal, is opened at once.
fn open_without_waiting(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOCTTY,
    );
    options.open(path)
}

fn check_regular(file: &Metadata) -> Result<()> {
    match (file.is_file(), file.is_dir()) {
        (true, _) => Ok(()),
        (_, true) => Err(Error::new(ErrorKind::IsADirectory, "it is a folder")),
        _ => Err(Error::new(ErrorKind::InvalidInput, "it is no regular file")),
    }
}

/// Reads a regular file of at most `most` bytes; a longer one is not read.
///
/// # Errors
/// As for [`open`], or [`ErrorKind::FileTooLarge`].
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let (file, _) = open_regular(path, most)?;
    read_all(file, most)
}

/// Reads a file of at most `most` bytes, also one that is no regular file: where a user types a
/// path, it may be that of a pipe.
///
/// # Errors
/// What the system says, or [`ErrorKind::FileTooLarge`].
pub fn read_any(path: &Path, most: u64) -> Result<Vec<u8>> {
    read_all(File::open(path)?, most)
}

/// Opens a regular file of at most `most` bytes, as [`open`] does. What is returned with the file
/// was asked of the open file, not of its path.
///
/// # Errors
/// As for [`read`].
pub fn open_regular(path: &Path, most: u64) -> Result<(File, Metadata)> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    match metadata.len() > most {
        true => Err(too_large(most)),
        false => Ok((file, metadata)),
    }
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
        true => Err(too_large(most)),
        false => Ok(content),
    }
}

fn too_large(most: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("longer than {most} bytes"))
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
    let most = most_of_grammar(limits);
    (error.kind() == ErrorKind::FileTooLarge).then(|| too_long(path.display(), most))
}

/// The limit that a text of more than `most` bytes passes; errors call it `shown`.
pub(crate) fn too_long(shown: impl fmt::Display, most: u64) -> LimitExceeded {
    LimitExceeded::new(
        "grammar_bytes",
        most,
        format!("{shown} is longer than a grammar may be"),
    )
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
    fn regular_files_are_opened_and_their_length_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"abc").unwrap();
        let (file, metadata) = open_regular(&path, 3).unwrap();
        assert_eq!(metadata.len(), 3);
        assert_eq!(read_all(file, 3).unwrap(), b"abc");
        let kind = |path: &Path, most| open_regular(path, most).unwrap_err().kind();
        assert_eq!(kind(&path, 2), ErrorKind::FileTooLarge);
        assert_eq!(kind(folder.path(), 9), ErrorKind::IsADirectory);
        assert_eq!(kind(&folder.path().join("none"), 9), ErrorKind::NotFound);
    }

    #[test]
    fn what_is_as_long_as_the_bound_is_read() {
        assert_eq!(read_all(&b"abc"[..], 3).unwrap(), b"abc");
        assert!(read_all(&b"abcd"[..], 3).is_err());
        assert!(text(vec![0xff]).is_err());
    }

    #[test]
    fn a_file_that_is_too_long_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        let hole = File::create(&path).unwrap();
        hole.set_len(1 << 40).unwrap();
        assert_eq!(
            read(&path, 100).unwrap_err().kind(),
            ErrorKind::FileTooLarge
        );
        hole.set_len(100).unwrap();
        assert_eq!(read(&path, 100).unwrap(), [0; 100]);
        let kind = read(folder.path(), 100).unwrap_err().kind();
        assert_eq!(kind, ErrorKind::IsADirectory);
    }

    /// Opening a pipe without a writer waits for one, unless it is opened as these tests want it.
    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let (send, opened) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let socket = folder.path().join("socket");
            let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            let kinds = [&pipe, &socket, Path::new("/dev/zero")]
                .map(|path| read(path, 100).unwrap_err().kind());
            // A pipe that has taken the place of a file when that was looked at already.
            let late = open_without_waiting(&pipe).unwrap();
            let late = check_regular(&late.metadata().unwrap()).unwrap_err();
            send.send((kinds, late.kind())).unwrap();
        });
        let opened = opened.recv_timeout(std::time::Duration::from_secs(60));
        let (kinds, late) = opened.expect("it waits for a writer");
        assert_eq!(kinds, [ErrorKind::InvalidInput; 3]);
        assert_eq!(late, ErrorKind::InvalidInput);
    }
}
