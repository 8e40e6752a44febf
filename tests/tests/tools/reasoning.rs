//! Reasoning before texts and calls: who opens it, and what it may hold.

use crate::choices::{grammar, layout, text, with_text};
use crate::outputs::OUTPUTS;
use crate::parts::parts;
use crate::render::Found;
use crate::wire::wire;
use crate::{TOOLS, read, takes};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::tools::format::Layout;
use maskwright_compiler::syntax::tools::{FormatSource, Reasoning, ToolChoice, ToolOptions};
use serde_json::json;

#[test]
fn reasoning_stands_first() {
    for row in OUTPUTS.iter().filter(|row| !row.reasoning.is_empty()) {
        let of = |reasoning| {
            grammar(row.format, ToolChoice::Auto, |options| {
                options.reasoning = reasoning;
            })
        };
        let (none, optional) = (of(Reasoning::None), of(Reasoning::Optional));
        let required = of(Reasoning::Required);
        let call = with_text(row, row.one);
        let whole = format!("{}{call}", row.reasoning);
        assert!(takes(&required, &whole), "{}", row.format);
        assert!(!takes(&required, &call), "{}", row.format);
        assert!(!takes(&none, &whole), "{}", row.format);
        assert!(takes(&none, &call), "{}", row.format);
        assert!(takes(&optional, &call), "{}", row.format);
        // Where the prompt may have begun it or not, what is optional is what the model begins
        // itself.
        let written = ["<", "[", "to="];
        let written = written.map(|begin| row.reasoning.trim_start().starts_with(begin));
        let written = written.contains(&true);
        let by_prompt = wire(row.format).reasoning.is_some_and(|all| !all.by_model);
        let blocks = layout(row.format) == Layout::Blocks;
        let is_taken = written || by_prompt || blocks;
        assert_eq!(takes(&optional, &whole), is_taken, "{}", row.format);
    }
}

/// Behind a prompt that has opened reasoning, an output is the rest of it, and then what outputs
/// are without reasoning.
#[test]
fn reasoning_that_the_prompt_has_opened_goes_on() {
    for row in OUTPUTS.iter().filter(|row| !row.reasoning.is_empty()) {
        let name = row.format;
        let reasoning = wire(name).reasoning.unwrap();
        let opened = grammar(name, ToolChoice::Auto, |options| {
            options.reasoning = Reasoning::Opened;
        });
        let rest = format!("Hm.{}{}", reasoning.end, reasoning.after);
        let between = match name {
            "kimi_k3" => "<|open|>response<|sep|>",
            "harmony" | "muse_glimmer" => "<|start|>assistant",
            "inkling" => "<|message_model|>",
            _ => "",
        };
        for body in [with_text(row, row.one), text(row)] {
            let output = format!("{rest}{between}{body}");
            assert!(takes(&opened, &output), "{name}: {output}");
            assert!(!takes(&opened, &body), "{name}: {body}");
            // In a message, what reasoning begins with may be text.
            let begun = format!("{}{output}", reasoning.begin);
            let is_message = layout(name) == Layout::Messages;
            assert_eq!(takes(&opened, &begun), is_message, "{name}: {begun}");
        }
    }
}

/// Where the prompt may have opened reasoning and nothing says whether it has, an output is read as
/// the one or the other by what ends it.
#[test]
fn reasoning_that_the_prompt_may_have_opened_holds_no_call() {
    for row in OUTPUTS
        .iter()
        .filter(|row| layout(row.format) == Layout::Anywhere)
    {
        let Some(reasoning) = wire(row.format).reasoning.filter(|all| !all.by_model) else {
            continue;
        };
        let name = row.format;
        let optional = |choice| {
            grammar(name, choice, |options| {
                options.reasoning = Reasoning::Optional;
            })
        };
        let auto = optional(ToolChoice::Auto);
        let rest = format!("Hm.{}{}", reasoning.end, reasoning.after);
        // If it could be reasoning, nothing behind the beginning of a call could be refused.
        let section = wire(name).sections.first().map(|section| section.0);
        let begin = section.unwrap_or(wire(name).forbidden[0]);
        let no_call = format!("{begin}?");
        for (output, is_taken) in [
            ("Hm.".to_owned(), true),
            (format!("Hm.{}", row.one), true),
            (format!("{rest}Hello. {}", row.one), true),
            (format!("{}{rest}Hello.", reasoning.begin), true),
            (format!("Hm.{}{rest}Hello.", reasoning.begin), false),
            (format!("{rest}{rest}"), false),
            (format!("{no_call}{rest}"), false),
            (format!("{}{rest}", row.one), false),
            (format!("{}{}{rest}", reasoning.begin, row.one), true),
        ] {
            assert_eq!(takes(&auto, &output), is_taken, "{name}: {output}");
        }
        let none = optional(ToolChoice::None);
        assert!(takes(&none, &format!("{}{rest}", row.one)), "{name}");
        assert!(!takes(&none, row.one), "{name}");
        let required = optional(ToolChoice::Required);
        let call = format!("{}{}", row.before, row.one);
        assert!(takes(&required, &call), "{name}");
        assert!(takes(&required, &format!("{rest}{call}")), "{name}");
        assert!(!takes(&required, "Hm."), "{name}");
    }
}

/// The same where calls stand at the beginning of an output, in a format of one's own: reasoning
/// that the prompt may have opened begins as no call.
#[test]
fn reasoning_that_the_prompt_may_have_opened_begins_as_no_call() {
    let format = r#"{"layout": "at_start", "call": "{{name}}({{arguments}})", "arguments": "pythonic", "section": {"begin": "[", "end": "]"},
        "separator": ", ", "reasoning": {"begin": "<think>", "end": "</think>", "opened_by": "prompt"}}"#;
    let options = |choice| {
        let mut options = ToolOptions::default().choice(Some(choice));
        options.format = Some(FormatSource::Text(Source::new("own.json", format)));
        options
    };
    let auto = read(TOOLS, options(ToolChoice::Auto)).unwrap();
    let required = read(TOOLS, options(ToolChoice::Required)).unwrap();
    let call = "[f(a=\"x\")]";
    let text = |text: &str| Found::Text(text.to_owned());
    let thought = |text: &str| Found::Reasoning(text.to_owned());
    let called = || Found::Call("f".to_owned(), json!({"a": "x"}));
    for (output, is_taken, found) in [
        (call.to_owned(), true, vec![called()]),
        ("[x]".to_owned(), true, vec![text("[x]")]),
        (
            format!("Hm.</think>{call}"),
            true,
            vec![thought("Hm."), called()],
        ),
        (
            "[x]</think>Hello.".to_owned(),
            true,
            vec![thought("[x]"), text("Hello.")],
        ),
        (
            format!("<think>{call}</think>Hello."),
            true,
            vec![thought(call), text("Hello.")],
        ),
        (
            format!("{call}</think>"),
            false,
            vec![called(), text("</think>")],
        ),
    ] {
        assert_eq!(takes(&auto.grammar, &output), is_taken, "{output}");
        let must = is_taken && output.ends_with(call);
        assert_eq!(takes(&required.grammar, &output), must, "{output}");
        let calls = auto.calls.as_ref().unwrap();
        let parts = calls.with_format(|format| parts(format, &output));
        assert_eq!(parts, Ok(found), "{output}");
    }
}
