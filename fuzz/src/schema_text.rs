//! JSON Schemas: reading, and compiling and walking what was read.

use crate::{Target, walked};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;

/// This target.
pub const TARGET: Target = Target {
    name: "schema_text",
    run,
    seeds: &[
        r##"{"type":"object","properties":{"a":{"type":"string","maxLength":9},"b":{"$ref":"#/$defs/n"}},"required":["a"],"$defs":{"n":{"type":"integer","minimum":-3}}}"##,
        r#"{"anyOf":[{"type":"array","items":{"type":"number","multipleOf":0.5},"minItems":1,"maxItems":30},{"const":null}]}"#,
        r##"{"type":"array","prefixItems":[{"enum":[1,"x",[true]]}],"items":{"$ref":"#"},"contains":{"type":"boolean"}}"##,
        r#"{"oneOf":[{"properties":{"k":{"const":1}}},{"properties":{"k":{"const":2}},"patternProperties":{"^x":false}}],"additionalProperties":{"type":"null"}}"#,
        r#"{"type":"string","pattern":"^a(?=b).*$","format":"date","not":{"minLength":4}}"#,
        r#"{"if":{"required":["a"]},"then":{"dependentRequired":{"a":["b"]}},"else":{"maxProperties":2},"unevaluatedProperties":false}"#,
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
        "0",
        "-1",
        "1.5e3",
        "99999",
        "\"type\":",
        "\"string\"",
        "\"object\"",
        "\"array\"",
        "\"integer\"",
        "\"properties\":{",
        "\"items\":",
        "\"enum\":[",
        "\"const\":",
        "\"anyOf\":[",
        "\"allOf\":[",
        "\"oneOf\":[",
        "\"not\":{",
        "\"$ref\":\"#\"",
        "\"$ref\":\"#/a\"",
        "\"minLength\":",
        "\"maxLength\":",
        "\"pattern\":\"",
        "\"format\":\"",
        "\"minimum\":",
        "\"maximum\":",
        "\"multipleOf\":",
        "\"required\":[",
        "\"additionalProperties\":",
        "\"$defs\":{",
        "\\u00e9",
        "\\ud800",
        " ",
        "\n",
    ],
};

/// Reads `data` as a schema; what is read is compiled and walked.
pub fn run(data: &[u8]) {
    let source = Source::new("fuzz", String::from_utf8_lossy(data));
    walked::walk_parsed(json_schema::parse(&source, &walked::limits().into()), data);
}
