//! A terminal as a tree, once its regular expressions have been read.
//!
//! A [`Node`] keeps facts that are asked often, so that a part shared by many is looked at once.

use crate::characters::Ranges;
use crate::dfa::TerminalDfa;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// A part of a terminal.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Whether it may match the empty text.
    pub(crate) is_nullable: bool,
    /// The most characters it matches, as Python counts: look-around has none.
    pub(crate) width: Option<u32>,
    /// Whether a quantifier in it is lazy.
    pub(crate) has_lazy: bool,
    /// How many nodes it takes, at most, when repetitions are written out.
    pub(crate) size: u64,
}

/// What a part is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A character of the set; with `bytes` also one byte from 0x80 on.
    Class {
        ranges: Rc<[(char, char)]>,
        bytes: bool,
    },
    /// One byte of these.
    Byte(Vec<(u8, u8)>),
    /// All, one behind the other.
    Seq(Vec<Node>),
    /// One of these, the earlier the better.
    Alt(Vec<Node>),
    /// The part, again and again.
    Repeat {
        of: Box<Node>,
        min: u32,
        max: Option<u32>,
        is_lazy: bool,
    },
    /// Whether the part matches from here, or up to here.
    Look {
        of: Rc<Node>,
        is_behind: bool,
        is_negative: bool,
    },
    /// The end of the text; `before_line_feed`: or before a line feed that ends it.
    End {
        before_line_feed: bool,
        span: Range<usize>,
    },
    /// Any run of neighbours among these texts.
    Substring(Arc<[String]>),
    /// A text of this automaton, which has no conditions.
    Dfa(Rc<TerminalDfa>),
    /// A part that is used elsewhere too.
    Shared(Rc<Node>),
}

impl Node {
    /// A character of the set, which must be normalized.
    pub(crate) fn class(ranges: Ranges, bytes: bool) -> Node {
        let size = if bytes { 3 } else { 1 };
        let ranges = ranges.into();
        Node::leaf(Kind::Class { ranges, bytes }, Some(1), size)
    }

    /// This character.
    pub(crate) fn char(c: char) -> Node {
        Node::class(vec![(c, c)], false)
    }

    /// One byte of these ranges.
    pub(crate) fn byte(ranges: &[(u8, u8)]) -> Node {
        Node::leaf(Kind::Byte(ranges.to_vec()), Some(1), 1)
    }

    fn leaf(kind: Kind, width: Option<u32>, size: u64) -> Node {
        Node {
            kind,
            is_nullable: false,
            width,
            has_lazy: false,
            size,
        }
    }

    /// All of these, one behind the other.
    pub(crate) fn seq(mut parts: Vec<Node>) -> Node {
        if parts.len() == 1
            && let Some(part) = parts.pop()
        {
            return part;
        }
        let add = |sum: u32, part: &Node| sum.checked_add(part.width?);
        Node {
            is_nullable: parts.iter().all(|part| part.is_nullable),
            width: parts.iter().try_fold(0, add),
            has_lazy: parts.iter().any(|part| part.has_lazy),
            size: parts
                .iter()
                .fold(0, |sum, part| sum.saturating_add(part.size)),
            kind: Kind::Seq(parts),
        }
    }

    /// One of these.
    pub(crate) fn alt(mut parts: Vec<Node>) -> Node {
        if parts.len() == 1
            && let Some(part) = parts.pop()
        {
            return part;
        }
        let widest = |most: u32, part: &Node| Some(most.max(part.width?));
        Node {
            is_nullable: parts.iter().any(|part| part.is_nullable),
            width: parts.iter().try_fold(0, widest),
            has_lazy: parts.iter().any(|part| part.has_lazy),
            size: parts
                .iter()
                .fold(1, |sum, part| sum.saturating_add(part.size)),
            kind: Kind::Alt(parts),
        }
    }

    /// The node, from `min` to `max` times.
    pub(crate) fn repeat(of: Node, min: u32, max: Option<u32>, is_lazy: bool) -> Node {
        if matches!(&of.kind, Kind::Seq(parts) if parts.is_empty()) {
            return of;
        }
        let copies = u64::from(max.unwrap_or(min.saturating_add(1)));
        let width = match (of.width, max) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(width), Some(max)) => width.checked_mul(max),
            _ => None,
        };
        let size = (of.size.saturating_add(2))
            .saturating_mul(copies)
            .saturating_add(1);
        Node {
            is_nullable: min == 0 || of.is_nullable,
            width,
            has_lazy: is_lazy || of.has_lazy,
            size,
            kind: Kind::Repeat {
                of: Box::new(of),
                min,
                max,
                is_lazy,
            },
        }
    }

    /// A condition on what follows, or on what has been read.
    pub(crate) fn look(of: Rc<Node>, is_behind: bool, is_negative: bool) -> Node {
        Node {
            is_nullable: true,
            width: Some(0),
            has_lazy: of.has_lazy,
            size: of.size.saturating_add(4),
            kind: Kind::Look {
                of,
                is_behind,
                is_negative,
            },
        }
    }

    /// The end of the text.
    pub(crate) fn end(before_line_feed: bool, span: Range<usize>) -> Node {
        let kind = Kind::End {
            before_line_feed,
            span,
        };
        Node {
            is_nullable: true,
            ..Node::leaf(kind, Some(0), 8)
        }
    }

    /// Runs of neighbours among the texts.
    pub(crate) fn substring(texts: &Arc<[String]>) -> Node {
        let count = |sum: u64, text: &String| sum.saturating_add(text.chars().count() as u64 + 2);
        let width = (texts.iter()).try_fold(0_u32, |sum, text| {
            sum.checked_add(text.chars().count().try_into().ok()?)
        });
        let size = texts.iter().fold(2, count);
        Node {
            is_nullable: true,
            ..Node::leaf(Kind::Substring(texts.clone()), width, size)
        }
    }

    /// The texts of an automaton without conditions.
    pub(crate) fn dfa(dfa: TerminalDfa) -> Node {
        let is_nullable = dfa
            .states
            .first()
            .is_some_and(|state| state.accept.is_always());
        let width = dfa.max_width;
        Node {
            is_nullable,
            ..Node::leaf(Kind::Dfa(Rc::new(dfa)), width, 1)
        }
    }

    /// A part that is used elsewhere too.
    pub(crate) fn shared(of: &Rc<Node>) -> Node {
        Node {
            kind: Kind::Shared(of.clone()),
            is_nullable: of.is_nullable,
            width: of.width,
            has_lazy: of.has_lazy,
            size: of.size,
        }
    }
}
