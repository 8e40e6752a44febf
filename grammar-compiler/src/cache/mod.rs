//! A folder of results, named by hashes of everything that they depend on.
//!
//! In: a [`Key`] and bytes. Out: the same bytes, some other time. What holds: an entry that is cut off, changed, or
//! of another key counts as missing; a folder that cannot be written is no error; entries appear whole or not at
//! all; the folder does not exceed its number of entries for long.

mod key;
mod refused;

pub(crate) use key::{Key, KeyBuilder};
pub use refused::RefusedFile;
use refused::RefusedFiles;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;
use std::{env, fs, process};

use crate::digest::DIGEST_BYTES;
use crate::file;
use xxhash_rust::xxh3::xxh3_64;

/// Names the folder of the cache; empty switches caching off.
pub const CACHE_VARIABLE: &str = "MASKWRIGHT_CACHE";

/// The most entries that are kept, unless another number is given; the oldest go first.
const MAX_ENTRIES: usize = 128;
/// A folder is looked through so often while all its entries are written.
const PRUNED: usize = 64;
const MAGIC: [u8; 4] = *b"MSKC";
const HEADER: usize = 4 + DIGEST_BYTES + 8;
const EXTENSION: &str = "entry";

/// Where results are kept from one build to the next, if anywhere.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
    entries: usize,
    /// Entries that have been written.
    written: Arc<AtomicU32>,
    refused: Arc<RefusedFiles>,
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
            written: Arc::default(),
            refused: Arc::default(),
        }
    }

    /// A cache in this folder, which is made when first needed.
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

    /// The cache that the environment variable [`CACHE_VARIABLE`] names; where it is not set, one in `default`.
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

    /// The content that was stored under `key`, if it is there, whole and unchanged.
    pub(crate) fn get(&self, key: Key) -> Option<Vec<u8>> {
        let mut entry = match file::read(&self.path(key)?, file::MAX_BYTES) {
            Ok(entry) => entry,
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(_) => {
                self.refuse(key, "it cannot be read");
                return None;
            }
        };
        if !is_whole(&entry, key) {
            self.refuse(key, "it is cut off, changed, or no entry of this folder");
            return None;
        }
        Some(entry.split_off(HEADER))
    }

    /// Notes that the entry of a key is as good as none.
    pub(crate) fn refuse(&self, key: Key, why: &'static str) {
        if let Some(path) = self.path(key) {
            self.refused.add(path, why);
        }
    }

    /// How many entries were as good as none.
    pub(crate) fn refusals(&self) -> u64 {
        self.refused.count()
    }

    /// The last entries that were as good as none, since this was last asked.
    pub(crate) fn take_refused(&self) -> Vec<RefusedFile> {
        self.refused.take()
    }

    /// Stores `content` under `key`, as far as the folder allows it.
    pub(crate) fn put(&self, key: Key, content: &[u8]) {
        let (Some(folder), Some(path)) = (&self.folder, self.path(key)) else {
            return;
        };
        let mut entry = Vec::with_capacity(HEADER + content.len());
        entry.extend_from_slice(&MAGIC);
        entry.extend_from_slice(&key.to_bytes());
        entry.extend_from_slice(&xxh3_64(content).to_le_bytes());
        entry.extend_from_slice(content);
        // Failing to cache only costs time later.
        if fs::create_dir_all(folder).is_ok() && write_whole(&path, &entry).is_ok() {
            self.prune_at_times(folder);
        }
    }

    /// Looking through a folder takes long if it has many files: this does so when the first entry is written, and then once for some.
    fn prune_at_times(&self, folder: &Path) {
        let written = self.written.fetch_add(1, Ordering::Relaxed) as usize;
        if written.is_multiple_of((self.entries / PRUNED).max(1)) {
            prune(folder, self.entries);
        }
    }

    fn path(&self, key: Key) -> Option<PathBuf> {
        let name = format!("{}.{EXTENSION}", key.file_name());
        self.folder.as_ref().map(|folder| folder.join(name))
    }
}

