//! Tool calls: the outputs of a model that is given tools, in the model's own format.
//!
//! In: the tools of a request, as OpenAI, Anthropic or MCP write them, and a [`ToolFormat`]. Out:
//! [`Parsed`]: free text with calls in it, the arguments of each by its tool's schema.
//!
//! ```text
//! tools ── read ──▶ ToolSet ── choose ──▶ tools that may be called ── lower ──▶ Format ── structural_tag ──▶ Grammar
//! format ─ read ──▶ ToolFormat ───────────────────────────────────────┘
//! ```
//!
//! | stage | holds afterwards |
//! |---|---|
//! | `read` | every tool has a name of its own, which its format can write, and the place of its schema |
//! | `choose` | the tools that may be called, and whether one must be |
//! | `lower` | a structural tag whose texts are the outputs: see [`crate::syntax::structural_tag`] |
//!
//! What outputs look like in each format, and how options change them: `docs/tool-calls.md`.

mod blame;
mod blanks;
mod choice;
mod chosen;
mod delimiters;
mod emit;
pub mod format;
mod lower;
pub(crate) mod parts;
mod read;
mod settings;

use std::path::PathBuf;
use std::sync::Arc;

pub use choice::ToolChoice;
pub use format::ToolFormat;

use self::format::OpenedBy;
use super::structural_tag;
use super::{ParseOptions, Parsed, Settings};
use crate::digest::{DigestFields, Digester};
use crate::error::{Code, Diagnostic, Error};
use crate::file;
use crate::setters::setters;
use crate::similar;
use crate::source::{Source, Sources, Span};
use crate::syntax::json_schema::Style;

/// How the tools of a request are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolOptions {
    /// The format of the calls. There is no default: it depends on the model.
    pub format: Option<FormatSource>,
    /// Whether a tool may or must be called, and which. Default: what the request says in
    /// `tool_choice`, or else [`ToolChoice::Auto`].
    pub choice: Option<ToolChoice>,
    /// Whether one output may have several calls. Default: what the request says in
    /// `parallel_tool_calls`, or else that it may.
    pub parallel: Option<bool>,
    /// Whether outputs have reasoning.
    pub reasoning: Reasoning,
    /// Whether arguments satisfy their tool's schema: if not, they are any object. Default: what
    /// each tool says in `strict`, or else that they do.
    pub strict: Option<bool>,
    /// Whether a call may have other blanks than the format's template writes: where that has a
    /// line feed, or a blank behind a colon or a comma, up to eight blanks or none. Default: no.
    pub blanks: bool,
}

// `format` has none: `ToolOptions::format` and `ToolOptions::format_file` make options with one.
setters!(ToolOptions {
    choice: Option<ToolChoice>,
    parallel: Option<bool>,
    reasoning: Reasoning,
    strict: Option<bool>,
    blanks: bool,
});

impl DigestFields for ToolOptions {
    fn write_fields(&self, to: &mut Digester) {
        let ToolOptions {
            format,
            choice,
            parallel,
            reasoning,
            strict,
            blanks,
        } = self;
        to.field(format);
        to.field(choice);
        to.field(parallel);
        to.field(reasoning);
        to.field(strict);
        to.field(blanks);
    }
}

impl DigestFields for FormatSource {
    fn write_fields(&self, to: &mut Digester) {
        match self {
            FormatSource::Named(name) => {
                to.small(0);
                to.field(name);
            }
            FormatSource::File(path) => {
                to.small(1);
                to.field(&**path);
            }
            FormatSource::Text(source) => {
                to.small(2);
                to.field(source.name());
                to.field(source.text());
            }
        }
    }
}

impl DigestFields for Reasoning {
    fn write_fields(&self, to: &mut Digester) {
        to.small(match self {
            Reasoning::None => 0,
            Reasoning::Optional => 1,
            Reasoning::Required => 2,
            Reasoning::Opened => 3,
        });
    }
}

/// Where a format comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatSource {
    /// A built-in one, by name or alias: see [`ToolFormat::names`].
    Named(String),
    /// A regular file. A relative path starts where that of a file of tools does: at the package,
    /// or at the current folder.
    File(PathBuf),
    /// A text.
    Text(Source),
}

