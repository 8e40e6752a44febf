//! Patterns with facts about them, while terminals are made.

use super::anonymous::Key;
use super::shape::Shape;
use super::width::Width;
use crate::UNBOUNDED;
use crate::syntax::tree::Node;
use maskwright_regular::Pattern;
use std::sync::Arc;

/// A pattern with facts about it.
#[derive(Clone)]
pub(super) struct Built {
    pub(super) pattern: Pattern,
    pub(super) shape: Shape,
    /// What makes a string or regular expression in a rule the same terminal.
    pub(super) key: Option<Key>,
    pub(super) depth: usize,
}

/// The pattern of no text at all.
pub(super) const NOTHING: Pattern = Pattern::Union(Vec::new());

impl Built {
    pub(super) fn new(pattern: Pattern, shape: Shape, key: Option<Key>) -> Self {
        Self {
            pattern,
            shape,
            key,
            depth: 1,
        }
    }

    /// `parts` under one node.
    pub(super) fn over(parts: Vec<Built>, over: impl FnOnce(Vec<Pattern>) -> Pattern) -> Self {
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        let length = parts
            .iter()
            .fold(0usize, |sum, part| sum.saturating_add(part.shape.length));
        let pattern = over(parts.into_iter().map(|part| part.pattern).collect());
        Self {
            pattern,
            shape: Shape::other(length),
            key: None,
            depth,
        }
    }

    pub(super) fn sequence(parts: Vec<Built>) -> Self {
        let shapes: Vec<Shape> = parts.iter().map(|part| part.shape).collect();
        Self {
            shape: Shape::sequence(&shapes),
            ..Self::over(parts, Pattern::Sequence)
        }
    }

    /// A string, range, regular expression or the like; `place` maps where a text stands.
    pub(super) fn atom(node: &Node, place: impl FnOnce(usize) -> usize) -> Self {
        match node {
            Node::String { text, ignore_case } => {
                let shape = Shape::text(text, *ignore_case);
                let key = Key::Text(text.as_str().into(), *ignore_case);
                let pattern = Pattern::Text {
                    text: text.clone(),
                    ignore_case: *ignore_case,
                };
                Self::new(pattern, shape, Some(key))
            }
            &Node::Range {
                first,
                last,
                length,
            } => {
                let key = Key::Range(first, last);
                Self::new(Pattern::Range(first, last), Shape::range(length), Some(key))
            }
            Node::Regex {
                source,
                flags,
                start,
            } => {
                let (flags, start) = (*flags, place(*start));
                let key = Key::Regex(source.as_str().into(), flags);
                let pattern = Pattern::Regex {
                    source: source.clone(),
                    flags,
                    start,
                };
                Self::new(pattern, Shape::regex(source, flags), Some(key))
            }
            Node::Substring(chunks) => {
                let key = Key::Substring(chunks.clone());
                let length = chunks.iter().map(String::len).sum();
                Self::new(
                    Pattern::Substring(chunks.clone()),
                    Shape::other(length),
                    Some(key),
                )
            }
            _ => Self::new(NOTHING, Shape::other(0), None),
        }
    }

    /// This with its pattern shared.
    pub(super) fn share(mut self) -> Self {
        if !matches!(self.pattern, Pattern::Shared(_)) {
            self.pattern = Pattern::Shared(Arc::new(self.pattern));
            self.depth += 1;
        }
        self
    }

    /// The pattern, which is shared only if it has parts.
    pub(super) fn into_pattern(self) -> Pattern {
        match self.pattern {
            Pattern::Shared(shared) if self.key.is_some() => Pattern::clone(&shared),
            pattern => pattern,
        }
    }

    /// The shortest match: `lazy`.
    pub(super) fn shortest(self) -> Self {
        Self::over(vec![self], |parts| {
            Pattern::Shortest(Box::new(parts.into_iter().next().unwrap_or(NOTHING)))
        })
    }

    /// This and then the first `marker`: `suffix` and `stop`.
    pub(super) fn until(self, marker: Self) -> Self {
        let marker = marker.share();
        let any = |min| Pattern::Repeat {
            of: Box::new(Pattern::AnyCharacter),
            min,
            max: None,
        };
        let x = marker.pattern.clone();
        let earlier = Pattern::Sequence(vec![any(0), x, any(1)]);
        let whole = Self::sequence(vec![self, marker]);
        let max = whole.shape.width.max.min(UNBOUNDED);
        let shape = whole.shape.with_width(Width { min: 0, max });
        // No text of it begins with another one already; that it is marked so says what it is.
        let over = |mut parts: Vec<Pattern>| {
            parts.push(Pattern::Complement(Box::new(earlier)));
            Pattern::Shortest(Box::new(Pattern::Intersection(parts)))
        };
        Self {
            shape,
            ..Self::over(vec![whole], over)
        }
    }
}
