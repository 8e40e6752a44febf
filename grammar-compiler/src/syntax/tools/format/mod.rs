//! Tool-call formats: how a model writes its output, as data.
//!
//! In: a small JSON file, such as the ones in the folder `formats` of this package. Out:
//! [`ToolFormat`]. What holds: every call has the tool's name before its arguments; a text stands
//! between any two places of a call, unless the reader can tell where the first one ends; the names
//! of styles and layouts are known; the parts of an output can be told apart.
//!
//! ```json
//! {
//!   "about": "Qwen 2.5, Qwen 3",
//!   "call": "<tool_call>\n{\"name\": \"{{name}}\", \"arguments\": {{arguments}}}\n</tool_call>",
//!   "trigger": "<tool_call>",
//!   "reasoning": {"begin": "<think>", "end": "</think>", "after": "\n\n"}
//! }
//! ```
//!
//! The fields, with what is taken where one is left out: `docs/tool-calls.md`.

mod builtin;
mod example;
mod form;
mod layout;
mod message;
mod read;
mod template;
mod told;

pub use example::{EXAMPLE_TOOL, EXAMPLE_TOOLS};
pub use maskwright_core::calls::Layout;

use super::blanks::soft_blanks;
use crate::error::Error;
use crate::limits::Limits;
use crate::source::{Source, Span};
use crate::syntax::fields::FieldText;
use crate::syntax::json_schema::{KeyOrder, OwnedForm, Style};
use std::sync::Arc;

pub(super) use template::Template;
pub use template::{Piece, Place};

/// How a model writes its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFormat {
    /// The text that places lie in.
    source: Source,
    /// The models that write so.
    about: String,
    aliases: Vec<String>,
    layout: Layout,
    /// The ways in which a call is written, at least one.
    calls: Vec<Template>,
    /// A pattern of the identifiers of calls.
    id: FieldText,
    arguments: Style,
    /// The elements of arguments, if they are of no style.
    form: Option<Arc<OwnedForm>>,
    key_order: KeyOrder,
    sections: Vec<SectionText>,
    separator: FieldText,
    /// Empty if nothing is said.
    triggers: Vec<FieldText>,
    before: FieldText,
    reasoning: Option<ReasoningText>,
    texts: Vec<FrameText>,
    excludes: Vec<FieldText>,
    end: FieldText,
    stop: Vec<String>,
    stop_at: Vec<Span>,
}

/// The delimiters around calls that stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SectionText {
    pub(super) begin: FieldText,
    pub(super) end: FieldText,
}

/// How reasoning is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReasoningText {
    pub(super) begin: FieldText,
    pub(super) end: FieldText,
    pub(super) after: FieldText,
    pub(super) opened_by: OpenedBy,
}

/// Who opens reasoning: writes the text that it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenedBy {
    /// The prompt ends with it.
    Prompt,
    /// The model writes it.
    Model,
    /// The one or the other.
    Either,
}

/// The delimiters around a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FrameText {
    pub(super) begin: FieldText,
    /// If there is none, the text ends where the separator between messages begins, or with the
    /// output.
    pub(super) ends: Vec<FieldText>,
}

impl OpenedBy {
    /// All of them.
    pub const ALL: [OpenedBy; 3] = [OpenedBy::Prompt, OpenedBy::Model, OpenedBy::Either];

    /// As formats name it.
    pub fn name(self) -> &'static str {
        match self {
            OpenedBy::Prompt => "prompt",
            OpenedBy::Model => "model",
            OpenedBy::Either => "either",
        }
    }
}

impl ToolFormat {
    /// Reads a format.
    ///
    /// # Errors
    /// If the text is not JSON, a field is unknown, missing or of another kind, or a call cannot be
    /// told apart from its parts.
    pub fn parse(source: &Source, limits: &Limits) -> Result<Self, Error> {
        read::read(source, limits)
    }

