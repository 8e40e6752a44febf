//! Nodes: conjunctions of what must and must not hold for one value, equal ones once.

use crate::maps::{KeyedMap, own_keys};

use super::super::model::SchemaId;

/// Index of a node in [`Nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

own_keys!(NodeId);

/// The node of all values.
pub const ANY: NodeId = NodeId(0);
/// The node without a value.
pub const NEVER: NodeId = NodeId(1);

/// What holds or does not hold for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueAtom {
    /// The value satisfies this schema.
    Schema(SchemaId),
    /// The value equals this constant.
    Constant(u32),
    /// The value is in this node, of several literals.
    Node(NodeId),
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// What is said of the value.
    pub atom: ValueAtom,
    /// Whether it holds.
    pub holds: bool,
}

impl Literal {
    /// The atom holds.
    pub fn yes(atom: ValueAtom) -> Self {
        Literal { atom, holds: true }
    }

    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Self {
        Literal {
            holds: !self.holds,
            ..self
        }
    }
}

/// All nodes met so far.
#[derive(Clone, Debug)]
pub struct Nodes {
    literals: Vec<Vec<Literal>>,
    ids: KeyedMap<Vec<Literal>, NodeId>,
}

impl Nodes {
    /// Only [`ANY`] and [`NEVER`].
    pub fn new() -> Self {
        Nodes {
            // The literals of NEVER are never looked at; they only keep its place.
            literals: vec![Vec::new(), Vec::new()],
            ids: KeyedMap::from_iter([(Vec::new(), ANY)]),
        }
    }

    /// The literals that must all hold; none for [`ANY`].
    pub fn literals(&self, node: NodeId) -> &[Literal] {
        &self.literals[node.0 as usize]
    }

    /// Number of nodes.
    pub fn count(&self) -> usize {
        self.literals.len()
    }

    /// The node of the values for which all `literals` hold.
    pub fn all_of(&mut self, mut literals: Vec<Literal>) -> NodeId {
        literals.sort_unstable();
        literals.dedup();
        let contradicts = |pair: &[Literal]| pair[0].atom == pair[1].atom;
        if literals.windows(2).any(contradicts) {
            return NEVER;
        }
        if let [
            Literal {
                atom: ValueAtom::Node(node),
                holds: true,
            },
        ] = literals.as_slice()
        {
            return *node;
        }
        if let Some(&id) = self.ids.get(&literals) {
            return id;
        }
        let id = NodeId(self.literals.len() as u32);
        self.literals.push(literals.clone());
        self.ids.insert(literals, id);
        id
    }

    /// The values in both.
    pub fn both(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (a, b) {
            (NEVER, _) | (_, NEVER) => NEVER,
            (ANY, other) | (other, ANY) => other,
            _ if a == b => a,
            _ => {
                let literals = [self.literals(a), self.literals(b)].concat();
                self.all_of(literals)
            }
        }
    }

    /// The values that are not in `node`.
    pub fn negation(&mut self, node: NodeId) -> NodeId {
        match node {
            ANY => NEVER,
            NEVER => ANY,
            _ => match self.literals(node) {
                [only] => {
                    let negated = only.negated();
                    self.all_of(vec![negated])
                }
                _ => self.all_of(vec![Literal::yes(ValueAtom::Node(node)).negated()]),
            },
        }
    }
}

impl Default for Nodes {
    fn default() -> Self {
        Nodes::new()
    }
}
