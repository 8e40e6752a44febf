//! Reasoning before free text, and what free text must not contain.
//!
//! In: who writes what reasoning begins with, and whether the outputs of a request have reasoning. Out: what stands before all else. What holds: the part of an output up to the end of its reasoning is told
//! from text by that end, or by a call.
//!
//! Where the prompt may have opened reasoning, an output may begin outside of it or within it, and both may look alike for a while. If reasoning could hold the beginning of a call there, nothing
//! behind such a beginning could be refused: it might be reasoning still. So reasoning that the model has not opened itself holds no beginning of a call in that case. An output without
//! an end of reasoning is text.

use super::Lowering;
use crate::syntax::fields::Text;
use crate::syntax::structural_tag::ast::{Delimiter, Format, FormatKind};
use crate::syntax::tools::Reasoning;
use crate::syntax::tools::choice::Mode;
use crate::syntax::tools::format::{OpenedBy, ReasoningText};
use std::slice;

impl Lowering<'_> {
    /// What stands before all else, in layouts with free text. `triggers` and `not_first` are what calls begin with: anywhere, and at the beginning of the output.
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

    /// Reasoning of this content, its end, and what follows that.
    pub(super) fn reasoning_of(
        &self,
        reasoning: &ReasoningText,
        begin: Option<&Text>,
        content: Format,
    ) -> Format {
        let body = self.tag_of(begin, content, slice::from_ref(&reasoning.end));
        self.sequence([body].into_iter().chain(self.constant(&reasoning.after)))
    }

    /// What no free text contains.
    pub(super) fn excludes(&self) -> Vec<Delimiter> {
        let excludes = self.format.excludes().iter();
        let reasoning = self.format.reasoning();
        let reasoning = reasoning.filter(|_| self.format.texts().is_empty());
        let reasoning = reasoning.into_iter().flat_map(|r| [&r.begin, &r.end]);
        let all = excludes.chain(reasoning);
        all.map(|text| self.delimiter(text)).collect()
    }
}
