//! Compiles the tools in two formats, before the program itself is compiled.

use maskwright_compiler::syntax::tools::ToolOptions;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    maskwright_compiler::Builder::new()
        .vocabulary_named("cl100k_base")
        .tools_file("JSON_TOOLS", "tools.json", ToolOptions::format("qwen_3"))
        .tools_file(
            "XML_TOOLS",
            "tools.json",
            ToolOptions::format("qwen_3_coder"),
        )
        .emit("grammars.rs")?;
    Ok(())
}
