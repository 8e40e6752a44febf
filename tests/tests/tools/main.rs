//! Tool calls: outputs as models write them are taken in each format, and by each choice just those
//! that are meant.

mod choices;
mod compiled;
mod custom;
mod harmony;
#[path = "../schemas/judge.rs"]
mod judge;
mod kinds;
mod lengths;
mod masks;
mod oracle;
mod outcome;
mod outputs;
mod own_formats;
mod parts;
mod random;
mod reasoning;
mod render;
mod rendered;
mod requests;
mod stops;
mod walks;
mod wire;

use maskwright_compiler::error::Error;
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::grammar::interpret;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::{GrammarText, Parsed};

/// Two tools, each with one string.
pub const TOOLS: &str = r#"[
  {"type": "function", "function": {"name": "f", "parameters":
    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}},
  {"name": "g", "inputSchema":
    {"type": "object", "properties": {"b": {"type": "integer"}}}}
]"#;

/// The tools as they are read with these options.
pub fn read(tools: &str, options: ToolOptions) -> Result<Parsed, Error> {
    GrammarText::tools(tools)
        .tool_options(options)
        .parse(&Default::default())
}

/// Whether an output is a sentence.
pub fn takes(grammar: &Grammar, output: &str) -> bool {
    interpret::accepts(grammar, output)
}
