//! Whether a part of a pattern can be at an edge of the whole text.
//!
//! In: a part's neighbours. Out: whether `^` or `$` holds there: a pattern matches the whole text,
//! so `^` holds exactly where nothing precedes, `$` where nothing follows.

use regex_syntax::ast::{Ast, RepetitionKind, RepetitionRange};

/// Whether an edge of the text is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEdge {
    /// In every match.
    Always,
    /// In no match.
    Never,
    /// In some matches, but not in others.
    Sometimes,
}

/// Both edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextEdges {
    /// Whether the text starts here.
    pub(super) start: TextEdge,
    /// Whether the text ends here.
    pub(super) end: TextEdge,
}

impl TextEdges {
    /// The edges of the whole pattern.
    pub(super) const WHOLE: TextEdges = TextEdges {
        start: TextEdge::Always,
        end: TextEdge::Always,
    };

    /// The edges of what is repeated more than once between these.
    pub(super) fn repeated(self) -> TextEdges {
        let inner = |edge| {
            if edge == TextEdge::Always {
                TextEdge::Sometimes
            } else {
                edge
            }
        };
        TextEdges {
            start: inner(self.start),
            end: inner(self.end),
        }
    }
}

/// The edge that is left of `edge` once `part` stands in between.
pub(super) fn behind(edge: TextEdge, part: &Ast) -> TextEdge {
    match length(part) {
        Length::Zero => edge,
        Length::Some => TextEdge::Never,
        Length::Any if edge == TextEdge::Never => TextEdge::Never,
        Length::Any => TextEdge::Sometimes,
    }
}

/// How much text a part takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// Nothing in every match.
    Zero,
    /// Something in every match.
    Some,
    /// Perhaps something.
    Any,
}

fn length(part: &Ast) -> Length {
    match part {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => Length::Zero,
        Ast::Literal(_)
        | Ast::Dot(_)
        | Ast::ClassUnicode(_)
        | Ast::ClassPerl(_)
        | Ast::ClassBracketed(_) => Length::Some,
        Ast::Group(group) => length(&group.ast),
        Ast::Repetition(repetition) => {
            let (min, max) = bounds(&repetition.op.kind);
            match length(&repetition.ast) {
                _ if max == Some(0) => Length::Zero,
                Length::Some if min == 0 => Length::Any,
                inner => inner,
            }
        }
        Ast::Alternation(alternation) => {
            let mut lengths = alternation.asts.iter().map(length);
            let first = lengths.next().unwrap_or(Length::Any);
            if lengths.all(|length| length == first) {
                first
            } else {
                Length::Any
            }
        }
        Ast::Concat(concat) => {
            concat
                .asts
                .iter()
                .map(length)
                .fold(Length::Zero, |sum, next| match (sum, next) {
                    (Length::Some, _) | (_, Length::Some) => Length::Some,
                    (Length::Zero, Length::Zero) => Length::Zero,
                    _ => Length::Any,
                })
        }
    }
}

/// The least and the greatest number of times.
pub(super) fn bounds(kind: &RepetitionKind) -> (u32, Option<u32>) {
    match *kind {
        RepetitionKind::ZeroOrOne => (0, Some(1)),
        RepetitionKind::ZeroOrMore => (0, None),
        RepetitionKind::OneOrMore => (1, None),
        RepetitionKind::Range(RepetitionRange::Exactly(count)) => (count, Some(count)),
        RepetitionKind::Range(RepetitionRange::AtLeast(min)) => (min, None),
        RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (min, Some(max)),
    }
}
