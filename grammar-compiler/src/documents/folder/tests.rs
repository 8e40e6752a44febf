use super::*;
use crate::limits::{Deadline, Limits};
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// A folder `inner` with documents, and a secret beside it.
fn folders() -> TempDir {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("inner");
    fs::create_dir_all(inner.join("a b")).unwrap();
    fs::write(outer.path().join("secret"), "secret").unwrap();
    fs::write(inner.join("x"), "x").unwrap();
    fs::write(inner.join("a b/y"), "y").unwrap();
    fs::write(inner.join("long"), "1".repeat(100)).unwrap();
    fs::write(inner.join("too long"), "1".repeat(101)).unwrap();
    fs::write(inner.join("no text"), b"secret \xff").unwrap();
    outer
}

/// What a folder says of a name, with at most 100 bytes.
fn read(folder: &Path, name: &str) -> Result<Option<Document>, DocumentError> {
    let limits = Limits::default().grammar_bytes(100);
    let deadline = Deadline::start(&limits);
    Folder::new(folder).read(name, &ReadLimits::new(&limits, &deadline))
}

fn refusal(folder: &Path, name: &str) -> String {
    let read = read(folder, name);
    read.expect_err(name).to_string()
}

#[test]
fn files_in_the_folder_and_no_others() {
    let outer = folders();
    let inner = outer.path().join("inner");
    for (name, text) in [
        ("x", Some("x")),
        ("a b/y", Some("y")),
        ("z", None),
        ("z/x", None),
        ("x/y", None),
    ] {
        let found = read(&inner, name).unwrap();
        let found = found.as_ref().map(|found| found.text.as_str());
        assert_eq!(found, text, "{name}");
    }
    let long = read(&inner, "long").unwrap().unwrap();
    assert_eq!(long.text.len(), 100);
    assert_eq!(long.file, Some(inner.join("long")));
    let absolute = outer.path().join("secret");
    for name in [
        "..",
        "../secret",
        "a b/../../secret",
        "a b/../x",
        "./x",
        "",
        "/etc/passwd",
        absolute.to_str().unwrap(),
        "..\\secret",
        "a b\\y",
        "C:x",
        "C:\\x",
        "x:stream",
        "a b//y",
        "x/",
        "x\0",
    ] {
        let why = refusal(&inner, name);
        assert!(!why.contains("(os error"), "{name:?} was opened: {why}");
    }
    // The folder may be given as a file, or be gone.
    assert_eq!(read(&inner.join("x"), "y"), Ok(None));
    assert_eq!(read(&inner.join("gone"), "y"), Ok(None));
}

#[test]
fn a_relative_folder_is_taken_from_the_package() {
    let outer = folders();
    let limits = Limits::default();
    let deadline = Deadline::start(&limits);
    let folder = Folder::new("inner").within(outer.path());
    let read = folder.read("x", &ReadLimits::new(&limits, &deadline));
    let read = read.unwrap().unwrap();
    assert_eq!(read.name, "inner/x", "errors do not show the package");
    assert_eq!(read.file, Some(outer.path().join("inner/x")));
}

#[test]
fn what_is_no_text_of_the_right_length_is_refused() {
    let outer = folders();
    let inner = outer.path().join("inner");
    let why = refusal(&inner, "too long");
    assert!(why.contains("(limit `grammar_bytes` = 100)"), "{why}");
    // It is not read: it would not fit into memory.
    let hole = fs::File::create(inner.join("hole")).unwrap();
    hole.set_len(1 << 40).unwrap();
    let why = refusal(&inner, "hole");
    assert!(why.contains("(limit `grammar_bytes` = 100)"), "{why}");
    let why = refusal(&inner, "no text");
    assert!(why.contains("utf-8") && !why.contains("secret"), "{why}");
    assert_eq!(refusal(&inner, "a b"), "it is a folder");
}

#[test]
fn nothing_is_read_when_the_time_is_over() {
    let outer = folders();
    let limits = Limits::default().time(Duration::ZERO);
    let deadline = Deadline::start(&limits);
    std::thread::sleep(Duration::from_millis(2));
    let folder = Folder::new(outer.path().join("inner"));
    let read = folder.read("x", &ReadLimits::new(&limits, &deadline));
    match read.unwrap_err() {
        DocumentError::Limit(limit) => assert_eq!(limit.limit, "time"),
        other => panic!("{other}"),
    }
}

#[cfg(unix)]
#[test]
fn links_stay_in_the_folder() {
    use std::os::unix::fs::symlink;
    let outer = folders();
    let inner = outer.path().join("inner");
    let link = |to: &Path, name: &str| symlink(to, inner.join(name)).unwrap();
    link(Path::new("x"), "in");
    link(Path::new("a b"), "in folder");
    link(&outer.path().join("secret"), "out");
    link(Path::new("../secret"), "out relative");
    link(outer.path(), "out folder");
    link(Path::new("/dev/zero"), "device");
    link(Path::new("circle"), "circle");
    link(Path::new("gone"), "dangling");
    for (name, text) in [("in", "x"), ("in folder/y", "y")] {
        assert_eq!(read(&inner, name).unwrap().unwrap().text, text, "{name}");
    }
    for name in ["out", "out relative", "out folder/secret", "device"] {
        assert_eq!(
            refusal(&inner, name),
            "a link leads out of the folder of documents"
        );
    }
    assert_eq!(read(&inner, "dangling"), Ok(None));
    refusal(&inner, "circle");
    // The folder itself may be a link.
    let other = outer.path().join("other");
    symlink(&inner, &other).unwrap();
    assert_eq!(read(&other, "x").unwrap().unwrap().text, "x");
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_sockets_are_refused_at_once() {
    let outer = folders();
    let (send, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let inner = outer.path().join("inner");
        let pipe = std::process::Command::new("mkfifo")
            .arg(inner.join("pipe"))
            .status();
        assert!(pipe.unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(inner.join("socket")).unwrap();
        let of = [
            refusal(&inner, "pipe"),
            refusal(&inner, "socket"),
            refusal(Path::new("/dev"), "zero"),
            refusal(Path::new("/dev"), "tty"),
        ];
        send.send(of).unwrap();
    });
    let refusals = done.recv_timeout(Duration::from_secs(60));
    let refusals = refusals.expect("it waits, or it has failed");
    assert_eq!(refusals, ["it is no regular file"; 4]);
}
