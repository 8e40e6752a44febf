//! Compiles the schema of the calls for cl100k_base, before the program itself is compiled.

use maskwright_compiler::Builder;
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Whitespace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = SchemaOptions::default().whitespace(Whitespace::Compact);
    Builder::new()
        .vocabulary_named("cl100k_base")
        .schema_file("CALL", "call.json")
        .schema_options(options)
        .emit("grammars.rs")?;
    Ok(())
}
