//! The public face of the crates that are published, as files in `tests/public-face`, so that a change of it shows in review.
//!
//! `UPDATE_FACE=1 cargo test -p maskwright-tests --test public_face` writes them anew.
//!
//! The lines are made from the sources: `pub mod` and `pub use` are followed from each `lib.rs`, and what is `#[doc(hidden)]` is left out. `cargo
//! public-api` would also see what the compiler derives, such as `Send`; it needs a nightly toolchain, which the checks do not have.

mod public_face {
    pub mod lines;
    pub mod modules;
}

use public_face::{lines, modules};
use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [(&str, &str); 4] = [
    ("maskwright", "runtime"),
    ("maskwright-compiler", "grammar-compiler"),
    ("maskwright-core", "runtime/core"),
    ("maskwright-macros", "grammar-macros"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(name: &str, folder: &str) -> modules::Crate {
    let library = root().join(folder).join("src/lib.rs");
    modules::Crate::read(&name.replace('-', "_"), &library)
}

/// The lines of `new` that `old` lacks, with a sign.
fn only_in<'l>(new: &'l str, old: &str, sign: &'l str) -> impl Iterator<Item = String> + 'l {
    let old: std::collections::HashSet<String> = old.lines().map(str::to_owned).collect();
    let lines = new.lines().filter(move |line| !old.contains(*line));
    lines.map(move |line| format!("{sign} {line}"))
}

#[test]
fn the_public_face_is_the_one_that_was_reviewed() {
    let mut changed = Vec::new();
    for (name, folder) in CRATES {
        let all = read(name, folder);
        let lines: Vec<String> = lines::face(&all).lines.into_iter().collect();
        let made = lines.join("\n") + "\n";
        let path = root().join(format!("tests/public-face/{name}.txt"));
        if std::env::var_os("UPDATE_FACE").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &made).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        changed.extend(only_in(&written, &made, "-"));
        changed.extend(only_in(&made, &written, "+"));
    }
    assert!(
        changed.is_empty(),
        "the public face has changed; if that is meant, run this test with UPDATE_FACE=1 and commit what it writes:\n{}",
        changed.join("\n")
    );
}

#[test]
fn no_type_of_another_crate_is_public() {
    for (name, folder) in CRATES {
        let all = read(name, folder);
        let foreign = lines::face(&all).foreign;
        assert!(foreign.is_empty(), "{name}: {foreign:#?}");
    }
}
