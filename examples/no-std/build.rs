//! Compiles the commands for the controller's own small vocabulary.

use maskwright_compiler::Builder;
use maskwright_compiler::build::VocabularySpec;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The id after the last token of the file ends a text.
    let end = std::fs::read_to_string("commands.tiktoken")?
        .lines()
        .count() as u32;
    Builder::new()
        .vocabulary(
            VocabularySpec::file("commands.tiktoken")
                .size(end + 1)
                .eos([end]),
        )
        .ebnf_file("COMMANDS", "commands.ebnf")
        .emit("commands.rs")?;
    Ok(())
}
