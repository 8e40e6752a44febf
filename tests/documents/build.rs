//! Runs the build scripts of the documents, and writes all other blocks of Rust where `tests/rust`
//! includes them.

use maskwright_document_scripts::{SCRIPTS, documents};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.join("docs").display());
    for path in documents::paths(&root)? {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("Cargo sets OUT_DIR")?);
    let folder = out.join("blocks");
    fs::create_dir_all(&folder)?;
    let (mut programs, mut names) = (String::new(), String::new());
    for block in documents::all_blocks(&root)? {
        let (name, text) = (block.identifier(), &block.text);
        if block.is_program() {
            writeln!(programs, "mod {name} {{\n{text}\n#[test]")?;
            writeln!(programs, "fn runs() {{ main().unwrap(); }}\n}}")?;
        } else if block.info == "rust" && !block.is_build_script() {
            fs::write(folder.join(format!("{}.items.rs", block.name)), text)?;
            // One expression, which ends with the block's last statement.
            fs::write(
                folder.join(format!("{}.rs", block.name)),
                format!("{{\n{text}}}\n"),
            )?;
            write!(names, "{:?}, ", block.name)?;
        }
    }
    fs::write(out.join("programs.rs"), programs)?;
    fs::write(out.join("names.rs"), format!("[{names}]"))?;
    SCRIPTS.iter().try_for_each(|script| script())
}
