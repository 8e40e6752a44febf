//! Tools whose tables stand alone, beside an object of the same builder, and beside its tables in a
//! file; and tools that are linked: for `tests/emitted.rs`.

use maskwright_compiler::Builder;
use maskwright_compiler::syntax::tools::ToolOptions;
use std::{env, error::Error, path::PathBuf};

const OBJECT: &str = r#"{
  "type": "object",
  "properties": { "text": { "type": "string" }, "count": { "type": "integer" }, "share": { "type": "number" } }
}"#;
const SEARCH: &str = r#"{
  "type": "object",
  "properties": { "query": { "type": "string" }, "limit": { "type": "integer" } },
  "required": ["query"],
  "additionalProperties": false
}"#;
const MAIL: &str = r#"{
  "type": "object",
  "properties": { "to": { "type": "array", "items": { "type": "string" } }, "text": { "type": "string" } },
  "required": ["to", "text"],
  "additionalProperties": false
}"#;

const TOOLS: &str = r#"[
  { "name": "search", "inputSchema": {
    "type": "object",
    "properties": { "query": { "type": "string" }, "limit": { "type": "integer" } },
    "required": ["query"]
  } },
  { "name": "now", "inputSchema": { "type": "object", "properties": {} } }
]"#;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let builder = || Builder::new().vocabulary_named("cl100k_base");
    let tools = builder()
        .schema("SEARCH", SEARCH)
        .schema("OBJECT", OBJECT)
        .schema("MAIL", MAIL);
    tools.clone().emit("alone.rs")?;
    tools.beside("OBJECT").emit("beside.rs")?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("Cargo sets OUT_DIR")?);
    builder()
        .schema("MAIL", MAIL)
        .beside_file(out.join("alone.rs.OBJECT.mask"), "crate::alone::OBJECT")
        .emit("beside_file.rs")?;
    let format = ToolOptions::format("qwen_3");
    builder()
        .tools("WHOLE", TOOLS, format.clone())
        .linked_tools("LINKED", TOOLS, format)
        .depth("WHOLE", 32)
        .emit("linked.rs")?;
    Ok(())
}
