//! Files read with a bound.
//!
//! In: a path and a number of bytes. Out: the content, or an error that says what is wrong; never more is read than the bound and one
//! byte, however long a file is and whatever it says about its length: a device or a pipe may have no end.

use std::fs::{self, File, Metadata, OpenOptions};
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

/// Opens a regular file of at most `most` bytes, and never waits: anything else, such as a pipe or a device, is an error, also if it is put in the file's place meanwhile.
/// Links are followed. What is returned with the file was asked of the open file, not of its path.
///
/// # Errors
/// What the system says, [`ErrorKind::InvalidInput`] if it is no regular file, or [`ErrorKind::FileTooLarge`].
pub fn open_regular(path: &Path, most: u64) -> Result<(File, Metadata)> {
    // Opening some devices does something, so they are not opened.
    check_regular(&fs::metadata(path)?, most)?;
    let file = at_once(OpenOptions::new().read(true)).open(path)?;
    let metadata = file.metadata()?;
    check_regular(&metadata, most)?;
    Ok((file, metadata))
}

fn check_regular(metadata: &Metadata, most: u64) -> Result<()> {
    match metadata.is_file() {
        false => Err(Error::new(ErrorKind::InvalidInput, "no regular file")),
        true if metadata.len() > most => Err(too_large(most)),
        true => Ok(()),
    }
}

/// Options with which opening a pipe does not wait for its other end.
fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    if let Some(flag) = NONBLOCK {
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flag);
    }
    options
}

/// `O_NONBLOCK`, where it is known. Elsewhere a pipe that takes the place of a file between two calls of [`open_regular`] is waited for.
#[cfg(unix)]
const NONBLOCK: Option<i32> = {
    const IS_LINUX: bool = cfg!(any(target_os = "linux", target_os = "android"));
    const IS_BSD: bool = cfg!(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly",
    ));
    const IS_OTHER: bool = cfg!(any(
        target_arch = "mips",
        target_arch = "mips32r6",
        target_arch = "mips64",
        target_arch = "mips64r6",
        target_arch = "sparc",
        target_arch = "sparc64",
    ));
    match (IS_LINUX && !IS_OTHER, IS_BSD) {
        (true, _) => Some(0o4000),
        (_, true) => Some(4),
        _ => None,
    }
};

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
    let message = format!("longer than {most} bytes");
    Error::new(ErrorKind::FileTooLarge, message)
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
    fn regular_files_are_opened_and_their_length_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"abc").unwrap();
        let (file, metadata) = open_regular(&path, 3).unwrap();
        assert_eq!(metadata.len(), 3);
        assert_eq!(read_all(file, 3).unwrap(), b"abc");
        let kind = |path: &Path, most| open_regular(path, most).unwrap_err().kind();
        assert_eq!(kind(&path, 2), ErrorKind::FileTooLarge);
        assert_eq!(kind(folder.path(), 9), ErrorKind::InvalidInput);
        assert_eq!(kind(&folder.path().join("none"), 9), ErrorKind::NotFound);
    }

    /// A pipe that nobody writes to, also where it is opened: it may have taken a file's place.
    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let kind = |path: &Path| open_regular(path, 9).unwrap_err().kind();
        assert_eq!(kind(&path), ErrorKind::InvalidInput);
        assert_eq!(kind(Path::new("/dev/null")), ErrorKind::InvalidInput);
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let file = at_once(OpenOptions::new().read(true)).open(&path);
            sender.send(file.unwrap().metadata().unwrap().is_file())
        });
        let second = std::time::Duration::from_secs(10);
        assert_eq!(receiver.recv_timeout(second), Ok(false), "opening waits");
    }

    #[test]
    fn what_is_as_long_as_the_bound_is_read() {
        assert_eq!(read_all(&b"abc"[..], 3).unwrap(), b"abc");
        assert!(read_all(&b"abcd"[..], 3).is_err());
        assert!(text(vec![0xff]).is_err());
    }
}
