//! From documents to the [`Model`]: a worklist of schemas that the root can reach.

use super::draft::{Dialect, Draft};
use super::pointer;
use super::read::{self, Reading};
use super::registry::{RegistryEntry, ResourceId, SchemaRegistry};
use super::scope::{ScopeId, Scopes};
use super::{
    Keywords, Model, ModelOptions, Schema, SchemaId, SchemaKind, SchemaPlace, Types, documents, uri,
};
use crate::error::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use crate::syntax::json_schema::refusal::{refuse, warn};
use std::collections::HashMap;

/// The most schemas of a model.
const SCHEMAS: usize = 200_000;

/// Reads the schema `root` and all that it refers to.
///
/// # Errors
/// All keywords whose values their definitions do not allow, and references that lead nowhere; behind them the warnings.
pub fn build(root: &JsonNode, options: &ModelOptions) -> Result<Model, Vec<Diagnostic>> {
    let dialect = Dialect {
        draft: options.draft.unwrap_or(Draft::Draft2020),
        declared: options.draft.is_some(),
    };
    let documents = documents::load(root, dialect, options).map_err(|error| vec![error])?;
    let registry = SchemaRegistry::new(&documents, dialect);
    let evaluation = registry.entries().any(|(node, _)| {
        let asks = ["unevaluatedProperties", "unevaluatedItems"];
        asks.iter().any(|keyword| node.member(keyword).is_some())
    });
    let mut builder = ModelBuilder {
        registry,
        options,
        evaluation,
        scopes: Scopes::new(),
        ids: HashMap::new(),
        queue: Vec::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    builder.check_dialect(root);
    let whole = SchemaPlace {
        pointer: "#".to_owned(),
        span: pointer::label(root),
    };
    let root = builder.schema(root, Scopes::OUTSIDE, "", &whole);
    let schemas = builder.run();
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

/// A schema that is to be read.
#[derive(Clone)]
enum Pending<'d> {
    Written(&'d JsonNode, ScopeId),
    /// Only these types; stands for a part of a keyword.
    Types(Types, SchemaPlace),
}

pub(super) struct ModelBuilder<'d, 'o> {
    registry: SchemaRegistry<'d>,
    pub options: &'o ModelOptions,
    /// Whether a keyword asks what was evaluated.
    pub evaluation: bool,
    scopes: Scopes,
    ids: HashMap<(*const JsonNode, ScopeId), SchemaId>,
    /// All schemas, by number; those before a point are read.
    queue: Vec<Pending<'d>>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl<'d> ModelBuilder<'d, '_> {
    /// Reads all schemas.
    fn run(&mut self) -> Vec<Schema> {
        let mut schemas = Vec::new();
        while let Some(pending) = self.queue.get(schemas.len()).cloned() {
            schemas.push(match pending {
                Pending::Written(node, scope) => self.read(node, scope),
                Pending::Types(types, place) => {
                    let keywords = Keywords {
                        types,
                        ..Keywords::default()
                    };
                    let kind = SchemaKind::Keywords(Box::new(keywords));
                    Schema { place, kind }
                }
            });
            if self.queue.len() > SCHEMAS {
                let message = format!("the schema has more than {SCHEMAS} subschemas");
                self.errors
                    .push(Diagnostic::error(Code::LimitExceeded, message).help(
                    "let fewer dynamic references lead to one schema, or cut the schema into parts",
                ));
                break;
            }
        }
        schemas
    }

    fn read(&mut self, node: &'d JsonNode, scope: ScopeId) -> Schema {
        let (place, kind) = match (&node.value, self.registry.entry(node).cloned()) {
            (JsonValue::Object(_), Some(entry)) => {
                let place = self.place_of(&entry);
                let dialect = self.registry.resource(entry.resource).dialect;
                let reading = Reading::new(self, node, scope, entry.resource, dialect, &place);
                let keywords = read::keywords(reading);
                (place, SchemaKind::Keywords(Box::new(keywords)))
            }
            (value, entry) => {
                let place = entry.map(|entry| self.place_of(&entry));
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

    /// A schema's place as messages show it.
    fn place_of(&self, entry: &RegistryEntry) -> SchemaPlace {
        let index = self.registry.resource(entry.resource).document;
        let document = self.registry.document(index);
        let pointer = match document.asked_at {
            None => entry.pointer.clone(),
            Some(_) => format!("{}{}", uri::shown(&document.uri), entry.pointer),
        };
        let span = self.shown_span(entry.resource, entry.label);
        SchemaPlace { pointer, span }
    }

    /// What to mark for a place in `resource`: in another document, the reference that leads there.
    pub fn shown_span(&self, resource: ResourceId, span: Span) -> Span {
        let index = self.registry.resource(resource).document;
        self.registry.document(index).asked_at.unwrap_or(span)
    }

    /// The number of the schema `node`, reached in `outer` by `keyword` at `place`.
    pub fn schema(
        &mut self,
        node: &'d JsonNode,
        outer: ScopeId,
        keyword: &str,
        place: &SchemaPlace,
    ) -> SchemaId {
        let Some(entry) = self.registry.entry(node) else {
            self.error(refuse(
                Code::SchemaMalformed,
                place,
                keyword,
                format!(
                    "a schema is an object, `true` or `false`; this is {}",
                    node.value.kind()
                ),
                "write `true` to allow every value, `false` to allow none",
            ));
            return SchemaId(0);
        };
        let scope = self.scopes.enter(outer, entry.resource, &self.registry);
        let next = SchemaId(self.queue.len() as u32);
        let id = *self.ids.entry((node, scope)).or_insert(next);
        if id == next {
            self.queue.push(Pending::Written(node, scope));
        }
        id
    }

    /// A schema that allows `types` and says no more.
    pub fn types(&mut self, types: Types, place: &SchemaPlace) -> SchemaId {
        let id = SchemaId(self.queue.len() as u32);
        self.queue.push(Pending::Types(types, place.clone()));
        id
    }

    /// The schema that `reference` leads to.
    pub fn reference(
        &mut self,
        reference: &str,
        from: ResourceId,
        scope: ScopeId,
        keyword: &str,
        place: &SchemaPlace,
    ) -> Option<SchemaId> {
        let target = match self.registry.resolve(from, reference) {
            Ok(target) => target,
            Err(missing) => {
                self.error(missing.refusal(reference, keyword, place));
                return None;
            }
        };
        let mut node = target.node;
        let anchor = match keyword {
            "$dynamicRef" => target.dynamic,
            "$recursiveRef" => Some(String::new()),
            _ => None,
        };
        if let Some(name) = anchor {
            let initial = self.registry.entry(node).map(|entry| entry.resource);
            let initial = initial.map(|id| self.registry.resource(id));
            let is_dynamic = initial.is_some_and(|resource| resource.dynamic.contains_key(&name));
            let outermost = self.scopes.outermost(scope, &name).filter(|_| is_dynamic);
            let outermost = outermost.map(|id| self.registry.resource(id));
            node = outermost
                .and_then(|resource| resource.dynamic.get(&name))
                .unwrap_or(&node);
        }
        if self.registry.entry(node).is_none() {
            let why = format!("`{reference}` is {}, not a schema", node.value.kind());
            let help = "refer to an object, `true` or `false`";
            self.error(refuse(Code::SchemaReference, place, keyword, why, help));
            return None;
        }
        Some(self.schema(node, scope, keyword, place))
    }

    /// Warns of a `$schema` that is not known.
    fn check_dialect(&mut self, root: &JsonNode) {
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
        let draft = self.options.draft.unwrap_or(Draft::Draft2020);
        let help = format!(
            "the schema is read by {draft}; the drafts' own names are such as `{}`",
            Draft::Draft7.uri()
        );
        self.warning(warn(Code::SchemaDraft, &place, "$schema", why, help));
    }

    /// Notes an error.
    pub fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// Notes a warning.
    pub fn warning(&mut self, warning: Diagnostic) {
        self.warnings.push(warning);
    }
}
