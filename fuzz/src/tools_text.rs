//! Lists of tools: reading, compiling and walking, and taking any output apart by the format.
//!
//! The first byte chooses the format. Behind a NUL comes an output.

use crate::{Target, split_at_nul, walked};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::tools::{self, ToolCalls, ToolFormat, ToolOptions};
use maskwright_compiler::syntax::{ParseOptions, Parsed};
use maskwright_core::calls::Part;

/// This target.
pub const TARGET: Target = Target {
    name: "tools_text",
    run,
    seeds: &[
        "a[{\"name\":\"now\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}}}]\0<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>",
        "c[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"strict\":true,\"parameters\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":[\"integer\",\"null\"]}},\"required\":[\"a\"]}}}]\0<function=f>\n<parameter=a>\nx\n</parameter>\n</function>",
        "k{\"tools\":[{\"name\":\"a\",\"input_schema\":{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"enum\":[1,\"x\"]}}}}},{\"name\":\"b\"}],\"tool_choice\":\"required\",\"parallel_tool_calls\":false}\0[a(l=[1, \"x\"])]",
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
        "null",
        "1",
        "\"name\":",
        "\"type\":",
        "\"function\":",
        "\"parameters\":",
        "\"inputSchema\":",
        "\"input_schema\":",
        "\"properties\":{",
        "\"string\"",
        "\"object\"",
        "\"required\":[",
        "\"strict\":",
        "\"tool_choice\":",
        "\"auto\"",
        "\"enum\":[",
        "\"$ref\":\"#\"",
        "<tool_call>",
        "</tool_call>",
        "<function=f>",
        "</function>",
        "<parameter=a>",
        "</parameter>",
        "f",
        "a",
        "b",
        "'",
        "(",
        ")",
        "=",
        "\n",
        " ",
        "é",
    ],
};

/// Reads tools, walks their grammar, and takes an output apart.
///
/// # Panics
///
/// If an error says nothing, a mask is wrong, or parts of an output are not in order.
pub fn run(data: &[u8]) {
    let (choice, rest) = data.split_first().unwrap_or((&0, &[]));
    let (text, output) = split_at_nul(rest);
    let count = ToolFormat::names().count();
    let name = ToolFormat::names().nth(usize::from(*choice) % count);
    let options = ParseOptions::from(walked::limits());
    let options = options.tools(ToolOptions::format(name.unwrap_or_default()));
    let source = Source::new("fuzz", String::from_utf8_lossy(text));
    let parsed = tools::parse(&source, &options);
    if let Ok(Parsed {
        calls: Some(calls), ..
    }) = &parsed
    {
        take_apart(calls, &String::from_utf8_lossy(output));
    }
    walked::walk_parsed(parsed, output);
}

/// Takes an output apart: parts are in order, lie in the output, and arguments are read or refused.
pub(crate) fn take_apart(calls: &ToolCalls, output: &str) {
    calls.with_format(|format| {
        let mut end = 0;
        for part in format.parts(output) {
            match part {
                Part::Call(call) => {
                    let at = call.arguments_at();
                    assert!(
                        end <= at.start && at.end <= output.len(),
                        "calls are in order"
                    );
                    end = at.end;
                    if let Err(error) = format.to_json(&call) {
                        assert!(!error.to_string().is_empty());
                    }
                }
                Part::Text(text) | Part::Reasoning(text) => assert!(text.len() <= output.len()),
                _ => {}
            }
        }
    });
}
