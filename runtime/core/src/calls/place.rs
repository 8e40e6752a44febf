//! Places in an output, and what may stand there.

use super::format::{CallFormat, Layout, Piece};

/// Where a reader stands. At some places text goes on up to a literal ([`CallPlace::ends`]); at the
/// others one of some ways must fit ([`CallPlace::way`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallPlace {
    /// At the beginning of the output, where reasoning may begin.
    Start,
    /// In reasoning.
    Reasoning,
    /// Behind the end of reasoning.
    AfterReasoning,
    /// In free text.
    Free,
    /// In the text of a frame.
    Frame(usize),
    /// In reasoning or in text, of a frame if one is given: the literal that ends it says which.
    Either(Option<usize>),
    /// In a message that the format does not have.
    Unfit,
    /// In text that nothing ends.
    Rest,
    /// Where a section or a call begins.
    Calls,
    /// Where a call of a section begins, the first one or another one.
    InSection(usize, Turn),
    /// Behind a call of a section.
    BehindCall(usize),
    /// Behind a call without a section, where another one may follow a separator.
    BehindBare,
    /// Behind such a separator.
    NextBare,
    /// Where a block begins.
    Block(Turn),
    /// Where a message begins.
    Message(Turn),
    /// Behind a message.
    Joint,
}

/// Whether a call or a block is the first one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    First,
    Later,
}

/// What may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The beginning of reasoning.
    Reasoning,
    /// What follows the end of reasoning.
    After,
    /// The beginning of a frame.
    Frame(usize),
    /// The beginning of a section.
    Section(usize),
    /// The end of a section.
    SectionEnd,
    /// A separator.
    Separator,
    /// A call.
    Call,
    /// The end of the output.
    End,
}

/// How something is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Written<'f> {
    /// As a literal.
    Literal(Piece<'f>),
    /// As a literal whose blanks are as they are: other blanks belong to the text that follows, or
    /// begin a call.
    Exact(&'f str),
    /// As these pieces.
    Pieces(&'f [Piece<'f>]),
}

impl<'f> Written<'f> {
    const fn literal(literal: &'f str) -> Written<'f> {
        Written::Literal(Piece::Text(literal))
    }

    pub(super) const fn pieces(&self) -> &[Piece<'f>] {
        match self {
            Written::Literal(piece) => core::slice::from_ref(piece),
            Written::Exact(_) => &[],
            Written::Pieces(pieces) => pieces,
        }
    }
}

impl CallPlace {
    /// The literals that end the text at this place; nothing if there is no text here.
    pub(super) fn ends<'f>(self, format: &'f CallFormat<'f>) -> Option<&'f [&'f str]> {
        match self {
            CallPlace::Reasoning => Some(match &format.reasoning {
                Some(reasoning) => core::slice::from_ref(&reasoning.end),
                None => &[],
            }),
            CallPlace::Free => Some(format.triggers),
            CallPlace::Frame(at) if format.separator_ends(at) => {
                Some(core::slice::from_ref(&format.separator))
            }
            CallPlace::Frame(at) => Some(format.texts.get(at).map_or(&[], |frame| frame.ends)),
            CallPlace::Unfit if !format.sections.is_empty() => Some(&[]),
            CallPlace::Unfit => Some(core::slice::from_ref(&format.separator)),
            CallPlace::Rest => Some(&[]),
            _ => None,
        }
    }

    /// The place behind the text at this place, and whether what ended the text stands there.
    pub(super) fn behind_text(self, format: &CallFormat<'_>) -> (CallPlace, bool) {
        match self {
            CallPlace::Reasoning => (CallPlace::AfterReasoning, false),
            CallPlace::Free => (CallPlace::Calls, true),
            CallPlace::Unfit => (CallPlace::Joint, true),
            CallPlace::Frame(at) if format.separator_ends(at) => (CallPlace::Joint, true),
            _ => (CallPlace::body(format, Turn::Later), false),
        }
    }

