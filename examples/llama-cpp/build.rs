//! Compiles the grammars for the model's vocabulary, which is in its GGUF, and the sampler, which
//! is in C.

use maskwright_compiler::Builder;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Whitespace};
use maskwright_compiler::syntax::tools::{Reasoning, ToolChoice, ToolOptions};
use std::env;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    grammars()?;
    sampler()
}

/// Tables, as `static`s: one call of a tool, and one person.
fn grammars() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=MODEL");
    let model = env::var("MODEL").map_err(|_| "set MODEL to the path of a GGUF: see README.md")?;
    let one_call = ToolOptions::format("qwen_3")
        .choice(Some(ToolChoice::Required))
        .parallel(Some(false))
        .reasoning(Reasoning::None);
    Builder::new()
        .vocabulary_file(model)
        .schema_options(SchemaOptions::default().whitespace(Whitespace::Spaced))
        .tools_file("TOOLS", "tools.json", one_call)
        .schema_file("PERSON", "person.json")
        .emit("grammars.rs")?;
    Ok(())
}

/// The library of the sampler, for the version of llama.cpp that the crate has built.
fn sampler() -> Result<(), Box<dyn Error>> {
    let built = env::var("DEP_LLAMA_GGML_CMAKE_DIR")?;
    let llama = PathBuf::from(built).join("../../include");
    let runtime = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../runtime/c");
    let sampler = runtime.join("llama/maskwright_llama.c");
    for file in ["maskwright_llama.c", "maskwright_llama.h"] {
        println!(
            "cargo::rerun-if-changed={}",
            runtime.join("llama").join(file).display()
        );
    }
    cc::Build::new()
        .std("c99")
        .warnings(true)
        .file(sampler)
        .include(llama)
        .include(runtime.join("include"))
        .include(runtime.join("llama"))
        .try_compile("maskwright_llama")?;
    Ok(())
}
