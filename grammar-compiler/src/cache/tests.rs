use super::*;
use std::fs;

/// Processes that are killed while they write.
#[cfg(unix)]
mod killed;
/// What another user can do in a folder.
#[cfg(unix)]
mod users;

const MOST: u64 = 1 << 20;

fn key(text: &str) -> Key {
    let mut key = KeyBuilder::new(EntryKind::Part);
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
    assert_eq!(cache.get(key("a"), MOST), None);
    cache.put(key("a"), b"content", MOST);
    cache.put(key("b"), b"", MOST);
    assert_eq!(cache.get(key("a"), MOST).as_deref(), Some(&b"content"[..]));
    assert_eq!(cache.get(key("b"), MOST).as_deref(), Some(&b""[..]));
    assert_eq!(cache.get(key("c"), MOST), None);
    assert_eq!(Cache::disabled().get(key("a"), MOST), None);
}

#[test]
fn a_damaged_entry_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    cache.put(key("a"), b"content", MOST);
    let path = entry(folder.path());
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        fs::write(&path, damaged).unwrap();
        assert_eq!(cache.get(key("a"), MOST), None, "byte {at}");
        fs::write(&path, &whole[..at]).unwrap();
        assert_eq!(cache.get(key("a"), MOST), None, "cut at {at}");
    }
    fs::write(&path, &whole).unwrap();
    assert!(cache.get(key("a"), MOST).is_some());
}

#[test]
fn a_folder_that_cannot_be_written_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    let cache = Cache::at(file.join("below"));
    cache.put(key("a"), b"content", MOST);
    assert_eq!(cache.get(key("a"), MOST), None);
}

#[test]
fn old_entries_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    for index in 0..MAX_ENTRIES + 20 {
        cache.put(key(&index.to_string()), b"content", MOST);
    }
    let count = || fs::read_dir(folder.path()).unwrap().count();
    assert!((MAX_ENTRIES..=MAX_ENTRIES + MAX_ENTRIES / PRUNED).contains(&count()));
    // Another process writes one.
    Cache::at(folder.path()).put(key("another"), b"content", MOST);
    assert_eq!(count(), MAX_ENTRIES);
}

#[test]
fn entries_that_are_passed_over_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    assert_eq!(cache.get(key("a"), MOST), None);
    assert_eq!(cache.refusals(), 0, "an entry that is not there is none");
    cache.put(key("a"), b"content", MOST);
    fs::write(entry(folder.path()), b"foreign").unwrap();
    for _ in 0..200 {
        assert_eq!(cache.clone().get(key("a"), MOST), None);
    }
    assert_eq!(cache.refusals(), 200);
    let refused = cache.take_refused();
    assert!(refused.len() <= 64);
    let first = refused[0].to_string();
    let expected =
        "is passed over and made anew: it is cut off, changed, or the entry of something else";
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

/// The path of the entry of a key.
fn path(folder: &Path, key: Key) -> PathBuf {
    folder.join(files::entry_name(key.digest))
}

fn told(cache: &Cache) -> Vec<String> {
    let refused = cache.take_refused().into_iter();
    refused.map(|refused| refused.why.to_owned()).collect()
}

#[test]
fn entries_that_were_exchanged_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let other_kind = KeyBuilder::new(EntryKind::Grammar).finish();
    cache.put(key("a"), b"of a", MOST);
    cache.put(key("b"), b"of b", MOST);
    cache.put(other_kind, b"of another kind", MOST);
    let at = |key| path(folder.path(), key);
    fs::rename(at(key("a")), folder.path().join("kept")).unwrap();
    fs::rename(at(key("b")), at(key("a"))).unwrap();
    fs::rename(folder.path().join("kept"), at(key("b"))).unwrap();
    assert_eq!(cache.get(key("a"), MOST), None);
    assert_eq!(cache.get(key("b"), MOST), None);
    fs::copy(at(other_kind), at(key("a"))).unwrap();
    assert_eq!(cache.get(key("a"), MOST), None);
    let wrong_kind = Key {
        kind: EntryKind::Part,
        ..other_kind
    };
    assert_eq!(cache.get(wrong_kind, MOST), None);
    let why = "it is cut off, changed, or the entry of something else";
    assert_eq!(told(&cache), [why; 4]);
    cache.put(key("a"), b"of a", MOST);
    assert_eq!(cache.get(key("a"), MOST).as_deref(), Some(&b"of a"[..]));
}

