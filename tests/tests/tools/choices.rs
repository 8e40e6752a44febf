//! Each format with each choice.

use crate::outputs::{KIMI_K3, OUTPUTS, Output};
use crate::{TOOLS, read, takes};
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::syntax::tools::format::Layout;
use maskwright_compiler::syntax::tools::{Reasoning, ToolChoice, ToolFormat, ToolOptions};

/// The grammar of the tools in a format.
pub fn grammar(format: &str, choice: ToolChoice, change: impl FnOnce(&mut ToolOptions)) -> Grammar {
    let mut options = ToolOptions::format(format)
        .choice(Some(choice))
        .reasoning(Reasoning::None);
    change(&mut options);
    match read(TOOLS, options) {
        Ok(parsed) => parsed.grammar,
        Err(error) => panic!("{format}: {error}"),
    }
}

pub fn layout(format: &str) -> Layout {
    let format = ToolFormat::named(format, &Limits::default());
    format.unwrap().unwrap().layout()
}

/// An output with calls and, where it must have one, an empty text.
pub fn with_text(row: &Output, calls: &str) -> String {
    match layout(row.format) {
        Layout::Blocks => format!("{}{calls}{}", KIMI_K3.0, KIMI_K3.1),
        _ => calls.to_owned(),
    }
}

/// A text without a call, as the format writes it.
pub fn text(row: &Output) -> String {
    match row.format {
        "harmony" => "<|channel|>final<|message|>Hello.<|return|>".to_owned(),
        "functionary_v3_2" => "all\nHello.".to_owned(),
        "glm_4_0414" => "\nHello.".to_owned(),
        "inkling" => "<|content_text|>Hello.<|end_message|>".to_owned(),
        "muse_glimmer" => " to=user<|message|>Hello.<|eot|>".to_owned(),
        "command_r" => "<|START_RESPONSE|>Hello.<|END_RESPONSE|>".to_owned(),
        "kimi_k3" => format!("Hello.{}{}", KIMI_K3.0, KIMI_K3.1),
        _ => "Hello.".to_owned(),
    }
}

#[test]
fn every_format_has_a_row() {
    let rows: Vec<&str> = OUTPUTS.iter().map(|row| row.format).collect();
    for name in ToolFormat::names() {
        assert!(rows.contains(&name), "{name}");
    }
    assert_eq!(rows.len(), ToolFormat::names().count());
}

#[test]
fn where_a_tool_must_be_called_calls_and_nothing_else_are_taken() {
    for row in OUTPUTS {
        let required = grammar(row.format, ToolChoice::Required, |_| {});
        let single = grammar(row.format, ToolChoice::Required, |options| {
            options.parallel = Some(false);
        });
        let calls = |calls: &str| with_text(row, &format!("{}{calls}", row.before));
        assert!(takes(&required, &calls(row.one)), "{}: one", row.format);
        assert!(takes(&required, &calls(row.two)), "{}: two", row.format);
        assert!(takes(&single, &calls(row.one)), "{}: only one", row.format);
        assert!(!takes(&single, &calls(row.two)), "{}: not two", row.format);
        for other in [text(row), String::new()] {
            assert!(!takes(&required, &other), "{}: {other:?}", row.format);
        }
        // The other tool has other arguments.
        let wrong = calls(&row.one.replacen("f", "g", 1));
        assert!(!takes(&required, &wrong), "{}: {wrong}", row.format);
    }
}

#[test]
fn one_tool_that_is_named_is_called_once() {
    for row in OUTPUTS {
        let named = grammar(row.format, ToolChoice::Named("f".into()), |_| {});
        let other = grammar(row.format, ToolChoice::Named("g".into()), |_| {});
        let calls = |calls: &str| with_text(row, &format!("{}{calls}", row.before));
        assert!(takes(&named, &calls(row.one)), "{}", row.format);
        assert!(!takes(&named, &calls(row.two)), "{}", row.format);
        assert!(!takes(&other, &calls(row.one)), "{}", row.format);
        assert!(!takes(&named, &text(row)), "{}", row.format);
    }
}

