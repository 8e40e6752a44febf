//! Where an output may end, and the tokens after which a model stops.
//!
//! In: a format's stop tokens, and the vocabulary. Out: what may stand behind a whole output. What
//! holds: where an output may end, a mask has every stop token of the format that the vocabulary
//! has, besides the vocabulary's own end tokens; where an output must have a call, no stop token is
//! allowed before the call.

use super::ToolLowering;
use crate::maps::KeyedSet;
use crate::syntax::structural_tag::ast::{Format, FormatKind};
use crate::syntax::tools::format::FrameText;
use std::collections::BTreeMap;

impl ToolLowering<'_> {
    /// At most one of the stop tokens that are not end tokens already. A token that the format
    /// itself writes, as Harmony writes `<|call|>`, stands where the format says.
    pub(super) fn stop(&self) -> Option<Format> {
        let names = self.format.stop_tokens().iter();
        let named = names.filter_map(|name| Some((self.options.tokens.delimiter(name)?, name)));
        let named: BTreeMap<u32, &String> = named.collect();
        let ids = named.into_iter().filter(|(id, name)| {
            let written = self.format.source().text().len();
            let is_over = || self.is_over_after(written);
            !self.options.tokens.is_end(*id) && !is_over() && !self.format.writes(name)
        });
        let tokens = ids
            .map(|(id, _)| id)
            .map(|id| self.of(FormatKind::Token(id)));
        let tokens: Vec<Format> = tokens.collect();
        (!tokens.is_empty()).then(|| self.optional(self.either(tokens)))
    }

    /// The names of the stop tokens.
    pub(super) fn stop_names(&self) -> KeyedSet<&str> {
        let names = self.format.stop_tokens().iter();
        names.map(String::as_str).collect()
    }

    /// Whether a model may stop behind a text of this frame: behind one of these tokens, or an end
    /// token.
    pub(super) fn stops_behind(&self, frame: &FrameText, stop_names: &KeyedSet<&str>) -> bool {
        let tokens = &self.options.tokens;
        let is_end = |name: &str| tokens.delimiter(name).is_some_and(|id| tokens.is_end(id));
        let stops = |name: &str| stop_names.contains(name) || is_end(name);
        frame.ends.iter().any(|end| stops(&end.value))
    }
}
