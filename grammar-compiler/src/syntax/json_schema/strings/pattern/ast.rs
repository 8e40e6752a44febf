//! A pattern as a tree.
//!
//! The tree knows seven shapes; all else is written in them. `^` is `(?<![^])`, `$` is `(?![^])`,
//! `\b` is `(?<=\w)(?!\w)|(?<!\w)(?=\w)`. Whether a quantifier is lazy and what a group is called
//! says nothing about which strings match.

/// A pattern or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PatternNode {
    /// One character of these inclusive ranges; sorted, disjoint, not adjacent.
    Class(Vec<(char, char)>),
    /// All in order.
    Seq(Vec<PatternNode>),
    /// Any one.
    Alt(Vec<PatternNode>),
    /// `min` to `max` times.
    Repeat {
        /// What is repeated.
        node: Box<PatternNode>,
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
    pub(super) node: Box<PatternNode>,
}

impl PatternNode {
    /// Any character.
    pub(super) fn any() -> PatternNode {
        PatternNode::Class(vec![('\0', char::MAX)])
    }

    pub(super) fn look(is_behind: bool, is_negative: bool, node: PatternNode) -> PatternNode {
        let node = Box::new(node);
        PatternNode::Look(Look {
            is_behind,
            is_negative,
            node,
        })
    }

    /// `\b`, or `\B` if not `is_boundary`.
    pub(super) fn boundary(is_boundary: bool, word: Vec<(char, char)>) -> PatternNode {
        let side = |is_behind, is_word: bool| {
            PatternNode::look(is_behind, !is_word, PatternNode::Class(word.clone()))
        };
        let both = |before, after| PatternNode::Seq(vec![side(true, before), side(false, after)]);
        PatternNode::Alt(vec![both(true, !is_boundary), both(false, is_boundary)])
    }

    pub(super) fn repeat(self, min: u32, max: Option<u32>) -> PatternNode {
        let node = Box::new(self);
        PatternNode::Repeat { node, min, max }
    }

    /// Whether every match is seen to begin where the text does.
    pub(super) fn is_anchored(&self) -> bool {
        match self {
            PatternNode::Class(_) => false,
            PatternNode::Seq(parts) => parts.first().is_some_and(PatternNode::is_anchored),
            PatternNode::Alt(parts) => parts.iter().all(PatternNode::is_anchored),
            PatternNode::Repeat { node, min, .. } => *min > 0 && node.is_anchored(),
            PatternNode::Look(look) => {
                look.is_behind && look.is_negative && *look.node == PatternNode::any()
            }
        }
    }

    /// Whether the node matches the empty text everywhere.
    pub(super) fn is_nullable(&self) -> bool {
        match self {
            PatternNode::Class(_) | PatternNode::Look(_) => false,
            PatternNode::Seq(parts) => parts.iter().all(PatternNode::is_nullable),
            PatternNode::Alt(parts) => parts.iter().any(PatternNode::is_nullable),
            PatternNode::Repeat { node, min, .. } => *min == 0 || node.is_nullable(),
        }
    }
}
