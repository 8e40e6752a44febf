//! New files beside others.
//!
//! In: a folder. Out: a new file in it. What holds: it is empty and for its owner alone, its name
//! cannot be guessed, and where there is a file or a link of that name, neither is opened.

use std::collections::hash_map::RandomState;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// The extension of a file that is being written.
pub(super) const UNFINISHED: &str = "writing";
/// How often another name is tried.
const TRIES: usize = 8;

/// A new file in a folder.
pub(super) fn new_file(folder: &Path) -> Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut last = Error::from(ErrorKind::AlreadyExists);
    for _ in 0..TRIES {
        let path = folder.join(format!("{:016x}{:016x}.{UNFINISHED}", random(), random()));
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// A number that nobody else knows: maps of std have their keys from the system's source of random
/// numbers.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}
