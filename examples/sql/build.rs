//! Compiles the grammar of the shop's queries for the vocabulary of GPT-4.

#[path = "src/grammar.rs"]
mod grammar;
#[path = "src/shop.rs"]
mod shop;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    maskwright_compiler::Builder::new()
        .vocabulary_named("cl100k_base")
        .ebnf("QUERY", grammar::grammar(&shop::TABLES, &shop::JOINS)?)
        .emit("grammars.rs")?;
    Ok(())
}