    /// The names of all built-in formats, ascending.
    pub fn names() -> impl Iterator<Item = &'static str> {
        builtin::FORMATS.iter().map(|(name, _)| *name)
    }

    /// The built-in format that has this name or this alias; `Ok(None)` if there is none. Engines
    /// write some names without the separators, or with others: `granite4`, `minimax-m2`. Where no
    /// name is exactly this one, letters of either case, `_`, `-`, `.` and blanks do not matter.
    ///
    /// # Errors
    /// As [`Self::parse`]; a test reads all of them.
    pub fn named(name: &str, limits: &Limits) -> Result<Option<Self>, Error> {
        if name.len() > MAX_NAME {
            return Ok(None);
        }
        let is_name = |known: &str| known == name;
        let quoted = format!("\"{name}\"");
        if let Some(found) = Self::find(is_name, &quoted, limits)? {
            return Ok(Some(found));
        }
        let folded = fold(name);
        Self::find(|known| fold(known) == folded, "\"aliases\"", limits)
    }

    /// The built-in format of whose names one is meant. Only files that have the text `holds` are
    /// looked into for aliases.
    fn find(
        is_meant: impl Fn(&str) -> bool,
        holds: &str,
        limits: &Limits,
    ) -> Result<Option<Self>, Error> {
        let read = |(known, text): &(&str, &str)| {
            let source = Source::new(format!("<format {known}>"), *text);
            ToolFormat::parse(&source, limits)
        };
        if let Some(format) = builtin::FORMATS.iter().find(|format| is_meant(format.0)) {
            return read(format).map(Some);
        }
        for format in builtin::FORMATS
            .iter()
            .filter(|(_, text)| text.contains(holds))
        {
            let format = read(format)?;
            if format.aliases.iter().any(|alias| is_meant(alias)) {
                return Ok(Some(format));
            }
        }
        Ok(None)
    }

    /// The models that write so.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Other names of it.
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// The text that it was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Where text and calls stand.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The style of arguments.
    pub fn arguments(&self) -> Style {
        self.arguments
    }

    /// The elements of arguments in place of a style, if the format gives some of its own.
    pub fn form(&self) -> Option<&Arc<OwnedForm>> {
        self.form.as_ref()
    }

    /// The order in which the model writes the keys of arguments.
    pub fn key_order(&self) -> KeyOrder {
        self.key_order
    }

    /// Whether outputs can have reasoning.
    pub fn has_reasoning(&self) -> bool {
        self.reasoning.is_some()
    }

    /// Who opens reasoning, if outputs can have some.
    pub fn opened_by(&self) -> Option<OpenedBy> {
        let reasoning = self.reasoning.as_ref();
        reasoning.map(|reasoning| reasoning.opened_by)
    }

    /// The tokens after which the model stops, by name: a grammar allows each that its vocabulary
    /// has where an output may end.
    pub fn stop_tokens(&self) -> &[String] {
        &self.stop
    }

    /// The same, and where each name stands.
    pub(super) fn stops(&self) -> impl Iterator<Item = (&str, Span)> {
        let names = self.stop.iter().map(String::as_str);
        names.zip(self.stop_at.iter().copied())
    }

    /// Whether this text stands in something that the model writes besides texts and arguments.
    pub(super) fn writes(&self, text: &str) -> bool {
        let has = |other: &FieldText| other.value.contains(text);
        let is_piece = |piece: &Piece| matches!(piece, Piece::Text(piece) if piece.contains(text));
        let mut calls = self.calls.iter();
        let mut sections = self.sections.iter();
        let mut frames = self.texts.iter();
        let mut reasoning = self.reasoning.iter();
        let others = [&self.separator, &self.before, &self.end];
        calls.any(|call| call.pieces().iter().any(is_piece))
            || sections.any(|section| has(&section.begin) || has(&section.end))
            || frames.any(|frame| has(&frame.begin) || frame.ends.iter().any(has))
            || reasoning.any(|all| has(&all.begin) || has(&all.end) || has(&all.after))
            || others.into_iter().any(has)
    }

    /// Whether a character of a tool's name would be written otherwise in a call. In quotes of JSON
    /// a backslash begins an escape; in an attribute, so does what the form of the arguments
    /// escapes.
    pub(super) fn is_escaped(&self, c: char) -> bool {
        let own = self
            .form
            .as_ref()
            .map(|form| form.form().escape(c).is_some());
        let of_style = self.arguments.form().map(|form| form.escape(c).is_some());
        let is_special = own.or(of_style).unwrap_or(c == '\\');
        is_special && self.calls.iter().any(Template::quotes_name)
    }

    pub(super) fn calls(&self) -> &[Template] {
        &self.calls
    }

    pub(super) fn id(&self) -> &FieldText {
        &self.id
    }

    pub(super) fn sections(&self) -> &[SectionText] {
        &self.sections
    }

    pub(super) fn separator(&self) -> &FieldText {
        &self.separator
    }

    pub(super) fn before(&self) -> &FieldText {
        &self.before
    }

    pub(super) fn reasoning(&self) -> Option<&ReasoningText> {
        self.reasoning.as_ref()
    }

    pub(super) fn texts(&self) -> &[FrameText] {
        &self.texts
    }

    pub(super) fn excludes(&self) -> &[FieldText] {
        &self.excludes
    }

    pub(super) fn end(&self) -> &FieldText {
        &self.end
    }

    /// The same where calls may have other blanks, if they may: each up to its first blanks that
    /// may be others.
    pub(super) fn triggers_of(&self, blanks: bool) -> Vec<FieldText> {
        let mut triggers = self.triggers();
        for trigger in triggers.iter_mut().filter(|_| blanks) {
            let before = soft_blanks(&trigger.value).next();
            trigger.value = before.map_or(String::new(), |(text, _)| text.to_owned());
        }
        triggers
    }

    /// Where free text ends: what the file says, or what sections or calls begin with up to the
    /// first place.
    pub(super) fn triggers(&self) -> Vec<FieldText> {
        if !self.triggers.is_empty() {
            return self.triggers.clone();
        }
        if !self.sections.is_empty() {
            return self.sections.iter().map(|s| s.begin.clone()).collect();
        }
        let mut triggers: Vec<FieldText> = Vec::new();
        for call in &self.calls {
            let begin = call.begin();
            if !triggers.iter().any(|known| known.value == begin.value) {
                triggers.push(begin);
            }
        }
        triggers
    }
}

