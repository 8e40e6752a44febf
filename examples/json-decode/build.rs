//! Compiles the grammar for cl100k_base, before the program itself is compiled.

use std::path::Path;
use std::{env, error::Error, fs};

use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ebnf;
use maskwright_compiler::{Options, Vocabulary, compile};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=json.ebnf");
    let source = Source::new("json.ebnf", fs::read_to_string("json.ebnf")?);
    let grammar = ebnf::parse(&source, &ebnf::ParseOptions::default())?.grammar;
    let vocabulary = Vocabulary::named("cl100k_base")?;
    let compiled = compile(&grammar, &vocabulary, &Options::default())?;
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("json.grammar"), compiled.tables())?;
    fs::write(
        Path::new(&out).join("cl100k_base.vocabulary"),
        vocabulary.pack()?,
    )?;
    Ok(())
}
