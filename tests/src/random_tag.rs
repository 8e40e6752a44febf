//! Random structural tags, and texts that are nearly theirs.

use crate::random::Random;
use serde_json::{Value, json};

/// The characters of delimiters and texts.
const ALPHABET: [&str; 3] = ["a", "b", "é"];

fn word(random: &mut Random, least: usize, most: usize) -> String {
    let length = least + random.below(most - least + 1);
    (0..length)
        .map(|_| *random.pick(&ALPHABET).unwrap_or(&"a"))
        .collect()
}

/// A format, whose parts nest at most so deep.
pub fn format(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 3 } else { 13 };
    match random.below(kinds) {
        0 => json!({"type": "const_string", "value": word(random, 0, 2)}),
        1 => json!({"type": "any_text", "excludes": words(random, 2)}),
        2 => {
            json!({"type": "any_text", "excludes": words(random, 1), "max_chars": random.below(4)})
        }
        3 | 4 => tag(random, depth),
        5 | 6 => triggered(random, depth),
        7 => dispatch(random, depth),
        8 => {
            let elements: Vec<Value> = (0..1 + random.below(3))
                .map(|_| format(random, depth - 1))
                .collect();
            json!({"type": "sequence", "elements": elements})
        }
        9 => {
            let elements: Vec<Value> = (0..1 + random.below(2))
                .map(|_| format(random, depth - 1))
                .collect();
            json!({"type": "or", "elements": elements})
        }
        10 => {
            let kind = *random
                .pick(&["optional", "star", "plus"])
                .unwrap_or(&"star");
            json!({"type": kind, "content": format(random, depth - 1)})
        }
        11 => repeat(random, |random| format(random, depth - 1)),
        _ => json!({
            "type": "tags_with_separator",
            "tags": (0..1 + random.below(2)).map(|_| tag(random, depth)).collect::<Vec<_>>(),
            "separator": word(random, 0, 1),
            "at_least_one": random.below(2) == 0,
            "stop_after_first": random.below(3) == 0,
        }),
    }
}

/// A random repetition, with or without a most.
pub(crate) fn repeat(random: &mut Random, content: impl FnOnce(&mut Random) -> Value) -> Value {
    let min = random.below(3);
    let max = match random.below(3) {
        0 => -1,
        more => (min + more - 1) as i64,
    };
    json!({"type": "repeat", "min": min, "max": max, "content": content(random)})
}

/// Free text of at most so many characters.
pub fn counted(random: &mut Random, most: usize) -> Value {
    json!({"type": "any_text", "excludes": words(random, 1), "max_chars": random.below(most + 1)})
}

/// A tag whose text has at most so many characters, and whose ends are not empty.
pub fn ended(random: &mut Random, most: usize) -> Value {
    let content = counted(random, most);
    json!({"type": "tag", "begin": word(random, 0, 2), "content": content, "end": word(random, 1, 4)})
}

/// A tag or a sequence around a format, or a choice of it.
pub fn around(random: &mut Random, content: Value) -> Value {
    match random.below(4) {
        0 => json!({"type": "sequence", "elements": [format(random, 0), content]}),
        1 => json!({"type": "or", "elements": [content, format(random, 0)]}),
        _ => {
            let mut tag = tag(random, 1);
            tag["content"] = content;
            tag
        }
    }
}

fn words(random: &mut Random, most: usize) -> Vec<String> {
    (0..random.below(most + 1))
        .map(|_| word(random, 1, 3))
        .collect()
}

fn tag(random: &mut Random, depth: usize) -> Value {
    let begin = word(random, 0, 2);
    with_begin(random, depth, &begin)
}

fn with_begin(random: &mut Random, depth: usize, begin: &str) -> Value {
    let end = match random.below(5) {
        0 => json!([word(random, 1, 3), word(random, 0, 2)]),
        1 => json!(word(random, 0, 2)),
        _ => json!(word(random, 1, 3)),
    };
    json!({"type": "tag", "begin": begin, "content": format(random, depth - 1), "end": end})
}

fn triggered(random: &mut Random, depth: usize) -> Value {
    let triggers: Vec<String> = (0..1 + random.below(2))
        .map(|_| word(random, 1, 3))
        .collect();
    let mut tags = Vec::new();
    for trigger in &triggers {
        for _ in 0..1 + random.below(2) {
            let begin = trigger.clone() + &word(random, 0, 2);
            tags.push(with_begin(random, depth, &begin));
        }
    }
    json!({
        "type": "triggered_tags",
        "triggers": triggers,
        "tags": tags,
        "excludes": words(random, 1),
        "at_least_one": random.below(3) == 0,
        "stop_after_first": random.below(3) == 0,
    })
}

fn dispatch(random: &mut Random, depth: usize) -> Value {
    let rules: Vec<Value> = (0..1 + random.below(3))
        .map(|_| json!([word(random, 1, 3), format(random, depth - 1)]))
        .collect();
    json!({"type": "dispatch", "rules": rules, "excludes": words(random, 1), "loop": random.below(3) > 0})
}

/// All texts of at most `length` characters, and `more` longer ones made of the format's own words.
pub fn texts(random: &mut Random, format: &Value, length: usize, more: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut last = texts.clone();
    for _ in 0..length {
        let longer = last
            .iter()
            .flat_map(|text| ALPHABET.map(|c| format!("{text}{c}")));
        last = longer.collect();
        texts.extend(last.iter().cloned());
    }
    let mut words = Vec::new();
    collect(format, &mut words);
    for _ in 0..more {
        let mut text = String::new();
        for _ in 0..2 + random.below(5) {
            match random.below(3) {
                0 => text.push_str(&word(random, 1, 2)),
                _ => text.push_str(random.pick(&words).map_or("a", String::as_str)),
            }
        }
        texts.push(text);
    }
    texts
}

fn collect(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| *name != "type");
            fields.for_each(|(_, field)| collect(field, words));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::String(word) if !word.is_empty() => words.push(word.clone()),
        _ => {}
    }
}
