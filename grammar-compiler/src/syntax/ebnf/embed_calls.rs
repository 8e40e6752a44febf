//! Calls that embed a grammar: `json_schema(…)` and `grammar(…)`.
//!
//! In: the arguments of a call. Out: a node that names the embedded text and how to read it;
//! nothing was read yet.

use super::ast::{AstEmbed, AstNode, Name, NodeKind};
use super::build::{Argument, ArgumentValue, AstBuilder};
use crate::error::Code;
use crate::source::Span;
use crate::syntax::Kind;
use crate::syntax::embed::EmbedContent;
use crate::syntax::json_schema::SchemaOptions;
use crate::syntax::{SetError, Settings};

impl AstBuilder<'_> {
    /// `json_schema("person.json", whitespace="compact")`, `json_schema({…})`, `json_schema(true)`.
    pub(super) fn schema_call(&mut self, span: Span, arguments: Vec<Argument>) -> AstNode {
        if !Kind::JsonSchema.is_built() {
            let refused = Kind::JsonSchema.absent("json_schema");
            return self.refuse(refused.at(span, ""));
        }
        let (mut contents, mut schema) = (Vec::new(), None);
        for Argument { name, value } in arguments {
            let Some(name) = name else {
                match value {
                    ArgumentValue::Text(path, _) => contents.push(EmbedContent::File(path)),
                    ArgumentValue::Json(place) => contents.push(EmbedContent::Here(place)),
                    ArgumentValue::Word(word) if matches!(word.text.as_str(), "true" | "false") => {
                        contents.push(EmbedContent::Here(word.span));
                    }
                    ArgumentValue::Word(word) => return self.bad_schema_call(word.span),
                    ArgumentValue::List(_, place) => return self.bad_schema_call(place),
                }
                continue;
            };
            let (value, place) = match value {
                ArgumentValue::Text(text, place) => (text, place),
                ArgumentValue::Word(word) => (word.text, word.span),
                ArgumentValue::Json(place) | ArgumentValue::List(_, place) => {
                    return self.bad_schema_call(place);
                }
            };
            let options = schema.get_or_insert_with(|| self.schema().clone());
            if let Err((place, message)) = set(options, &name, &value, place) {
                return self.bad_argument(place, &message);
            }
        }
        match (contents.pop(), contents.is_empty()) {
            (Some(content), true) => embed(Kind::JsonSchema, content, None, schema),
            _ => self.bad_schema_call(span),
        }
    }

    /// `grammar("list.ebnf")`, `grammar("list.ebnf", root="item")`.
    pub(super) fn grammar_call(&mut self, span: Span, arguments: Vec<Argument>) -> AstNode {
        let (mut paths, mut root) = (Vec::new(), None);
        for Argument { name, value } in arguments {
            match (name.as_ref().map(|name| name.text.as_str()), value) {
                (None, ArgumentValue::Text(path, _)) => paths.push(path),
                (Some("root"), ArgumentValue::Text(name, _)) => root = Some(name),
                (_, value) => return self.bad_grammar_call(value.span()),
            }
        }
        match (paths.pop(), paths.is_empty()) {
            (Some(path), true) => embed(Kind::Ebnf, EmbedContent::File(path), root, None),
            _ => self.bad_grammar_call(span),
        }
    }

    fn bad_schema_call(&mut self, span: Span) -> AstNode {
        self.error(
            Code::InvalidArgument,
            span,
            "`json_schema(…)` cannot be called like this",
            "write `json_schema(\"file.json\")` or `json_schema({…})`, perhaps with options such as `whitespace=\"compact\"`",
        )
    }

    fn bad_grammar_call(&mut self, span: Span) -> AstNode {
        self.error(
            Code::InvalidArgument,
            span,
            "`grammar(…)` cannot be called like this",
            "write `grammar(\"file.ebnf\")`, perhaps with `root=\"rule\"`",
        )
    }

    fn bad_argument(&mut self, span: Span, message: &str) -> AstNode {
        self.error(
            Code::InvalidArgument,
            span,
            message,
            "the options are those of a schema that is compiled by itself",
        )
    }
}

fn embed(
    kind: Kind,
    content: EmbedContent,
    root: Option<String>,
    schema: Option<SchemaOptions>,
) -> AstNode {
    AstNode::leaf(NodeKind::Embed(AstEmbed {
        kind,
        content,
        root,
        schema,
    }))
}

/// Sets an option; where it is wrong, and why, if it is.
fn set(
    options: &mut SchemaOptions,
    name: &Name,
    value: &str,
    place: Span,
) -> Result<(), (Span, String)> {
    if name.text == "documents" {
        let message = "folders of documents are given where the whole grammar is compiled";
        return Err((name.span, message.to_owned()));
    }
    let values: Vec<&str> = match name.text.as_str() {
        "lenient" => value.split(',').map(str::trim).collect(),
        _ => vec![value],
    };
    options
        .set_named(&name.text, &values)
        .map_err(|error| match error {
            SetError::Unknown { .. } => (name.span, error.to_string()),
            SetError::Value { .. } => (place, error.to_string()),
        })
}
