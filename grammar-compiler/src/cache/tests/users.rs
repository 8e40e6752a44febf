use super::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// A user who is not the one that tests run as.
const OTHER: u32 = 65_534;

/// What a shell of the other user does in a folder; whether it succeeds.
fn other(folder: &Path, script: &str) -> bool {
    let mut shell = Command::new("/bin/sh");
    let shell = shell
        .args(["-c", script])
        .current_dir("/")
        .env("FOLDER", folder);
    shell
        .uid(OTHER)
        .gid(OTHER)
        .output()
        .unwrap()
        .status
        .success()
}

/// Whether the test runs as a user who can act as another one.
fn is_root(folder: &Path) -> bool {
    let is_root = fs::metadata(folder).unwrap().uid() == 0;
    if !is_root {
        eprintln!("skipped: only root can act as another user");
    }
    is_root
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A folder that all can write to, as one in `/tmp` is.
fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o777);
    folder
}

#[test]
fn what_another_user_writes_is_refused() {
    let folder = open_folder();
    if !is_root(folder.path()) {
        return;
    }
    let cache = Cache::at(folder.path());
    // The other user knows everything that an entry depends on, and makes one with another content.
    let (path, forged) = (path(folder.path(), key("a")), b"masks of his own");
    let bytes = [&entry::header(key("a"), forged)[..], forged].concat();
    let source = folder.path().join("source");
    fs::write(&source, bytes).unwrap();
    set_mode(&source, 0o644);
    let copy = format!("cat $FOLDER/source > {}", path.display());
    assert!(other(folder.path(), &copy));
    assert_eq!(fs::metadata(&path).unwrap().uid(), OTHER);
    assert_eq!(cache.get(key("a"), MOST), None);
    let told = told(&cache);
    assert!(
        told.iter().any(|why| why == "it belongs to another user"),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|why| why.starts_with("other users can write")),
        "{told:?}"
    );
    // It is written anew.
    cache.put(key("a"), b"right", MOST);
    assert_eq!(cache.get(key("a"), MOST).as_deref(), Some(&b"right"[..]));
    assert_eq!(fs::metadata(&path).unwrap().uid(), 0);
}

#[test]
fn nothing_is_written_through_links_of_another_user() {
    let folder = open_folder();
    if !is_root(folder.path()) {
        return;
    }
    let private = tempfile::tempdir().unwrap();
    let precious = private.path().join("precious");
    fs::write(&precious, b"untouched").unwrap();
    let cache = Cache::at(folder.path());
    let path = path(folder.path(), key("a"));
    // In the place of the entry, and at each name that a file beside it might be guessed to have.
    let target = precious.display();
    let place = format!("ln -s {target} {}", path.display());
    assert!(other(folder.path(), &place));
    let stem = path.with_extension("");
    let (stem, process) = (stem.display(), std::process::id());
    let guesses =
        format!("for n in 0 1 2 3 4 5 6 7; do ln -s {target} {stem}.{process}-$n || exit 1; done");
    assert!(other(folder.path(), &guesses));
    cache.put(key("a"), b"right", MOST);
    assert_eq!(fs::read(&precious).unwrap(), b"untouched");
    assert_eq!(cache.get(key("a"), MOST).as_deref(), Some(&b"right"[..]));
}

#[test]
fn a_folder_that_is_made_is_closed_to_another_user_and_one_of_another_user_is_told() {
    let above = open_folder();
    if !is_root(above.path()) {
        return;
    }
    let folder = above.path().join("cache");
    let cache = Cache::at(&folder);
    cache.put(key("a"), b"right", MOST);
    assert!(!other(&folder, "ls $FOLDER"));
    assert!(!other(&folder, "echo > $FOLDER/new"));
    let his = above.path().join("his");
    assert!(other(&his, "mkdir $FOLDER"));
    let cache = Cache::at(&his);
    cache.put(key("a"), b"right", MOST);
    let told = told(&cache);
    let why = "it belongs to another user, who can remove and exchange what lies in it";
    assert!(told.iter().any(|told| told == why), "{told:?}");
}
