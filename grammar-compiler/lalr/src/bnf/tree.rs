//! Expressions without repetitions, each distinct one stored once.
//!
//! What holds: a node's children have smaller numbers than the node, equal nodes have one number.

use std::collections::HashMap;

/// A symbol of a production, with the terminal's number in the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sym {
    Terminal(u32),
    Nonterminal(u32),
}

/// Index of a node in [`Trees`].
pub(super) type NodeId = u32;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Symbol(Sym),
    /// One after the other.
    Sequence(Box<[NodeId]>),
    /// One of these.
    Union(Box<[NodeId]>),
}

/// All nodes.
#[derive(Default)]
pub(super) struct Trees {
    nodes: Vec<Node>,
    known: HashMap<Node, NodeId>,
}

impl Trees {
    /// The number of a node.
    pub(super) fn node(&mut self, node: Node) -> NodeId {
        let next = self.nodes.len() as NodeId;
        let id = *self.known.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    pub(super) fn symbol(&mut self, symbol: Sym) -> NodeId {
        self.node(Node::Symbol(symbol))
    }

    pub(super) fn nonterminal(&mut self, nonterminal: u32) -> NodeId {
        self.symbol(Sym::Nonterminal(nonterminal))
    }

    pub(super) fn sequence(&mut self, parts: Vec<NodeId>) -> NodeId {
        self.node(Node::Sequence(parts.into()))
    }

    pub(super) fn union(&mut self, parts: Vec<NodeId>) -> NodeId {
        self.node(Node::Union(parts.into()))
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
}
