//! From documents to the [`Model`]: a worklist of schemas that the root can reach.

use super::builder::{ModelBuilder, Pending};
use super::draft::{Dialect, Draft};
use super::pointer;
use super::read::{self, Reading};
use super::registry::SchemaRegistry;
use super::scope::{ScopeId, Scopes};
use super::{
    DOING, Keywords, Model, ModelOptions, Schema, SchemaKind, SchemaPlace, documents, intent,
};
use crate::error::{Code, Diagnostic};
use crate::limits::Deadline;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use crate::syntax::json_schema::refusal::warn;

/// The most schemas of a model.
const SCHEMAS: usize = 200_000;

/// Reads the schema `root` and all that it refers to.
///
/// # Errors
/// All keywords whose values their definitions do not allow, and references that lead nowhere;
/// behind them the warnings.
pub fn build(root: &JsonNode, options: &ModelOptions) -> Result<Model, Vec<Diagnostic>> {
    let dialect = Dialect {
        draft: options.draft.unwrap_or(Draft::Draft2020),
        declared: options.draft.is_some(),
    };
    let deadline = Deadline::start(&options.limits);
    let documents = documents::load(root, dialect, options, &deadline);
    let documents = documents.map_err(|error| vec![error])?;
    let registry = SchemaRegistry::new(&documents, dialect, &deadline);
    let evaluation = registry.entries().any(|(node, _)| {
        let asks = ["unevaluatedProperties", "unevaluatedItems"];
        asks.iter().any(|keyword| node.member(keyword).is_some())
    });
    let mut builder = ModelBuilder::new(registry, options, evaluation, &deadline);
    check_dialect(&mut builder, root);
    let whole = SchemaPlace {
        pointer: "#".to_owned(),
        span: pointer::label(root),
    };
    if let Some(warning) = intent::doubt(root, &whole) {
        builder.warning(warning);
    }
    let root = builder.schema(root, Scopes::OUTSIDE, "", &whole);
    let schemas = run(&mut builder);
    let in_time = deadline.confirm(DOING);
    in_time.map_err(|limit| vec![Diagnostic::from(&limit)])?;
    match builder.errors.is_empty() {
        true => Ok(Model {
            schemas,
            root,
            warnings: builder.warnings,
            files: documents.iter().filter_map(|d| d.file.clone()).collect(),
        }),
        false => Err([builder.errors, builder.warnings].concat()),
    }
}

/// Reads all schemas.
fn run(builder: &mut ModelBuilder<'_, '_>) -> Vec<Schema> {
    let mut schemas = Vec::new();
    while let Some(pending) = builder.queue.get(schemas.len()).cloned() {
        if builder.deadline.stops(DOING) {
            break;
        }
        schemas.push(match pending {
            Pending::Written(node, scope) => read(builder, node, scope),
            Pending::Types(types, place) => {
                let keywords = Keywords {
                    types,
                    ..Keywords::default()
                };
                let kind = SchemaKind::Keywords(Box::new(keywords));
                Schema { place, kind }
            }
        });
        if builder.queue.len() > SCHEMAS {
            let message = format!("the schema has more than {SCHEMAS} subschemas");
            builder
                .errors
                .push(Diagnostic::error(Code::LimitExceeded, message).help(
                    "let fewer dynamic references lead to one schema, or cut the schema into parts",
                ));
            break;
        }
    }
    schemas
}

/// Reads a schema that was met in this scope.
fn read<'d>(builder: &mut ModelBuilder<'d, '_>, node: &'d JsonNode, scope: ScopeId) -> Schema {
    let (place, kind) = match (&node.value, builder.registry.entry(node).cloned()) {
        (JsonValue::Object(_), Some(entry)) => {
            let place = builder.place_of(&entry);
            let dialect = builder.registry.resource(entry.resource).dialect;
            let reading = Reading::new(builder, node, scope, entry.resource, dialect, &place);
            let keywords = read::keywords(reading);
            (place, SchemaKind::Keywords(Box::new(keywords)))
        }
        (value, entry) => {
            let place = entry.map(|entry| builder.place_of(&entry));
            let kind = if *value == JsonValue::Bool(true) {
                SchemaKind::Any
            } else {
                SchemaKind::Never
            };
            (place.unwrap_or_default(), kind)
        }
    };
    Schema { place, kind }
}

/// Warns of a `$schema` that is not known.
fn check_dialect(builder: &mut ModelBuilder<'_, '_>, root: &JsonNode) {
    let Some(member) = root.member("$schema") else {
        return;
    };
    let text = member.value.as_str();
    if text.and_then(Draft::parse).is_some() {
        return;
    }
    let place = SchemaPlace {
        pointer: "#/$schema".to_owned(),
        span: member.span.to(member.value.span),
    };
    let why = match text {
        Some(text) => format!("the dialect `{text}` is not known"),
        None => "the value is no string".to_owned(),
    };
    let draft = builder.options.draft.unwrap_or(Draft::Draft2020);
    let help = format!(
        "the schema is read as {draft}; a draft is named by its URI, such as `{}`",
        Draft::Draft7.uri()
    );
    builder.warning(warn(Code::SchemaDraft, &place, "$schema", why, help));
}
