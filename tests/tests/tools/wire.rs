//! How each model writes its output, from the models' own documents: not read from the formats of
//! the compiler.
//!
//! In: the name of a format. Out: a [`Wire`], by which [`crate::render`] writes outputs. In a call
//! `$N` is the tool's name, `$A` the arguments and `$I` the identifier.

mod models;
mod recent;

pub use models::wire;

/// How a model writes its output.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    pub layout: Layout,
    pub style: Style,
    pub reasoning: Option<Reasoning>,
    /// What may stand around calls that stand together.
    pub sections: &'static [(&'static str, &'static str)],
    /// Between two calls of a section, two calls where there are no sections, or two messages.
    pub separator: &'static str,
    /// Before the first call where a tool must be called.
    pub before: &'static str,
    pub calls: &'static [&'static str],
    pub id: Id,
    /// What no text contains, besides what reasoning begins and ends with.
    pub forbidden: &'static [&'static str],
}

/// Where texts and calls stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Anywhere,
    AtStart,
    /// Kimi K3.
    Blocks,
    /// Messages with frames around texts: what a text may begin and end with. An empty end is the
    /// separator, or the end of the output.
    Messages(&'static [(&'static str, &'static str)]),
}

/// How arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Json,
    Python,
    /// The same with values as JSON.
    PythonJson,
    /// In brackets, with this around strings.
    Marks(&'static str),
    /// An element for each argument; `$K` is the key, `$V` the value.
    Elements(&'static str),
    /// The same, and `$T` says whether the value is a string.
    Flagged(&'static str),
    Cohere,
    KimiK3,
    MinimaxM3,
}

#[derive(Clone, Copy, Debug)]
pub struct Reasoning {
    pub begin: &'static str,
    pub end: &'static str,
    pub after: &'static str,
    /// Whether the prompt may have written the beginning, and whether the model may.
    pub by_prompt: bool,
    pub by_model: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    Number,
    /// Nine letters or digits.
    Letters,
}

const fn thinks(begin: &'static str, end: &'static str, after: &'static str) -> Option<Reasoning> {
    Some(Reasoning {
        begin,
        end,
        after,
        by_prompt: true,
        by_model: true,
    })
}

const THINK: Option<Reasoning> = thinks("<think>", "</think>", "");
const THINK_AND_LINES: Option<Reasoning> = thinks("<think>", "</think>", "\n\n");

/// The prompt begins it.
const fn begun(reasoning: Option<Reasoning>) -> Option<Reasoning> {
    match reasoning {
        Some(all) => Some(Reasoning {
            by_model: false,
            ..all
        }),
        None => None,
    }
}

/// The model begins it.
const fn written(reasoning: Option<Reasoning>) -> Option<Reasoning> {
    match reasoning {
        Some(all) => Some(Reasoning {
            by_prompt: false,
            ..all
        }),
        None => None,
    }
}

const PLAIN: Wire = Wire {
    layout: Layout::Anywhere,
    style: Style::Json,
    reasoning: None,
    sections: &[],
    separator: "",
    before: "",
    calls: &[],
    id: Id::Number,
    forbidden: &[],
};

const QWEN: Style = Style::Elements("<parameter=$K>\n$V\n</parameter>\n");
const OBJECT: &[&str] = &["{\"name\": \"$N\", \"arguments\": $A}"];

/// What the DeepSeek models of one generation write.
const fn dsml(
    section: &'static [(&'static str, &'static str)],
    call: &'static [&'static str],
    element: &'static str,
    forbidden: &'static [&'static str],
) -> Wire {
    Wire {
        style: Style::Flagged(element),
        reasoning: begun(THINK),
        sections: section,
        before: "\n\n",
        calls: call,
        forbidden,
        ..PLAIN
    }
}

const DSML_CALL: &[&str] = &["<｜DSML｜invoke name=\"$N\">\n$A</｜DSML｜invoke>\n"];
const DSML_ELEMENT: &str = "<｜DSML｜parameter name=\"$K\" string=\"$T\">$V</｜DSML｜parameter>\n";

/// Calls in tags of their own, a line feed between two of them.
const fn tagged(call: &'static [&'static str], forbidden: &'static [&'static str]) -> Wire {
    Wire {
        separator: "\n",
        calls: call,
        forbidden,
        ..PLAIN
    }
}

/// Calls as JSON objects in a list.
const fn listed(
    sections: &'static [(&'static str, &'static str)],
    forbidden: &'static [&'static str],
) -> Wire {
    Wire {
        sections,
        separator: ", ",
        calls: OBJECT,
        forbidden,
        ..PLAIN
    }
}

/// Calls of Python.
const fn python(
    sections: &'static [(&'static str, &'static str)],
    forbidden: &'static [&'static str],
) -> Wire {
    Wire {
        style: Style::Python,
        calls: &["$N($A)"],
        ..listed(sections, forbidden)
    }
}

const TOOL_CALL: &[&str] = &["<tool_call>"];
const HERMES: &[&str] = &["<tool_call>\n{\"name\": \"$N\", \"arguments\": $A}\n</tool_call>"];
const GLM: &[&str] = &[
    "<tool_call>",
    "</tool_call>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
];
const GLM_4_5: &[&str] = &[
    "<think>",
    "<tool_call>",
    "</tool_call>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
];
const GLM_LINES: Style = Style::Elements("<arg_key>$K</arg_key>\n<arg_value>$V</arg_value>\n");
const DEEPSEEK: &[(&str, &str)] = &[("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>")];

impl Wire {
    /// What stands around parts: of these the output consists besides them.
    pub fn around(&self) -> Vec<&'static str> {
        let mut all = Vec::new();
        for (begin, end) in self.sections {
            all.extend([*begin, *end]);
        }
        if !self.sections.is_empty() || matches!(self.layout, Layout::Messages(_)) {
            all.push(self.separator);
        }
        if let Some(reasoning) = &self.reasoning {
            all.extend([reasoning.begin, reasoning.end, reasoning.after]);
        }
        match self.layout {
            Layout::Messages(frames) => {
                all.extend(frames.iter().flat_map(|(begin, end)| [*begin, *end]));
            }
            Layout::Blocks => all.extend([
                "<|open|>response<|sep|>",
                "<|close|>response<|sep|>",
                "<|close|>message<|sep|>",
            ]),
            Layout::Anywhere | Layout::AtStart => {}
        }
        all.retain(|text| !text.is_empty());
        all.sort_by_key(|text| std::cmp::Reverse(text.len()));
        all
    }

    /// What ends an element, or a string in marks.
    pub fn element_end(&self) -> Option<&'static str> {
        match self.style {
            Style::Json | Style::Python | Style::PythonJson => None,
            Style::Marks(mark) => Some(mark),
            Style::Elements(element) | Style::Flagged(element) => {
                Some(element.split_once("$V")?.1.trim())
            }
            Style::Cohere => Some("</cofl:value>"),
            Style::KimiK3 => Some("<|close|>argument<|sep|>"),
            Style::MinimaxM3 => Some("]<]minimax[>[</"),
        }
    }
}
