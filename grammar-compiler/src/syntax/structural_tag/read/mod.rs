//! From JSON to formats.
//!
//! In: the JSON of a request. Out: a [`Format`]. What holds: every field is known and of its kind,
//! lists that must not be empty are not, every token is one of the vocabulary. All errors are found
//! together.

mod legacy;
mod request;
mod schema;
mod tags;
mod tokens;
mod types;

use super::ast::{Delimiter, FieldText, Format, FormatKind, Unit};
use crate::error::{Code, Diagnostic};
use crate::limits::{Deadline, LimitExceeded};
use crate::similar;
use crate::syntax::ParseOptions;
use crate::syntax::fields::{Codes, DOING, FieldReader};
use crate::syntax::json_schema::document::JsonNode;
use types::{TYPES, Type};

pub(super) use request::{TagRequest, unwrap};

/// The codes of what is wrong with a field.
const CODES: Codes = Codes {
    malformed: Code::TagMalformed,
    unknown: Code::TagUnknownField,
};

/// Reads the formats of a request.
///
/// # Errors
/// Everything that is wrong with a field, in the order of the text.
pub(super) fn read(
    request: &TagRequest,
    options: &ParseOptions,
) -> Result<Format, Vec<Diagnostic>> {
    let mut reader = FieldReader {
        tokens: &options.tokens,
        nesting: options.limits.nesting,
        deadline: Deadline::start(&options.limits),
        codes: CODES,
        errors: Vec::new(),
    };
    let format = reader.request(&request.node);
    match format {
        Some(format) if reader.errors.is_empty() => Ok(format),
        _ => {
            let in_time = reader.deadline.confirm(DOING);
            in_time.map_err(|limit| vec![Diagnostic::from(&limit)])?;
            reader.errors.sort_by_key(Diagnostic::span);
            Err(reader.errors)
        }
    }
}

