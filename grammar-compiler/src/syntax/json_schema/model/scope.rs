//! Dynamic scopes, on which `$dynamicRef` and `$recursiveRef` depend.
//!
//! A schema is reached through a chain of resources. A dynamic reference leads to the outermost
//! resource of the chain that has the anchor. So a scope keeps, for each anchor, only the first
//! resource of the chain that has it.

use super::registry::{ResourceId, SchemaRegistry};
use crate::maps::{KeyedMap, own_keys};
use std::collections::BTreeMap;

/// The outermost resource for each dynamic anchor.
type Scope = BTreeMap<String, ResourceId>;

/// A [`Scope`] by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(u32);

own_keys!(ScopeId);

/// All scopes that were met.
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    ids: KeyedMap<Scope, ScopeId>,
}

impl Scopes {
    /// The scope before any schema was entered.
    pub const OUTSIDE: ScopeId = ScopeId(0);

    pub fn new() -> Self {
        Scopes {
            scopes: vec![Scope::new()],
            ids: KeyedMap::from_iter([(Scope::new(), Scopes::OUTSIDE)]),
        }
    }

    /// The scope within `resource`, entered from `outer`.
    pub fn enter(
        &mut self,
        outer: ScopeId,
        resource: ResourceId,
        registry: &SchemaRegistry<'_>,
    ) -> ScopeId {
        let dynamic = &registry.resource(resource).dynamic;
        let before = &self.scopes[outer.0 as usize];
        if dynamic.keys().all(|name| before.contains_key(name)) {
            return outer;
        }
        let mut scope = before.clone();
        for name in dynamic.keys() {
            scope.entry(name.clone()).or_insert(resource);
        }
        if let Some(&id) = self.ids.get(&scope) {
            return id;
        }
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(scope.clone());
        self.ids.insert(scope, id);
        id
    }

    /// The outermost resource with the anchor `name`.
    pub fn outermost(&self, scope: ScopeId, name: &str) -> Option<ResourceId> {
        self.scopes[scope.0 as usize].get(name).copied()
    }
}
