//! What the output of a model that calls tools looks like, as data.

use super::literal::head;
use super::reader::{Parts, Reader};
use crate::style::Style;

/// How a model writes its output: text, reasoning and tool calls.
///
/// The compiler makes the grammar of a set of tools from the same fields, and emits them beside its tables: what the grammar allows,
/// [`Reader`] reads back.
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
    /// Where free text ends and calls begin, in [`Layout::Anywhere`]: no text contains one of these. Each is the beginning of a section or of a
    /// call, and none is empty or consists of blanks.
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

impl<'f> CallFormat<'f> {
    /// The parts of a finished text. See [`Reader`] for a text that grows.
    ///
    /// ```
    /// use maskwright_core::calls::{CallFormat, Layout, Part, Piece};
    /// use maskwright_core::style::Style;
    ///
    /// let format = CallFormat {
    ///     layout: Layout::Anywhere,
    ///     calls: &[&[
    ///         Piece::Text("<tool_call>\n{\"name\": \""),
    ///         Piece::Name,
    ///         Piece::Text("\", \"arguments\": "),
    ///         Piece::Arguments,
    ///         Piece::Text("}\n</tool_call>"),
    ///     ]],
    ///     sections: &[],
    ///     separator: "",
    ///     triggers: &["<tool_call>"],
    ///     arguments: Style::Json,
    ///     reasoning: None,
    ///     texts: &[],
    ///     end: "",
    /// };
    /// let text = "Let me see.<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"}\"}}\n</tool_call>";
    /// let mut parts = format.parts(text);
    /// assert_eq!(parts.next(), Some(Part::Text("Let me see.")));
    /// let Some(Part::Call(call)) = parts.next() else {
    ///     return Err("no call");
    /// };
    /// assert_eq!((call.name(), call.arguments()), ("f", "{\"a\": \"}\"}"));
    /// assert_eq!(&text[call.arguments_at()], call.arguments());
    /// assert!(parts.next().is_none());
    /// # Ok::<(), &str>(())
    /// ```
    pub const fn parts<'t>(&'f self, text: &'t str) -> Parts<'f, 't> {
        Parts::new(Reader::new(self), text)
    }

    /// Whether a tool's name is read back as it is written, in all ways of [`Self::calls`]. A name has no control characters, no blanks, none of
    /// `"`, `(`, `)`, `<`, `>`, `[`, `]`, `{`, `}`, and what follows it in a call begins nowhere in it.
    ///
    /// ```
    /// use maskwright_core::calls::{CallFormat, Layout, Piece};
    /// use maskwright_core::style::Style;
    ///
    /// # let format = CallFormat {
    /// #     layout: Layout::Anywhere,
    /// #     calls: &[&[Piece::Text("<|call|>"), Piece::Name, Piece::Text(":"), Piece::Id, Piece::Arguments]],
    /// #     sections: &[],
    /// #     separator: "",
    /// #     triggers: &["<|call|>"],
    /// #     arguments: Style::Json,
    /// #     reasoning: None,
    /// #     texts: &[],
    /// #     end: "",
    /// # };
    /// // A format that writes `<|call|>f:0{"a": "x"}`.
    /// assert!(format.reads_name("weather.get-now_2"));
    /// assert!(!format.reads_name("weather:get"));
    /// assert!(!format.reads_name("get weather"));
    /// ```
    pub fn reads_name(&self, name: &str) -> bool {
        let pairs = self.calls.iter().flat_map(|call| call.windows(2));
        let mut heads = pairs.filter_map(|pair| match pair {
            [Piece::Name, Piece::Text(literal)] => Some(head(literal)),
            _ => None,
        });
        let is_in = |head: &str| {
            let mut tails = name.char_indices().skip(1);
            // The name's end and the beginning of what follows may look like what follows, too.
            tails.any(|(at, _)| {
                let tail = name.get(at..).unwrap_or_default();
                let both = tail.bytes().chain(head.bytes()).take(head.len());
                !head.is_empty() && both.eq(head.bytes())
            })
        };
        !name.is_empty() && name.chars().all(is_name_char) && !heads.any(is_in)
    }
}

/// Whether names and identifiers may have a character.
pub(super) const fn is_name_char(char: char) -> bool {
    !matches!(
        char,
        '\0'..=' ' | '\x7f' | '"' | '(' | ')' | '<' | '>' | '[' | ']' | '{' | '}'
    )
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
    /// This text. Where it has blanks, other blanks may have been allowed: [`Reader`] takes any, and none.
    Text(&'f str),
    /// The tool's name: characters that names may have ([`CallFormat::reads_name`]), up to what follows.
    Name,
    /// An identifier or a number of the call, which has no meaning of its own: such characters as well.
    Id,
    /// The arguments. In styles of elements blanks may stand around them.
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
    /// What follows [`Self::end`] and belongs to no part, if it does: these blanks exactly, since others may begin a call.
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
