//! Where arguments end in a text that may still grow.
//!
//! In: a style, and a text of which all before a position is read. Out: that the arguments end, and
//! where, or that they may go on behind the end of the text. [`Extent`] keeps how far it has come,
//! so that a text that grows byte by byte is read once, whatever stands in it: raw text that holds
//! what ends a call, elements in elements, keys of any length.

mod brackets;
mod elements;

use super::literal::{Found, Search, behind_blanks, search};
use super::part::Span;
use crate::style::ArgumentStyle;

/// How far arguments are read.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// The arguments that are read as a whole.
    span: Span,
    at: usize,
    /// How many brackets or elements are open.
    open: usize,
    phase: Phase,
    /// The last key that was read: that of the outermost element, where values are
    /// [`Phase::Marked`].
    key: Span,
    end: Option<End>,
}

/// Why arguments end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Their last bracket, or something that no argument begins with.
    Certain,
    /// The end of the text: without it, more of them might have followed.
    OfText,
}

/// What is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The first bracket, or an element.
    Begin,
    /// In brackets, not in a string.
    Brackets,
    /// In a string that this byte ends unless it is escaped.
    String(u8),
    /// In a string as it is, up to the quote.
    Raw,
    /// The rest of a key.
    Key,
    /// What stands behind a key, up to the value.
    Kind,
    /// The rest of a value without elements.
    Value,
    /// A value that may hold elements, each of whose tags begins with a mark that no text contains.
    Marked,
    /// What stands behind the end of the outermost element's value.
    Closing,
}

/// The result of a step.
enum ExtentStep {
    Go,
    /// The text ends.
    Cut,
    /// No argument begins here.
    Stop,
    /// The text is not of the style, however it goes on.
    Wrong,
}

impl Extent {
    pub(super) const fn new(at: usize) -> Extent {
        Extent {
            span: Span::new(at, at),
            at,
            open: 0,
            phase: Phase::Begin,
            key: Span::new(at, at),
            end: None,
        }
    }

    /// Why the arguments ended, if they have.
    pub(super) const fn end(&self) -> Option<End> {
        self.end
    }

    /// The byte that is read next.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The byte behind the arguments, if they have ended. Blanks behind elements count as part of
    /// the arguments.
    pub(super) fn behind(&self, style: &ArgumentStyle<'_>, text: &str) -> usize {
        match style.form() {
            Some(_) => behind_blanks(text, self.span.end()),
            None => self.span.end(),
        }
    }

    /// The arguments if they have ended, else all from their beginning to the end of the text.
    pub(super) const fn span(&self, text: &str) -> Span {
        match self.end {
            Some(_) => self.span,
            None => Span::new(self.span.start(), text.len()),
        }
    }

    /// Reads on. Once the arguments have ended, [`Self::span`] says where.
    pub(super) fn read(
        &mut self,
        style: &ArgumentStyle<'_>,
        text: &str,
        is_finished: bool,
    ) -> Found {
        if self.end.is_some() {
            return Found::Yes;
        }
        loop {
            let step = match (style.form(), style.notation()) {
                (Some(form), _) => self.elements(form, text),
                (None, Some(notation)) => self.brackets(notation, text),
                (None, None) => ExtentStep::Stop,
            };
            let is_between = self.phase == Phase::Begin && self.open == 0;
            self.end = match step {
                ExtentStep::Go => continue,
                ExtentStep::Stop => Some(End::Certain),
                // Only blanks may be left of the text.
                ExtentStep::Cut
                    if is_finished
                        && is_between
                        && self.at >= text.len()
                        && style.form().is_some() =>
                {
                    Some(End::OfText)
                }
                ExtentStep::Cut => return Found::Cut,
                ExtentStep::Wrong => return Found::No,
            };
            return Found::Yes;
        }
    }

    /// Moves behind the next of a literal. If there is none, moves to where the text's end may
    /// become one.
    fn find(&mut self, literal: &str, text: &str) -> bool {
        match search(&[literal], text, self.at) {
            Search::At(_, end) => {
                self.at = end;
                true
            }
            Search::None(at) => {
                self.at = at;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{Keys, Style};

    /// What arguments in all styles are made of, and what may stand behind them.
    const PIECES: [&str; 40] = [
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\"",
        "'",
        "\\",
        "a",
        "=1",
        ", ",
        "\n",
        " ",
        ":",
        "<|\"|>",
        "<escape>",
        "<|",
        "<",
        "<parameter=a>",
        "<parameter name=\"a\">",
        "x</parameter>",
        "</function>",
        "<arg_key>a</arg_key>",
        "<arg_value>",
        "1</arg_value>",
        "<｜DSML｜parameter name=\"é\" string=\"true\">",
        "</｜DSML｜parameter>",
        "<cofl:value name=\"a\" type=\"dict\">",
        "<cofl:value type=\"list\">",
        "<cofl:value name=\"a\" type=\"raw\">",
        "</cofl:value>",
        "<|open|>argument key=\"a\" type=\"string\"<|sep|>",
        "<|close|>argument<|sep|>",
        "]<]minimax[>[<a>",
        "]<]minimax[>[</a>",
        "]<]minimax[>[<item>",
        "]<]minimax[>[</item>",
        "]<]minimax[>[",
        "é",
    ];

    /// Miri takes a thousand times as long for a text.
    const TEXTS: usize = if cfg!(miri) { 120 } else { 60_000 };

    /// A text that grows has the extent of the whole, for any sequence of pieces that begins alike.
    #[test]
    fn extents_are_those_of_the_style() {
        let mut seed = 3u32;
        let mut below = |bound: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % bound
        };
        let mut ended = 0;
        for at in 0..TEXTS {
            let style = Style::ALL[at % Style::ALL.len()];
            // Two neighbours in the list belong to one style more often than not.
            let first = below(PIECES.len());
            let mut buffer = [0; 512];
            let mut length = 0;
            for _ in 0..below(9) {
                let near = (first + below(6)) % PIECES.len();
                let piece = PIECES[if below(3) == 0 {
                    below(PIECES.len())
                } else {
                    near
                }];
                buffer[length..length + piece.len()].copy_from_slice(piece.as_bytes());
                length += piece.len();
            }
            let text = core::str::from_utf8(&buffer[..length]).unwrap_or_default();
            let mut grown = Extent::new(0);
            for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
                let so_far = &text[..end];
                let found = grown.read(&style.into(), so_far, false);
                let length = match found {
                    Found::Cut => None,
                    Found::No => Some(0),
                    Found::Yes if style.form().is_some() && grown.span(so_far).is_empty() => {
                        Some(0)
                    }
                    Found::Yes => Some(grown.span(so_far).end()),
                };
                // A list is no arguments.
                let is_call = style.notation().is_none_or(|n| n.keys == Keys::Arguments);
                let expected = match so_far.trim_start().starts_with('[') && !is_call {
                    true => Some(0),
                    false => style.extent(so_far),
                };
                assert_eq!(length, expected, "{style}: {so_far}");
                if found != Found::Cut {
                    ended += usize::from(expected > Some(0));
                    break;
                }
            }
        }
        assert!(ended > TEXTS / 60, "{ended}");
    }
}
