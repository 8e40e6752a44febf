//! Random structural tags of all types, for a vocabulary with control, added and stop tokens; and
//! tokens that are nearly theirs.

use crate::random::Random;
use crate::random_tag::repeat;
use crate::tags::{TagSymbol, WrittenTokens, opaque};
use serde_json::{Value, json};

/// Single characters: those of random texts, those of names, and those of contents.
const CHARACTERS: &str = "abé<>|t\"=/_\nruefalspm";
/// Longer tokens: some cross one or two delimiters, and one is half of a name.
const LONGER: [&str; 10] = [
    "ab", "ba", "bé", "aab", "éa", "abba", "a<", "t>b", "\"a", "babab",
];
/// Added tokens, which are text too.
const ADDED: [&str; 2] = ["<t>", "bab"];
const CONTROL: [&str; 2] = ["<|a|>", "<|b|>"];
const STOP: [&str; 2] = ["<|s|>", "<|e|>"];

/// The vocabulary: texts, then added tokens, control tokens, stop tokens.
pub fn tokens() -> WrittenTokens {
    let mut texts: Vec<String> = CHARACTERS.chars().map(String::from).collect();
    texts.extend(LONGER.iter().chain(&ADDED).map(|text| (*text).to_owned()));
    let mut names = Vec::new();
    let first = (texts.len() - ADDED.len()) as u32;
    for (id, name) in (first..).zip(ADDED.iter().chain(&CONTROL).chain(&STOP)) {
        names.push((id, (*name).to_owned()));
    }
    texts.resize(first as usize + names.len(), String::new());
    let size = texts.len() as u32;
    WrittenTokens {
        texts,
        names,
        ends: vec![size - 2, size - 1],
    }
}

/// The names of control and stop tokens, which are no texts.
pub fn special(tokens: &WrittenTokens) -> Vec<(u32, String)> {
    let is_special = |(id, _): &&(u32, String)| tokens.texts[*id as usize].is_empty();
    tokens.names.iter().filter(is_special).cloned().collect()
}

fn word(random: &mut Random, least: usize, most: usize) -> String {
    let length = least + random.below(most - least + 1);
    let characters = (0..length).map(|_| *random.pick(&['a', 'b', 'é']).unwrap_or(&'a'));
    characters.collect()
}

fn name(random: &mut Random) -> String {
    let all = [&ADDED[..], &CONTROL[..], &STOP[..1]].concat();
    (*random.pick(&all).unwrap_or(&"bab")).to_owned()
}

/// A text that may have the name of a token in it.
fn text(random: &mut Random, least: usize) -> String {
    match random.below(6) {
        0 => name(random),
        1 => name(random) + &word(random, 0, 1),
        2 => word(random, 1, 2) + &name(random),
        _ => word(random, least, 3),
    }
}

/// A token, by name or id.
fn token(random: &mut Random) -> Value {
    match random.below(8) {
        0 => json!(random.below(3)),
        _ => json!(name(random)),
    }
}

fn token_list(random: &mut Random, most: usize) -> Vec<Value> {
    (0..random.below(most + 1)).map(|_| token(random)).collect()
}

fn excludes(random: &mut Random) -> Vec<String> {
    (0..random.below(2)).map(|_| text(random, 1)).collect()
}

