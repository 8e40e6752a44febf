//! Who can change the folder.
//!
//! In: files and folders. Out: whether they are those of this process's user, and whether others
//! can write to them. What holds: where the system knows no owners, every file counts as this
//! user's; where it does and the user cannot be found out, none does.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use super::new_file::new_file;

/// The user of this process, if it has been found out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner(
    #[allow(dead_code, reason = "other systems have no numbers of users")] Option<u32>,
);

#[cfg(not(unix))]
impl Owner {
    pub(super) fn of_process() -> Self {
        Owner(None)
    }

    /// Whether a file belongs to the user.
    pub(super) fn has(self, _: &Metadata) -> bool {
        true
    }
}

#[cfg(unix)]
impl Owner {
    /// The user of this process. Linux has a folder for each process, which belongs to its user;
    /// elsewhere a new file does.
    pub(super) fn of_process() -> Self {
        use std::os::unix::fs::MetadataExt;
        let process = || std::fs::metadata("/proc/self").ok();
        let made = || {
            let (path, file) = new_file(&std::env::temp_dir()).ok()?;
            let _ = std::fs::remove_file(path);
            file.metadata().ok()
        };
        Owner(process().or_else(made).map(|metadata| metadata.uid()))
    }

    /// Whether a file belongs to the user.
    pub(super) fn has(self, file: &Metadata) -> bool {
        std::os::unix::fs::MetadataExt::uid(file).eq(&self.0.unwrap_or(u32::MAX))
    }
}

/// Whether others can write to a folder, or exchange it in the one above it; each with why.
pub(super) fn troubles(folder: &Path, user: Owner) -> Vec<(PathBuf, &'static str)> {
    let mut found = Vec::new();
    // The folder above a link is that of the folder that it leads to.
    let Ok(folder) = folder.canonicalize() else {
        return found;
    };
    let Ok(metadata) = folder.metadata() else {
        return found;
    };
    if !user.has(&metadata) {
        let why = "it belongs to another user, who can remove and exchange what lies in it";
        found.push((folder.clone(), why));
    }
    if is_open(&metadata) {
        let why = "other users can write to it, and so remove and exchange what lies in it";
        found.push((folder.clone(), why));
    }
    let above = folder.parent();
    if let Some((above, metadata)) = above.and_then(|above| Some((above, above.metadata().ok()?)))
        && is_open(&metadata)
    {
        let why = "other users can write to it, and so exchange the folder of results in it";
        found.push((above.to_path_buf(), why));
    }
    found
}

/// Whether users other than its owner can remove or move what lies in a folder. A group with the
/// number of the owner is the owner's alone, as most systems make it.
#[cfg(unix)]
fn is_open(folder: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    const GROUP: u32 = 0o020;
    const OTHERS: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    let mode = folder.permissions().mode();
    let by_group = mode & GROUP != 0 && folder.gid() != folder.uid();
    (by_group || mode & OTHERS != 0) && mode & STICKY == 0
}

#[cfg(not(unix))]
fn is_open(_: &Metadata) -> bool {
    false
}