/// No built-in format has a longer name, in bytes.
const MAX_NAME: usize = 64;

/// A name without what is written in several ways.
fn fold(name: &str) -> String {
    let chars = name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' '));
    chars.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Names of engines, each with the format that it means.
    const ENGINES: [(&str, &str); 60] = [
        ("apertus2509", "apertus"),
        ("cohere_command3", "command_r"),
        ("cohere_command4", "cohere"),
        ("deepseek_v3", "deepseek_r1"),
        ("deepseekv3", "deepseek_r1"),
        ("deepseek_v31", "deepseek_v3_1"),
        ("deepseekv31", "deepseek_v3_1"),
        ("deepseekv32", "deepseek_v3_2"),
        ("deepseekv4", "deepseek_v4"),
        ("ernie45", "ernie_4_5"),
        ("functiongemma", "function_gemma"),
        ("gemma4", "gemma_4"),
        ("dots", "dots"),
        ("functionary-v3.2", "functionary_v3_2"),
        ("gigachat3", "gigachat_3"),
        ("gigachat35", "gigachat_3_5"),
        ("glm", "glm_4_5"),
        ("glm45", "glm_4_5"),
        ("glm47", "glm_4_7"),
        ("gpt-oss", "harmony"),
        ("GPT-OSS", "harmony"),
        ("openai", "harmony"),
        ("granite4", "granite_4"),
        ("granite-20b-fc", "granite_20b"),
        ("hermes", "qwen_3"),
        ("hunyuan_a13b", "hunyuan"),
        ("hy_v3", "hunyuan_v3"),
        ("hy_v4", "hunyuan_v3"),
        ("inkling", "inkling"),
        ("interns1", "internlm"),
        ("iquest_q1", "iquest_q1"),
        ("k2_horizon", "k2_horizon"),
        ("k2_v3", "k2_horizon"),
        ("kimi_k2", "kimi"),
        ("ling3", "ling_3"),
        ("llama3", "llama"),
        ("llama3_json", "llama"),
        ("llama4_json", "llama_4_json"),
        ("llama4_pythonic", "llama_4"),
        ("minicpm5", "minicpm_5"),
        ("minimax-m2", "minimax"),
        ("minimax-m3", "minimax_m3"),
        ("muse", "muse_glimmer"),
        ("muse_glimmer", "muse_glimmer"),
        ("nanbeige", "qwen_3_coder"),
        ("nemotron_json", "nemotron_nano_v2"),
        ("nemotron_nano_v2", "nemotron_nano_v2"),
        ("nemotron_v3", "nemotron_3"),
        ("olmo3", "olmo_3"),
        ("phi4_mini_json", "phi_4_mini"),
        ("poolside_v1", "poolside_v1"),
        ("qwen25", "qwen_3"),
        ("qwen3_json", "qwen_3"),
        ("qwen3_coder", "qwen_3_coder"),
        ("qwen3_xml", "qwen_3_coder"),
        ("seed_oss", "seed_oss"),
        ("spark25", "spark_2_5"),
        ("step3", "step_3"),
        ("step3p5", "step_3_5"),
        ("trinity", "trinity"),
    ];

    #[test]
    fn engines_names_mean_formats() {
        let limits = Limits::default();
        let named = |name: &str| ToolFormat::named(name, &limits).unwrap();
        for (name, meant) in ENGINES {
            let found = named(name).map(|format| format.source().name().to_owned());
            assert_eq!(found, Some(format!("<format {meant}>")), "{name}");
        }
        assert_eq!(named("gpt"), None);
        assert_eq!(named(&"_".repeat(65)), None);
    }

    /// No two formats have a name in common, however it is written.
    #[test]
    fn names_are_told_apart() {
        let limits = Limits::default();
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for (name, text) in builtin::FORMATS {
            let format = ToolFormat::parse(&Source::new(*name, *text), &limits).unwrap();
            let aliases = format.aliases().iter().map(String::as_str);
            for one in aliases.chain([*name]) {
                let other = known.insert(fold(one), name);
                assert!(
                    other.is_none_or(|other| other == *name),
                    "{one}: {name} and {other:?}"
                );
            }
        }
    }
}
