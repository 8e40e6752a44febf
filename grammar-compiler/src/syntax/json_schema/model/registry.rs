//! The places of the schemas of all documents, and their names.
//!
//! In: documents. Out: [`SchemaRegistry`]: for each place that holds a schema the *resource* that
//! it belongs to (the part of a document with one URI and one dialect), and for each URI and anchor
//! its schema.

use super::DOING;
use super::draft::{Dialect, Draft};
use super::keyword::{self, Holds};
use super::pointer::{self, KeyIndex, PointerStep};
use super::uri;
use crate::limits::Deadline;
use crate::maps::{IdMap, KeyedMap};
use crate::similar::MAX_SUGGESTIONS;
use crate::source::Span;
use crate::syntax::json_schema::document::{JsonNode, JsonValue};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The most bytes of a schema's URI: each reference below it is joined with it, and so is each
/// `$id`.
pub const MAX_URI: usize = 2048;

/// The steps that a schema takes.
const STEPS: usize = 8;

/// The most names among which a similar one is looked for.
pub const MAX_COMPARED: usize = 5000;

/// A JSON document.
pub(super) struct Document<'r> {
    /// The URI that it was asked for by.
    pub uri: String,
    pub root: std::borrow::Cow<'r, JsonNode>,
    /// The reference that it was first asked for by; `None` for the schema itself.
    pub asked_at: Option<Span>,
    /// The file that it was read from, if it is one of a folder.
    pub file: Option<PathBuf>,
}

/// Index of a [`Resource`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ResourceId(u32);

/// A part of a document with a URI of its own.
pub(super) struct Resource<'d> {
    pub uri: String,
    pub dialect: Dialect,
    pub root: &'d JsonNode,
    pub document: usize,
    anchors: KeyedMap<String, &'d JsonNode>,
    /// `$dynamicAnchor`s; under the empty name the root, if it has `$recursiveAnchor`.
    pub dynamic: BTreeMap<String, &'d JsonNode>,
}

/// What is known about a place that holds a schema.
#[derive(Clone)]
pub(super) struct RegistryEntry {
    pub resource: ResourceId,
    /// From the document's root, with `#`.
    pub pointer: String,
    /// What to mark.
    pub label: Span,
}

/// All schemas and their names.
pub(super) struct SchemaRegistry<'d> {
    documents: &'d [Document<'d>],
    resources: Vec<Resource<'d>>,
    by_uri: KeyedMap<String, ResourceId>,
    entries: IdMap<*const JsonNode, RegistryEntry>,
    keys: KeyIndex<'d>,
    /// The number of further broken references for which the message names a target that exists.
    suggestions: Cell<usize>,
    /// The first schema whose URI would be too long. It has none then.
    pub(super) too_long: Option<Span>,
    /// When to stop. What has been registered then is not the whole.
    deadline: Deadline,
}

/// Where a reference leads.
pub(super) struct Target<'d> {
    pub node: &'d JsonNode,
    /// The `$dynamicAnchor` that it was found by.
    pub dynamic: Option<String>,
}

/// Why a reference leads nowhere.
pub(super) enum Missing {
    /// No document is known by this URI.
    Document(String),
    /// The resource has no such anchor; those that it has.
    Anchor(String, Vec<String>),
    /// The pointer leads nowhere: how far it came, the step that failed, and the steps that there
    /// are.
    Pointer(String, String, Vec<String>),
}

