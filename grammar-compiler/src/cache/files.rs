//! The files of the folder.
//!
//! In: paths and bytes. Out: files, whole or not at all. What holds: what is written is a new file
//! for its owner alone, moved to its place when it is whole, so that no link is followed and no
//! reader sees half of it; what is read is a regular file of this process's user, not longer than
//! was asked for, and reading never waits for anything but a disk.

use std::fs::{self, DirBuilder, DirEntry, Metadata};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::new_file::{UNFINISHED, new_file};
use super::trust::Owner;
use crate::digest::Digest;
use crate::file;

const ENTRY: &str = "entry";
/// A file that is still being written after this time has been left by a writer that was killed.
pub(super) const STALE: Duration = Duration::from_secs(600);

/// How often a file is opened that others exchange meanwhile.
const TRIES: usize = 16;

/// Why a file was not read.
pub(super) enum Unread {
    System(ErrorKind),
    Foreign(&'static str),
}

impl Unread {
    pub(super) fn text(&self) -> &'static str {
        match self {
            Unread::System(ErrorKind::InvalidInput) => "it is no regular file",
            Unread::System(ErrorKind::FileTooLarge) => "it is longer than an entry may be",
            Unread::System(_) => "it cannot be read",
            Unread::Foreign(why) => why,
        }
    }
}

impl From<Error> for Unread {
    fn from(error: Error) -> Self {
        Unread::System(error.kind())
    }
}

/// The name of the file of an entry.
pub(super) fn entry_name(digest: Digest) -> String {
    format!("{digest}.{ENTRY}")
}

/// Reads an entry of this user, of at most `most` bytes.
pub(super) fn read(path: &Path, most: u64, user: Owner) -> std::result::Result<Vec<u8>, Unread> {
    for _ in 0..TRIES {
        // A link is no regular file here.
        let before = fs::symlink_metadata(path)?;
        if !before.is_file() {
            return Err(Unread::System(ErrorKind::InvalidInput));
        }
        if !user.has(&before) {
            return Err(Unread::Foreign("it belongs to another user"));
        }
        let (file, opened) = file::open_regular(path, most)?;
        // Otherwise another process has just written the entry, too.
        if is_same(&before, &opened) {
            return Ok(file::read_all(file, most)?);
        }
    }
    Err(Unread::Foreign("it is exchanged whenever it is opened"))
}

/// Whether both are of one file.
#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Makes a folder, and those above it that are missing, for its owner alone.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Writes a file beside its place in a folder and moves it there, so that no reader sees half of
/// it.
pub(super) fn write(folder: &Path, name: &str, header: &[u8], content: &[u8]) -> Result<()> {
    let (beside, mut file) = new_file(folder)?;
    let written = file
        .write_all(header)
        .and_then(|()| file.write_all(content));
    // A file that is open cannot be moved everywhere.
    drop(file);
    let written = written.and_then(|()| fs::rename(&beside, folder.join(name)));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Removes the oldest entries until no more than `most` are left, and the files that killed writers
/// have left.
pub(super) fn prune(folder: &Path, most: usize) {
    let Ok(files) = fs::read_dir(folder) else {
        return;
    };
    let mut entries = Vec::new();
    for file in files.flatten() {
        match file
            .path()
            .extension()
            .and_then(|extension| extension.to_str())
        {
            Some(ENTRY) => entries.extend(written(&file).map(|time| (time, file.path()))),
            Some(UNFINISHED) if is_stale(&file) => drop(fs::remove_file(file.path())),
            _ => {}
        }
    }
    entries.sort();
    let surplus = entries.len().saturating_sub(most);
    for (_, path) in entries.iter().take(surplus) {
        let _ = fs::remove_file(path);
    }
}

/// When a file was written; links are not followed.
fn written(file: &DirEntry) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

fn is_stale(file: &DirEntry) -> bool {
    let age = written(file).and_then(|time| SystemTime::now().duration_since(time).ok());
    age.is_some_and(|age| age > STALE)
}
