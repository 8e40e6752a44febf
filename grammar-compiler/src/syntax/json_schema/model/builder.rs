//! The schemas of a [`Model`](super::Model) while it is built.
//!
//! In: the schemas that references and keywords lead to, one after another. Out: a number for each,
//! equal for the same schema in the same scope, and a queue of those that are still to be read.
//! What holds: a number is a place in the queue.

use super::registry::{RegistryEntry, ResourceId, SchemaRegistry};
use super::scope::{ScopeId, Scopes};
use super::{ModelOptions, SchemaId, SchemaPlace, Types, uri};
use crate::error::{Code, Diagnostic};
use crate::limits::Deadline;
use crate::maps::IdMap;
use crate::source::Span;
use crate::syntax::json_schema::document::JsonNode;
use crate::syntax::json_schema::refusal::refuse;

/// A schema that is to be read.
#[derive(Clone)]
pub(super) enum Pending<'d> {
    Written(&'d JsonNode, ScopeId),
    /// Only these types; stands for a part of a keyword.
    Types(Types, SchemaPlace),
}

/// The schemas met so far, and what is wrong with them.
pub(super) struct ModelBuilder<'d, 'o> {
    pub registry: SchemaRegistry<'d>,
    pub options: &'o ModelOptions,
    /// Whether a keyword asks what was evaluated.
    pub evaluation: bool,
    scopes: Scopes,
    ids: IdMap<(*const JsonNode, ScopeId), SchemaId>,
    /// All schemas, by number; those before a point are read.
    pub queue: Vec<Pending<'d>>,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    /// When to stop. What has been read then is not the whole.
    pub deadline: &'o Deadline,
    /// For how many more members it is looked whether they are slips of keywords.
    pub slips: usize,
}

/// For so many members that are no keywords it is looked whether they are slips.
const MAX_SLIPS: usize = 10_000;

impl<'d, 'o> ModelBuilder<'d, 'o> {
    /// With no schema yet. `evaluation`: whether a keyword asks what was evaluated.
    pub fn new(
        registry: SchemaRegistry<'d>,
        options: &'o ModelOptions,
        evaluation: bool,
        deadline: &'o Deadline,
    ) -> Self {
        ModelBuilder {
            registry,
            options,
            evaluation,
            scopes: Scopes::new(),
            ids: IdMap::default(),
            queue: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            deadline,
            slips: MAX_SLIPS,
        }
    }

    /// A schema's place as messages show it.
    pub fn place_of(&self, entry: &RegistryEntry) -> SchemaPlace {
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

    /// Notes an error.
    pub fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// Notes a warning.
    pub fn warning(&mut self, warning: Diagnostic) {
        self.warnings.push(warning);
    }
}
