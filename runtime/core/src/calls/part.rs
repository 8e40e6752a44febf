//! The parts of an output.

use core::ops::Range;

/// A part of an output. What stands around parts belongs to none: what begins and ends reasoning,
/// frames, sections and calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'t> {
    /// Text, as it is written. One text may come in several of these.
    Text(&'t str),
    /// Reasoning, as it is written. It may come in several of these, too.
    Reasoning(&'t str),
    /// A call.
    Call(Call<'t>),
    /// The last part of an output that breaks off in a call, or in something that stands around
    /// parts.
    CutOff(Begun<'t>),
}

/// What is being written at the end of a text that grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open<'t> {
    /// Nothing that is known: what there is may become different parts, or belongs to none.
    Nothing,
    /// Text, or what may become the end of one.
    Text,
    /// Reasoning, or what may become its end.
    Reasoning,
    /// A call.
    Call(Begun<'t>),
}

/// A call that a model has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'t> {
    pub(super) text: &'t str,
    pub(super) at: Span,
    pub(super) name: Span,
    pub(super) id: Option<Span>,
    pub(super) arguments: Span,
    pub(super) is_closed: bool,
}

/// The beginning of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) name: Option<Span>,
    pub(super) id: Option<Span>,
    pub(super) arguments: Option<Span>,
}

impl<'t> Call<'t> {
    /// The tool's name, as it is written.
    pub fn name(&self) -> &'t str {
        self.name.of(self.text)
    }

    /// The identifier or number, in formats that have one.
    pub fn id(&self) -> Option<&'t str> {
        self.id.map(|id| id.of(self.text))
    }

    /// The arguments, as they are written: from the first bracket to the last one, all between the
    /// parentheses of a call, or from the first element to the end of the last one.
    pub fn arguments(&self) -> &'t str {
        self.arguments.of(self.text)
    }

    /// The bytes of the output that the call takes, with what its pieces write around the name and
    /// the arguments.
    pub const fn at(&self) -> Range<usize> {
        self.at.range()
    }

    /// The bytes of the name.
    pub const fn name_at(&self) -> Range<usize> {
        self.name.range()
    }

    /// The bytes of the arguments.
    pub const fn arguments_at(&self) -> Range<usize> {
        self.arguments.range()
    }

    /// Whether all pieces of the call are there. If not, the output ends behind whole arguments: it
    /// was cut off there, or what ends a call is a token that the output was decoded without, such
    /// as a stop token.
    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }
}

impl<'t> Begun<'t> {
    /// The tool's name, once it is whole.
    pub fn name(&self) -> Option<&'t str> {
        self.name.map(|name| name.of(self.text))
    }

    /// The identifier or number, once it is whole.
    pub fn id(&self) -> Option<&'t str> {
        self.id.map(|id| id.of(self.text))
    }

    /// The arguments so far, once the call has come to them. Until they are whole they go up to the
    /// end of the text, where in styles of elements the beginning of what follows may stand.
    pub fn arguments(&self) -> Option<&'t str> {
        self.arguments.map(|arguments| arguments.of(self.text))
    }

    /// The byte of the output at which it begins.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// All of it.
    pub fn text(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

/// Bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    pub(super) const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    pub(super) const fn start(self) -> usize {
        self.start
    }

    pub(super) const fn end(self) -> usize {
        self.end
    }

    pub(super) const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// These bytes of a text; none of a text that has not got them.
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}