impl FieldReader<'_> {
    /// `{"type": "structural_tag", "format": …}`, or the legacy form.
    fn request(&mut self, node: &JsonNode) -> Option<Format> {
        let what = "a structural tag";
        if let Some(kind) = node.get("type")
            && kind.as_str() != Some("structural_tag")
        {
            let help = "write `{\"type\": \"structural_tag\", \"format\": …}`";
            self.malformed(kind.span, "this is no structural tag", help);
            return None;
        }
        if node.get("structures").is_some() {
            return self.legacy(node);
        }
        self.only(node, what, &["type", "format"]);
        let format = self.required(node, what, "format")?;
        self.format(format, 0)
    }

    fn format(&mut self, node: &JsonNode, depth: usize) -> Option<Format> {
        if depth >= self.nesting {
            let limit = LimitExceeded::new("nesting", self.nesting, "formats nest too deep");
            self.error(Diagnostic::from(&limit).at(node.span, "here"));
            return None;
        }
        let kind = self.type_of(node)?;
        let fields = kind.fields();
        let what = format!("`{}`", kind.name);
        self.only(node, &what, &fields);
        let read = self.kind(kind, node, &what, depth + 1)?;
        Some(Format {
            span: node.span,
            kind: read,
        })
    }

    /// The type that is said, or the one that fits the fields.
    fn type_of(&mut self, node: &JsonNode) -> Option<&'static Type> {
        if node.members().is_none() {
            let message = format!("a format is an object; this is {}", node.value.kind());
            self.malformed(
                node.span,
                message,
                "write an object such as `{\"type\": \"any_text\"}`",
            );
            return None;
        }
        let names = TYPES.iter().map(|kind| kind.name);
        let Some(said) = node.get("type") else {
            let guess = Type::guess(node);
            if guess.is_none() {
                let names: Vec<&str> = names.collect();
                let help = format!("say its `type`: one of `{}`", names.join("`, `"));
                self.malformed(node.span, "no type of format has these fields", &help);
            }
            return guess;
        };
        let name = self.text("type", said)?;
        let kind = Type::of(&name.value);
        if kind.is_none() {
            let help = match similar::closest(&name.value, names.clone()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!(
                    "the types are `{}`",
                    names.collect::<Vec<&str>>().join("`, `")
                ),
            };
            let message = format!("there is no type of format `{}`", name.value);
            self.error(
                Diagnostic::error(Code::TagUnknownType, message)
                    .at(said.span, "")
                    .help(help),
            );
        }
        kind
    }

    fn kind(
        &mut self,
        kind: &Type,
        node: &JsonNode,
        what: &str,
        depth: usize,
    ) -> Option<FormatKind> {
        Some(match kind.name {
            "const_string" => FormatKind::ConstString(self.required_text(node, what, "value")?),
            "json_schema" | "qwen_xml_parameter" => self.schema(kind.name, node, what)?,
            "grammar" => {
                self.syntax(node)?;
                FormatKind::Grammar(self.source(node, what, "grammar")?)
            }
            "regex" => FormatKind::Regex(self.source(node, what, "pattern")?),
            "any_text" => FormatKind::Any {
                unit: Unit::Text,
                excludes: self.delimiters(node, "excludes"),
                not_first: Vec::new(),
                max_chars: self.count(node, "max_chars"),
                max_tokens: self.token_limit(node),
            },
            "any_tokens" => FormatKind::Any {
                unit: Unit::Tokens,
                excludes: self.token_list(node, "exclude_tokens"),
                not_first: Vec::new(),
                max_chars: None,
                max_tokens: self.token_limit(node),
            },
            "sequence" => FormatKind::Sequence(self.elements(node, what, depth)?),
            "or" => FormatKind::Or(self.elements(node, what, depth)?),
            "optional" => self.repeat(node, what, depth, (0, Some(1)))?,
            "plus" => self.repeat(node, what, depth, (1, None))?,
            "star" => self.repeat(node, what, depth, (0, None))?,
            "repeat" => {
                let bounds = self.bounds(node, what);
                self.repeat(node, what, depth, bounds?)?
            }
            "tag" => FormatKind::Tag(Box::new(self.tag(node, Unit::Text, depth)?)),
            "triggered_tags" => self.triggered_tags(node, what, Unit::Text, depth)?,
            "token_triggered_tags" => self.triggered_tags(node, what, Unit::Tokens, depth)?,
            "tags_with_separator" => FormatKind::TagsWithSeparator {
                tags: self.tags(node, what, Unit::Text, depth)?,
                separator: self.required_text(node, what, "separator")?,
                at_least_one: self.flag(node, "at_least_one"),
                stop_after_first: self.flag(node, "stop_after_first"),
            },
            "dispatch" => self.dispatch(node, what, Unit::Text, depth)?,
            "token_dispatch" => self.dispatch(node, what, Unit::Tokens, depth)?,
            "token" => {
                let token = self.required(node, what, "token")?;
                FormatKind::Token(self.token("token", token)?.0)
            }
            _ => {
                let excludes = self.token_list(node, "exclude_tokens");
                FormatKind::ExcludeToken(ids(&excludes))
            }
        })
    }

    /// Refuses the text of a grammar that is not in EBNF.
    fn syntax(&mut self, node: &JsonNode) -> Option<()> {
        let Some(said) = self.optional(node, "syntax") else {
            return Some(());
        };
        let name = self.text("syntax", said)?;
        if name.value == "ebnf" {
            return Some(());
        }
        let message = format!(
            "a grammar in a structural tag is in EBNF, not in `{}`",
            name.value
        );
        let help = match name.value.as_str() {
            "lark" => "write the grammar in EBNF, or ask for it by itself, as a Lark grammar",
            _ => "leave `syntax` out, or write `ebnf`",
        };
        self.malformed(said.span, message, help);
        None
    }

    /// The text of a grammar or pattern, which must not be empty.
    fn source(&mut self, node: &JsonNode, what: &str, name: &str) -> Option<FieldText> {
        let value = self.required(node, what, name)?;
        self.filled_text(name, value)
    }

    /// `max_tokens`: a matcher counts to 65,535.
    fn token_limit(&mut self, node: &JsonNode) -> Option<u16> {
        let most = self.count(node, "max_tokens")?;
        let limit = u16::try_from(most).ok();
        if let (None, Some(written)) = (limit, self.optional(node, "max_tokens")) {
            let message = format!("`max_tokens` is {most}, more than {}", u16::MAX);
            let help = "leave it out, and bound the tokens of the whole output where the program samples them";
            self.error(
                Diagnostic::error(Code::TagUnsupported, message)
                    .at(written.span, "")
                    .help(help),
            );
        }
        limit
    }

    fn elements(&mut self, node: &JsonNode, what: &str, depth: usize) -> Option<Vec<Format>> {
        let items = self.filled_list(node, what, "elements")?;
        let formats: Vec<Option<Format>> =
            items.iter().map(|item| self.format(item, depth)).collect();
        formats.into_iter().collect()
    }

    fn bounds(&mut self, node: &JsonNode, what: &str) -> Option<(u32, Option<u32>)> {
        let min = self.required(node, what, "min")?;
        let min = self.number("min", min, 0)?;
        let written = self.required(node, what, "max")?;
        let max = self.number("max", written, -1)?;
        if max >= 0 && max < min {
            let message = format!("`max` is {max}, which is less than `min`");
            self.malformed(
                written.span,
                message,
                "write at least `min`, or -1 for no bound",
            );
            return None;
        }
        Some((u32::try_from(min).ok()?, u32::try_from(max).ok()))
    }

    fn repeat(
        &mut self,
        node: &JsonNode,
        what: &str,
        depth: usize,
        (min, max): (u32, Option<u32>),
    ) -> Option<FormatKind> {
        let content = self.required(node, what, "content")?;
        let content = Box::new(self.format(content, depth)?);
        Some(FormatKind::Repeat { content, min, max })
    }
}

fn ids(tokens: &[Delimiter]) -> Vec<u32> {
    let ids = tokens.iter().map(|token| match token {
        Delimiter::Token(id, _) => Some(*id),
        Delimiter::Text(_) => None,
    });
    ids.flatten().collect()
}
