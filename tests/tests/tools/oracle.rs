//! Masks of tools are those of the grammar: at each step of walks, for each token of a small
//! vocabulary, as Earley's algorithm finds them.

use crate::random::{Called, Item, Sampler};
use crate::read;
use crate::render::{Start, output};
use crate::wire::{Layout, Wire, wire};
use maskwright_compiler::syntax::tools::{Reasoning, ToolOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::effort;
use maskwright_tests::harness::compile;
use maskwright_tests::harness::{Built, Walk, Words, random_walk, unhurried, walk_along};
use maskwright_tests::oracle::grammar_from_ebnf;
use maskwright_tests::random::Random;
use serde_json::json;

/// Each layout and each style.
const FORMATS: [&str; 18] = [
    "qwen_3",
    "llama",
    "deepseek_r1",
    "mistral_v11",
    "pythonic",
    "kimi_k3",
    "harmony",
    "command_r",
    "functionary_v3_2",
    "muse_glimmer",
    "qwen_3_coder",
    "deepseek_v3_2",
    "glm_4_7",
    "minimax",
    "gemma_4",
    "cohere",
    "minimax_m3",
    "step_3",
];

const TOOLS: &str = r#"[
  {"name": "get", "parameters": {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"]}},
  {"name": "get_x", "parameters": {"type": "object", "properties": {"b": {"enum": ["x", "xy"]}, "c": {"type": "array", "items": {"type": "boolean"}}}}}
]"#;

/// Two calls with texts around them, if the layout has some.
fn items(sampler: &mut Sampler, wire: &Wire) -> Vec<Item> {
    let called = |name: &str, arguments| Called {
        name: name.to_owned(),
        arguments: match arguments {
            serde_json::Value::Object(members) => members,
            _ => Default::default(),
        },
    };
    let first = called("get", json!({"a": "<x", "n": -1}));
    let other = called("get_x", json!({"b": "xy", "c": [true, false]}));
    let mut items = Vec::new();
    if wire.reasoning.is_some() {
        items.push(Item::Reasoning(sampler.text(wire)));
    }
    if wire.layout != Layout::AtStart {
        items.push(Item::Text(sampler.text(wire)));
    }
    let is_single = wire.sections.is_empty();
    match is_single {
        true => items.extend([first, other].map(|call| Item::Calls(vec![call]))),
        false => items.push(Item::Calls(vec![first, other])),
    }
    items
}

/// All bytes, and pieces of a text: tokens that cross one boundary or two between text, delimiters,
/// names and arguments.
fn words(text: &str, random: &mut Random) -> Words {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let bytes = text.as_bytes();
    for _ in 0..300 {
        let start = random.below(bytes.len());
        let most = if random.below(4) == 0 { 40 } else { 10 };
        let length = 2 + random.below(most);
        tokens.push(bytes[start..bytes.len().min(start + length)].to_vec());
    }
    tokens.sort();
    tokens.dedup();
    tokens.push(Vec::new());
    let end = tokens.len() as u32 - 1;
    Words::all(Vocabulary::from_tokens(tokens, vec![end]))
}

#[test]
fn masks_of_tools_are_the_oracles() {
    let mut masks = 0;
    for (number, format) in FORMATS.into_iter().enumerate() {
        let wire = wire(format);
        let options = ToolOptions::format(format).reasoning(Reasoning::Optional);
        let parsed = read(TOOLS, options).unwrap_or_else(|error| panic!("{format}: {error}"));
        let text = parsed.grammar.to_string();
        let cfg = grammar_from_ebnf(&text);
        let cfg = cfg.unwrap_or_else(|error| panic!("{format}: {error}\n{text}"));
        for round in 0..effort::of(8) {
            let mut sampler = Sampler::new(number as u64 + 100 * u64::from(round));
            let items = items(&mut sampler, &wire);
            let rendered = output(&wire, &items, Start::Plain, &mut sampler.random);
            let (along, _) = rendered.expect("the model can say it");
            let words = words(&along, &mut sampler.random);
            let compiled = compile(&parsed.grammar, &words.vocabulary, &unhurried());
            let compiled = compiled.unwrap_or_else(|error| panic!("{format}: {error}"));
            let built = Built {
                name: format.to_owned(),
                ebnf: text.clone(),
                cfg: cfg.clone(),
                tables: compiled.into_tables(),
                words: &words,
            };
            let grammar = built.grammar();
            let mut walk = Walk::new(&built, &grammar);
            let tally = walk_along(&mut walk, along.as_bytes(), &mut sampler.random);
            let tally = tally.unwrap_or_else(|mismatch| panic!("{mismatch}"));
            assert_eq!(walk.text, along.as_bytes(), "{format}");
            masks += tally.masks;
            // Off the way, too.
            let mut walk = Walk::new(&built, &grammar);
            let cut = sampler.random.below(along.len());
            let near = walk_along(&mut walk, &along.as_bytes()[..cut], &mut sampler.random);
            let off = near.and_then(|_| random_walk(&mut walk, 8, &mut sampler.random));
            masks += off.unwrap_or_else(|mismatch| panic!("{mismatch}")).masks;
        }
    }
    println!("{masks} masks");
    assert!(masks > 300, "{masks} masks");
}
