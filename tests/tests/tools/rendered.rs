//! Calls as the models' templates render them: the grammar takes them, and they are read back.

use crate::compiled::{Compiled, Words};
use crate::parts::{are_meant, parts};
use crate::random::{Item, Sampler, Tool};
use crate::render::{Found, Start, output};
use crate::wire::{Layout, Wire, wire};
use maskwright_compiler::syntax::tools::{Reasoning, ToolChoice, ToolFormat, ToolOptions};
use maskwright_tests::effort;
use serde_json::json;

/// Sets of tools for each format.
const SETS: u32 = 40;
/// Outputs for each of them.
const OUTPUTS: usize = 8;

/// What a request asks for.
pub struct Request {
    pub options: ToolOptions,
    pub mode: Mode,
    pub reasoning: Reasoning,
    pub parallel: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    Auto,
    Required,
    /// This tool is called once.
    Named(usize),
    None,
}

/// A random request.
pub fn request(sampler: &mut Sampler, format: &str, wire: &Wire, tools: &[Tool]) -> Request {
    let mode = match sampler.random.below(6) {
        0 => Mode::Required,
        1 => Mode::Named(sampler.random.below(tools.len())),
        2 => Mode::None,
        _ => Mode::Auto,
    };
    let reasoning = match (wire.reasoning, sampler.random.below(5)) {
        (None, _) | (_, 0) => Reasoning::None,
        (_, 1) => Reasoning::Required,
        (_, 2) => Reasoning::Opened,
        _ => Reasoning::Optional,
    };
    let parallel = sampler.random.below(4) > 0;
    let choice = match &mode {
        Mode::Auto => ToolChoice::Auto,
        Mode::Required => ToolChoice::Required,
        Mode::Named(at) => ToolChoice::Named(tools[*at].name.clone()),
        Mode::None => ToolChoice::None,
    };
    let options = ToolOptions::format(format)
        .choice(Some(choice))
        .parallel(Some(parallel))
        .reasoning(reasoning);
    Request {
        options,
        mode,
        reasoning,
        parallel,
    }
}

/// A random output that a request asks for.
pub fn items(
    sampler: &mut Sampler,
    wire: &Wire,
    request: &Request,
    tools: &[Tool],
) -> (Vec<Item>, Start) {
    let (mut items, mut start) = (Vec::new(), Start::Plain);
    let thinks = match request.reasoning {
        Reasoning::None => false,
        Reasoning::Optional => sampler.random.below(2) == 0,
        _ => true,
    };
    if thinks {
        let is_free = matches!(wire.layout, Layout::Anywhere | Layout::AtStart);
        let either = sampler.random.below(2) == 0;
        let is_begun = wire
            .reasoning
            .is_some_and(|reasoning| match request.reasoning {
                Reasoning::Opened => true,
                Reasoning::Required => {
                    is_free && reasoning.by_prompt && (either || !reasoning.by_model)
                }
                _ => is_free && either && !reasoning.by_model,
            });
        items.push(Item::Reasoning(sampler.text(wire)));
        if is_begun {
            start = Start::InReasoning;
        }
    }
    let callable: Vec<&Tool> = match request.mode {
        Mode::Named(at) => vec![&tools[at]],
        Mode::None => Vec::new(),
        _ => tools.iter().collect(),
    };
    let is_single = !request.parallel || matches!(request.mode, Mode::Named(_));
    // Without sections a message has one call.
    let is_alone = matches!(wire.layout, Layout::Messages(_)) && wire.sections.is_empty();
    let most = if is_single || is_alone { 1 } else { 3 };
    let calls = |sampler: &mut Sampler| sampler.calls(&callable, most);
    let must = matches!(request.mode, Mode::Required | Mode::Named(_));
    match wire.layout {
        Layout::Anywhere if must => {
            items.push(Item::Text(wire.before.to_owned()));
            items.push(Item::Calls(calls(sampler)));
        }
        Layout::Anywhere => {
            items.push(Item::Text(sampler.text(wire)));
            for _ in 0..sampler.random.below(3) {
                items.push(Item::Calls(calls(sampler)));
                if is_single {
                    break;
                }
                items.push(Item::Text(sampler.text(wire)));
            }
        }
        Layout::AtStart => match must || sampler.random.below(3) > 0 {
            true => items.push(Item::Calls(calls(sampler))),
            false => items.push(Item::Text(sampler.text(wire))),
        },
        Layout::Blocks => {
            items.push(Item::Text(sampler.text(wire)));
            if must || sampler.random.below(3) > 0 {
                items.push(Item::Calls(calls(sampler)));
            }
        }
        Layout::Messages(_) => messages(sampler, wire, request, &mut items, calls),
    }
    items.retain(|item| !matches!(item, Item::Calls(calls) if calls.is_empty()));
    (items, start)
}

fn messages(
    sampler: &mut Sampler,
    wire: &Wire,
    request: &Request,
    items: &mut Vec<Item>,
    calls: impl Fn(&mut Sampler) -> Vec<crate::random::Called>,
) {
    // Behind an answer the model may stop, so none comes before a call that there must be.
    let mut stops = ["<|return|>", "<|eot|>"].iter();
    let stops = stops.any(|stop| wire.around().contains(stop)) && request.mode == Mode::Required;
    for _ in 0..sampler.random.below(3) {
        if request.reasoning != Reasoning::None && sampler.random.below(2) == 0 {
            items.push(Item::Reasoning(sampler.text(wire)));
        }
        if !stops && !matches!(request.mode, Mode::Named(_)) {
            items.push(Item::Text(sampler.text(wire)));
        }
    }
    if request.mode == Mode::None {
        items.push(Item::Text(sampler.text(wire)));
        return;
    }
    items.push(Item::Calls(calls(sampler)));
    if request.parallel && !matches!(request.mode, Mode::Named(_)) {
        for _ in 0..sampler.random.below(3) {
            items.push(match sampler.random.below(2) {
                0 => Item::Text(sampler.text(wire)),
                _ => Item::Calls(calls(sampler)),
            });
        }
    }
}

