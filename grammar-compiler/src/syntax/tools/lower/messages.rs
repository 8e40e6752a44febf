//! Layouts in which texts have frames: blocks in order, and messages.

use super::ToolLowering;
use crate::syntax::structural_tag::ast::{Format, FormatKind};
use crate::syntax::tools::Reasoning;
use crate::syntax::tools::chosen::Mode;
use crate::syntax::tools::format::FrameText;

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
        let call = (self.chosen.mode != Mode::None).then(|| self.only_calls_once());
        let reasoning = self.format.reasoning();
        let thought = |with_begin: bool| {
            let reasoning = reasoning.filter(|_| self.tools.reasoning != Reasoning::None)?;
            let begin = with_begin.then_some(&reasoning.begin);
            Some(self.reasoning_of(reasoning, begin, self.text(self.excludes())))
        };
        let must_call = matches!(self.chosen.mode, Mode::Required | Mode::One);
        let first = match self.tools.reasoning {
            Reasoning::None | Reasoning::Optional => None,
            Reasoning::Required => thought(true),
            Reasoning::Opened => thought(false),
        };
        let silent = |before_call: bool| -> Vec<Format> {
            let reasoning = thought(true).into_iter();
            reasoning.chain(self.framed_texts(before_call)).collect()
        };
        // Where a tool must be called, the model may not stop before it has been.
        let before = self.any_messages(&silent(must_call), false);
        let quiet = silent(false);
        let body = match (call, self.chosen.mode) {
            (None, _) => self.some_messages(&quiet),
            (Some(call), Mode::Auto) => match self.chosen.parallel {
                true => {
                    let all: Vec<Format> = quiet.into_iter().chain([call]).collect();
                    self.some_messages(&all)
                }
                false => {
                    let last: Vec<Format> = quiet.into_iter().chain([call]).collect();
                    let last = self.either(last);
                    self.sequence(before.into_iter().chain([last]))
                }
            },
            (Some(call), Mode::Required) if self.chosen.parallel => {
                let all: Vec<Format> = quiet.into_iter().chain([call.clone()]).collect();
                let behind = self.any_messages(&all, true);
                self.sequence(before.into_iter().chain([call]).chain(behind))
            }
            (Some(call), _) => self.sequence(before.into_iter().chain([call])),
        };
        match first {
            None => body,
            Some(first) => {
                let head = [Some(first), self.message_separator()]
                    .into_iter()
                    .flatten();
                self.sequence(head.chain([body]))
            }
        }
    }

    /// The texts that messages may have. Before a call that there must be, these are only texts
    /// behind which the model does not stop.
    fn framed_texts(&self, before_call: bool) -> Vec<Format> {
        if self.chosen.mode == Mode::One {
            return Vec::new();
        }
        let texts = self.format.texts().iter();
        let texts = texts.filter(|frame| !before_call || !self.stops_behind(frame));
        let texts = texts.map(|frame| self.tag(Some(&frame.begin), self.excludes(), &frame.ends));
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
    fn some_messages(&self, messages: &[Format]) -> Format {
        let first = self.either(messages.to_vec());
        self.sequence([first].into_iter().chain(self.any_messages(messages, true)))
    }

    /// Any number of these messages, each with a separator before or behind it.
    fn any_messages(&self, messages: &[Format], separator_first: bool) -> Option<Format> {
        if messages.is_empty() {
            return None;
        }
        let one = self.either(messages.to_vec());
        let separator = self.message_separator();
        let each = match separator_first {
            true => self.sequence(separator.into_iter().chain([one])),
            false => self.sequence([one].into_iter().chain(separator)),
        };
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
