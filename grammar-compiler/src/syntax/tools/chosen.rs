//! The tools that may be called, by a choice.
//!
//! In: the tools of a request and its [`ToolChoice`]. Out: [`ChosenTools`]. What holds: every tool
//! that is named is there; where one must be called, there is one.

use super::choice::ToolChoice;
use super::format::ToolFormat;
use super::read::{Tool, ToolSet, short};
use super::{Reasoning, ToolOptions};
use crate::digest::{DigestFields, Digester};
use crate::error::{Code, Diagnostic};
use crate::maps::KeyedSet;
use crate::similar;
use crate::source::Span;

/// What may be called.
#[derive(Debug)]
pub(super) struct ChosenTools<'s> {
    /// The tools that may be called, in the order of the request.
    pub(super) tools: Vec<&'s Tool>,
    /// All tools.
    pub(super) all: &'s [Tool],
    pub(super) mode: Mode,
    /// Whether several may be called.
    pub(super) parallel: bool,
}

/// Whether a tool must be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Auto,
    None,
    /// At least one.
    Required,
    /// Exactly one.
    One,
}

impl DigestFields for Mode {
    fn write_fields(&self, to: &mut Digester) {
        to.small(match self {
            Mode::Auto => 0,
            Mode::None => 1,
            Mode::Required => 2,
            Mode::One => 3,
        });
    }
}

/// The tools that may be called.
pub(super) fn choose<'s>(
    set: &'s ToolSet,
    format: &ToolFormat,
    options: &ToolOptions,
) -> Result<ChosenTools<'s>, Diagnostic> {
    let said = set.choice.as_ref();
    let (choice, place) = match (&options.choice, said) {
        (Some(choice), _) => (choice, None),
        (None, Some((choice, place))) => (choice, Some(*place)),
        (None, None) => (&ToolChoice::Auto, None),
    };
    // An option has no place in the text.
    let place = match place {
        Some(place) => (place, ""),
        None => (Span::default(), "the tools are here"),
    };
    let thinks = matches!(options.reasoning, Reasoning::Required | Reasoning::Opened);
    if thinks && !format.has_reasoning() {
        let message = format!(
            "reasoning is {}, and the format has none",
            options.reasoning.name()
        );
        return Err(Diagnostic::error(Code::ToolChoice, message)
            .at(place.0, place.1)
            .help("choose another format, or leave `reasoning` out"));
    }
    let (tools, mode) = callable(set, choice, place)?;
    if tools.is_empty() && mode == Mode::Required {
        let message = "a tool must be called, and there is none";
        return Err(Diagnostic::error(Code::ToolChoice, message)
            .at(place.0, place.1)
            .help("add a tool, or choose `auto`"));
    }
    Ok(ChosenTools {
        mode: if tools.is_empty() { Mode::None } else { mode },
        tools,
        all: &set.tools,
        parallel: options.parallel.or(set.parallel).unwrap_or(true),
    })
}

/// The tools that a choice allows, in the order of the request, and whether one of them must be
/// called.
fn callable<'s>(
    set: &'s ToolSet,
    choice: &ToolChoice,
    place: (Span, &str),
) -> Result<(Vec<&'s Tool>, Mode), Diagnostic> {
    let named = |name: &String| find(set, name, place);
    let all = || set.tools.iter().collect();
    Ok(match choice {
        ToolChoice::Auto => (all(), Mode::Auto),
        ToolChoice::None => (Vec::new(), Mode::None),
        ToolChoice::Required => (all(), Mode::Required),
        ToolChoice::Named(name) => (vec![named(name)?], Mode::One),
        ToolChoice::Allowed { tools, required } => {
            let names: KeyedSet<&str> = tools.iter().map(String::as_str).collect();
            let is_allowed = |tool: &&Tool| names.contains(tool.name.value.as_str());
            let mode = match required {
                true => Mode::Required,
                false => Mode::Auto,
            };
            let found: Vec<&Tool> = set.tools.iter().filter(is_allowed).collect();
            if found.len() < names.len() {
                // No two tools have the same name, so one of these has no tool.
                let all: KeyedSet<&str> = set.tools.iter().map(|t| t.name.value.as_str()).collect();
                let mut lacking = tools.iter().filter(|name| !all.contains(name.as_str()));
                lacking.try_for_each(|name| named(name).map(drop))?;
            }
            (found, mode)
        }
    })
}

/// The tool of this name.
fn find<'s>(
    set: &'s ToolSet,
    name: &str,
    (place, label): (Span, &str),
) -> Result<&'s Tool, Diagnostic> {
    let mut tools = set.tools.iter();
    tools.find(|tool| tool.name.value == name).ok_or_else(|| {
        let names = set.tools.iter().map(|tool| tool.name.value.as_str());
        let help = match similar::closest(name, names) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "name one of the tools, `auto`, `none` or `required`".to_owned(),
        };
        let message = match name {
            "" => "the choice of tools has an empty name".to_owned(),
            _ => format!("there is no tool `{}` to choose", short(name)),
        };
        Diagnostic::error(Code::ToolChoice, message)
            .at(place, label)
            .help(help)
    })
}
