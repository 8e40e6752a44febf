//! A pattern as a tree.
//!
//! The tree knows seven shapes; all else is written in them. `^` is `(?<![^])`, `$` is `(?![^])`,
//! `\b` is `(?<=\w)(?!\w)|(?<!\w)(?=\w)`. Whether a quantifier is lazy and what a group is called
//! says nothing about which strings match.

/// A pattern or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// One character of these inclusive ranges; sorted, disjoint, not adjacent.
    Class(Vec<(char, char)>),
    /// All in order.
    Seq(Vec<Node>),
    /// Any one.
    Alt(Vec<Node>),
    /// `min` to `max` times.
    Repeat {
        /// What is repeated.
        node: Box<Node>,
        /// The least number of times.
        min: u32,
        /// The greatest number of times; `None`: no bound.
        max: Option<u32>,
    },
    /// An assertion.
    Look(Look),
}

/// Looks whether `node` matches from here on, or up to here, and reads nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Look {
    /// Whether it looks at what comes before.
    pub(super) is_behind: bool,
    /// Whether there must be no match.
    pub(super) is_negative: bool,
    /// What is looked for.
    pub(super) node: Box<Node>,
}

impl Node {
    /// Any character.
    pub(super) fn any() -> Node {
        Node::Class(vec![('\0', char::MAX)])
    }

    pub(super) fn look(is_behind: bool, is_negative: bool, node: Node) -> Node {
        let node = Box::new(node);
        Node::Look(Look {
            is_behind,
            is_negative,
            node,
        })
    }

    /// `\b`, or `\B` if not `is_boundary`.
    pub(super) fn boundary(is_boundary: bool, word: Vec<(char, char)>) -> Node {
        let side =
            |is_behind, is_word: bool| Node::look(is_behind, !is_word, Node::Class(word.clone()));
        let both = |before, after| Node::Seq(vec![side(true, before), side(false, after)]);
        Node::Alt(vec![both(true, !is_boundary), both(false, is_boundary)])
    }

    pub(super) fn repeat(self, min: u32, max: Option<u32>) -> Node {
        let node = Box::new(self);
        Node::Repeat { node, min, max }
    }

    /// Whether every match is seen to begin where the text does.
    pub(super) fn is_anchored(&self) -> bool {
        match self {
            Node::Class(_) => false,
            Node::Seq(parts) => parts.first().is_some_and(Node::is_anchored),
            Node::Alt(parts) => parts.iter().all(Node::is_anchored),
            Node::Repeat { node, min, .. } => *min > 0 && node.is_anchored(),
            Node::Look(look) => look.is_behind && look.is_negative && *look.node == Node::any(),
        }
    }

    /// Whether the node matches the empty text everywhere.
    pub(super) fn is_nullable(&self) -> bool {
        match self {
            Node::Class(_) | Node::Look(_) => false,
            Node::Seq(parts) => parts.iter().all(Node::is_nullable),
            Node::Alt(parts) => parts.iter().any(Node::is_nullable),
            Node::Repeat { node, min, .. } => *min == 0 || node.is_nullable(),
        }
    }
}
