//! The tools of a request that has nothing to refuse, from an outline of its text.
//!
//! In: the same as for [`read`](super::read). Out: [`ToolSet`], the same as
//! [`read_nodes`](super::read_nodes) makes; nothing where that refuses the request, and for some
//! others. What holds: of a schema nothing but its place and the kinds of its values is kept.

use super::{
    Arguments, CODES, FIELD_STEPS, FIELDS, MAX_UNKNOWN, Told, Tool, ToolSet, kinds, names, shapes,
    told_kinds, unknown_field,
};
use crate::error::Diagnostic;
use crate::limits::Deadline;
use crate::source::Source;
use crate::syntax::ParseOptions;
use crate::syntax::fields::{self, FieldReader, FieldText};
use crate::syntax::json_schema::document::{self, Outline, OutlineValue};
use crate::syntax::tools::ToolFormat;
use crate::syntax::tools::choice::ToolChoice;
use std::sync::Arc;

/// Reads the tools of a request.
pub(super) fn read(
    source: &Source,
    format: &ToolFormat,
    options: &ParseOptions,
) -> Option<ToolSet> {
    let outline = Outline::read(source, &options.limits)?;
    let root = outline.root();
    let request = match root.get("result") {
        Some(result) if root.get("tools").is_none() => result,
        _ => root,
    };
    let list = match request.first() {
        b'[' => request,
        _ if shapes::OTHER_MEMBERS
            .iter()
            .any(|name| request.get(name).is_some()) =>
        {
            return None;
        }
        _ => request.get("tools")?,
    };
    let mut warnings = Vec::new();
    let deadline = Deadline::start(&options.limits);
    let told = told_kinds(format);
    let tools = list
        .items()?
        .map(|item| tool(item, options.tools.strict, told, &mut warnings, &deadline));
    let tools: Option<Vec<Tool>> = tools.collect();
    let tools = tools?;
    let (choice, disabled) = match optional(request, "tool_choice") {
        Some(item) => choice(item, source, options)?,
        None => (None, false),
    };
    let parallel = match optional(request, "parallel_tool_calls") {
        Some(item) => Some(flag(item)?),
        None => disabled.then_some(false),
    };
    if !names(&tools, format, &deadline).is_empty() {
        return None;
    }
    Some(ToolSet {
        tools,
        choice: choice.zip(optional(request, "tool_choice").map(OutlineValue::span)),
        parallel,
        warnings,
    })
}

/// What `tool_choice` says, and whether it allows one call at most.
fn choice(
    item: OutlineValue<'_>,
    source: &Source,
    options: &ParseOptions,
) -> Option<(Option<ToolChoice>, bool)> {
    let node = document::parse_within(source, item.span(), &options.limits).ok()?;
    let mut reader = FieldReader {
        tokens: &options.tokens,
        nesting: options.limits.nesting,
        deadline: Deadline::start(&options.limits),
        codes: CODES,
        errors: Vec::new(),
    };
    let choice = ToolChoice::read(&mut reader, &node);
    let disabled = reader.flag(&node, "disable_parallel_tool_use");
    reader.errors.is_empty().then_some((choice, disabled))
}

/// A member that is there and not `null`.
fn optional<'o>(item: OutlineValue<'o>, name: &str) -> Option<OutlineValue<'o>> {
    item.get(name).filter(|value| value.first() != b'n')
}

fn flag(item: OutlineValue<'_>) -> Option<bool> {
    match item.first() {
        b't' => Some(true),
        b'f' | b'n' => Some(false),
        _ => None,
    }
}

fn tool(
    outer: OutlineValue<'_>,
    strict: Option<bool>,
    told: Option<Told>,
    warnings: &mut Vec<Diagnostic>,
    deadline: &Deadline,
) -> Option<Tool> {
    is_function(outer)?;
    unknown_fields(outer, warnings, deadline)?;
    let node = match optional(outer, "function") {
        Some(function) => {
            unknown_fields(function, warnings, deadline)?;
            function
        }
        None => outer,
    };
    let name = node.get("name")?;
    let text = name.plain_string().filter(|text| !text.is_empty())?;
    let mut schemas = shapes::SCHEMAS
        .iter()
        .filter_map(|field| optional(node, field));
    let (schema, None) = (schemas.next(), schemas.next()) else {
        return None;
    };
    let says = |item: OutlineValue<'_>| match item.get("strict") {
        Some(value) => flag(value).map(Some),
        None => Some(None),
    };
    let (outer, inner) = (says(outer)?, says(node)?);
    let strict = strict.or(inner).or(outer).unwrap_or(true);
    let (arguments, values) = match schema {
        None => (Arguments::None, Arc::default()),
        Some(schema) if !strict => {
            let properties = schema.get("properties").and_then(OutlineValue::members);
            let properties = properties.into_iter().flatten();
            let names = properties.map(|(key, _)| key.key().to_owned());
            (Arguments::Any(names.collect()), Arc::default())
        }
        Some(schema) => match schema.members()?.next() {
            None => (Arguments::None, Arc::default()),
            Some(_) => {
                let values = told.map(|told| kinds::values(schema, told.nested, deadline));
                let values = match values {
                    Some(values) => values?.into(),
                    None => Arc::default(),
                };
                (Arguments::Schema(schema.span()), values)
            }
        },
    };
    Some(Tool {
        name: FieldText {
            value: text.to_owned(),
            span: name.span(),
        },
        arguments,
        values,
    })
}

/// Whether a tool is a function, or does not say what it is; nothing if it is something else.
fn is_function(item: OutlineValue<'_>) -> Option<()> {
    let Some(kind) = optional(item, "type") else {
        return Some(());
    };
    match kind.plain_string()? {
        "function" => Some(()),
        "custom" => item.get("input_schema").map(drop),
        _ => None,
    }
}

/// Warns of unknown fields; nothing if this is no object, or the deadline passes.
fn unknown_fields(
    item: OutlineValue<'_>,
    warnings: &mut Vec<Diagnostic>,
    deadline: &Deadline,
) -> Option<()> {
    for (key, _) in item.members()? {
        deadline.ticks(FIELD_STEPS, fields::DOING).ok()?;
        let looks = warnings.len() < MAX_UNKNOWN;
        warnings.extend(unknown_field(key.key(), key.span(), &FIELDS, looks));
    }
    Some(())
}
