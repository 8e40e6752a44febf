//! The documents whose blocks are tested: README.md and all of docs.

use crate::blocks::{Block, blocks};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// README.md, then the pages below docs in the order of their paths.
///
/// # Errors
/// If a folder cannot be read.
pub fn paths(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    add_pages(&root.join("docs"), &mut pages)?;
    pages.sort();
    pages.insert(0, root.join("README.md"));
    Ok(pages)
}

/// Adds the pages of a folder and of the folders in it.
fn add_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_pages(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// The blocks of all documents.
///
/// # Errors
/// If a document cannot be read.
pub fn all_blocks(root: &Path) -> io::Result<Vec<Block>> {
    let mut all = Vec::new();
    for path in paths(root)? {
        all.extend(blocks(&name(root, &path), &fs::read_to_string(&path)?));
    }
    Ok(all)
}

/// What a page's blocks are named after: `readme`, `linking`, `tutorial-tools`.
fn name(root: &Path, path: &Path) -> String {
    let docs = root.join("docs");
    let within = path.strip_prefix(&docs).or(path.strip_prefix(root));
    let within = within.unwrap_or(path).with_extension("");
    let parts = within.iter().map(|part| part.to_string_lossy());
    let parts: Vec<String> = parts.map(|part| part.to_lowercase()).collect();
    parts.join("-")
}
