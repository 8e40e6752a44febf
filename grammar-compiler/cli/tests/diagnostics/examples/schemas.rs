//! Diagnostics of JSON Schemas.

use super::Input::{Lenient, Schema, Styled};
use super::{Example, example};

pub const EXAMPLES: &[Example] = &[
    example(
        "json-duplicate-key",
        "A key occurs twice in one object of a schema.",
        Schema("{\"type\": \"null\",\n \"type\": \"string\"}"),
    ),
    example(
        "json-number",
        "A word that looks like a number but is not one in JSON.",
        Schema("{\"minimum\": 01}"),
    ),
    example(
        "json-string",
        "A string of a schema with an escape or character that JSON does not allow.",
        Schema(r#"{"type": "a\x"}"#),
    ),
    example(
        "json-syntax",
        "The schema is not JSON.",
        Schema("{\"type\": \"null\",}"),
    ),
    example(
        "schema-draft",
        "The draft is not known, or a keyword means something else in it.",
        Schema("{\"$schema\": \"https://json-schema.org/draft/2030-01/schema\"}"),
    ),
    example(
        "schema-format",
        "A format that is unknown, or whose strings are not a regular set.",
        Schema("{\"type\": \"string\", \"format\": \"regex\"}"),
    ),
    example(
        "schema-lenient",
        "A keyword that cannot be honoured exactly is ignored, since the option `lenient` names it.",
        Lenient("{\"type\": \"string\", \"format\": \"regex\"}", "format"),
    ),
    example(
        "schema-malformed",
        "A keyword has a value that its definition does not allow.",
        Schema("{\"type\": \"int\"}"),
    ),
    example(
        "schema-no-keyword",
        "A document that allows any JSON, which is hardly meant: a wrapper around a schema, a list of properties, only definitions.",
        Schema("{\"name\": \"person\", \"schema\": {\n  \"type\": \"object\"}}"),
    ),
    example(
        "schema-no-value",
        "A part of a schema that no value satisfies, though the whole has values.",
        Schema("{\"properties\": {\n  \"unit\": {\"type\": \"string\", \"enum\": [1, 2]}}}"),
    ),
    example(
        "schema-other-document",
        "A reference leads into a document that was not provided.",
        Schema("{\"$ref\": \"https://example.com/person.json\"}"),
    ),
    example(
        "schema-pattern",
        "A pattern that is not a regular expression, or not regular.",
        Schema(r#"{"type": "string", "pattern": "(a)\\1"}"#),
    ),
    example(
        "schema-recursion",
        "A schema that refers to itself for the same value, not for a part of it.",
        Schema(
            "{\"$defs\": {\"a\": {\"not\": {\"$ref\": \"#/$defs/a\"}}}, \"$ref\": \"#/$defs/a\"}",
        ),
    ),
    example(
        "schema-reference",
        "A reference leads to a place that does not exist.",
        Schema("{\"$ref\": \"#/$defs/persn\", \"$defs\": {\"person\": {}}}"),
    ),
    example(
        "schema-style",
        "The style in which a model writes the arguments of a tool cannot write a value or a name.",
        Styled(
            "{\"type\": \"object\", \"properties\": {\n  \"tag\": {\"enum\": [\"<b>\", \"</parameter>\"]}}}",
            "qwen_xml",
        ),
    ),
    example(
        "schema-undecided",
        "Keywords whose combination cannot be honoured exactly.",
        Schema("{\"type\": \"array\", \"uniqueItems\": true}"),
    ),
    example(
        "schema-unknown-keyword",
        "A keyword that looks like a misspelled known one.",
        Schema("{\"type\": \"array\", \"maxItem\": 3}"),
    ),
    example(
        "schema-unsatisfiable",
        "No value can satisfy the schema.",
        Schema("{\"type\": \"string\", \"enum\": [1]}"),
    ),
];
