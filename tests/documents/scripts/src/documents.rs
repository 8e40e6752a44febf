//! The documents whose blocks are tested: README.md and all of docs.

use crate::blocks::{Block, blocks};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// README.md and the files of docs, in the order of their names.
///
/// # Errors
/// If the folder cannot be read.
pub fn paths(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = vec![root.join("README.md")];
    for entry in fs::read_dir(root.join("docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths[1..].sort();
    Ok(paths)
}

/// The blocks of all documents.
///
/// # Errors
/// If a document cannot be read.
pub fn all_blocks(root: &Path) -> io::Result<Vec<Block>> {
    let mut all = Vec::new();
    for path in paths(root)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        all.extend(blocks(&name.to_lowercase(), &fs::read_to_string(&path)?));
    }
    Ok(all)
}
