//! Where a model may stop: behind a whole output, with each stop token of its format, and never
//! before a call that there must be.

use crate::TOOLS;
use crate::compiled::{Compiled, Words};
use crate::outputs::{KIMI_K3, OUTPUTS, Output};
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::tools::format::Layout;
use maskwright_compiler::syntax::tools::{Reasoning, ToolChoice, ToolFormat, ToolOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::harness::TestMatcher;

/// The bytes, an end token, and these special tokens behind it.
fn words(special: &[String], ends: &[u32]) -> Words {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    tokens.resize(257 + special.len(), Vec::new());
    let ends = [&[256], ends].concat();
    let special = (257..).zip(special.iter().cloned());
    Words::new(&Vocabulary::from_tokens(tokens, ends).with_special(special))
}

/// The tokens of a text: special ones wherever their names stand.
fn tokens(special: &[String], text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let named = (257..)
            .zip(special)
            .find(|(_, name)| rest.starts_with(*name));
        match named {
            Some((id, name)) => {
                ids.push(id);
                rest = &rest[name.len()..];
            }
            None => {
                ids.push(first.into());
                // Bytes of one character are tokens of their own.
                let length = rest.chars().next().map_or(1, char::len_utf8);
                ids.extend(rest.bytes().take(length).skip(1).map(u32::from));
                rest = &rest[length..];
            }
        }
    }
    ids
}

fn format(name: &str) -> ToolFormat {
    let format = ToolFormat::named(name, &Limits::default());
    format.unwrap().unwrap()
}

/// One call, with what must stand around it.
fn call(row: &Output) -> String {
    let call = format!("{}{}", row.before, row.one);
    match format(row.format).layout() {
        Layout::Blocks => format!("{}{call}{}", KIMI_K3.0, KIMI_K3.1),
        _ => call,
    }
}

fn compiled<'w>(row: &Output, choice: ToolChoice, words: &'w Words) -> Compiled<'w> {
    let options = ToolOptions::format(row.format)
        .choice(Some(choice))
        .reasoning(Reasoning::None);
    let compiled = Compiled::of(TOOLS, options, words);
    compiled.unwrap_or_else(|error| panic!("{}: {error}", row.format))
}

/// Formats that were written after an engine's parser, without the template of a model: their
/// outputs end with the vocabulary's end token only.
const WITHOUT_TEMPLATE: [&str; 3] = ["ernie_4_5", "poolside_v1", "spark_2_5"];

#[test]
fn every_format_says_where_its_models_stop() {
    for name in ToolFormat::names() {
        let is_known = !WITHOUT_TEMPLATE.contains(&name);
        assert_eq!(!format(name).stop_tokens().is_empty(), is_known, "{name}");
    }
}

/// Each stop token that is no end token is allowed just where the output may end, and then the
/// output ends.
#[test]
fn stop_tokens_of_a_format_end_outputs() {
    for row in OUTPUTS {
        let format = format(row.format);
        let special = format.stop_tokens().to_vec();
        let words = words(&special, &[]);
        let written = |id: u32| {
            format
                .source()
                .text()
                .matches(&special[id as usize - 257])
                .count()
                > 1
        };
        let stops: Vec<u32> = (257..257 + special.len() as u32)
            .filter(|id| !written(*id))
            .collect();
        for choice in [
            ToolChoice::Auto,
            ToolChoice::Required,
            ToolChoice::Named("f".into()),
        ] {
            let compiled = compiled(row, choice, &words);
            compiled.with_grammar(|grammar| {
                let mut matcher = TestMatcher::new(grammar).unwrap();
                let mut ended = 0;
                for id in tokens(&special, &call(row))
                    .into_iter()
                    .map(Some)
                    .chain([None])
                {
                    let mask: Vec<u32> = matcher.mask().iter().collect();
                    assert_eq!(mask.contains(&256), matcher.is_complete(), "{}", row.format);
                    for stop in &stops {
                        assert_eq!(mask.contains(stop), matcher.is_complete(), "{}", row.format);
                        let mut stopped = matcher;
                        assert_eq!(stopped.accept_token(*stop).is_ok(), matcher.is_complete());
                        if matcher.is_complete() {
                            ended += 1;
                            assert!(stopped.is_complete());
                            let next: Vec<u32> = stopped.mask().iter().collect();
                            assert_eq!(next, [256], "{}", row.format);
                        }
                    }
                    if let Some(id) = id {
                        assert!(mask.contains(&id), "{}: {id} is not allowed", row.format);
                        matcher.accept_token(id).unwrap();
                    }
                }
                assert!(ended > 0 || stops.is_empty(), "{}", row.format);
            });
        }
    }
}

/// A stop token that ends sequences in the vocabulary anyway changes nothing.
#[test]
fn stop_tokens_that_are_end_tokens_stay_such() {
    for row in OUTPUTS.iter().filter(|row| row.format != "harmony") {
        let special = format(row.format).stop_tokens().to_vec();
        let ends: Vec<u32> = (257..257 + special.len() as u32).collect();
        let words = words(&special, &ends);
        compiled(row, ToolChoice::Auto, &words).with_grammar(|grammar| {
            let mut matcher = TestMatcher::new(grammar).unwrap();
            for id in tokens(&special, &call(row)) {
                matcher.accept_token(id).unwrap();
            }
            for id in ends {
                let mut ended = matcher;
                ended.accept_token(id).unwrap();
                assert!(ended.is_finished(), "{}", row.format);
            }
        });
    }
}

/// Where a tool must be called, no answer of Harmony's that a model stops behind comes first.
#[test]
fn nothing_ends_before_a_call_that_there_must_be() {
    let row = OUTPUTS.iter().find(|row| row.format == "harmony").unwrap();
    let special = [
        "<|return|>",
        "<|call|>",
        "<|end|>",
        "<|start|>",
        "<|channel|>",
        "<|message|>",
        "<|constrain|>",
    ];
    let special = special.map(str::to_owned);
    let words = words(&special, &[257, 258]);
    for (choice, parallel) in [
        (ToolChoice::Required, true),
        (ToolChoice::Required, false),
        (ToolChoice::Named("f".into()), true),
    ] {
        let named = matches!(choice, ToolChoice::Named(_));
        let options = ToolOptions::format(row.format)
            .choice(Some(choice))
            .parallel(Some(parallel));
        let compiled = Compiled::of(TOOLS, options, &words).unwrap();
        compiled.with_grammar(|grammar| {
            let start = |text: &str| {
                let mut matcher = TestMatcher::new(grammar).unwrap();
                let taken = tokens(&special, text)
                    .into_iter()
                    .all(|id| matcher.accept_token(id).is_ok());
                taken.then_some(matcher)
            };
            assert!(start("<|channel|>final<|message|>").is_none());
            assert!(start("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant").is_some());
            let preamble = "<|channel|>commentary<|message|>Wait.<|end|><|start|>assistant";
            assert_eq!(start(preamble).is_some(), !named);
            // Behind the call an answer may follow, if several messages may.
            let answer = format!(
                "{}<|start|>assistant<|channel|>final<|message|>x<|return|>",
                row.one
            );
            assert_eq!(start(&answer).is_some(), parallel && !named);
            assert!(start(row.one).unwrap().is_complete());
        });
    }
}
