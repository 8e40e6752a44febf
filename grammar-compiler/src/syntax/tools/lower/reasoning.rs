//! Reasoning before free text, and the delimiters that free text must not contain.
//!
//! In: who opens reasoning, and whether the outputs of a request have some. Out: the reasoning that
//! an output begins with. What holds: the end of reasoning, or the beginning of a call, tells
//! whether an output has begun with reasoning or with text.
//!
//! Where the prompt may have opened reasoning, an output may begin outside of it or within it, and
//! the two may look alike for a while. If such reasoning could hold the beginning of a call,
//! nothing behind that beginning could be refused, because it might still be reasoning. So
//! reasoning that the model has not opened itself holds no beginning of a call in that case. An
//! output without an end of reasoning is text.

use super::ToolLowering;
use crate::syntax::fields::FieldText;
use crate::syntax::structural_tag::ast::{Delimiter, Format, FormatKind};
use crate::syntax::tools::Reasoning;
use crate::syntax::tools::chosen::Mode;
use crate::syntax::tools::format::{OpenedBy, ReasoningText};
use std::slice;

impl ToolLowering<'_> {
    /// The reasoning that an output begins with, in layouts with free text. `triggers` are the
    /// beginnings of calls that may stand anywhere, `not_first` those of calls at the beginning of
    /// the output.
    pub(super) fn reasoning(
        &self,
        triggers: impl Fn() -> Vec<Delimiter>,
        not_first: &[String],
    ) -> Option<Format> {
        let reasoning = self.format.reasoning()?;
        let body = |excludes: Vec<Delimiter>, not_first: &[String]| {
            let excludes = excludes.into_iter();
            let excludes = excludes.chain([self.delimiter(&reasoning.begin)]);
            let text = self.text_not_first(excludes.collect(), not_first);
            self.reasoning_of(reasoning, None, text)
        };
        let begin = || self.of(FormatKind::ConstString(self.shifted(&reasoning.begin)));
        let begun = || body(Vec::new(), &[]);
        let written = || self.sequence([begin(), begun()]);
        Some(match (self.tools.reasoning, reasoning.opened_by) {
            (Reasoning::None, _) => return None,
            (Reasoning::Optional, OpenedBy::Prompt) => {
                let may_be_text = match self.chosen.mode {
                    Mode::None => begun(),
                    _ => body(triggers(), not_first),
                };
                self.optional(self.either(vec![written(), may_be_text]))
            }
            (Reasoning::Optional, _) => self.optional(written()),
            (Reasoning::Opened, _) | (Reasoning::Required, OpenedBy::Prompt) => begun(),
            (Reasoning::Required, OpenedBy::Model) => written(),
            (Reasoning::Required, OpenedBy::Either) => {
                self.sequence([self.optional(begin()), begun()])
            }
        })
    }

    /// Reasoning with this content, its end, and the text of the format behind the end.
    pub(super) fn reasoning_of(
        &self,
        reasoning: &ReasoningText,
        begin: Option<&FieldText>,
        content: Format,
    ) -> Format {
        let body = self.tag_of(begin, content, slice::from_ref(&reasoning.end));
        self.sequence([body].into_iter().chain(self.constant(&reasoning.after)))
    }

    /// The delimiters that no free text contains.
    pub(super) fn excludes(&self) -> Vec<Delimiter> {
        let excludes = self.format.excludes().iter();
        let reasoning = self.format.reasoning();
        let reasoning = reasoning.filter(|_| self.format.texts().is_empty());
        let reasoning = reasoning.into_iter().flat_map(|r| [&r.begin, &r.end]);
        let all = excludes.chain(reasoning);
        let all = all.take_while(|_| !self.is_over());
        all.map(|text| self.delimiter(text)).collect()
    }
}
