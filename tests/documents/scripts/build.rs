//! Writes a module for each block that shows a build script.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/blocks.rs"]
mod blocks;
#[path = "src/documents.rs"]
mod documents;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    println!("cargo::rerun-if-changed={}", root.join("docs").display());
    for path in documents::paths(&root)? {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let (mut modules, mut names) = (String::new(), String::new());
    for block in documents::all_blocks(&root)? {
        if block.is_build_script() {
            let name = block.identifier();
            writeln!(modules, "mod {name} {{\n{}", block.text)?;
            writeln!(
                modules,
                "pub(crate) const SCRIPT: crate::Script = main;\n}}"
            )?;
            write!(names, "{name}::SCRIPT, ")?;
        }
    }
    writeln!(modules, "/// All of them, in the order of the documents.")?;
    writeln!(modules, "pub const SCRIPTS: &[Script] = &[{names}];")?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("Cargo sets OUT_DIR")?);
    fs::write(out.join("scripts.rs"), modules)?;
    Ok(())
}