    /// One of the ways in which the output may go on at this place, in the order in which they are
    /// tried.
    pub(super) fn way<'f>(
        self,
        format: &CallFormat<'f>,
        number: usize,
    ) -> Option<(Way, Written<'f>)> {
        let literal = Written::literal;
        let reasoning = format.reasoning.iter();
        let mut reasoning = reasoning.map(|all| (Way::Reasoning, Written::Exact(all.begin)));
        let frames = format.texts.iter().enumerate();
        let frames = frames.map(|(at, frame)| (Way::Frame(at), Written::Exact(frame.begin)));
        let sections = format.sections.iter().enumerate();
        let sections = sections.map(|(at, section)| (Way::Section(at), literal(section.begin)));
        let calls = format.calls.iter();
        let mut calls = calls.map(|call| (Way::Call, Written::Pieces(call)));
        // With sections no call stands by itself.
        let bare = match format.sections {
            [] => format.calls,
            _ => &[],
        };
        let bare = bare.iter();
        let bare = bare.map(|call| (Way::Call, Written::Pieces(call)));
        let separator = (Way::Separator, literal(format.separator));
        // With sections the separator stands between their calls only.
        let joint = match format.sections {
            [] => separator,
            _ => (Way::Separator, literal("")),
        };
        match self {
            CallPlace::Start => reasoning.nth(number),
            CallPlace::AfterReasoning => {
                let after = format.reasoning.iter();
                let mut after = after.map(|all| (Way::After, Written::Exact(all.after)));
                after.nth(number)
            }
            CallPlace::Calls => sections.chain(bare).nth(number),
            CallPlace::InSection(..) | CallPlace::NextBare => calls.nth(number),
            CallPlace::BehindCall(at) => {
                let end = format.sections.get(at);
                let end = end.map(|section| (Way::SectionEnd, literal(section.end)));
                end.into_iter().chain([separator]).nth(number)
            }
            CallPlace::BehindBare => [separator].into_iter().nth(number),
            CallPlace::Joint => [joint].into_iter().nth(number),
            CallPlace::Block(_) => {
                let end = [(Way::End, literal(format.end))];
                let mut all = frames.chain(sections).chain(bare).chain(end);
                all.nth(number)
            }
            CallPlace::Message(_) => {
                let mut all = reasoning.chain(frames).chain(sections).chain(bare);
                all.nth(number)
            }
            CallPlace::Reasoning
            | CallPlace::Free
            | CallPlace::Frame(_)
            | CallPlace::Either(_)
            | CallPlace::Unfit
            | CallPlace::Rest => None,
        }
    }

    /// The place behind the beginning of the output and its reasoning.
    pub(super) const fn body(format: &CallFormat<'_>, turn: Turn) -> CallPlace {
        match format.layout {
            Layout::Anywhere => CallPlace::Free,
            Layout::AtStart => CallPlace::Calls,
            Layout::Blocks => CallPlace::Block(turn),
            Layout::Messages => match turn {
                Turn::First => CallPlace::Message(turn),
                Turn::Later => CallPlace::Joint,
            },
        }
    }

    /// The place behind a section.
    pub(super) const fn behind_section(format: &CallFormat<'_>) -> CallPlace {
        match format.layout {
            Layout::AtStart => CallPlace::Rest,
            _ => CallPlace::body(format, Turn::Later),
        }
    }

    /// The place behind a call that began here.
    pub(super) const fn behind_call(self, format: &CallFormat<'_>) -> CallPlace {
        match self {
            CallPlace::InSection(at, _) => CallPlace::BehindCall(at),
            _ => match format.layout {
                Layout::AtStart => CallPlace::BehindBare,
                _ => CallPlace::body(format, Turn::Later),
            },
        }
    }

    /// The place behind a separator that stands here.
    pub(super) const fn behind_separator(self) -> CallPlace {
        match self {
            CallPlace::BehindCall(at) => CallPlace::InSection(at, Turn::Later),
            CallPlace::BehindBare => CallPlace::NextBare,
            _ => CallPlace::Message(Turn::Later),
        }
    }

    /// Whether the output may still be text here, though it may be the beginning of something else.
    pub(super) const fn may_be_text(self, format: &CallFormat<'_>) -> bool {
        match self {
            CallPlace::Start | CallPlace::AfterReasoning => true,
            CallPlace::Calls | CallPlace::InSection(_, Turn::First) => {
                matches!(format.layout, Layout::AtStart)
            }
            _ => false,
        }
    }
}