#[test]
fn with_auto_there_are_texts_and_calls() {
    for row in OUTPUTS {
        let auto = grammar(row.format, ToolChoice::Auto, |_| {});
        let single = grammar(row.format, ToolChoice::Auto, |options| {
            options.parallel = Some(false);
        });
        let name = row.format;
        for grammar in [&auto, &single] {
            assert!(takes(grammar, &text(row)), "{name}: text");
            assert!(takes(grammar, &with_text(row, row.one)), "{name}: one");
        }
        assert!(takes(&auto, &with_text(row, row.two)), "{name}: two");
        assert!(!takes(&single, &with_text(row, row.two)), "{name}: not two");
        if layout(name) == Layout::Anywhere {
            let around = format!("Look: {}", row.one);
            assert!(takes(&auto, &around) && takes(&single, &around), "{name}");
            let around = format!("Look: {} and {}.", row.one, row.two);
            assert!(takes(&auto, &around), "{name}");
            assert!(!takes(&single, &around), "{name}");
        }
        // A call of a tool that there is not is no text either.
        let unknown = with_text(row, &row.one.replacen('f', "unknown", 1));
        if layout(name) != Layout::AtStart && row.one.find('f') == row.one.find("f\"") {
            assert!(!takes(&auto, &unknown), "{name}: {unknown}");
        }
        // A beginning of a call is no output.
        for (end, _) in row.one.char_indices().skip(row.one.chars().count() * 3 / 4) {
            let cut = with_text(row, &row.one[..end]);
            assert!(
                !takes(&auto, &cut) || layout(name) == Layout::AtStart,
                "{name}: {cut}"
            );
        }
    }
}

#[test]
fn without_tools_there_are_texts_only() {
    for row in OUTPUTS {
        let none = grammar(row.format, ToolChoice::None, |_| {});
        assert!(takes(&none, &text(row)), "{}", row.format);
        assert!(!takes(&none, &with_text(row, row.one)), "{}", row.format);
    }
}

#[test]
fn some_tools_are_allowed() {
    let allowed = |tools: &[&str], required| ToolChoice::Allowed {
        tools: tools.iter().map(|&tool| tool.into()).collect(),
        required,
    };
    for row in OUTPUTS {
        let f = grammar(row.format, allowed(&["f"], false), |_| {});
        let g = grammar(row.format, allowed(&["g"], false), |_| {});
        let must = grammar(row.format, allowed(&["g", "f"], true), |_| {});
        assert!(takes(&f, &with_text(row, row.one)), "{}", row.format);
        // What looks like a call of another tool is text where calls stand at the beginning only.
        if layout(row.format) != Layout::AtStart {
            assert!(!takes(&g, &with_text(row, row.one)), "{}", row.format);
        }
        let calls = with_text(row, &format!("{}{}", row.before, row.one));
        assert!(takes(&must, &calls), "{}", row.format);
        assert!(!takes(&must, &text(row)), "{}", row.format);
    }
}

#[test]
fn blanks_may_differ_where_they_are_lenient() {
    let lenient = |format: &str| grammar(format, ToolChoice::Auto, |options| options.blanks = true);
    let hermes = lenient("qwen_3");
    for output in [
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}</tool_call>",
        "<tool_call>\n  {\"name\":\"f\",\"arguments\":{\"a\":\"x\"}}\n\n</tool_call>",
    ] {
        assert!(takes(&hermes, output), "{output}");
        let strict = grammar("qwen_3", ToolChoice::Auto, |_| {});
        assert!(!takes(&strict, output), "{output}");
    }
    let nine = "<tool_call>         {\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}</tool_call>";
    assert!(!takes(&hermes, nine));
    // A blank within a tag is part of its text.
    let minimax = lenient("minimax");
    let joined = "<minimax:tool_call>\n<invokename=\"f\">\n<parameter name=\"a\">x</parameter></invoke>\n</minimax:tool_call>";
    assert!(!takes(&minimax, joined));
    assert!(takes(
        &minimax,
        &joined
            .replace("invokename", "invoke name")
            .replace(">\n<", "><")
    ));
    for row in OUTPUTS {
        assert!(
            takes(&lenient(row.format), &with_text(row, row.one)),
            "{}",
            row.format
        );
    }
}
