//! What is known while nodes are worked out.
//!
//! In: a [`Model`] and options. Out: [`SchemaValues`], which the other modules fill: each of them
//! works out another kind of schema.

use crate::maps::{KeyedMap, KeyedSet};
use std::rc::Rc;

use super::node::Nodes;
use super::{ANY, Literal, NodeId, Problem, ValueAtom, ValueShape};
use crate::limits::Deadline;
use crate::syntax::json_schema::document::JsonValue;
use crate::syntax::json_schema::model::{Model, SchemaKind, SchemaPlace};
use crate::syntax::json_schema::options::SchemaOptions;
use crate::syntax::json_schema::strings::Language;

/// What is being done.
pub const DOING: &str = "working out a schema";

/// The sets of values that a model's schemas stand for.
pub struct SchemaValues<'m> {
    pub(super) model: &'m Model,
    pub(super) nodes: Nodes,
    pub(super) constants: Vec<Rc<JsonValue>>,
    pub(super) constant_ids: KeyedMap<String, u32>,
    pub(super) patterns: KeyedMap<String, Language>,
    /// By name, and whether draft 3 is meant.
    pub(super) known_formats: KeyedMap<(String, bool), Language>,
    pub(super) formats: bool,
    pub(super) number_formats: bool,
    pub(super) lenient: &'m [String],
    /// What cannot be honoured so far, where all of it is to be found.
    pub(super) refused: Option<Vec<Problem>>,
    pub(super) warnings: Vec<Problem>,
    pub(super) shapes: KeyedMap<(Literal, bool), Rc<ValueShape>>,
    pub(super) node_shapes: KeyedMap<(NodeId, bool), Rc<ValueShape>>,
    /// Nodes whose cases are too many.
    pub(super) too_large: KeyedSet<NodeId>,
    /// What is being worked out, outermost first.
    pub(super) open: Vec<(Literal, bool)>,
    /// The node whose text is being made.
    pub(super) focus: NodeId,
    pub(super) deadline: &'m Deadline,
    /// Whether some schema asks what was evaluated. Otherwise no account of it is kept.
    pub(super) tracks: bool,
}

impl<'m> SchemaValues<'m> {
    /// Nothing worked out yet.
    pub fn new(model: &'m Model, options: &'m SchemaOptions, deadline: &'m Deadline) -> Self {
        SchemaValues {
            model,
            nodes: Nodes::new(),
            constants: Vec::new(),
            constant_ids: KeyedMap::default(),
            patterns: KeyedMap::default(),
            known_formats: KeyedMap::default(),
            formats: options.formats,
            number_formats: options.number_formats,
            lenient: &options.lenient,
            refused: None,
            warnings: Vec::new(),
            shapes: KeyedMap::default(),
            node_shapes: KeyedMap::default(),
            too_large: KeyedSet::default(),
            open: Vec::new(),
            focus: ANY,
            deadline,
            tracks: model.schemas.iter().any(|schema| match &schema.kind {
                SchemaKind::Keywords(keywords) => keywords.has_unevaluated(),
                SchemaKind::Any | SchemaKind::Never => false,
            }),
        }
    }

    /// The same, which goes on where a keyword cannot be honoured: [`refused`](Self::refused) has
    /// them all.
    #[must_use]
    pub fn collecting(mut self) -> Self {
        self.refused = Some(Vec::new());
        self
    }

    /// The keywords that could not be honoured.
    pub fn refused(&self) -> &[Problem] {
        self.refused.as_deref().unwrap_or_default()
    }

    /// The node of the whole value.
    pub fn root(&mut self) -> NodeId {
        self.node_of(self.model.root)
    }

    /// The deadline of the request.
    pub fn deadline(&self) -> &'m Deadline {
        self.deadline
    }

    /// The nodes met so far.
    pub fn nodes(&mut self) -> &mut Nodes {
        &mut self.nodes
    }

    /// What has been ignored, as the options say, and what is doubtful.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// The pointer of the first schema that a node is about, for its name.
    pub fn pointer(&self, node: NodeId) -> Option<&str> {
        let schema = self.nodes.literals(node).iter().find_map(|l| match l.atom {
            ValueAtom::Schema(id) => self.model.schema(id),
            _ => None,
        });
        schema.map(|s| s.place.pointer.as_str())
    }

    /// Fails if the time is over.
    pub fn check_time(&self) -> Result<(), Problem> {
        Ok(self.deadline.check(DOING)?)
    }

    /// One small step: fails if the time is over, and does not look each time.
    pub fn tick(&self) -> Result<(), Problem> {
        Ok(self.deadline.tick(DOING)?)
    }

    /// The place of the first schema that a node is about.
    pub fn place_of(&self, node: NodeId) -> SchemaPlace {
        let schema = self.nodes.literals(node).iter().find_map(|l| match l.atom {
            ValueAtom::Schema(id) => self.model.schema(id),
            _ => None,
        });
        schema.map_or_else(SchemaPlace::default, |s| s.place.clone())
    }
}
