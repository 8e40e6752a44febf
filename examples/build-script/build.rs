//! Compiles the grammar for the vocabulary of GPT-4.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    maskwright_compiler::Builder::new()
        .vocabulary_named("cl100k_base")
        .ebnf_file("PERSON", "grammars/person.ebnf")
        .emit("grammars.rs")?;
    Ok(())
}
