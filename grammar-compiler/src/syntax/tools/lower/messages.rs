//! Layouts in which texts have frames: blocks in order, and messages.

use super::ToolLowering;
use crate::syntax::structural_tag::ast::{Format, FormatKind};
use crate::syntax::tools::Reasoning;
use crate::syntax::tools::chosen::Mode;
use crate::syntax::tools::format::FrameText;
use std::slice;

/// A message of an output.
struct Message {
    /// With the separator that stands before another message.
    before: Format,
    /// As the last one.
    last: Format,
    /// The bytes that were copied for both.
    bytes: usize,
}

impl ToolLowering<'_> {
    /// Reasoning, one text, perhaps a section, the end. The prompt has written what the first block
    /// begins with.
    pub(super) fn blocks(&self) -> Format {
        let format = self.format;
        let reasoning = format.reasoning();
        let reasoning = reasoning
            .map(|reasoning| self.reasoning_of(reasoning, None, self.text(self.excludes())));
        // A format of this layout has just one frame.
        let frames = format.texts();
        let text = |begun: bool| {
            let text = |frame: &FrameText| {
                let begin = (!begun).then_some(&frame.begin);
                self.tag(begin, self.excludes(), &frame.ends)
            };
            self.sequence(frames.iter().map(text))
        };
        let without = text(true);
        let body = match (self.tools.reasoning, reasoning) {
            (Reasoning::None, _) | (_, None) => without,
            (Reasoning::Required | Reasoning::Opened, Some(reasoning)) => {
                self.sequence([reasoning, text(false)])
            }
            (Reasoning::Optional, Some(reasoning)) => {
                let with = self.sequence([reasoning, text(false)]);
                self.of(FormatKind::Or(vec![with, without]))
            }
        };
        let calls = match self.chosen.mode {
            Mode::None => None,
            Mode::Auto => Some(self.optional(self.only_calls())),
            Mode::Required | Mode::One => Some(self.only_calls()),
        };
        let parts = [Some(body), calls, self.constant(format.end())];
        self.sequence(parts.into_iter().flatten())
    }

    /// Messages with separators between them.
    pub(super) fn messages(&self) -> Format {
        let calls = || self.message(|| self.only_calls_once());
        let call = (self.chosen.mode != Mode::None).then(calls);
        let must_call = matches!(self.chosen.mode, Mode::Required | Mode::One);
        let first = match self.tools.reasoning {
            Reasoning::None | Reasoning::Optional => None,
            Reasoning::Required => self.thought(true),
            Reasoning::Opened => self.thought(false),
        };
        let silent = |before_call: bool| -> Vec<Message> {
            let reasoning = self.thought(true).map(|thought| self.message(|| thought));
            let texts = self.framed_texts(before_call);
            reasoning.into_iter().chain(texts).collect()
        };
        // Where a tool must be called, the model may not stop before it has been.
        let before = self.any_messages(&silent(must_call));
        let quiet = silent(false);
        let body = match (call, self.chosen.mode) {
            (None, _) => self.some_messages(&quiet),
            (Some(call), Mode::Auto) => {
                let all: Vec<Message> = quiet.into_iter().chain([call]).collect();
                match self.chosen.parallel {
                    true => self.some_messages(&all),
                    false => {
                        let last = self.last_of(&all);
                        self.sequence(before.into_iter().chain([last]))
                    }
                }
            }
            (Some(call), Mode::Required) if self.chosen.parallel => {
                let again = self.again_message(&call);
                let all: Vec<Message> = quiet.into_iter().chain([again]).collect();
                let calls = self.and_more(call, &all);
                self.sequence(before.into_iter().chain([calls]))
            }
            (Some(call), _) => self.sequence(before.into_iter().chain([call.last])),
        };
        match first {
            None => body,
            Some(first) => {
                let head = [Some(first), self.message_separator()];
                self.sequence(head.into_iter().flatten().chain([body]))
            }
        }
    }

    /// Reasoning as a message.
    fn thought(&self, with_begin: bool) -> Option<Format> {
        let reasoning = self.format.reasoning();
        let reasoning = reasoning.filter(|_| self.tools.reasoning != Reasoning::None)?;
        let begin = with_begin.then_some(&reasoning.begin);
        Some(self.reasoning_of(reasoning, begin, self.text(self.excludes())))
    }

    /// A message that says itself where it ends.
    fn message(&self, make: impl FnOnce() -> Format) -> Message {
        let ((before, last), bytes) = self.measured(|| {
            let (last, bytes) = self.measured(make);
            let again = self.again(&last, bytes);
            let before = [again].into_iter().chain(self.message_separator());
            (self.sequence(before), last)
        });
        Message {
            before,
            last,
            bytes,
        }
    }

    /// The same once more.
    fn again_message(&self, message: &Message) -> Message {
        Message {
            before: self.again(&message.before, message.bytes),
            last: self.again(&message.last, message.bytes),
            bytes: message.bytes,
        }
    }

    /// A text that goes on up to the separator, or to the end of the output.
    fn open_text(&self, frame: &FrameText) -> Message {
        let separator = self.format.separator();
        let ((before, last), bytes) = self.measured(|| {
            let begin = self.of(FormatKind::ConstString(self.shifted(&frame.begin)));
            let excludes = self.excludes().into_iter();
            let excludes = excludes.chain([self.delimiter(separator)]).collect();
            let ends = slice::from_ref(separator);
            let before = self.tag(Some(&frame.begin), self.excludes(), ends);
            (before, self.sequence([begin, self.text(excludes)]))
        });
        Message {
            before,
            last,
            bytes,
        }
    }

    /// The texts that messages may have. Before a call that there must be, these are only texts
    /// behind which the model does not stop.
    fn framed_texts(&self, before_call: bool) -> Vec<Message> {
        if self.chosen.mode == Mode::One {
            return Vec::new();
        }
        let texts = self.format.texts().iter();
        let stop_names = self.stop_names();
        let texts = texts.take_while(|_| !self.is_over());
        let texts = texts.filter(|frame| !before_call || !self.stops_behind(frame, &stop_names));
        let texts = texts.map(|frame| match frame.ends.as_slice() {
            [] => self.open_text(frame),
            ends => self.message(|| self.tag(Some(&frame.begin), self.excludes(), ends)),
        });
        texts.collect()
    }

    /// One call, or one section of calls.
    fn only_calls_once(&self) -> Format {
        let several = self.chosen.parallel && self.chosen.mode != Mode::One;
        let tags = self.calls(several).into_iter();
        let tags = tags.map(|tag| self.of(FormatKind::Tag(Box::new(tag))));
        self.either(tags.collect())
    }

    /// At least one of these messages.
    fn some_messages(&self, messages: &[Message]) -> Format {
        if self.has_open_text() {
            let before = self.any_messages(messages).into_iter();
            return self.sequence(before.chain([self.last_of(messages)]));
        }
        let first = self.last_of(messages);
        self.sequence([first].into_iter().chain(self.more_messages(messages)))
    }

    /// This message, and perhaps some of these.
    fn and_more(&self, first: Message, others: &[Message]) -> Format {
        if self.has_open_text() {
            let more = self.sequence([first.before, self.some_messages(others)]);
            return self.either(vec![first.last, more]);
        }
        let first = [first.last].into_iter();
        self.sequence(first.chain(self.more_messages(others)))
    }

    /// Whether a separator ends texts.
    fn has_open_text(&self) -> bool {
        let mut texts = self.format.texts().iter();
        texts.any(|frame| frame.ends.is_empty())
    }

    /// One of these messages, as the last one.
    fn last_of(&self, messages: &[Message]) -> Format {
        let messages = messages.iter().take_while(|_| !self.is_over());
        let last = messages.map(|message| self.again(&message.last, message.bytes));
        self.either(last.collect())
    }

    /// Any number of these messages, each with a separator behind it.
    fn any_messages(&self, messages: &[Message]) -> Option<Format> {
        if messages.is_empty() {
            return None;
        }
        let each = match self.has_open_text() {
            true => {
                let messages = messages.iter().take_while(|_| !self.is_over());
                let each = messages.map(|message| self.again(&message.before, message.bytes));
                self.either(each.collect())
            }
            false => {
                let last = [self.last_of(messages)].into_iter();
                self.sequence(last.chain(self.message_separator()))
            }
        };
        Some(self.repeat(each, 0, None))
    }

    /// Any number of these messages, each with a separator before it. None of them is a text that a
    /// separator ends.
    fn more_messages(&self, messages: &[Message]) -> Option<Format> {
        if messages.is_empty() {
            return None;
        }
        let separator = self.message_separator().into_iter();
        let each = self.sequence(separator.chain([self.last_of(messages)]));
        Some(self.repeat(each, 0, None))
    }

    /// Between two messages; with sections the format's separator stands between their calls.
    fn message_separator(&self) -> Option<Format> {
        let separator = self.constant(self.format.separator());
        separator.filter(|_| self.format.sections().is_empty())
    }

    pub(super) fn either(&self, mut formats: Vec<Format>) -> Format {
        match formats.len() {
            1 => formats.remove(0),
            _ => self.of(FormatKind::Or(formats)),
        }
    }
}
