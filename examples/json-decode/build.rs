//! Compiles the grammar for cl100k_base, before the program itself is compiled.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    maskwright_compiler::Builder::new()
        .vocabulary_named("cl100k_base")
        .ebnf_file("JSON", "json.ebnf")
        .emit("grammars.rs")?;
    Ok(())
}
