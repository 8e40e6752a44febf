//! The public face of the crates that are published, as files in `tests/public-face`, so that a
//! change of it shows in review.
//!
//! `UPDATE_FACE=1 cargo test -p maskwright-tests --test public_face` writes them anew.
//!
//! The lines are made from the sources: `pub mod` and `pub use` are followed from each `lib.rs`,
//! and what is `#[doc(hidden)]` is left out. `cargo public-api` would also see what the compiler
//! derives, such as `Send`; it needs a nightly toolchain, which the checks do not have.

mod public_face {
    pub mod lines;
    pub mod modules;
    pub mod text;
}

use maskwright_tests::documents::root;
use public_face::{lines, modules};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const CRATES: [(&str, &str); 7] = [
    ("maskwright", "runtime"),
    ("maskwright-c", "runtime/c"),
    ("maskwright-cli", "grammar-compiler/cli"),
    ("maskwright-compiler", "grammar-compiler"),
    ("maskwright-core", "runtime/core"),
    ("maskwright-macros", "grammar-macros"),
    ("maskwright-vocabularies", "grammar-compiler/vocabularies"),
];

/// Names that two public types have, with the modules that tell them apart, and why they stay.
const TWICE: [(&str, &str); 9] = [
    (
        "Grammar: maskwright_compiler::grammar::Grammar, maskwright_core::Grammar",
        "before and after it is compiled",
    ),
    (
        "Kind: maskwright_compiler::syntax::Kind, maskwright_core::style::Kind",
        "a kind of grammar, and a kind of value in a style",
    ),
    (
        "Layout: maskwright_cli::drawing::layout::Layout, maskwright_core::calls::Layout",
        "of a drawing, and of an output with calls",
    ),
    (
        "Part: maskwright_core::calls::Part, maskwright_core::link::Part",
        "of an output, and of a linked grammar",
    ),
    (
        "Parts: maskwright_core::calls::Parts, maskwright_core::link::Parts",
        "the plurals of these",
    ),
    (
        "Piece: maskwright_compiler::syntax::tools::format::Piece, maskwright_core::calls::Piece",
        "of a format: owned where it is read, borrowed in statics",
    ),
    (
        "Place: maskwright_compiler::syntax::tools::format::Place, maskwright_core::link::Place",
        "in a format's template, and in a linked grammar",
    ),
    (
        "Reasoning: maskwright_compiler::syntax::tools::Reasoning, maskwright_core::calls::Reasoning",
        "whether there is some, and what it stands between",
    ),
    (
        "Vocabulary: maskwright_compiler::vocabulary::Vocabulary, maskwright_core::Vocabulary",
        "before and after it is packed",
    ),
];

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
fn no_type_of_another_project_is_public() {
    for (name, folder) in CRATES {
        let all = read(name, folder);
        let foreign = lines::face(&all).foreign;
        assert!(foreign.is_empty(), "{name}: {foreign:#?}");
    }
}

#[test]
fn no_hidden_type_is_in_a_visible_signature() {
    let crates = CRATES.map(|(name, folder)| (name.replace('-', "_"), read(name, folder)));
    let faces = crates
        .each_ref()
        .map(|(name, all)| (name.as_str(), lines::face(all)));
    let mut hidden = Vec::new();
    for (_, face) in &faces {
        hidden.extend(face.hidden());
        for (path, line) in &face.of_siblings {
            let [first, rest @ ..] = path.as_slice() else {
                continue;
            };
            let sibling = faces.iter().find(|(name, _)| name == first);
            if !sibling.is_some_and(|(_, sibling)| sibling.shows(rest)) {
                hidden.push(format!("{} in {line}", path.join("::")));
            }
        }
    }
    assert!(hidden.is_empty(), "{hidden:#?}");
}

#[test]
fn public_types_have_names_of_their_own() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, folder) in CRATES {
        let all = read(name, folder);
        for (name, place) in lines::face(&all).types() {
            let all = places.entry(name.to_owned()).or_default();
            all.insert(place.to_owned());
        }
    }
    let twice = places.into_iter().filter(|(_, places)| places.len() > 1);
    let found: Vec<String> = twice
        .map(|(name, places)| format!("{name}: {}", Vec::from_iter(places).join(", ")))
        .collect();
    let known: Vec<&str> = TWICE.iter().map(|(line, _)| *line).collect();
    assert_eq!(
        found, known,
        "a name that two types have needs a reason in `TWICE`"
    );
}
