//! Outputs written under the masks: what is read back are calls of the tools, with valid arguments,
//! as many as the choice allows.

use crate::compiled::{Compiled, Words};
use crate::outcome::check;
use crate::random::{Sampler, Tool};
use crate::render::calls;
use crate::rendered::{Mode, request};
use crate::walks::{Guides, write};
use crate::wire::{Wire, wire};
use maskwright_compiler::syntax::tools::{ToolChoice, ToolFormat};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::effort;
use maskwright_tests::tokenizer::Tokenizer;
use std::collections::{BTreeMap, BTreeSet};

/// Sets of tools for each format and vocabulary.
const SETS: u32 = 12;
/// Outputs for each of them.
const OUTPUTS: usize = 5;

/// Special tokens that are no tag in angle brackets.
const OTHER_NAMES: [&str; 9] = [
    "<|\"|>",
    "<escape>",
    "｜DSML｜",
    "]<]minimax[>[",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[CALL_ID]",
    "[THINK]",
    "[/THINK]",
];

/// The tags without attributes in a text.
fn tags(text: &str, names: &mut BTreeSet<String>) {
    for (at, _) in text.match_indices('<') {
        let rest = &text[at..];
        let Some(end) = rest.find('>') else { continue };
        let tag = &rest[..=end];
        let has_blank = tag[1..].contains([' ', '\n', '=', '"', '$', '<', '[', ']']);
        if tag.len() > 4 && !has_blank && !tag.contains("DSML") {
            names.insert(tag.to_owned());
        }
    }
}

/// All bytes, some words, and all delimiters of all formats as special tokens.
fn with_special() -> Vocabulary {
    let mut names: BTreeSet<String> = OTHER_NAMES.iter().map(|name| name.to_string()).collect();
    for format in ToolFormat::names() {
        let wire = wire(format);
        let calls = wire.calls.iter().chain(wire.forbidden).copied();
        let all = calls.chain(wire.around());
        all.for_each(|text| tags(text, &mut names));
        if let crate::wire::Style::Elements(element) = wire.style {
            tags(element, &mut names);
        }
    }
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let words = [
        "\": ",
        "\": \"",
        "{\"",
        "\"}",
        "}}",
        "}\n",
        "\", \"",
        "]}",
        "name",
        "arguments",
        "get",
        "_weather",
        "get_weather",
        "a.b",
        "x-1",
        " to=functions.",
        "<f",
        "function",
        "=",
        "</",
        "\n</",
        "<|",
        "|>",
        "<tool",
        "true",
        "null",
        "é",
        "item",
        "city",
        ">\n",
        "\">",
        "call:",
        "json\n",
        "```",
    ];
    tokens.extend(words.iter().map(|word| word.as_bytes().to_vec()));
    let first = tokens.len() as u32;
    tokens.extend(names.iter().map(|_| Vec::new()));
    let end = tokens.len() as u32;
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![end]).with_special((first..).zip(names))
}

/// What walks follow: calls of the tools, their beginnings, and what stands around.
fn guides(sampler: &mut Sampler, wire: &Wire, tools: &[Tool]) -> Guides {
    let mut ways = Vec::new();
    for tool in tools {
        for _ in 0..2 {
            let called = sampler.calls(&[tool], 2);
            ways.extend(calls(wire, &called, &mut sampler.random));
        }
        for call in wire.calls {
            let begin = call.split("$A").next().unwrap_or_default();
            let begin = begin.replace("$N", &tool.name).replace("$I", "aB3dE6gH9");
            ways.push(begin.clone());
            ways.extend(
                wire.sections
                    .iter()
                    .map(|section| format!("{}{begin}", section.0)),
            );
        }
    }
    ways.extend(wire.around().iter().map(|text| text.to_string()));
    let mut ends: Vec<String> = wire.around().iter().map(|text| text.to_string()).collect();
    ends.extend(
        wire.calls
            .iter()
            .filter_map(|call| Some(call.split_once("$A")?.1.to_owned())),
    );
    ends.extend(wire.element_end().map(String::from));
    ends.extend(["\"", "}", "]", "0"].map(String::from));
    ends.retain(|end| !end.is_empty());
    Guides { ways, ends }
}

fn check_vocabulary(words: &Words, seed: u64) {
    let (mut outputs, mut called, mut endless) = (0, 0, 0);
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (number, format) in ToolFormat::names().enumerate() {
        let wire = wire(format);
        let mut of_format = 0;
        for set in 0..effort::of(SETS) {
            let mut sampler = Sampler::new(seed + u64::from(set) * 100 + number as u64);
            let tools = sampler.tools(true);
            let mut request = request(&mut sampler, format, &wire, &tools);
            if set == 0 {
                request.mode = Mode::Required;
                request.options.choice = Some(ToolChoice::Required);
            }
            let compiled = match Compiled::new(&tools, request.options.clone(), words) {
                Ok(compiled) => compiled,
                Err(error) => {
                    *refused.entry(error.code().to_string()).or_default() += 1;
                    continue;
                }
            };
            for _ in 0..OUTPUTS {
                let guides = guides(&mut sampler, &wire, &tools);
                let Some(ids) = write(&compiled, words, &guides, &mut sampler.random) else {
                    endless += 1;
                    continue;
                };
                outputs += 1;
                let text: Vec<u8> = ids
                    .iter()
                    .flat_map(|&id| words.texts[id as usize].clone())
                    .collect();
                let text = String::from_utf8(text).expect("outputs are UTF-8");
                let result = check(&compiled, words, &wire, &tools, &ids, &text);
                let result = result.and_then(|names| {
                    let right = match &request.mode {
                        Mode::None => names.is_empty(),
                        Mode::Named(at) => names == [tools[*at].name.as_str()],
                        Mode::Required if request.parallel => !names.is_empty(),
                        Mode::Required => names.len() == 1,
                        Mode::Auto => request.parallel || names.len() <= 1,
                    };
                    match right {
                        true => Ok(names.len()),
                        false => Err(format!("calls {names:?}")),
                    }
                });
                match result {
                    Ok(calls) => {
                        called += calls;
                        of_format += calls;
                    }
                    Err(error) => wrong.push(format!(
                        "{format}: {:?}, {:?}, parallel {}\n{text:?}\n{error}\n{}",
                        request.mode,
                        request.reasoning,
                        request.parallel,
                        tools
                            .iter()
                            .map(|tool| tool.json.to_string())
                            .collect::<Vec<_>>()
                            .join("\n")
                    )),
                }
            }
        }
        let is_seen = of_format > 0 || !effort::is_full();
        assert!(is_seen || !wrong.is_empty(), "{format}: no calls");
    }
    println!("{outputs} outputs, {called} calls, {endless} without an end, refused: {refused:?}");
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    assert!(called * 2 > outputs && endless * 10 < outputs);
}

#[test]
fn what_is_written_under_the_masks_is_read_back() {
    check_vocabulary(&Words::new(&Tokenizer::train().vocabulary()), 7);
}

#[test]
fn what_is_written_with_special_tokens_is_read_back() {
    check_vocabulary(&Words::new(&with_special()), 8);
}