/// Whether outputs have reasoning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reasoning {
    /// They do not, and no text contains what it begins or ends with.
    None,
    /// They may begin with it; the model then writes what it begins with. In a format whose prompts
    /// write that (`"opened_by": "prompt"`), an output may also begin within reasoning.
    #[default]
    Optional,
    /// They begin with it. Where the prompt may have written what it begins with, the model need
    /// not.
    Required,
    /// They begin within it: the prompt has written what it begins with.
    Opened,
}

impl ToolOptions {
    /// Options with a built-in format, by name or alias. A name opens no file.
    pub fn format(name: &str) -> Self {
        ToolOptions {
            format: Some(FormatSource::Named(name.to_owned())),
            ..ToolOptions::default()
        }
    }

    /// Options with the format in this file: see [`FormatSource::File`].
    pub fn format_file(path: impl Into<PathBuf>) -> Self {
        ToolOptions {
            format: Some(FormatSource::File(path.into())),
            ..ToolOptions::default()
        }
    }

    /// Whether the format is read from a file.
    pub(crate) fn reads_file(&self) -> bool {
        matches!(self.format, Some(FormatSource::File(_)))
    }

    /// Sets the option of this name; flags are `true` and `false`. As on the command line, a
    /// `format` that ends with `.json` is the path of a file: where a client says the format, use
    /// [`Self::format`].
    ///
    /// # Errors
    /// If no option has this name, or the option does not have this value: what was expected.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.set_named(name, &[value])
            .map_err(|error| error.to_string())
    }
}

impl FormatSource {
    /// What a command line or a macro names: a file if the text ends with `.json`, else a built-in
    /// format.
    pub fn of(text: &str) -> Self {
        match text.ends_with(".json") {
            true => FormatSource::File(text.into()),
            false => FormatSource::Named(text.to_owned()),
        }
    }
}

impl Reasoning {
    /// All of them.
    pub const ALL: [Reasoning; 4] = [
        Reasoning::None,
        Reasoning::Optional,
        Reasoning::Required,
        Reasoning::Opened,
    ];

    /// As options name it.
    pub fn name(self) -> &'static str {
        match self {
            Reasoning::None => "none",
            Reasoning::Optional => "optional",
            Reasoning::Required => "required",
            Reasoning::Opened => "opened",
        }
    }
}

impl std::str::FromStr for Reasoning {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Reasoning::ALL
            .into_iter()
            .find(|known| known.name() == text);
        found.ok_or_else(|| "expected `none`, `optional`, `required` or `opened`".to_owned())
    }
}

/// The format and the tools that a reader of outputs needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCalls {
    pub(super) format: ToolFormat,
    pub(super) reasoning: Reasoning,
    pub(super) tools: Vec<CalledTool>,
    /// Whether outputs may have calls. If not, a text that looks like a call is text.
    pub(super) has_calls: bool,
    /// Whether calls may have other blanks than the format's template.
    pub(super) blanks: bool,
}

/// A tool that can be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CalledTool {
    pub(super) name: String,
    /// What the schema says of the kinds of arguments, where a reader has to be told.
    values: Arc<[read::ToolValue]>,
}

impl ToolCalls {
    /// Without tools or reasoning.
    fn of(format: ToolFormat) -> Self {
        ToolCalls {
            format,
            reasoning: Reasoning::None,
            tools: Vec::new(),
            has_calls: true,
            blanks: false,
        }
    }

    /// The format of the outputs.
    pub fn format(&self) -> &ToolFormat {
        &self.format
    }

    /// The names of the tools that can be called, in the order of the request.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name.as_str())
    }

    /// A warning that reasoning which a prompt has opened cannot be closed.
    pub(super) fn unopened_reasoning(&self) -> Option<Diagnostic> {
        let by = self.format.opened_by()?;
        if self.reasoning != Reasoning::Optional || by == OpenedBy::Prompt {
            return None;
        }
        let message = "reasoning is optional, so a prompt that has opened it leaves the model no way \
                       to close it";
        let help = "if the prompt ends with what opens reasoning, such as `<think>`, set `reasoning` \
                    to `opened` for it; `--reasoning opened` on the command line";
        Some(Diagnostic::warning(Code::ToolReasoning, message).help(help))
    }
}

