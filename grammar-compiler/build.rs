//! Hashes the sources of the compiler, so that results that another version of them cached are not
//! used.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    println!(
        "cargo::rustc-env=MASKWRIGHT_SOURCES={:016x}",
        hash_sources()?
    );
    Ok(())
}

/// FNV-1a of the names and contents of all files below `src`, in the order of their names.
fn hash_sources() -> Result<u64, Box<dyn Error>> {
    let mut files = Vec::new();
    find_files(Path::new("src"), &mut files)?;
    files.sort();
    let mut hash = 0xCBF2_9CE4_8422_2325;
    for file in files {
        let content = fs::read(&file)?;
        let name = file.to_string_lossy();
        for byte in name.bytes().chain([0]).chain(content) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    Ok(hash)
}

fn find_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