/// Whether what was made is an output that the request asks for: of some tools no arguments are
/// known.
fn is_asked_for(request: &Request, items: &[Item]) -> bool {
    let has_calls = items.iter().any(|item| matches!(item, Item::Calls(_)));
    has_calls || matches!(request.mode, Mode::Auto | Mode::None)
}

#[test]
fn what_templates_render_is_accepted_and_read_back() {
    let words = Words::bytes();
    let (mut outputs, mut calls, mut refused) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (number, format) in ToolFormat::names().enumerate() {
        let wire = wire(format);
        let mut of_format = 0;
        for set in 0..effort::of(SETS) {
            let mut sampler = Sampler::new(u64::from(set) * 100 + number as u64);
            let tools = sampler.tools(false);
            let request = request(&mut sampler, format, &wire, &tools);
            let compiled = match Compiled::new(&tools, request.options.clone(), &words) {
                Ok(compiled) => compiled,
                Err(error) if ["tool-name", "schema-style"].contains(&error.code().as_str()) => {
                    refused += 1;
                    continue;
                }
                Err(error) => panic!("{format}: {error}"),
            };
            for _ in 0..OUTPUTS {
                let (items, start) = items(&mut sampler, &wire, &request, &tools);
                let rendered = output(&wire, &items, start, &mut sampler.random);
                let Some((text, meant)) = rendered.filter(|_| is_asked_for(&request, &items))
                else {
                    continue;
                };
                outputs += 1;
                of_format += 1;
                calls += items
                    .iter()
                    .map(|item| match item {
                        Item::Calls(calls) => calls.len(),
                        _ => 0,
                    })
                    .sum::<usize>();
                let what = || {
                    format!(
                        "{format}: {:?}, {:?}\n{text:?}",
                        request.mode, request.reasoning
                    )
                };
                let (at, accepted) = compiled.accepts(&text);
                // Where a tag behind a value repeats its key, keys that no schema names cannot be
                // written.
                let is_any = tools
                    .iter()
                    .any(|tool| tool.json["function"]["strict"] == false);
                if !accepted && is_any && format == "minimax_m3" {
                    continue;
                }
                if !accepted {
                    let tools: Vec<String> =
                        tools.iter().map(|tool| tool.json.to_string()).collect();
                    wrong.push(format!(
                        "{}\nrefused at {:?}\n{}",
                        what(),
                        &text.as_bytes()[at..].escape_ascii().to_string(),
                        tools.join("\n")
                    ));
                    continue;
                }
                let found = compiled.read(|format| parts(format, &text));
                let is_right = found
                    .as_ref()
                    .is_ok_and(|found| are_meant(&wire, &tools, found, &meant));
                if !is_right {
                    wrong.push(format!("{}\nfound {found:?}\nmeant {meant:?}", what()));
                }
            }
        }
        assert!(
            of_format > 2 || !wrong.is_empty(),
            "{format}: {of_format} outputs"
        );
    }
    println!("{outputs} outputs, {calls} calls, {refused} sets of tools refused");
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// What random outputs have found.
#[test]
fn outputs_that_were_read_wrongly() {
    let words = Words::bytes();
    let tools = r#"[{"name": "f", "strict": false, "parameters": {"properties": {"q": {"type": "array"}}}}]"#;
    let cases = [
        // Two values in brackets are not one.
        (
            "nemotron_3",
            ToolChoice::Auto,
            "<tool_call>\n<function=f>\n<parameter=a>\n[1][1]\n</parameter>\n<parameter=b>\n[1, 1]\n</parameter>\n</function>\n</tool_call>",
            vec![Found::Call(
                "f".to_owned(),
                json!({"a": "[1][1]", "b": [1, 1]}),
            )],
        ),
        // Without calls there is no section that tells where the separator stands.
        (
            "command_r",
            ToolChoice::None,
            "<|START_RESPONSE|>x<|END_RESPONSE|><|START_RESPONSE|>y<|END_RESPONSE|>",
            vec![Found::Text("xy".to_owned())],
        ),
        // Where arrays are elements, what is in brackets is a string.
        (
            "minimax_m3",
            ToolChoice::Auto,
            "P<tool_call>\nP<invoke name=\"f\">P<q>P<item>[1]P</item>P</q>P</invoke>\nP</tool_call>",
            vec![Found::Call("f".to_owned(), json!({"q": ["[1]"]}))],
        ),
    ];
    for (format, choice, text, meant) in cases {
        let options = ToolOptions::format(format).choice(Some(choice));
        let compiled = Compiled::of(tools, options, &words).unwrap();
        let text = text.replace("P<", "]<]minimax[>[<");
        assert_eq!(compiled.accepts(&text), (text.len(), true), "{text}");
        assert_eq!(compiled.read(|format| parts(format, &text)), Ok(meant));
    }
}
