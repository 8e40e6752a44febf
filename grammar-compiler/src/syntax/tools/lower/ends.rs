//! Where an output may end, and the tokens after which a model stops.
//!
//! In: a format's stop tokens, and the vocabulary. Out: what may stand behind a whole output. What
//! holds: where an output may end, a mask has every stop token of the format that the vocabulary
//! has, besides the vocabulary's own end tokens; where an output must have a call, no stop token is
//! allowed before the call.

use super::ToolLowering;
use crate::syntax::structural_tag::ast::{Format, FormatKind};
use crate::syntax::tools::format::FrameText;

impl ToolLowering<'_> {
    /// At most one of the stop tokens that are not end tokens already. A token that the format
    /// itself writes, as Harmony writes `<|call|>`, stands where the format says.
    pub(super) fn stop(&self) -> Option<Format> {
        let names = self.format.stop_tokens().iter();
        let names = names.filter(|name| !self.format.writes(name));
        let mut ids: Vec<u32> = names
            .filter_map(|name| self.options.tokens.delimiter(name))
            .filter(|&id| !self.options.tokens.is_end(id))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let tokens = ids.into_iter().map(|id| self.of(FormatKind::Token(id)));
        let tokens: Vec<Format> = tokens.collect();
        (!tokens.is_empty()).then(|| self.optional(self.either(tokens)))
    }

    /// Whether a model may stop behind a text of this frame.
    pub(super) fn stops_behind(&self, frame: &FrameText) -> bool {
        let tokens = &self.options.tokens;
        let is_end = |name: &str| tokens.delimiter(name).is_some_and(|id| tokens.is_end(id));
        let stops = |name: &String| self.format.stop_tokens().contains(name) || is_end(name);
        frame.ends.iter().any(|end| stops(&end.value))
    }
}
