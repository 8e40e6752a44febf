//! Diagnostics of structural tags, tools and formats of calls.

use super::Input::{CompiledTag, NamedTag, PedanticTools, Tag, ToolFormat, Tools};
use super::{Example, example};

pub const EXAMPLES: &[Example] = &[
    example(
        "format-malformed",
        "A format of tool calls lacks something, or its parts could not be told apart when an output is read back.",
        ToolFormat("{\"call\": \"<call>{{nme}}: {{arguments}}</call>\"}"),
    ),
    example(
        "tag-adjacent-text",
        "Free text of a structural tag directly after free text: an end, trigger or exclude that begins in the one and ends in the other is not seen.",
        Tag(r#"{"type": "sequence", "elements": [
  {"type": "any_text", "excludes": ["<x>"]},
  {"type": "any_text"}]}"#),
    ),
    example(
        "tag-begin",
        "The begin of a tag starts with none of the triggers, or with several.",
        Tag(r#"{"type": "triggered_tags", "triggers": ["<tool"],
 "tags": [{"begin": "<call>", "content": {"value": "x"}, "end": "</call>"},
          {"begin": "<tool>", "content": {"value": "x"}, "end": "</tool>"}]}"#),
    ),
    example(
        "tag-bordered-end",
        "An end whose beginning is also its ending, so that it can overlap with itself. Free text ends where the end is first complete.",
        Tag(r#"{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": "```"}"#),
    ),
    example(
        "tag-control-trigger",
        "A trigger begins with a control token of the vocabulary and goes on. Free text cannot hold the token, so a model that writes it can go on as the triggers do only.",
        NamedTag(
            r#"{"type": "triggered_tags", "triggers": ["<|channel|>analysis"],
 "tags": [{"begin": "<|channel|>analysis:", "content": {"value": "x"}, "end": "."}]}"#,
        ),
    ),
    example(
        "tag-end-in-content",
        "A regular expression in a tag can match a text that contains the tag's own end. The grammar is exact, but a program that cuts the output at the first end cuts it elsewhere.",
        Tag(
            r#"{"type": "tag", "begin": "<", "content": {"type": "regex", "pattern": "[^>]*>?"}, "end": ">"}"#,
        ),
    ),
    example(
        "tag-end-is-trigger",
        "A trigger that is also an end of a tag around the free text.",
        Tag(r#"{"type": "tag", "begin": "", "end": "<call>", "content":
 {"type": "triggered_tags", "triggers": ["<call>"],
  "tags": [{"begin": "<call>", "content": {"value": "x"}, "end": "</call>"}]}}"#),
    ),
    example(
        "tag-excluded-trigger",
        "A trigger that contains an exclude of the same free text: the text never contains such a trigger.",
        Tag(r#"{"type": "dispatch", "rules": [["<call>", {"value": "x"}]], "excludes": ["<"]}"#),
    ),
    example(
        "tag-malformed",
        "A structural tag is malformed: a field is missing or of another kind, a list or text is empty, a number is out of range.",
        Tag(r#"{"type": "triggered_tags", "triggers": [""], "tags": []}"#),
    ),
    example(
        "tag-shadowed",
        "A trigger or an end that can never be complete, since another delimiter of the same free text is a part of it and is complete first.",
        Tag(
            r#"{"type": "dispatch", "rules": [["<tool_call>", {"value": "x"}], ["_call", {"value": "y"}]]}"#,
        ),
    ),
    example(
        "tag-unknown-field",
        "A field that this type of format does not have. Ignoring it would change the language that the author meant.",
        Tag(r#"{"type": "any_text", "exclude": ["<think>"]}"#),
    ),
    example(
        "tag-unknown-type",
        "An unknown type of format.",
        Tag(r#"{"type": "any_txt"}"#),
    ),
    example(
        "tag-unsupported",
        "A part of structural tags that is not supported.",
        Tag(r#"{"type": "any_text", "max_tokens": 100000}"#),
    ),
    example(
        "tag-unused-trigger",
        "A trigger with which no tag begins.",
        Tag(r#"{"type": "triggered_tags", "triggers": ["<a>", "<b>"],
 "tags": [{"begin": "<a>", "content": {"value": "x"}, "end": "</a>"}]}"#),
    ),
    example(
        "tag-without-end",
        "Nothing ends the free text of a tag.",
        Tag(r#"{"type": "tag", "begin": "<think>", "content": {"type": "any_text"}, "end": ""}"#),
    ),
    example(
        "token-limit",
        "The tokens of a text are limited, but the matcher could not count them, or could not end the text after them.",
        CompiledTag(
            r#"{"elements": [{"type": "any_text", "max_tokens": 10}, {"type": "const_string", "value": "."}]}"#,
        ),
    ),
    example(
        "tool-choice",
        "`tool_choice` names a tool that does not exist, or there are no tools.",
        Tools(
            r#"{"tools": [{"name": "search"}], "tool_choice": {"type": "tool", "name": "serach"}}"#,
            "qwen_3",
        ),
    ),
    example(
        "tool-format",
        "No format of tool calls is given, or it is not known or cannot be read.",
        Tools(r#"[{"name": "search"}]"#, "qwen_s"),
    ),
    example(
        "tool-malformed",
        "A tool lacks something, or a field of it is of the wrong kind.",
        Tools(r#"[{"type": "web_search", "name": "search"}]"#, "qwen_3"),
    ),
    example(
        "tool-name",
        "Two tools have one name, or the format cannot write a name so that it is read back.",
        Tools(r#"[{"name": "search(web)"}]"#, "pythonic"),
    ),
    example(
        "tool-reasoning",
        "Reasoning is optional, so an output begins with it or has none. If the prompt has opened it, the output begins within it. `maskwright check` says so only with `--pedantic`.",
        PedanticTools(r#"[{"name": "now"}]"#, "qwen_3"),
    ),
    example(
        "tool-unknown-field",
        "A tool has an unknown field. It is ignored, since providers add fields of their own.",
        Tools(
            r#"[{"name": "search", "paramters": {"type": "object"}}]"#,
            "qwen_3",
        ),
    ),
];
