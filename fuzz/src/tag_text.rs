//! Structural tags: reading, and compiling and walking the grammar of one that was read.

use crate::{Target, walked};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::structural_tag;

/// This target.
pub const TARGET: Target = Target {
    name: "tag_text",
    run,
    seeds: &[
        r#"{"type":"structural_tag","format":{"type":"triggered_tags","triggers":["<f"],"tags":[{"begin":"<f=a>","content":{"type":"json_schema","json_schema":{"type":"object","properties":{"x":{"type":"integer"}}}},"end":"</f>"}]}}"#,
        r#"{"type":"structural_tag","format":{"type":"sequence","elements":[{"type":"const_string","value":"a"},{"type":"any_text"},{"type":"regex","pattern":"[0-9]+"}]}}"#,
        r#"{"type":"structural_tag","format":{"type":"or","elements":[{"type":"tag","begin":"<t>","content":{"type":"any_text","excludes":["x","</u>"]},"end":["</t>","</T>"]},{"type":"grammar","grammar":"root ::= \"a\" root | \"\""}]}}"#,
        r#"{"type":"structural_tag","format":{"type":"tags_with_separator","tags":[{"begin":"[","content":{"type":"qwen_xml_parameter","json_schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}},"end":"]"}],"separator":",","at_least_one":true,"stop_after_first":false}}"#,
        r#"{"structures":[{"begin":"<a>","schema":{"type":"string"},"end":"</a>"}],"triggers":["<a"]}"#,
    ],
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "true",
        "false",
        "null",
        "1",
        "\"type\":",
        "\"format\":",
        "\"sequence\"",
        "\"or\"",
        "\"tag\"",
        "\"any_text\"",
        "\"const_string\"",
        "\"json_schema\"",
        "\"grammar\"",
        "\"regex\"",
        "\"triggered_tags\"",
        "\"tags_with_separator\"",
        "\"begin\":",
        "\"content\":",
        "\"end\":",
        "\"triggers\":",
        "\"excludes\":",
        "\"separator\":",
        "\"at_least_one\":true",
        "\"stop_after_first\":true",
        "\"elements\":[",
        "\"tags\":[",
        "\"value\":",
        "\"pattern\":",
        "<f",
        "</f>",
        "<",
        "a",
        "\\u00e9",
        " ",
        "\n",
    ],
};

/// Reads `data` as a structural tag; its grammar is compiled and walked.
///
/// # Panics
///
/// If an error says nothing, or a mask is wrong.
pub fn run(data: &[u8]) {
    let source = Source::new("fuzz", String::from_utf8_lossy(data));
    walked::walk_parsed(
        structural_tag::parse(&source, &walked::limits().into()),
        data,
    );
}