impl<'d> SchemaRegistry<'d> {
    /// Registers all places that hold schemas. `dialect` is that of schemas that do not say.
    pub fn new(documents: &'d [Document<'d>], dialect: Dialect, deadline: &Deadline) -> Self {
        let mut registry = SchemaRegistry {
            documents,
            resources: Vec::new(),
            by_uri: KeyedMap::default(),
            entries: IdMap::default(),
            keys: KeyIndex::default(),
            suggestions: Cell::new(MAX_SUGGESTIONS),
            too_long: None,
            deadline: deadline.clone(),
        };
        for (index, document) in documents.iter().enumerate() {
            let id = registry.add_resource(&document.uri, dialect, &document.root, index);
            let entry = RegistryEntry {
                resource: id,
                pointer: "#".to_owned(),
                label: pointer::label(&document.root),
            };
            registry.add_tree(&document.root, entry);
        }
        registry
    }

    /// The place of a schema that was registered.
    pub fn entry(&self, node: &JsonNode) -> Option<&RegistryEntry> {
        self.entries.get(&std::ptr::from_ref(node))
    }

    pub fn resource(&self, id: ResourceId) -> &Resource<'d> {
        &self.resources[id.0 as usize]
    }

    pub fn document(&self, index: usize) -> &'d Document<'d> {
        &self.documents[index]
    }

    /// All schemas that were registered, and where they are.
    pub fn entries(&self) -> impl Iterator<Item = (&'d JsonNode, &RegistryEntry)> {
        // By the document, so that the order does not depend on the hash.
        self.documents.iter().flat_map(|document| {
            let mut found = Vec::new();
            let mut stack: Vec<&'d JsonNode> = vec![&document.root];
            while let Some(node) = stack.pop() {
                if self.deadline.stops(DOING) {
                    break;
                }
                found.extend(self.entry(node).map(|entry| (node, entry)));
                match &node.value {
                    JsonValue::Array(items) => stack.extend(items.iter().rev()),
                    JsonValue::Object(members) => {
                        stack.extend(members.iter().rev().map(|m| &m.value))
                    }
                    _ => {}
                }
            }
            found
        })
    }

    /// Whether a document or a part of one has this URI.
    pub fn knows(&self, uri: &str) -> bool {
        self.by_uri.contains_key(uri)
    }

    fn add_resource(
        &mut self,
        uri: &str,
        dialect: Dialect,
        root: &'d JsonNode,
        document: usize,
    ) -> ResourceId {
        let id = ResourceId(self.resources.len() as u32);
        self.resources.push(Resource {
            uri: uri.to_owned(),
            dialect,
            root,
            document,
            anchors: KeyedMap::default(),
            dynamic: BTreeMap::new(),
        });
        self.by_uri.entry(uri.to_owned()).or_insert(id);
        id
    }

    /// Registers `root` and the schemas in it.
    fn add_tree(&mut self, root: &'d JsonNode, entry: RegistryEntry) {
        let mut stack = vec![(root, entry)];
        while let Some((node, mut entry)) = stack.pop() {
            let length = entry.pointer.len();
            if self.deadline.stops_after(STEPS + length, DOING) {
                return;
            }
            let JsonValue::Object(members) = &node.value else {
                if matches!(node.value, JsonValue::Bool(_)) {
                    self.entries.insert(node, entry);
                }
                continue;
            };
            entry.resource = self.identify(node, entry.resource);
            for member in members {
                let Some(keyword) = keyword::find(&member.key) else {
                    continue;
                };
                let held = held(&member.value, keyword.holds);
                if held.is_empty() {
                    continue;
                }
                let inner = RegistryEntry {
                    pointer: pointer::push(&entry.pointer, &member.key),
                    label: member.span,
                    ..entry
                };
                stack.extend(held.into_iter().map(|step| match step {
                    None => (&member.value, inner.clone()),
                    Some(PointerStep { node, name, span }) => {
                        let pointer = pointer::push(&inner.pointer, &name);
                        (
                            node,
                            RegistryEntry {
                                pointer,
                                label: span,
                                ..inner
                            },
                        )
                    }
                }));
            }
            self.entries.insert(node, entry);
        }
    }

    /// Registers the names that `node` gives itself; the resource that it belongs to.
    fn identify(&mut self, node: &'d JsonNode, outer: ResourceId) -> ResourceId {
        let Resource {
            dialect,
            document,
            root,
            ..
        } = *self.resource(outer);
        let is_root = std::ptr::eq(root, node);
        let draft = node.get("$schema").and_then(JsonNode::as_str);
        let own = draft.and_then(Draft::parse).map(|draft| Dialect {
            draft,
            declared: true,
        });
        let own = own.unwrap_or(dialect);
        // The draft of the surrounding schema decides whether a part is a resource, and only a
        // resource can declare a draft.
        let by = if is_root { own.draft } else { dialect.draft };
        let hides = by.reference_hides() && node.get("$ref").is_some_and(|r| r.as_str().is_some());
        let id = node.get(by.id_keyword()).and_then(JsonNode::as_str);
        let id = id.filter(|_| !hides || is_root);
        let (path, fragment) = id.map(uri::split).unwrap_or_default();
        let base = &self.resource(outer).uri;
        let uri = match path {
            "" => None,
            _ if base.len() + path.len() > MAX_URI => {
                self.too_long = self.too_long.or(Some(node.span));
                None
            }
            _ => Some(uri::join(base, path)),
        };
        let resource = if is_root {
            let resource = &mut self.resources[outer.0 as usize];
            resource.uri = uri.unwrap_or(std::mem::take(&mut resource.uri));
            resource.dialect = own;
            self.by_uri.entry(resource.uri.clone()).or_insert(outer);
            outer
        } else if let Some(uri) = uri {
            self.add_resource(&uri, own, node, document)
        } else {
            outer
        };
        self.add_anchors(node, resource, fragment);
        resource
    }

    fn add_anchors(&mut self, node: &'d JsonNode, resource: ResourceId, fragment: &str) {
        let resource = &mut self.resources[resource.0 as usize];
        let recursive = node.get("$recursiveAnchor").map(|flag| &flag.value);
        if recursive == Some(&JsonValue::Bool(true)) && std::ptr::eq(resource.root, node) {
            resource.dynamic.insert(String::new(), node);
        }
        if resource.dialect.draft >= Draft::Draft2019 {
            let name = |keyword| node.get(keyword).and_then(JsonNode::as_str);
            if let Some(name) = name("$anchor") {
                resource.anchors.entry(name.to_owned()).or_insert(node);
            }
            if let Some(name) = name("$dynamicAnchor") {
                resource.dynamic.entry(name.to_owned()).or_insert(node);
            }
        }
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let name = pointer::percent_decoded(fragment);
            resource.anchors.entry(name).or_insert(node);
        }
    }

    /// Where `reference`, written in `from`, leads. A place that was not known to hold a schema is
    /// registered.
    pub fn resolve(&mut self, from: ResourceId, reference: &str) -> Result<Target<'d>, Missing> {
        let (path, fragment) = uri::split(reference);
        let uri = uri::join(&self.resource(from).uri, path);
        let start = match path {
            "" => from,
            _ => match self.by_uri.get(&uri) {
                Some(&id) => id,
                None => return Err(Missing::Document(uri)),
            },
        };
        let fragment = pointer::percent_decoded(fragment);
        let resource = self.resource(start);
        if fragment.is_empty() {
            let (node, dynamic) = (resource.root, None);
            return Ok(Target { node, dynamic });
        }
        if fragment.starts_with('/') {
            let (node, dynamic) = (self.walk(start, &fragment)?, None);
            return Ok(Target { node, dynamic });
        }
        if let Some(&node) = resource.dynamic.get(&fragment) {
            let dynamic = Some(fragment);
            return Ok(Target { node, dynamic });
        }
        match resource.anchors.get(&fragment) {
            Some(&node) => Ok(Target {
                node,
                dynamic: None,
            }),
            None => {
                let names = self.suggested(|| {
                    let anchors = resource.anchors.sorted_keys().into_iter();
                    anchors.chain(resource.dynamic.keys()).collect()
                });
                Err(Missing::Anchor(fragment, names))
            }
        }
    }

    /// The names that there are where a reference leads nowhere, ascending, if it is one of the
    /// first: to look for a similar name for each of very many would take too long.
    fn suggested<'n>(&self, names: impl FnOnce() -> Vec<&'n String>) -> Vec<String> {
        let left = self.suggestions.get();
        self.suggestions.set(left.saturating_sub(1));
        if left == 0 {
            return Vec::new();
        }
        let mut names = names();
        names.sort_unstable();
        names.into_iter().take(MAX_COMPARED).cloned().collect()
    }

    /// Where a JSON pointer leads from the root of `start`.
    fn walk(&mut self, start: ResourceId, fragment: &str) -> Result<&'d JsonNode, Missing> {
        let mut node = self.resource(start).root;
        let mut entry = self.entry(node).cloned().unwrap_or(RegistryEntry {
            resource: start,
            pointer: "#".to_owned(),
            label: pointer::label(node),
        });
        for name in fragment.split('/').skip(1) {
            // The time is over: where the reference leads does not matter.
            let _ = self.deadline.ticks(STEPS + entry.pointer.len(), DOING);
            let Some(step) = self.keys.step(node, name) else {
                let members = node.members().unwrap_or_default().iter();
                let names = self.suggested(|| members.map(|member| &member.key).collect());
                return Err(Missing::Pointer(entry.pointer, name.to_owned(), names));
            };
            node = step.node;
            entry = match self.entry(node) {
                Some(known) => known.clone(),
                None => RegistryEntry {
                    pointer: pointer::push(&entry.pointer, &step.name),
                    label: step.span,
                    ..entry
                },
            };
        }
        if self.entry(node).is_none() {
            self.add_tree(node, entry);
        }
        Ok(node)
    }
}

/// The schemas in a keyword's value: `None` for the value itself.
fn held(value: &JsonNode, holds: Holds) -> Vec<Option<PointerStep<'_>>> {
    let step = |node, name, span| Some(PointerStep { node, name, span });
    match (&value.value, holds) {
        (_, Holds::Nothing) => Vec::new(),
        (JsonValue::Object(members), Holds::Map) => members
            .iter()
            .map(|member| step(&member.value, member.key.clone(), member.span))
            .collect(),
        (JsonValue::Array(items), Holds::List | Holds::Either) => items
            .iter()
            .enumerate()
            .map(|(index, item)| step(item, index.to_string(), pointer::label(item)))
            .collect(),
        (JsonValue::Object(_) | JsonValue::Bool(_), Holds::One | Holds::Either) => vec![None],
        _ => Vec::new(),
    }
}