/// The grammar of a request's tools.
///
/// # Errors
/// If the text is not JSON or has no tools; if a tool has no name, a name that another one has or
/// that the format cannot write, or a schema that is refused; if the format or the choice names
/// something that there is not; if a limit is passed.
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Parsed, Error> {
    let options = &*options.begun();
    let (format, files) = format_of(source, options)?;
    if options.schema.style != Style::Json || options.schema.form.is_some() {
        let message = "a style of arguments is given, and the format of the calls says another";
        let diagnostic = Diagnostic::error(Code::ToolFormat, message)
            .at(Span::default(), "the tools are here")
            .help("leave the style out, or write a format of your own with it");
        return Err(Error::in_source(source, vec![diagnostic]));
    }
    let set = read::read(source, &format, options)?;
    // After this point: tools, each with a name that the format can write.

    let refused = |error| Error::in_source(source, vec![error]);
    let chosen = chosen::choose(&set, &format, &options.tools).map_err(refused)?;
    // After this point: the tools that may be called.

    let mut sources = Sources::from(source);
    let base = sources.add(format.source().clone());
    let tag = lower::lower(&chosen, &format, base, options);
    let tag = tag.map_err(|error| Error::in_sources(&sources, vec![error]))?;
    let stops = lacking_stops(&format, base, options);
    let parsed = structural_tag::parse_format(&tag, sources, options);
    let mut parsed = parsed.map_err(|error| blame::of_any(error, &chosen.tools))?;
    delimiters::name_delimiters(&mut parsed.grammar, &format, options);
    // After this point: one grammar, which names the delimiters of all calls.

    let tools = chosen.tools.iter().map(|tool| CalledTool {
        name: tool.name.value.clone(),
        values: tool.values.clone(),
    });
    parsed.calls = Some(Box::new(ToolCalls {
        tools: tools.collect(),
        reasoning: options.tools.reasoning,
        has_calls: !chosen.tools.is_empty(),
        blanks: options.tools.blanks,
        format,
    }));
    parsed.files.extend(files);
    parsed
        .warnings
        .splice(0..0, set.warnings.into_iter().chain(stops));
    Ok(parsed)
}

/// Warnings of stop tokens that the vocabulary lacks. The built-in formats name those of several
/// models, so they are not warned of.
fn lacking_stops(format: &ToolFormat, base: usize, options: &ParseOptions) -> Vec<Diagnostic> {
    if let None | Some(FormatSource::Named(_)) = options.tools.format {
        return Vec::new();
    }
    let lacking = format.stops();
    let lacking = lacking.filter_map(|(name, span)| Some((options.tokens.lacks(name)?, span)));
    let warnings = lacking.map(|(error, span)| {
        let message = format!("{error}, after which the model stops");
        let warning = Diagnostic::warning(error.code(), message);
        warning.at(span.shifted(base), "").help(error.help())
    });
    warnings.collect()
}

/// The format that the options name, and the file that it is in.
fn format_of(
    source: &Source,
    options: &ParseOptions,
) -> Result<(ToolFormat, Option<PathBuf>), Error> {
    let limits = &options.limits;
    let refuse = |message: String, help: String| {
        let diagnostic = Diagnostic::error(Code::ToolFormat, message);
        let diagnostic = diagnostic
            .at(Span::default(), "the tools are here")
            .help(help);
        Error::in_source(source, vec![diagnostic])
    };
    match &options.tools.format {
        None => {
            let message = "no format of tool calls is given".to_owned();
            let help = "name the model's format, such as `qwen_3`; `maskwright formats` lists them";
            Err(refuse(message, help.to_owned()))
        }
        Some(FormatSource::Named(name)) => match ToolFormat::named(name, limits)? {
            Some(format) => Ok((format, None)),
            None => {
                let help = match similar::closest(name, ToolFormat::names()) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => "`maskwright formats` lists them; a format of your own is a file that ends with `.json`, in libraries `format_file`".to_owned(),
                };
                Err(refuse(format!("there is no format `{name}`"), help))
            }
        },
        Some(FormatSource::Text(text)) => Ok((ToolFormat::parse(text, limits)?, None)),
        Some(FormatSource::File(path)) => {
            let real = options.package.join(path);
            let text = file::read_text(&real, file::most_of_grammar(limits));
            let text = text.map_err(|error| {
                let message = format!("cannot read the format {}: {error}", path.display());
                refuse(
                    message,
                    "a relative path starts at the package's folder, or the current one".to_owned(),
                )
            })?;
            let named = Source::new(path.display().to_string(), text);
            Ok((ToolFormat::parse(&named, limits)?, Some(real)))
        }
    }
}
