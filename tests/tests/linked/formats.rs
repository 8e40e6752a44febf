//! All formats of tool calls, with few tools and with many.

use std::sync::Arc;

use maskwright_compiler::link::{LinkTarget, NoStore, NotLinked};

use super::pair::Walked;
use super::*;
use crate::vocabulary::{Words, names, of_outputs};

/// Tools whose names begin alike and whose schemas differ.
pub fn tools(count: usize) -> String {
    let schemas = [
        r#"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#,
        r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string"}}}, "required": ["a"], "additionalProperties": false}"#,
        r#"{"type": "object", "properties": {"city": {"enum": ["Oslo", "Rome"]}, "deep": {"type": "object"}}, "required": ["city"]}"#,
        r#"{"type": "object", "properties": {}, "additionalProperties": false}"#,
        r#"{"type": "object", "properties": {"on": {"type": "boolean"}, "n": {"type": ["number", "null"]}}, "required": ["on", "n"], "additionalProperties": false}"#,
    ];
    let names = ["get_weather", "get", "search", "get_weather_2", "g"];
    let tools: Vec<String> = (0..count)
        .map(|at| {
            let (name, schema) = (names[at % names.len()], schemas[at % schemas.len()]);
            let name = match at / names.len() {
                0 => name.to_owned(),
                more => format!("{name}_{more}x"),
            };
            format!(r#"{{"type": "function", "function": {{"name": "{name}", "parameters": {schema}}}}}"#)
        })
        .collect();
    format!("[{}]", tools.join(", "))
}

/// Outputs in a format: its example, with some of the names, and texts around.
pub fn guides(format: &ToolFormat) -> Vec<String> {
    let example = [format.example(), format.example_output()];
    let mut guides: Vec<String> = example.to_vec();
    for name in ["get", "search", "g", "get_weather_2"] {
        guides.extend(example.iter().map(|text| text.replace("get_weather", name)));
    }
    guides.extend(["Hello ", "é <", "{\"a\": 1, ", "\n\n"].map(String::from));
    guides
}

/// Words of a format, with or without special tokens.
pub fn words(format: &ToolFormat, special: bool, random: &mut Random) -> Words {
    let names = match special {
        true => names(format.source().text()),
        false => Vec::new(),
    };
    of_outputs(&guides(format), &names, 400, random)
}

/// Walks through requests in a format; in all of them a tool must be called if `required`.
fn check(
    (name, special): (&str, bool),
    counts: &[usize],
    seed: u64,
    required: bool,
) -> Result<Walked, NotLinked> {
    let mut random = Random::new(seed);
    let format = ToolFormat::named(name, &Default::default())
        .unwrap()
        .unwrap();
    let words = words(&format, special, &mut random);
    let compiler = Compiler::new(&words.vocabulary)
        .unwrap()
        .with_options(Options::default().threads(1));
    let target = Arc::new(LinkTarget::new(&compiler).unwrap());
    let mut sum = Walked::default();
    for &count in counts {
        let mut options = ToolOptions::default();
        options.format = Some(FormatSource::Named(name.to_owned()));
        let most = if format.has_reasoning() { 4 } else { 2 };
        options.reasoning = Reasoning::ALL[random.below(most)];
        options.choice = match random.below(4) {
            0 => Some(ToolChoice::Required),
            1 => Some(ToolChoice::Named("get_weather".to_owned())),
            _ => required.then_some(ToolChoice::Required),
        };
        options.parallel = [None, Some(false)][random.below(2)];
        options.strict = [None, Some(false)][random.below(2)];
        let pair = Pair::new(
            &tools(count),
            &options,
            &compiler,
            &words,
            &target,
            &NoStore,
        )?;
        for _ in 0..6 {
            sum += pair.walk(&guides(&format), &words, 60, &mut random);
        }
    }
    Ok(sum)
}

/// Formats in which the names of tools tell calls from other messages, which are compiled as a
/// whole.
pub const TOLD_BY_NAME: [&str; 4] = ["functionary_v3_2", "glm_4_0414", "inkling", "muse_glimmer"];

/// A tool that takes a text is a piece as others are.
#[test]
fn tools_that_take_a_text_are_linked() {
    let tools = r#"[{"type": "custom", "custom": {"name": "get"}},
        {"type": "custom", "name": "search", "format":
            {"type": "grammar", "syntax": "regex", "definition": "[a-c]+"}}]"#;
    let mut sum = Walked::default();
    for (at, name) in ["qwen_3", "qwen_3_coder"].into_iter().enumerate() {
        let mut random = Random::new(at as u64);
        let format = ToolFormat::named(name, &Default::default());
        let format = format.unwrap().unwrap();
        let words = words(&format, at == 0, &mut random);
        let compiler = Compiler::new(&words.vocabulary).unwrap();
        let target = Arc::new(LinkTarget::new(&compiler).unwrap());
        let options = ToolOptions::format(name);
        let pair = Pair::new(tools, &options, &compiler, &words, &target, &NoStore).unwrap();
        for _ in 0..6 {
            sum += pair.walk(&guides(&format), &words, 60, &mut random);
        }
    }
    assert!(sum.masks > 100, "{sum:?}");
}

#[test]
fn masks_of_linked_tools_are_those_of_the_whole() {
    let (mut linked, mut whole, mut sum) = (0, Vec::new(), Walked::default());
    let only = std::env::var("MASKWRIGHT_FORMAT").ok();
    for (at, name) in ToolFormat::names().enumerate() {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        for special in [false, true] {
            for required in [false, true] {
                match check((name, special), &[1, 2, 20], at as u64, required) {
                    Ok(walked) => {
                        linked += 1;
                        sum += walked;
                        break;
                    }
                    Err(NotLinked::NotAPart(why)) => {
                        whole.push(format!(
                            "{name}, special tokens: {special}, calls only: {required}: {why}"
                        ));
                    }
                    Err(other) => panic!("{name} {special}: {other}"),
                }
            }
        }
    }
    println!("{sum:?}, {linked} linked; as a whole: {whole:#?}");
    if only.is_none() {
        // Some of them only if a tool must be called.
        let formats = ToolFormat::names().filter(|name| !TOLD_BY_NAME.contains(name));
        assert_eq!(linked, 2 * formats.count());
        assert!(sum.masks > 40_000 && sum.crossed > 2_000, "{sum:?}");
        assert!(sum.twice > 100 && sum.drafts > 1_000, "{sum:?}");
    }
}
