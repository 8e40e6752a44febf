//! How comments are written: lines that are too long and words that say nothing are counted, and
//! the counts only go down. Who writes fewer lowers the number here.

use std::fs;
use std::path::{Path, PathBuf};

/// The columns of a line.
const COLUMNS: usize = 100;
/// Lines of code and comments that are longer.
const LONG_LINES: usize = 1093;
/// Phrases in comments, each with the lines that have it.
const PHRASES: [(&str, usize); 3] = [("what is", 195), ("so many", 133), ("of its own", 73)];

/// The folders that hold sources.
const FOLDERS: [&str; 7] = [
    "benches",
    "examples",
    "fuzz",
    "grammar-compiler",
    "grammar-macros",
    "runtime",
    "tests",
];

/// Adds the Rust files below a folder; what is built lies in folders of these names.
fn add_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_owned();
        if path.is_dir() {
            if name != "target" && name != "artifacts" && name != ".venv" {
                add_sources(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn lines() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in FOLDERS {
        add_sources(&root.join(folder), &mut files);
    }
    let this = Path::new(file!()).file_name();
    let texts = files.iter().filter(|file| file.file_name() != this);
    let texts = texts.map(|file| fs::read_to_string(file).unwrap());
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn long_lines_do_not_become_more() {
    let long = lines()
        .iter()
        .filter(|line| line.chars().count() > COLUMNS)
        .count();
    assert!(
        long <= LONG_LINES,
        "{long} lines have more than {COLUMNS} columns, {LONG_LINES} had"
    );
}

#[test]
fn phrases_that_say_nothing_do_not_become_more() {
    let lines = lines();
    let comments = lines
        .iter()
        .filter(|line| line.trim_start().starts_with("//"));
    let comments: Vec<&String> = comments.collect();
    for (phrase, most) in PHRASES {
        let found = comments.iter().filter(|line| line.contains(phrase)).count();
        assert!(
            found <= most,
            "`{phrase}` stands in {found} lines of comments, it stood in {most}"
        );
    }
}
