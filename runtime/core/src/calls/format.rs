//! What the output of a model that calls tools looks like, as data.

use crate::style::Style;

/// How a model writes its output: text, reasoning and tool calls.
///
/// The compiler makes the grammar of a set of tools from the same fields, and emits them beside its tables: what the grammar allows, `Reader` reads back.
///
/// In [`Layout::Anywhere`], calls and sections stand within free text:
///
/// ```text
/// (reasoning.begin TEXT reasoning.end reasoning.after)? TEXT (calls TEXT)*
/// calls ─▶ call, or section.begin call (separator call)* section.end
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFormat<'f> {
    /// Where text and calls stand.
    pub layout: Layout,
    /// The ways in which a call may be written. The model's own template writes the first.
    pub calls: &'f [&'f [Piece<'f>]],
    /// The ways in which calls that stand together may be framed; none if each call stands by itself.
    pub sections: &'f [Section<'f>],
    /// What stands between two calls of a section, or between two messages in [`Layout::Messages`].
    pub separator: &'f str,
    /// Where free text ends and calls begin, in [`Layout::Anywhere`]: no text contains one of these.
    pub triggers: &'f [&'f str],
    /// How arguments are written.
    pub arguments: Style,
    /// How reasoning is written, if the grammar was compiled with some.
    pub reasoning: Option<Reasoning<'f>>,
    /// What stands around text, in [`Layout::Blocks`] and [`Layout::Messages`].
    pub texts: &'f [TextFrame<'f>],
    /// What ends the output, in [`Layout::Blocks`].
    pub end: &'f str,
}

/// Where text and calls stand in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Calls stand anywhere in free text.
    Anywhere,
    /// An output that begins as a call or a section consists of calls; any other one is text.
    AtStart,
    /// One text in its frame, then at most one section of calls, then the end.
    Blocks,
    /// Messages with the separator between them. Each one is reasoning, a text in its frame, or a call.
    Messages,
}

/// A part of the way in which a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    /// This text. Where it has blanks, other blanks may have been allowed: `Reader` takes any.
    Text(&'f str),
    /// The tool's name.
    Name,
    /// An identifier or a number of the call, which has no meaning of its own.
    Id,
    /// The arguments.
    Arguments,
}

/// What stands around calls that stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'f> {
    /// Before the first call.
    pub begin: &'f str,
    /// Behind the last one.
    pub end: &'f str,
}

/// How reasoning is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasoning<'f> {
    /// Before it.
    pub begin: &'f str,
    /// Behind it.
    pub end: &'f str,
    /// What follows [`Self::end`] and belongs to no part.
    pub after: &'f str,
    /// Whether an output begins within reasoning. It may all the same begin with [`Self::begin`], unless the prompt has written that.
    pub at_start: bool,
}

/// What stands around a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFrame<'f> {
    /// Before it. Where an output begins within a text, the prompt has written this.
    pub begin: &'f str,
    /// What may stand behind it: one of these.
    pub ends: &'f [&'f str],
    /// Whether an output begins within this text.
    pub at_start: bool,
}
