//! The suite: `grammars/NAME.ebnf`, and beside each `NAME.cases` with sentences and non-sentences.
//!
//! A line of a cases file is `+` or `-`, a blank and a text, in which `\n`, `\t`, `\r`, `\\`, `\s`
//! (a blank) and `\xHH` (one byte) are escapes; `+` alone is the empty text, and `#` begins a
//! comment line.

use std::fs;
use std::path::{Path, PathBuf};

/// A grammar of the suite.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The file's name without its extension.
    pub name: String,
    /// The EBNF text.
    pub ebnf: String,
    /// Texts that are sentences.
    pub sentences: Vec<Vec<u8>>,
    /// Texts that are not.
    pub non_sentences: Vec<Vec<u8>>,
}

/// Where the files lie.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars")
}

/// All grammars, by name.
///
/// # Panics
/// If a file cannot be read or has a malformed line: the suite is part of the tests.
pub fn load() -> Vec<Entry> {
    let files = fs::read_dir(folder()).expect("the folder of the suite");
    let mut names: Vec<String> = files
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter_map(|file| file.strip_suffix(".ebnf").map(str::to_owned))
        .collect();
    names.sort();
    names.iter().map(|name| entry(name)).collect()
}

/// One grammar by name.
///
/// # Panics
/// As [`load`].
pub fn entry(name: &str) -> Entry {
    let read = |extension: &str| {
        let path = folder().join(format!("{name}.{extension}"));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mut entry = Entry {
        name: name.to_owned(),
        ebnf: read("ebnf"),
        sentences: Vec::new(),
        non_sentences: Vec::new(),
    };
    for (number, line) in read("cases").lines().enumerate() {
        let text = || {
            let text = line.get(2..).unwrap_or_default();
            unescape(text).unwrap_or_else(|| panic!("{name}.cases:{}: bad escape", number + 1))
        };
        match line.bytes().next() {
            Some(b'+') => entry.sentences.push(text()),
            Some(b'-') => entry.non_sentences.push(text()),
            Some(b'#') | None => {}
            Some(_) => panic!("{name}.cases:{}: expected +, - or #", number + 1),
        }
    }
    entry
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match bytes.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b's' => b' ',
            b'\\' => b'\\',
            b'x' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            _ => return None,
        });
    }
    Some(out)
}