/// A format, whose parts nest at most so deep.
pub fn format(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 8 } else { 20 };
    match random.below(kinds) {
        0 => json!({"type": "const_string", "value": text(random, 0)}),
        1 => json!({"type": "any_text", "excludes": excludes(random)}),
        2 => {
            json!({"type": "any_text", "excludes": excludes(random), "max_chars": random.below(4)})
        }
        3 => {
            json!({"type": "any_text", "excludes": excludes(random), "max_tokens": random.below(4)})
        }
        4 => json!({"type": "token", "token": token(random)}),
        5 => json!({"type": "exclude_token", "exclude_tokens": token_list(random, 2)}),
        6 => {
            let mut format = json!({"type": "any_tokens", "exclude_tokens": token_list(random, 2)});
            if random.below(3) == 0 {
                format["max_tokens"] = json!(random.below(4));
            }
            format
        }
        7 => {
            let all = opaque::all();
            let at = random.below(all.len());
            all[at].format.clone()
        }
        8 | 9 => tag(random, depth),
        10 | 11 => triggered(random, depth),
        12 | 13 => token_triggered(random, depth),
        14 => {
            let rules = rules(random, depth, |random| json!(text(random, 1)));
            json!({"type": "dispatch", "rules": rules, "excludes": excludes(random), "loop": random.below(3) > 0})
        }
        15 => {
            let rules = rules(random, depth, token);
            json!({"type": "token_dispatch", "rules": rules, "exclude_tokens": token_list(random, 1), "loop": random.below(3) > 0})
        }
        16 | 17 => {
            let kind = *random
                .pick(&["sequence", "sequence", "or"])
                .unwrap_or(&"or");
            let elements: Vec<Value> = (0..1 + random.below(3))
                .map(|_| format(random, depth - 1))
                .collect();
            json!({"type": kind, "elements": elements})
        }
        18 => match random.below(5) {
            0 => repeat(random, |random| format(random, depth - 1)),
            kind => {
                let kind = ["optional", "star", "plus", "star"][kind - 1];
                json!({"type": kind, "content": format(random, depth - 1)})
            }
        },
        _ => json!({
            "type": "tags_with_separator",
            "tags": (0..1 + random.below(2)).map(|_| tag(random, depth)).collect::<Vec<_>>(),
            "separator": match random.below(3) { 0 => text(random, 0), _ => word(random, 0, 1) },
            "at_least_one": random.below(2) == 0,
            "stop_after_first": random.below(3) == 0,
        }),
    }
}

fn rules(random: &mut Random, depth: usize, trigger: impl Fn(&mut Random) -> Value) -> Vec<Value> {
    let rule = |random: &mut Random| json!([trigger(random), format(random, depth - 1)]);
    (0..1 + random.below(2)).map(|_| rule(random)).collect()
}

fn named(random: &mut Random) -> Value {
    json!({"type": "token", "token": token(random)})
}

fn tag(random: &mut Random, depth: usize) -> Value {
    let begin = match random.below(3) {
        0 => named(random),
        _ => json!(text(random, 0)),
    };
    with_begin(random, depth, begin)
}

fn with_begin(random: &mut Random, depth: usize, begin: Value) -> Value {
    let end = match random.below(8) {
        0 | 1 => named(random),
        2 => json!([text(random, 1), word(random, 0, 2)]),
        3 => json!(word(random, 0, 2)),
        _ => json!(text(random, 1)),
    };
    json!({"type": "tag", "begin": begin, "content": format(random, depth - 1), "end": end})
}

fn triggered(random: &mut Random, depth: usize) -> Value {
    let triggers: Vec<String> = (0..1 + random.below(2)).map(|_| text(random, 1)).collect();
    let mut tags = Vec::new();
    for trigger in &triggers {
        for _ in 0..1 + random.below(2) {
            let begin = trigger.clone() + &word(random, 0, 2);
            tags.push(with_begin(random, depth, json!(begin)));
        }
    }
    json!({
        "type": "triggered_tags", "triggers": triggers, "tags": tags, "excludes": excludes(random),
        "at_least_one": random.below(3) == 0, "stop_after_first": random.below(3) == 0,
    })
}

fn token_triggered(random: &mut Random, depth: usize) -> Value {
    let triggers: Vec<Value> = (0..1 + random.below(2)).map(|_| token(random)).collect();
    let mut tags = Vec::new();
    for trigger in &triggers {
        let begin = json!({"type": "token", "token": trigger});
        tags.push(with_begin(random, depth, begin));
    }
    json!({
        "type": "token_triggered_tags", "trigger_tokens": triggers, "tags": tags, "exclude_tokens": token_list(random, 1),
        "at_least_one": random.below(3) == 0, "stop_after_first": random.below(3) == 0,
    })
}

