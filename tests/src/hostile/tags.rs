//! Hostile structural tags.

use super::{Hostile, kind, list, nested};
use maskwright_compiler::GrammarText;

pub(super) const KINDS: &[Hostile] = &[
    kind("tags: tags of one trigger", 500, |size, seed| {
        triggered(
            "\"<f\"",
            &list(size, ",", |i| tag(&format!("<f{seed}-{i}>"), "x", "</f>")),
        )
    }),
    kind("tags: triggers", 500, |size, seed| {
        let triggers = list(size, ",", |i| format!("\"<t{seed}-{i}>\""));
        triggered(
            &triggers,
            &list(size, ",", |i| tag(&format!("<t{seed}-{i}>"), "x", "</t>")),
        )
    }),
    kind(
        "tags: triggers of which each is a prefix",
        200,
        |size, seed| {
            let long = |i: usize| format!("<{seed}{}", "a".repeat(i + 1));
            let triggers = list(size, ",", |i| format!("\"{}\"", long(i)));
            triggered(
                &triggers,
                &list(size, ",", |i| tag(&(long(i) + ">"), "x", "</t>")),
            )
        },
    ),
    kind("tags: excludes", 1_000, |size, seed| {
        text(&format!(
            "\"excludes\": [{}]",
            list(size, ",", |i| format!("\"e{seed}-{i}\""))
        ))
    }),
    kind("tags: a long exclude", 5_000, |size, seed| {
        text(&format!("\"excludes\": [\"{seed}{}b\"]", "a".repeat(size)))
    }),
    kind(
        "tags: a long exclude that is no text of its own",
        5_000,
        |size, seed| {
            let long = "ab".repeat(size / 2);
            text(&format!(
                "\"excludes\": [\"{seed}{long}c\", \"{seed}{long}d\"]"
            ))
        },
    ),
    kind("tags: a long end", 5_000, |size, seed| {
        structural_tag(&format!(
            r#"{{"type": "tag", "begin": "<{seed}>", "content": {{"type": "any_text"}}, "end": "{}b"}}"#,
            "a".repeat(size)
        ))
    }),
    kind("tags: a long begin", 20_000, |size, seed| {
        triggered(
            "\"<\"",
            &tag(&format!("<{seed}{}", "a".repeat(size)), "x", "</t>"),
        )
    }),
    kind(
        "tags: a long end of a tag without free text",
        20_000,
        |size, seed| triggered("\"<\"", &tag(&format!("<{seed}"), "x", &"a".repeat(size))),
    ),
    kind("tags: a long end in a content", 5_000, |size, seed| {
        let end = "a".repeat(size);
        structural_tag(&format!(
            r#"{{"type": "tag", "begin": "<{seed}>", "content": {{"type": "regex", "pattern": "[a-c]*"}}, "end": "{end}b"}}"#
        ))
    }),
    kind(
        "tags: triggers with first letters of their own",
        2_000,
        |size, _| {
            let trigger = |i: usize| char::from_u32(0x4e00 + i as u32 % 20_000).unwrap_or('a');
            let rules = list(size, ",", |i| {
                format!("[\"{}{i}>\", {}]", trigger(i), constant("x"))
            });
            structural_tag(&format!(r#"{{"type": "dispatch", "rules": [{rules}]}}"#))
        },
    ),
    kind("tags: ends", 1_000, |size, seed| {
        structural_tag(&format!(
            r#"{{"type": "tag", "begin": "<{seed}>", "content": {{"type": "any_text"}}, "end": [{}]}}"#,
            list(size, ",", |i| format!("\"</{seed}-{i}>\""))
        ))
    }),
    kind("tags: a long end behind schemas", 2_000, |size, seed| {
        let schemas = list(size / 50, ",", |i| {
            raw(&format!(r#"{{"const": "{seed}-{i}"}}"#))
        });
        behind(
            &format!(r#"{{"type": "or", "elements": [{schemas}]}}"#),
            size,
        )
    }),
    kind("tags: schemas in a tag with ends", 500, |size, seed| {
        let content = raw(r#"{"type": "string"}"#);
        structural_tag(&format!(
            r#"{{"type": "tag", "begin": "<{seed}>", "content": {content}, "end": [{}]}}"#,
            list(size, ",", |i| format!("\"{}b{seed}-{i}>\"", "a".repeat(i)))
        ))
    }),
    kind("tags: a long end behind free texts", 2_000, |size, seed| {
        let texts = list(size / 50, ",", |i| {
            let free = r#"{"type": "any_text"}"#;
            format!(
                r#"{{"type": "tag", "begin": "<{seed}-{i}>", "content": {free}, "end": "</{i}>"}}"#
            )
        });
        behind(&format!(r#"{{"type": "or", "elements": [{texts}]}}"#), size)
    }),
    kind("tags: a long end behind triggers", 2_000, |size, seed| {
        let texts = list(size / 50, ",", |i| {
            format!(
                r#"{{"type": "dispatch", "rules": [["t{seed}-{i}", {}]]}}"#,
                constant("x")
            )
        });
        behind(&format!(r#"{{"type": "or", "elements": [{texts}]}}"#), size)
    }),
    kind(
        "tags: a long end behind texts in order",
        2_000,
        |size, seed| {
            let texts = list(size / 50, ",", |i| {
                format!(
                    r#"{{"type": "any_text", "excludes": ["x{seed}-{i}"]}}, {}"#,
                    constant("y")
                )
            });
            behind(
                &format!(r#"{{"type": "sequence", "elements": [{texts}]}}"#),
                size,
            )
        },
    ),
    kind("tags: a long constant", 50_000, |size, seed| {
        structural_tag(&constant(&format!("{seed}{}", "a".repeat(size))))
    }),
    kind("tags: elements of a sequence", 5_000, |size, seed| {
        structural_tag(&format!(
            r#"{{"type": "sequence", "elements": [{}]}}"#,
            list(size, ",", |i| constant(&format!("c{seed}-{i}")))
        ))
    }),
    kind("tags: elements of a choice", 5_000, |size, seed| {
        structural_tag(&format!(
            r#"{{"type": "or", "elements": [{}]}}"#,
            list(size, ",", |i| constant(&format!("c{seed}-{i}")))
        ))
    }),
    kind("tags: nested tags", 60, |size, seed| {
        let open =
            format!(r#"{{"type": "tag", "begin": "<{seed}>", "end": "</{seed}>", "content": "#);
        structural_tag(&nested(size, &open, &constant("x"), "}"))
    }),
    kind("tags: nested tags around free text", 60, |size, seed| {
        let inner = r#"{"type": "any_text"}"#.to_owned();
        let format = (0..size).fold(inner, |content, i| {
            format!(r#"{{"type": "tag", "begin": "<{seed}-{i}>", "end": "</{seed}-{i}>", "content": {content}}}"#)
        });
        structural_tag(&format)
    }),
    kind("tags: stars in stars", 60, |size, seed| {
        structural_tag(&nested(
            size,
            r#"{"type": "star", "content": "#,
            &constant(&seed.to_string()),
            "}",
        ))
    }),
    kind("tags: counted characters", 2_000, |size, seed| {
        text(&format!(
            "\"excludes\": [\"e{seed}\"], \"max_chars\": {size}"
        ))
    }),
    kind("tags: schemas", 200, |size, seed| {
        let schema = |i: usize| {
            format!(
                r#"{{"type": "json_schema", "json_schema": {{"properties": {{"n{seed}-{i}": {{"type": "integer"}}}}}}}}"#
            )
        };
        structural_tag(&format!(
            r#"{{"type": "or", "elements": [{}]}}"#,
            list(size, ",", schema)
        ))
    }),
    kind("tags: rules of a dispatch", 500, |size, seed| {
        let rules = list(size, ",", |i| {
            format!("[\"<t{seed}-{i}>\", {}]", constant("x"))
        });
        structural_tag(&format!(r#"{{"type": "dispatch", "rules": [{rules}]}}"#))
    }),
    kind("tags: tags between separators", 500, |size, seed| {
        let tags = list(size, ",", |i| tag(&format!("<f{seed}-{i}>"), "x", "</f>"));
        structural_tag(&format!(
            r#"{{"type": "tags_with_separator", "separator": ",", "tags": [{tags}]}}"#
        ))
    }),
    kind("tags: tokens that are excluded", 5_000, |size, _| {
        structural_tag(&format!(
            r#"{{"type": "exclude_token", "exclude_tokens": [{}]}}"#,
            list(size, ",", |i| i % 256)
        ))
    }),
    kind("tags: unknown fields", 10_000, |size, seed| {
        text(&list(size, ",", |i| format!("\"exclude{seed}-{i}\": 1")))
    }),
    kind("tags: tags without a trigger", 1_000, |size, seed| {
        triggered(
            "\"<f\"",
            &list(size, ",", |i| tag(&format!("<g{seed}-{i}>"), "x", "</f>")),
        )
    }),
];

/// A schema whose value is written as its raw text.
fn raw(schema: &str) -> String {
    format!(r#"{{"type": "json_schema", "style": "qwen_xml", "json_schema": {schema}}}"#)
}

fn structural_tag(format: &str) -> GrammarText {
    GrammarText::structural_tag(format!(
        r#"{{"type": "structural_tag", "format": {format}}}"#
    ))
}

fn constant(value: &str) -> String {
    format!(r#"{{"type": "const_string", "value": "{value}"}}"#)
}

/// Free text with these fields.
fn text(fields: &str) -> GrammarText {
    structural_tag(&format!(r#"{{"type": "any_text", {fields}}}"#))
}

/// This content in a tag with an end of this length.
fn behind(content: &str, bytes: usize) -> GrammarText {
    let end = "a".repeat(bytes);
    structural_tag(&format!(
        r#"{{"type": "tag", "begin": "<", "content": {content}, "end": "{end}b"}}"#
    ))
}

fn tag(begin: &str, content: &str, end: &str) -> String {
    let content = constant(content);
    format!(r#"{{"type": "tag", "begin": "{begin}", "content": {content}, "end": "{end}"}}"#)
}

fn triggered(triggers: &str, tags: &str) -> GrammarText {
    structural_tag(&format!(
        r#"{{"type": "triggered_tags", "triggers": [{triggers}], "tags": [{tags}]}}"#
    ))
}
