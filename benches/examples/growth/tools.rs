//! Tools with plausible parameters, from a fixed seed: the schema of a call of one of the first
//! `count`.

use maskwright_benches::random::Random;
use std::fmt::Write;

const VERBS: [&str; 20] = [
    "create", "update", "delete", "get", "list", "search", "send", "cancel", "approve", "assign",
    "archive", "export", "import", "schedule", "share", "move", "copy", "rename", "merge",
    "validate",
];

const NOUNS: [&str; 20] = [
    "invoice",
    "customer",
    "order",
    "ticket",
    "message",
    "event",
    "file",
    "folder",
    "user",
    "project",
    "payment",
    "report",
    "contact",
    "task",
    "document",
    "shipment",
    "product",
    "subscription",
    "calendar",
    "deployment",
];

const FIELDS: [&str; 24] = [
    "id",
    "name",
    "title",
    "description",
    "status",
    "priority",
    "amount",
    "currency",
    "limit",
    "offset",
    "start_date",
    "end_date",
    "email",
    "assignee",
    "tags",
    "format",
    "recursive",
    "dry_run",
    "notify",
    "region",
    "category",
    "language",
    "quantity",
    "comment",
];

const CHOICES: [&str; 8] = [
    r#""open", "closed", "pending""#,
    r#""low", "normal", "high", "urgent""#,
    r#""EUR", "USD", "GBP", "JPY", "CHF""#,
    r#""json", "csv", "pdf""#,
    r#""asc", "desc""#,
    r#""eu-west", "us-east", "ap-south""#,
    r#""de", "en", "es", "fr", "it", "pt""#,
    r#""draft", "review", "published", "archived""#,
];

/// The most tools there are.
pub const MOST: usize = VERBS.len() * NOUNS.len();

/// The schema of a call of one of the first `count` tools.
pub fn schema(count: usize) -> String {
    let mut text = "{\"anyOf\": [".to_owned();
    for index in 0..count.min(MOST) {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n{}", tool(index));
    }
    text.push_str("\n]}\n");
    text
}

fn tool(index: usize) -> String {
    let mut random = Random(index as u64 + 1);
    // Each name once: 7 has no factor in common with the number of tools.
    let name = index * 7 % MOST;
    let name = format!(
        "{}_{}",
        VERBS[name / NOUNS.len()],
        NOUNS[name % NOUNS.len()]
    );
    let count = 1 + random.below(6);
    let first = random.below(FIELDS.len());
    let fields: Vec<&str> = (0..count)
        .map(|at| FIELDS[(first + 5 * at) % FIELDS.len()])
        .collect();
    let properties = fields
        .iter()
        .map(|field| format!(r#""{field}": {}"#, parameter(&mut random)));
    let properties: Vec<String> = properties.collect();
    let required = fields.iter().take(1 + random.below(count));
    let required: Vec<String> = required.map(|field| format!(r#""{field}""#)).collect();
    let arguments = object(&properties.join(", "), &required.join(", "));
    object(
        &format!(r#""name": {{"const": "{name}"}}, "arguments": {arguments}"#),
        r#""name", "arguments""#,
    )
}

fn object(properties: &str, required: &str) -> String {
    format!(
        r#"{{"type": "object", "properties": {{{properties}}}, "required": [{required}], "additionalProperties": false}}"#
    )
}

fn parameter(random: &mut Random) -> String {
    match random.below(16) {
        0..5 => r#"{"type": "string"}"#.to_owned(),
        5..8 => format!(r#"{{"enum": [{}]}}"#, CHOICES[random.below(CHOICES.len())]),
        8 | 9 => r#"{"type": "boolean"}"#.to_owned(),
        10 => r#"{"type": "integer"}"#.to_owned(),
        11 => {
            let most = [10, 50, 100, 500, 1000][random.below(5)];
            format!(r#"{{"type": "integer", "minimum": 1, "maximum": {most}}}"#)
        }
        12 => r#"{"type": "number", "minimum": 0}"#.to_owned(),
        13 => r#"{"type": "array", "items": {"type": "string"}}"#.to_owned(),
        14 => r#"{"type": "string", "format": "date"}"#.to_owned(),
        _ => {
            let most = [64, 255][random.below(2)];
            format!(r#"{{"type": "string", "minLength": 1, "maxLength": {most}}}"#)
        }
    }
}
