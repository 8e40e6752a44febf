//! Files that describe a format of tool calls: reading, and tools in a format that was read.
//!
//! Behind a NUL comes an output, which is taken apart by the format.

use crate::{Target, split_at_nul, tools_text, walked};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ParseOptions;
use maskwright_compiler::syntax::tools::{self, FormatSource, ToolOptions};

/// This target.
pub const TARGET: Target = Target {
    name: "format_file",
    run,
    seeds: &[
        include_str!("../../grammar-compiler/formats/qwen_3.json"),
        include_str!("../../grammar-compiler/formats/llama.json"),
        include_str!("../../grammar-compiler/formats/glm_4_5.json"),
        include_str!("../../grammar-compiler/formats/kimi.json"),
        include_str!("../../grammar-compiler/formats/pythonic.json"),
    ],
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\0",
        "true",
        "\"name\":",
        "\"call\":",
        "\"calls\":",
        "\"layout\":",
        "\"anywhere\"",
        "\"section\":",
        "\"separator\":",
        "\"arguments\":",
        "\"reasoning\":",
        "\"begin\":",
        "\"end\":",
        "\"triggers\":",
        "{name}",
        "{arguments}",
        "{id}",
        "\"style\":",
        "\"json\"",
        "<tool_call>",
        "</tool_call>",
        "<",
        "é",
        "\\n",
        " ",
        "\n",
    ],
};

const TOOLS: &str = r#"[{"name": "f", "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}}]"#;

/// Reads a format, then tools in it.
///
/// # Panics
///
/// If an error says nothing, or a mask is wrong.
pub fn run(data: &[u8]) {
    let (text, output) = split_at_nul(data);
    let format = Source::new("format", String::from_utf8_lossy(text));
    let mut options = ToolOptions::default();
    options.format = Some(FormatSource::Text(format));
    let options = ParseOptions::from(walked::limits()).tools(options);
    let parsed = tools::parse(&Source::new("tools", TOOLS), &options);
    if let Ok(parsed) = &parsed
        && let Some(calls) = &parsed.calls
    {
        tools_text::take_apart(calls, &String::from_utf8_lossy(output));
    }
    walked::walk_parsed(parsed, output);
}