/// Whether these bytes are an entry of this key.
fn is_whole(entry: &[u8], key: Key) -> bool {
    let split = || {
        let (magic, rest) = entry.split_first_chunk::<4>()?;
        let (stored_key, rest) = rest.split_first_chunk::<DIGEST_BYTES>()?;
        let (hash, content) = rest.split_first_chunk::<8>()?;
        let right = *magic == MAGIC
            && *stored_key == key.to_bytes()
            && u64::from_le_bytes(*hash) == xxh3_64(content);
        Some(right)
    };
    split().unwrap_or(false)
}

/// Writes a file beside its place and moves it there, so that no reader sees half of it.
fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let unique = COUNTER.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{unique}", process::id()));
    let written = fs::write(&beside, content).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Removes the oldest entries until no more than `most` are left.
fn prune(folder: &Path, most: usize) {
    let Ok(files) = fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<(SystemTime, PathBuf)> = files
        .flatten()
        .filter(|file| {
            file.path()
                .extension()
                .is_some_and(|extension| extension == EXTENSION)
        })
        .filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file.path())))
        .collect();
    entries.sort();
    let surplus = entries.len().saturating_sub(most);
    for (_, path) in entries.iter().take(surplus) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        let mut key = KeyBuilder::new("test");
        key.bytes(text.as_bytes());
        key.finish()
    }

    /// The one entry in a folder.
    fn entry(folder: &Path) -> PathBuf {
        let mut files = fs::read_dir(folder).unwrap();
        let path = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        path
    }

    #[test]
    fn gives_back_what_was_put() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("made/when/needed"));
        assert_eq!(cache.get(key("a")), None);
        cache.put(key("a"), b"content");
        cache.put(key("b"), b"");
        assert_eq!(cache.get(key("a")).as_deref(), Some(&b"content"[..]));
        assert_eq!(cache.get(key("b")).as_deref(), Some(&b""[..]));
        assert_eq!(cache.get(key("c")), None);
        assert_eq!(Cache::disabled().get(key("a")), None);
    }

    #[test]
    fn a_damaged_entry_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        cache.put(key("a"), b"content");
        let path = entry(folder.path());
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            fs::write(&path, damaged).unwrap();
            assert_eq!(cache.get(key("a")), None, "byte {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(cache.get(key("a")), None, "cut at {at}");
        }
        fs::write(&path, &whole).unwrap();
        assert!(cache.get(key("a")).is_some());
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, b"").unwrap();
        let cache = Cache::at(file.join("below"));
        cache.put(key("a"), b"content");
        assert_eq!(cache.get(key("a")), None);
    }

    #[test]
    fn old_entries_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        for index in 0..MAX_ENTRIES + 20 {
            cache.put(key(&index.to_string()), b"content");
        }
        let count = || fs::read_dir(folder.path()).unwrap().count();
        assert!((MAX_ENTRIES..=MAX_ENTRIES + MAX_ENTRIES / PRUNED).contains(&count()));
        // Another process writes one.
        Cache::at(folder.path()).put(key("another"), b"content");
        assert_eq!(count(), MAX_ENTRIES);
    }

    #[test]
    fn entries_that_are_passed_over_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        assert_eq!(cache.get(key("a")), None);
        assert_eq!(cache.refusals(), 0, "an entry that is not there is none");
        cache.put(key("a"), b"content");
        fs::write(entry(folder.path()), b"foreign").unwrap();
        for _ in 0..200 {
            assert_eq!(cache.clone().get(key("a")), None);
        }
        assert_eq!(cache.refusals(), 200);
        let refused = cache.take_refused();
        assert!(refused.len() <= 64);
        let first = refused[0].to_string();
        let expected =
            "is passed over and made anew: it is cut off, changed, or no entry of this folder";
        assert!(first.ends_with(expected), "{first}");
        assert!(cache.take_refused().is_empty());
    }

    #[test]
    fn the_environment_chooses_the_folder() {
        let default = || Some(PathBuf::from("default"));
        let folder =
            |variable: Option<&str>| Cache::chosen(variable.map(OsString::from), default()).folder;
        assert_eq!(folder(None), default());
        assert_eq!(folder(Some("")), None);
        assert_eq!(folder(Some("other")), Some("other".into()));
    }
}
