//! A folder of results, named by digests of everything that they depend on.
//!
//! In: a [`Key`] and bytes. Out: the same bytes, some other time. What holds: an entry that is cut
//! off, changed, of another key or another kind counts as missing, and so does what is no regular
//! file, is too long, or belongs to another user; a folder that cannot be written is no error;
//! entries appear whole or not at all; nothing is written through a link; the folder does not
//! exceed its number of entries for long, and what killed writers have left in it is removed.
//!
//! Digests are no signatures: who can write files as this user can make entries of any content. Who
//! can write to the folder, but not as this user, can only remove entries and rename them, and what
//! was renamed is refused. The folder is made for its owner alone; one that others can write to is
//! used, and [told](Cache::take_refused).

mod entry;
mod files;
mod key;
mod new_file;
mod refused;
mod trust;

pub(crate) use key::{EntryKind, Key, KeyBuilder};
pub use refused::RefusedFile;
use refused::RefusedFiles;

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use self::trust::Owner;
use crate::limits::Limits;

/// Names the folder of the cache; empty switches caching off.
pub const CACHE_VARIABLE: &str = "MASKWRIGHT_CACHE";

/// The most entries that are kept, unless another number is given; the oldest go first.
const MAX_ENTRIES: usize = 128;
/// A folder is looked through so often while all its entries are written.
const PRUNED: usize = 64;
/// What an entry may have besides tables: a report and warnings.
const BESIDES: u64 = 64 << 20;

/// The most bytes of an entry with tables.
pub(crate) fn most_bytes(limits: &Limits) -> u64 {
    (limits.table_bytes as u64).saturating_add(BESIDES)
}

/// Where results are kept from one build to the next, if anywhere.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
    entries: usize,
    known: Arc<Known>,
}

/// What copies of a cache know together.
#[derive(Debug, Default)]
struct Known {
    /// Entries that have been written.
    written: AtomicU32,
    refused: RefusedFiles,
    /// Whether the folder has been looked at.
    is_looked_at: AtomicBool,
    /// The user of this process, once it has been needed.
    user: OnceLock<Owner>,
}

impl Cache {
    /// No cache: everything is made anew.
    pub fn disabled() -> Self {
        Cache::of(None)
    }

    fn of(folder: Option<PathBuf>) -> Self {
        Cache {
            folder,
            entries: MAX_ENTRIES,
            known: Arc::default(),
        }
    }

    /// A cache in this folder, which is made when first needed, for its owner alone. Whoever can
    /// write there can change what it returns: see [`take_refused`](Self::take_refused).
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Cache::of(Some(folder.into()))
    }

    /// The same with room for this number of entries.
    pub(crate) fn with_entries(self, entries: usize) -> Self {
        Cache { entries, ..self }
    }

    /// The folder, if there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The cache that the environment variable [`CACHE_VARIABLE`] names; where it is not set, one
    /// in `default`.
    pub fn from_env(default: Option<PathBuf>) -> Self {
        Cache::chosen(env::var_os(CACHE_VARIABLE), default)
    }

    fn chosen(variable: Option<OsString>, default: Option<PathBuf>) -> Self {
        match variable {
            Some(folder) if folder.is_empty() => Cache::disabled(),
            Some(folder) => Cache::at(folder),
            None => Cache::of(default),
        }
    }

    /// The content that was stored under `key`, if it is there, whole and unchanged, and has at
    /// most `most` bytes.
    pub(crate) fn get(&self, key: Key, most: u64) -> Option<Vec<u8>> {
        let path = self.path(key)?;
        let longest = most.saturating_add(entry::HEADER as u64);
        let read = match files::read(&path, longest, self.user()) {
            Ok(read) => read,
            Err(files::Unread::System(ErrorKind::NotFound)) => return None,
            Err(why) => {
                self.look_at_folder();
                self.refuse(key, why.text());
                return None;
            }
        };
        self.look_at_folder();
        let content = entry::content(read, key);
        if content.is_none() {
            self.refuse(
                key,
                "it is cut off, changed, or the entry of something else",
            );
        }
        content
    }

    /// Notes that the entry of a key is as good as none.
    pub(crate) fn refuse(&self, key: Key, why: &'static str) {
        if let Some(path) = self.path(key) {
            self.known.refused.add(RefusedFile::entry(path, why));
        }
    }

    /// How many entries were as good as none.
    pub(crate) fn refusals(&self) -> u64 {
        self.known.refused.count()
    }

    /// The last entries that were as good as none, since this was last asked; and the folder, if
    /// others can write to it.
    pub fn take_refused(&self) -> Vec<RefusedFile> {
        self.known.refused.take()
    }

    /// Stores `content` under `key`, as far as the folder allows it, if it has at most `most`
    /// bytes.
    pub(crate) fn put(&self, key: Key, content: &[u8], most: u64) {
        let Some(folder) = &self.folder else { return };
        if content.len() as u64 > most {
            return;
        }
        let (name, header) = (files::entry_name(key.digest), entry::header(key, content));
        let made = files::make_folder(folder);
        // Failing to cache only costs time later.
        if made.is_ok() && files::write(folder, &name, &header, content).is_ok() {
            self.look_at_folder();
            self.prune_at_times(folder);
        }
    }

    /// Notes once whether others can write to the folder.
    fn look_at_folder(&self) {
        let Some(folder) = &self.folder else { return };
        if !self.known.is_looked_at.swap(true, Ordering::Relaxed) {
            let found = trust::troubles(folder, self.user()).into_iter();
            found.for_each(|(path, why)| self.known.refused.add(RefusedFile::folder(path, why)));
        }
    }

    fn user(&self) -> Owner {
        *self.known.user.get_or_init(Owner::of_process)
    }

    /// Looking through a folder takes long if it has many files: this does so when the first entry
    /// is written, and then once for some.
    fn prune_at_times(&self, folder: &Path) {
        let written = self.known.written.fetch_add(1, Ordering::Relaxed) as usize;
        if written.is_multiple_of((self.entries / PRUNED).max(1)) {
            files::prune(folder, self.entries);
        }
    }

    fn path(&self, key: Key) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        Some(folder.join(files::entry_name(key.digest)))
    }
}

#[cfg(test)]
mod tests;
