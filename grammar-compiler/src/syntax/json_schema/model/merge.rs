//! Equal schemas made one, wherever they stand.
//!
//! In: a [`Model`]. Out: the same, in which every reference to a schema leads to the first of those
//! that say the same. Annotations and places do not count; the order of keywords does, since
//! properties are written in it. A schema that only refers to another one is that one. What holds:
//! the schemas that equal ones refer to are equal, so copies of a tree are found from its leaves
//! up. Recursive schemas that refer to themselves stay apart.

use super::children::for_each_child;
use super::signature::signature;
use super::{Model, Schema, SchemaId, SchemaKind};
use crate::digest::Digest;
use crate::limits::Deadline;
use crate::maps::KeyedMap;

/// What is being done.
const DOING: &str = "looking for equal schemas";

/// Makes equal schemas one. When the deadline passes, it stops early.
pub fn merge(model: &mut Model, deadline: &Deadline) {
    let mut merging = Merging::new(&mut model.schemas, deadline);
    let mut round = merging.leaves_first(model.root);
    // What has been looked at before one of those that it refers to was found equal to another one
    // is looked at again.
    while !round.is_empty() {
        let mut again = Vec::new();
        for id in round {
            if deadline.stops(DOING) {
                break;
            }
            again.extend(merging.look_at(id));
        }
        again.sort_unstable();
        again.dedup();
        round = again;
    }
    for id in 0..merging.schemas.len() {
        merging.follow(SchemaId(id as u32));
    }
    model.root = merging.first_of(model.root);
}

struct Merging<'m> {
    schemas: &'m mut [Schema],
    /// For each schema an equal one; itself, if it is the first.
    first: Vec<SchemaId>,
    /// The schemas that refer to each; to the first of equal ones, those that refer to any of them.
    parents: Vec<Vec<SchemaId>>,
    /// Which schemas have been looked at.
    seen: Vec<bool>,
    known: KeyedMap<Digest, SchemaId>,
    deadline: &'m Deadline,
}

impl<'m> Merging<'m> {
    fn new(schemas: &'m mut [Schema], deadline: &'m Deadline) -> Self {
        let mut parents = vec![Vec::new(); schemas.len()];
        for (parent, schema) in (0..).map(SchemaId).zip(&mut *schemas) {
            for_each_child(&mut schema.kind, |child| {
                parents[child.0 as usize].push(parent)
            });
        }
        Merging {
            first: (0..schemas.len() as u32).map(SchemaId).collect(),
            seen: vec![false; schemas.len()],
            schemas,
            parents,
            known: KeyedMap::default(),
            deadline,
        }
    }

    fn children(&mut self, id: SchemaId) -> Vec<SchemaId> {
        let mut children = Vec::new();
        let kind = &mut self.schemas[id.0 as usize].kind;
        for_each_child(kind, |child| children.push(*child));
        children
    }

    /// All schemas that `root` leads to, each behind those that it refers to, but for circles.
    fn leaves_first(&mut self, root: SchemaId) -> Vec<SchemaId> {
        let mut order = Vec::new();
        let mut met = vec![false; self.schemas.len()];
        // A schema, and whether all that it refers to has been met.
        let mut pending = vec![(root, false)];
        while let Some((id, is_done)) = pending.pop() {
            if is_done {
                order.push(id);
            } else if !std::mem::replace(&mut met[id.0 as usize], true) {
                pending.push((id, true));
                let children = self.children(id).into_iter().rev();
                pending.extend(children.map(|child| (child, false)));
            }
        }
        order
    }

    fn first_of(&self, mut id: SchemaId) -> SchemaId {
        while self.first[id.0 as usize] != id {
            id = self.first[id.0 as usize];
        }
        id
    }

    /// Lets a schema refer to the first of equal ones.
    fn follow(&mut self, id: SchemaId) {
        let mut schema = std::mem::replace(&mut self.schemas[id.0 as usize].kind, SchemaKind::Any);
        let mut count = 0;
        for_each_child(&mut schema, |child| {
            count += 1;
            *child = self.first_of(*child);
        });
        self.schemas[id.0 as usize].kind = schema;
        // If the time is over, the next step says so.
        let _ = self.deadline.ticks(count, DOING);
    }

    /// Looks whether a schema equals one that is known. Returns those that must be looked at again,
    /// since they refer to it.
    fn look_at(&mut self, id: SchemaId) -> Vec<SchemaId> {
        let at = id.0 as usize;
        if self.first[at] != id {
            return Vec::new();
        }
        self.follow(id);
        self.seen[at] = true;
        let kind = &self.schemas[at].kind;
        let target = match kind {
            SchemaKind::Keywords(keywords) => keywords.only_reference(),
            SchemaKind::Any | SchemaKind::Never => None,
        };
        let first = match target {
            Some(target) => target,
            None => *self.known.entry(signature(kind)).or_insert(id),
        };
        if first == id {
            return Vec::new();
        }
        self.first[at] = first;
        let mut parents = std::mem::take(&mut self.parents[at]);
        self.parents[first.0 as usize].extend_from_slice(&parents);
        parents.retain(|parent| self.seen[parent.0 as usize]);
        parents
    }
}
