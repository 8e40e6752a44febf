//! The parts of a finished text.
//!
//! In: a [`CallFormat`] and a text. Out: [`Parts`], which gives what a [`Reader`] gives that is
//! handed the whole text at once.

use core::iter::FusedIterator;

use super::format::CallFormat;
use super::part::Part;
use super::reader::Reader;

/// Iterates over the parts of a finished text: [`CallFormat::parts`].
#[derive(Clone, Debug)]
pub struct Parts<'f, 't> {
    reader: Reader<'f>,
    text: &'t str,
}

impl<'f, 't> Parts<'f, 't> {
    const fn new(reader: Reader<'f>, text: &'t str) -> Self {
        Parts { reader, text }
    }
}

impl<'t> Iterator for Parts<'_, 't> {
    type Item = Part<'t>;

    fn next(&mut self) -> Option<Part<'t>> {
        self.reader.next(self.text, true)
    }
}

impl FusedIterator for Parts<'_, '_> {}

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
    ///     arguments: Style::Json.as_arguments(),
    ///     tools: &[],
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
}