#[test]
fn what_is_longer_than_the_limit_is_neither_read_nor_written() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    cache.put(key("a"), b"1234", 3);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    cache.put(key("a"), b"1234", 4);
    assert!(cache.get(key("a"), 4).is_some());
    assert_eq!(cache.get(key("a"), 3), None);
    // Reading these 3 GB would take a while.
    let file = fs::File::create(path(folder.path(), key("b"))).unwrap();
    file.set_len(3 << 30).unwrap();
    assert_eq!(cache.get(key("b"), MOST), None);
    assert_eq!(told(&cache), ["it is longer than an entry may be"; 2]);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, other) = (
        Cache::at(folder.path().join("cache")),
        folder.path().join("other"),
    );
    cache.put(key("a"), b"of a", MOST);
    let at = path(cache.folder().unwrap(), key("a"));
    fs::rename(&at, &other).unwrap();
    let bytes = fs::read(&other).unwrap();
    let make: [&dyn Fn(); 3] = [
        // The whole entry, behind a link.
        &|| std::os::unix::fs::symlink(&other, &at).unwrap(),
        &|| std::os::unix::fs::symlink(folder.path().join("none"), &at).unwrap(),
        &|| {
            let made = std::process::Command::new("mkfifo").arg(&at).status();
            assert!(made.unwrap().success());
        },
    ];
    for make in make {
        make();
        assert_eq!(cache.get(key("a"), MOST), None);
        assert_eq!(told(&cache), ["it is no regular file"]);
        cache.put(key("a"), b"of a", MOST);
        assert!(fs::symlink_metadata(&at).unwrap().is_file());
        assert!(cache.get(key("a"), MOST).is_some());
        assert_eq!(fs::read(&other).unwrap(), bytes, "written through a link");
        fs::remove_file(&at).unwrap();
    }
    fs::create_dir(&at).unwrap();
    cache.put(key("a"), b"of a", MOST);
    assert_eq!(cache.get(key("a"), MOST), None);
    assert_eq!(told(&cache), ["it is no regular file"]);
    assert_eq!(fs::read_dir(cache.folder().unwrap()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn folder_and_files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made");
    let cache = Cache::at(made.join("here"));
    cache.put(key("a"), b"content", MOST);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&made), mode(&made.join("here"))), (0o700, 0o700));
    assert_eq!(mode(&entry(&made.join("here"))), 0o600);
    assert_eq!(told(&cache), [""; 0]);
}

#[cfg(unix)]
#[test]
fn folders_that_others_can_write_to_are_told_once() {
    use std::os::unix::fs::PermissionsExt;
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("cache");
    let told_of = |above_mode, mode| {
        fs::create_dir_all(&folder).unwrap();
        let set = |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
        set(above.path(), above_mode).unwrap();
        set(&folder, mode).unwrap();
        let cache = Cache::at(&folder);
        cache.put(key("a"), b"content", MOST);
        assert!(cache.clone().get(key("a"), MOST).is_some());
        let told = cache.take_refused();
        assert_eq!(cache.refusals(), 0, "nothing was passed over");
        let name = |refused: &RefusedFile| refused.path.file_name() == folder.file_name();
        (told.iter().filter(|told| name(told)).count(), told.len())
    };
    assert_eq!(told_of(0o755, 0o755), (0, 0));
    assert_eq!(told_of(0o755, 0o757), (1, 1));
    assert_eq!(told_of(0o757, 0o700), (0, 1));
    assert_eq!(
        told_of(0o1777, 0o1777),
        (0, 0),
        "others cannot remove files"
    );
    let found = Cache::at(&folder);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    found.put(key("a"), b"content", MOST);
    let text = found.take_refused()[0].to_string();
    let expected = "is not safe to keep results in: other users can write to it, and so remove and exchange what lies in it";
    assert!(text.ends_with(expected), "{text}");
}
