//! What the output of a model that calls tools looks like, as data.

use super::literal::head;
use super::part::Call;
#[cfg(feature = "alloc")]
use crate::style::Values;
use crate::style::{ArgumentStyle, Arguments, ValueKinds};

/// How a model writes its output: text, reasoning and tool calls.
///
/// The compiler makes the grammar of a set of tools from the same fields, and emits them beside its
/// tables: what the grammar allows, [`Reader`](super::Reader) reads back.
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
    /// The ways in which calls that stand together may be framed; none if each call stands by
    /// itself.
    pub sections: &'f [Section<'f>],
    /// What stands between two calls of a section. Without sections, what stands between two
    /// messages in [`Layout::Messages`], and between two calls in [`Layout::AtStart`].
    pub separator: &'f str,
    /// Where free text ends and calls begin, in [`Layout::Anywhere`]: no text contains one of
    /// these. Each is the beginning of a section or of a call, and none is empty or consists of
    /// blanks.
    pub triggers: &'f [&'f str],
    /// How arguments are written.
    pub arguments: ArgumentStyle<'f>,
    /// What is known of tools, so that their arguments are read as they are meant. Other tools can
    /// be called all the same, but in [`Layout::AtStart`], where a text may look like a call of a
    /// tool that there is not: there none are known if this is empty.
    pub tools: &'f [Tool<'f>],
    /// How reasoning is written, if the grammar was compiled with some.
    pub reasoning: Option<Reasoning<'f>>,
    /// What stands around text, in [`Layout::Blocks`] and [`Layout::Messages`].
    pub texts: &'f [TextFrame<'f>],
    /// What ends the output, in [`Layout::Blocks`].
    pub end: &'f str,
}

impl<'f> CallFormat<'f> {
    /// Which of [`Self::tools`] a call names.
    pub fn tool(&self, call: &Call<'_>) -> Option<usize> {
        self.tools.iter().position(|tool| tool.name == call.name())
    }

    /// Whether the prompt has opened reasoning.
    pub(super) fn opened(&self) -> Opened {
        let reasoning = self.reasoning.as_ref();
        reasoning.map_or(Opened::No, |reasoning| reasoning.opened)
    }

    /// What ends text that is in no frame.
    pub(super) const fn free_ends(&self) -> &'f [&'f str] {
        match self.layout {
            Layout::Anywhere => self.triggers,
            _ => &[],
        }
    }

    /// Whether the text in this frame goes on up to the separator.
    pub(super) fn separator_ends(&self, frame: usize) -> bool {
        let is_open = |frame: &TextFrame<'_>| frame.ends.is_empty();
        let is_joined = self.layout == Layout::Messages && self.sections.is_empty();
        is_joined && !self.separator.is_empty() && self.texts.get(frame).is_some_and(is_open)
    }

    /// Whether a tool may have this name: if none are known, any.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.tools.is_empty() || self.tools.iter().any(|tool| tool.name == name)
    }

    /// The same format for outputs behind a prompt that is known: whether it has opened reasoning.
    /// Formats in which that is settled ([`Opened::No`], [`Opened::Yes`]) stay as they are.
    ///
    /// ```
    /// # use maskwright_core::calls::{CallFormat, Layout, Opened, Part, Reasoning};
    /// # use maskwright_core::style::Style;
    /// # const FORMAT: CallFormat<'static> = CallFormat {
    /// #     layout: Layout::Anywhere,
    /// #     calls: &[],
    /// #     sections: &[],
    /// #     separator: "",
    /// #     triggers: &[],
    /// #     arguments: Style::Json.as_arguments(),
    /// #     tools: &[],
    /// #     reasoning: Some(Reasoning { begin: "<think>", end: "</think>", after: "", opened: Opened::Perhaps }),
    /// #     texts: &[],
    /// #     end: "",
    /// # };
    /// // The prompt ends with `<think>`.
    /// let format = FORMAT.with_opened(Opened::Yes);
    /// let mut parts = format.parts("Hm.</think>Hello.");
    /// assert_eq!(parts.next(), Some(Part::Reasoning("Hm.")));
    /// assert_eq!(parts.next(), Some(Part::Text("Hello.")));
    /// ```
    pub const fn with_opened(mut self, opened: Opened) -> Self {
        if let Some(reasoning) = &mut self.reasoning
            && let Opened::Perhaps = reasoning.opened
        {
            reasoning.opened = opened;
        }
        self
    }

    /// The arguments of a call one by one, where they are elements.
    pub fn elements<'c>(&'c self, call: &Call<'c>) -> Option<Arguments<'c>> {
        Some(Arguments::new(self.arguments.form()?, call.arguments()))
    }

    /// The arguments of a call as a JSON object. Takes memory for the result, and time in
    /// proportion to the arguments and their depth.
    ///
    /// What the value of an element is says the element, or the tool's schema ([`Tool::values`]);
    /// where both leave it open, it is guessed
    /// ([`Argument::likely_kind`](crate::style::Argument::likely_kind)).
    ///
    /// # Errors
    /// If the arguments are none of the style, at a byte of [`Call::arguments`]: the call was cut
    /// off, or not made by the grammar.
    #[cfg(feature = "alloc")]
    pub fn to_json(
        &self,
        call: &Call<'_>,
    ) -> Result<alloc::string::String, crate::style::ReadError> {
        let text = call.arguments();
        let Some(elements) = self.elements(call) else {
            return match self.arguments.notation() {
                Some(notation) => notation.to_json(text),
                None => Ok(text.into()),
            };
        };
        let tool = self.tool(call).and_then(|tool| self.tools.get(tool));
        let values = tool.map_or(&[][..], |tool| tool.values);
        crate::style::to_json_of(elements, Values(values))
    }

    /// Whether a tool's name is read back as it is written, in all ways of [`Self::calls`]. A name
    /// has no control characters, no blanks, none of `"`, `(`, `)`, `<`, `>`, `[`, `]`, `{`, `}`,
    /// and what follows it in a call begins nowhere in it.
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
    /// #     arguments: Style::Json.as_arguments(),
    /// #     tools: &[],
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
pub const fn is_name_char(char: char) -> bool {
    !matches!(
        char,
        '\0'..=' ' | '\x7f' | '"' | '(' | ')' | '<' | '>' | '[' | ']' | '{' | '}'
    )
}