/// Something that may be one of the format's texts.
pub fn sample(random: &mut Random, format: &Value, tokens: &WrittenTokens) -> Vec<TagSymbol> {
    let of_text = |value: &Value| match value.as_str() {
        Some(text) => tokens.symbols(text),
        None => vec![TagSymbol::Token(tokens.id(value))],
    };
    let one = |random: &mut Random, name: &str| {
        let all = format[name].as_array().map_or(&[][..], Vec::as_slice);
        random.pick(all).cloned().unwrap_or_default()
    };
    let of_word = |random: &mut Random| word(random, 0, 2).chars().map(TagSymbol::Char).collect();
    let any = |random: &mut Random| -> Vec<TagSymbol> {
        let ids =
            (0..random.below(3)).map(|_| TagSymbol::Token(random.below(tokens.texts.len()) as u32));
        ids.collect()
    };
    let mut symbols = Vec::new();
    match format["type"].as_str().unwrap_or_default() {
        "const_string" => symbols = of_text(&format["value"]),
        "any_text" => symbols = of_word(random),
        "token" => symbols.push(TagSymbol::Token(tokens.id(&format["token"]))),
        "exclude_token" => symbols.push(TagSymbol::Token(random.below(tokens.texts.len()) as u32)),
        "any_tokens" => symbols = any(random),
        "sequence" => {
            for part in format["elements"].as_array().into_iter().flatten() {
                symbols.extend(sample(random, part, tokens));
            }
        }
        "or" => {
            let part = one(random, "elements");
            symbols = sample(random, &part, tokens);
        }
        "optional" | "star" | "plus" | "repeat" => {
            for _ in 0..random.below(3) {
                symbols.extend(sample(random, &format["content"], tokens));
            }
        }
        "tag" => {
            symbols = of_text(&format["begin"]);
            symbols.extend(sample(random, &format["content"], tokens));
            let end = match &format["end"] {
                Value::Array(_) => one(random, "end"),
                end => end.clone(),
            };
            symbols.extend(of_text(&end));
        }
        "tags_with_separator" => {
            let tag = one(random, "tags");
            symbols = sample(random, &tag, tokens);
            for _ in 0..random.below(2) {
                symbols.extend(of_text(&format["separator"]));
                let tag = one(random, "tags");
                symbols.extend(sample(random, &tag, tokens));
            }
        }
        "triggered_tags" | "token_triggered_tags" | "dispatch" | "token_dispatch" => {
            for _ in 0..random.below(3) {
                symbols.extend(match random.below(3) {
                    0 => any(random),
                    _ => of_word(random),
                });
                if format["tags"].is_array() {
                    let tag = one(random, "tags");
                    symbols.extend(sample(random, &tag, tokens));
                } else {
                    let rule = one(random, "rules");
                    symbols.extend(of_text(&rule[0]));
                    symbols.extend(sample(random, &rule[1], tokens));
                }
            }
            symbols.extend(of_word(random));
        }
        _ => {
            let all = opaque::all();
            let known = all.iter().find(|known| known.format == *format);
            let text = known.and_then(|known| random.pick(known.texts));
            symbols = text.unwrap_or(&"").chars().map(TagSymbol::Char).collect();
        }
    }
    symbols
}

/// Tokens that spell some symbols: characters in tokens of one or more of them.
pub fn spell(random: &mut Random, symbols: &[TagSymbol], tokens: &WrittenTokens) -> Vec<u32> {
    let (mut ids, mut at) = (Vec::new(), 0);
    while let Some(symbol) = symbols.get(at) {
        if let TagSymbol::Token(id) = symbol {
            ids.push(*id);
            at += 1;
            continue;
        }
        let fits = |text: &&(u32, &String)| {
            let characters: Vec<TagSymbol> = text.1.chars().map(TagSymbol::Char).collect();
            !characters.is_empty() && symbols[at..].starts_with(&characters)
        };
        let texts: Vec<(u32, &String)> = (0..)
            .zip(&tokens.texts)
            .filter(|text| fits(&text))
            .collect();
        let Some((id, text)) = random.pick(&texts) else {
            return ids;
        };
        ids.push(*id);
        at += text.chars().count();
    }
    ids
}
