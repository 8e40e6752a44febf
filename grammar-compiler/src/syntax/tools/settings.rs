//! The options of tools that a text can set, one row each.

use super::{FormatSource, ToolChoice, ToolOptions};
use crate::syntax::settings::{SetError, Setting, Settings, Values, flag, one};

impl Settings for ToolOptions {
    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            ("format", "tool-format"),
            Values::One { form: "NAME|FILE" },
            "How the model writes calls: a name that `maskwright formats` lists, or a file that ends with `.json`. Without --tools, an example tool is taken",
            |options, values| {
                text(values).map(|text| options.format = Some(FormatSource::of(&text)))
            },
        ),
        Setting::new(
            ("tool_choice", "tool-choice"),
            Values::One { form: "CHOICE" },
            "Whether a tool may or must be called: auto, none, required, the name of a tool (tool:NAME if that is one of these words), or auto:A,B and required:A,B for some tools \
             [default: what the file of tools says, or auto]",
            |options, values| text(values).map(|text| options.choice = Some(ToolChoice::of(&text))),
        ),
        Setting::new(
            ("parallel_tool_calls", "no-parallel-tool-calls"),
            Values::Flag { sets: false },
            "At most one call in an output",
            |options, values| flag(values).map(|value| options.parallel = Some(value)),
        ),
        Setting::new(
            ("reasoning", "reasoning"),
            Values::One { form: "WHETHER" },
            "Whether outputs begin with reasoning: none, optional, required, or opened if the prompt has written what reasoning begins with [default: optional]",
            |options, values| one(values).map(|value| options.reasoning = value),
        ),
        Setting::new(
            ("strict", "tool-strict"),
            Values::Either,
            "Arguments satisfy the schemas of their tools, whatever the tools say of that; with `=false`, they are any objects",
            |options, values| flag(values).map(|value| options.strict = Some(value)),
        ),
        Setting::new(
            ("blanks", "tool-blanks"),
            Values::Flag { sets: true },
            "Calls may have other blanks than the format's template writes",
            |options, values| flag(values).map(|value| options.blanks = value),
        ),
    ];
}

fn text(values: &[&str]) -> Result<String, SetError> {
    one(values)
}