/// What is known of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool<'f> {
    /// Its name.
    pub name: &'f str,
    /// What its schema says of the kinds of values, where the style of arguments leaves them open:
    /// `5` may be a number or a string. The first are the arguments; the others are named by their
    /// numbers in this list. Empty where nothing is known, or the style says it all.
    pub values: &'f [ValueKinds<'f>],
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
    /// Messages. Each one is reasoning, a text in its frame, or a section of calls; without
    /// sections a call, and the separator stands between messages. What a message is tells its
    /// beginning; where a call begins as reasoning or a text does, no tool has the name that
    /// follows there.
    Messages,
}

/// A part of the way in which a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    /// This text. Where it has blanks, other blanks may have been allowed:
    /// [`Reader`](super::Reader) takes any, and none.
    Text(&'f str),
    /// The tool's name: characters that names may have ([`CallFormat::reads_name`]), up to what
    /// follows.
    Name,
    /// An identifier or a number of the call, which has no meaning of its own: such characters as
    /// well.
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
    /// What follows [`Self::end`] and belongs to no part, if it does: these blanks exactly, since
    /// others may begin a call.
    pub after: &'f str,
    /// Whether the prompt has written [`Self::begin`]. An output may all the same begin with it.
    pub opened: Opened,
}

/// Whether an output begins within reasoning, because the prompt has written what reasoning begins
/// with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// The output begins outside of reasoning.
    No,
    /// The prompt may have opened reasoning, and the grammar takes both. An output that begins
    /// outside of reasoning and one that begins within it look alike until something ends the one
    /// or the other: the reader hands out no part before that. A program that knows the prompt says
    /// so with [`CallFormat::with_opened`].
    Perhaps,
    /// The output begins within reasoning.
    Yes,
}

/// What stands around a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFrame<'f> {
    /// Before it. Where an output begins within a text, the prompt has written this.
    pub begin: &'f str,
    /// What may stand behind it: one of these. If there is none, the text ends where the separator
    /// begins, or with the output: in [`Layout::Messages`] without sections.
    pub ends: &'f [&'f str],
    /// Whether an output begins within this text, or within this or reasoning where
    /// [`Reasoning::opened`] is [`Opened::Perhaps`].
    pub at_start: bool,
}
