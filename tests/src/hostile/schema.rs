//! Hostile JSON Schemas.

use super::{Hostile, kind, list, nested};
use maskwright_compiler::GrammarText;

pub(super) const KINDS: &[Hostile] = &[
    kind("schema: values of an enum", 5_000, |size, seed| {
        schema(&format!(r#"{{"enum": [{}]}}"#, strings(size, seed)))
    }),
    kind("schema: equal values of an enum", 20_000, |size, seed| {
        schema(&format!(r#"{{"enum": [{}]}}"#, list(size, ",", |_| seed)))
    }),
    kind("schema: numbers of an enum", 5_000, |size, seed| {
        schema(&format!(
            r#"{{"enum": [{}]}}"#,
            list(size, ",", |i| i as u64 * 7 + seed % 7)
        ))
    }),
    kind("schema: unknown keywords", 20_000, |size, seed| {
        schema(&format!(
            "{{{}}}",
            list(size, ",", |i| format!("\"propertes{seed}{i}\": 1"))
        ))
    }),
    kind("schema: names in required", 2_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "object", "required": [{}]}}"#,
            strings(size, seed)
        ))
    }),
    kind("schema: a large constant", 10_000, |size, seed| {
        let members = list(size, ",", |i| format!("\"k{seed}-{i}\": [{i}]"));
        schema(&format!("{{\"const\": {{{members}}}}}"))
    }),
    kind("schema: properties", 2_000, |size, seed| {
        schema(&object(&properties(size, seed, "{\"type\": \"integer\"}")))
    }),
    kind(
        "schema: properties that are required",
        2_000,
        |size, seed| {
            schema(&format!(
                r#"{{"type": "object", "properties": {{{}}}, "required": [{}]}}"#,
                properties(size, seed, "true"),
                strings(size, seed)
            ))
        },
    ),
    kind("schema: patterns of properties", 40, |size, seed| {
        let patterns = list(size, ",", |i| {
            format!("\"^n{seed}.*{i}\": {{\"minimum\": {i}}}")
        });
        schema(&format!(
            r#"{{"type": "object", "properties": {{{}}}, "patternProperties": {{{patterns}}}}}"#,
            properties(size * 5, seed, "{\"type\": \"integer\"}")
        ))
    }),
    kind("schema: dependencies", 1_000, |size, seed| {
        let rules = list(size, ",", |i| {
            format!("\"n{seed}-{i}\": [\"n{seed}-{}\"]", i + 1)
        });
        schema(&format!(
            r#"{{"type": "object", "dependentRequired": {{{rules}}}}}"#
        ))
    }),
    kind("schema: definitions", 5_000, |size, seed| {
        let definitions = properties(size, seed, "{\"type\": \"string\"}");
        let uses = list(size, ",", |i| reference(seed, i));
        schema(&format!(
            r#"{{"$defs": {{{definitions}}}, "anyOf": [{uses}]}}"#
        ))
    }),
    kind("schema: a chain of references", 5_000, |size, seed| {
        let links = list(size, ",", |i| {
            format!("\"n{seed}-{i}\": {}", reference(seed, i + 1))
        });
        definitions(
            seed,
            &format!("{links}, \"n{seed}-{size}\": {{\"type\": \"null\"}}"),
        )
    }),
    kind("schema: a cycle of references", 5_000, |size, seed| {
        let link = |i: usize| format!("\"n{seed}-{i}\": {}", reference(seed, (i + 1) % size));
        definitions(seed, &list(size, ",", link))
    }),
    kind("schema: a chain of arrays", 1_000, |size, seed| {
        let links = list(size, ",", |i| {
            format!("\"n{seed}-{i}\": {{\"items\": {}}}", reference(seed, i + 1))
        });
        definitions(
            seed,
            &format!("{links}, \"n{seed}-{size}\": {{\"type\": \"null\"}}"),
        )
    }),
    kind("schema: references to nothing", 5_000, |size, seed| {
        schema(&format!(
            r#"{{"anyOf": [{}]}}"#,
            list(size, ",", |i| reference(seed, i))
        ))
    }),
    kind("schema: anchors", 5_000, |size, seed| {
        let parts = list(size, ",", |i| {
            format!("\"n{i}\": {{\"$anchor\": \"a{seed}-{i}\", \"type\": \"null\"}}")
        });
        schema(&format!(
            r##"{{"$defs": {{{parts}}}, "$ref": "#a{seed}-0"}}"##
        ))
    }),
    kind("schema: identifiers", 2_000, |size, seed| {
        let parts = list(size, ",", |i| {
            format!("\"n{i}\": {{\"$id\": \"https://example.com/{seed}/{i}\"}}")
        });
        schema(&format!(r#"{{"$defs": {{{parts}}}, "type": "null"}}"#))
    }),
    kind("schema: members of anyOf", 1_000, |size, seed| {
        members("anyOf", size, |i| {
            format!("{{\"type\": \"string\", \"minLength\": {i}, \"pattern\": \"^a{seed}\"}}")
        })
    }),
    kind("schema: members of allOf", 1_000, |size, seed| {
        members("allOf", size, |i| {
            format!("{{\"properties\": {{\"n{seed}-{i}\": {{\"minimum\": {i}}}}}}}")
        })
    }),
    kind("schema: members of oneOf", 60, |size, seed| {
        members("oneOf", size, |i| {
            format!("{{\"properties\": {{\"n{seed}-{i}\": {{\"minimum\": {i}}}}}}}")
        })
    }),
    kind("schema: choices in allOf", 9, |size, seed| {
        members("allOf", size, |i| {
            format!(
                "{{\"anyOf\": [{{\"required\": [\"a{seed}-{i}\"]}}, {{\"required\": [\"b{i}\"]}}]}}"
            )
        })
    }),
    kind("schema: negations", 300, |size, seed| {
        schema(&nested(
            size,
            "{\"not\": ",
            &format!("{{\"const\": {seed}}}"),
            "}",
        ))
    }),
    kind("schema: excluded constants", 500, |size, seed| {
        members("allOf", size, |i| {
            format!("{{\"not\": {{\"const\": \"c{seed}-{i}\"}}}}")
        })
    }),
    kind("schema: conditions", 8, |size, seed| {
        members("allOf", size, |i| {
            format!(
                "{{\"if\": {{\"required\": [\"n{seed}-{i}\"]}}, \"then\": {{\"required\": [\"t{i}\"]}}, \"else\": {{\"required\": [\"e{i}\"]}}}}"
            )
        })
    }),
    kind("schema: unique items of an enum", 12, |size, seed| {
        schema(&format!(
            r#"{{"type": "array", "uniqueItems": true, "items": {{"enum": [{}]}}}}"#,
            strings(size, seed)
        ))
    }),
    kind("schema: tuples", 2_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "array", "prefixItems": [{}], "items": false}}"#,
            list(size, ",", |i| format!(
                "{{\"const\": \"c{seed}-{}\"}}",
                i % 10
            ))
        ))
    }),
    kind("schema: a count of items", 20_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "array", "minItems": {size}, "items": {{"const": {seed}}}}}"#
        ))
    }),
    kind("schema: items that are contained", 200, |size, seed| {
        schema(&format!(
            r#"{{"type": "array", "contains": {{"const": "c{seed}"}}, "minContains": {size}}}"#
        ))
    }),
    kind("schema: a multiple", 3_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "integer", "multipleOf": {}}}"#,
            size as u64 + seed % 3
        ))
    }),
    kind("schema: digits of a bound", 2_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "number", "minimum": 1{seed}{}}}"#,
            "7".repeat(size)
        ))
    }),
    kind("schema: digits of a fraction", 2_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "number", "maximum": 0.{}{seed}}}"#,
            "3".repeat(size)
        ))
    }),
    kind("schema: an exponent of a bound", 400, |size, seed| {
        schema(&format!(
            r#"{{"type": "number", "minimum": 1{}e{size}}}"#,
            seed % 10
        ))
    }),
    kind("schema: a long constant", 50_000, |size, seed| {
        schema(&format!(r#"{{"const": "{seed}{}"}}"#, "a".repeat(size)))
    }),
    kind("schema: a constant of escapes", 20_000, |size, seed| {
        schema(&format!(
            r#"{{"const": "{seed}{}"}}"#,
            "\\u00e9".repeat(size)
        ))
    }),
    kind(
        "schema: a constant of long characters",
        10_000,
        |size, seed| {
            schema(&format!(
                r#"{{"const": "{seed}{}"}}"#,
                "\\ud83d\\ude00\\u0000".repeat(size)
            ))
        },
    ),
    kind("schema: a constant of many keys", 5_000, |size, seed| {
        schema(&format!(
            r#"{{"const": {{{}}}}}"#,
            properties(size, seed, "1")
        ))
    }),
    kind("schema: a nested constant", 120, |size, seed| {
        schema(&format!(
            "{{\"const\": {}}}",
            nested(size, "[", &seed.to_string(), "]")
        ))
    }),
    kind("schema: JSON that nests too deep", 20_000, |size, seed| {
        schema(&nested(size, "[", &seed.to_string(), "]"))
    }),
    kind("schema: keys that no schema knows", 10_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "null", "examples": [{{{}}}]}}"#,
            properties(size, seed, "1")
        ))
    }),
    kind("schema: one key twice", 10_000, |size, seed| {
        schema(&format!(
            "{{{}}}",
            list(size, ",", |_| format!("\"k{seed}\": 1"))
        ))
    }),
    kind("schema: a count of properties", 12, |size, seed| {
        schema(&format!(
            r#"{{"type": "object", "minProperties": {}, "maxProperties": {size}, "properties": {{{}}}}}"#,
            size / 2,
            properties(size, seed, "true")
        ))
    }),
    kind("schema: long strings", 20_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "string", "minLength": {size}, "pattern": "^[a-z{}]*$"}}"#,
            seed % 10
        ))
    }),
    kind("schema: a long pattern", 2_000, |size, seed| {
        schema(&format!(
            r#"{{"type": "string", "pattern": "^({})$"}}"#,
            list(size, "|", |i| format!("p{seed}-{i}"))
        ))
    }),
    kind("schema: patterns that all hold", 12, |size, seed| {
        members("allOf", size, |i| {
            format!("{{\"type\": \"string\", \"pattern\": \"x{seed}[a-f]{{{i}}}y\"}}")
        })
    }),
    kind("schema: a pattern n characters back", 12, |size, _| {
        schema(&format!(
            r#"{{"type": "string", "pattern": "a[ab]{{{size}}}$"}}"#
        ))
    }),
    kind("schema: formats", 200, |size, seed| {
        members("anyOf", size, |i| {
            let format = ["email", "uri", "date-time", "ipv6", "hostname"][i % 5];
            format!(
                "{{\"type\": \"string\", \"format\": \"{format}\", \"minLength\": {}}}",
                i as u64 % 20 + seed % 3
            )
        })
    }),
    kind("schema: blanks", 200_000, |size, seed| {
        schema(&format!("{{{}\"const\": {seed}}}", " ".repeat(size)))
    }),
    kind("schema: wrong values of keywords", 5_000, |size, seed| {
        let wrong = list(size, ",", |i| {
            format!("\"n{seed}-{i}\": {{\"minLength\": \"x\"}}")
        });
        schema(&object(&wrong))
    }),
    kind("schema: types", 5_000, |size, seed| {
        schema(&format!(
            "{{\"type\": [{}]}}",
            list(size, ",", |i| format!("\"t{seed}-{i}\""))
        ))
    }),
];

fn schema(text: &str) -> GrammarText {
    GrammarText::schema(text)
}

/// Texts of names, as items of an array.
fn strings(count: usize, seed: u64) -> String {
    list(count, ",", |i| format!("\"n{seed}-{i}\""))
}

/// Members of an object with one value.
fn properties(count: usize, seed: u64, value: &str) -> String {
    list(count, ",", |i| format!("\"n{seed}-{i}\": {value}"))
}

fn object(properties: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{{properties}}}}}"#)
}

fn reference(seed: u64, i: usize) -> String {
    format!("{{\"$ref\": \"#/$defs/n{seed}-{i}\"}}")
}

fn definitions(seed: u64, definitions: &str) -> GrammarText {
    schema(&format!(
        r##"{{"$ref": "#/$defs/n{seed}-0", "$defs": {{{definitions}}}}}"##
    ))
}

fn members(keyword: &str, count: usize, member: impl Fn(usize) -> String) -> GrammarText {
    schema(&format!(
        "{{\"{keyword}\": [{}]}}",
        list(count, ",", member)
    ))
}
