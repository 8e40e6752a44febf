//! Compiles the schema for the vocabulary before the program is built.

use maskwright_compiler::Builder;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Whitespace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    Builder::new()
        // Another vocabulary: `.vocabulary_file("tokenizer.json")`, the file of your model.
        .vocabulary_named("cl100k_base")
        .schema_options(SchemaOptions::default().whitespace(Whitespace::Spaced))
        .schema_file("TRIP", "schemas/trip.json")
        .emit("grammars.rs")?;
    Ok(())
}
