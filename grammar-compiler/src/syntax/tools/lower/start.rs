//! The layout in which an output is calls, or text that does not begin as one.

use super::ToolLowering;
use crate::syntax::structural_tag::ast::{Format, FormatKind};
use crate::syntax::tools::blanks::before_blanks;
use crate::syntax::tools::chosen::Mode;
use std::collections::BTreeSet;

impl ToolLowering<'_> {
    /// Calls, or text that begins with none of `not_first`.
    pub(super) fn at_start(&self, not_first: &[String]) -> Format {
        let text = || self.text_not_first(self.excludes(), not_first);
        match self.chosen.mode {
            Mode::None => text(),
            Mode::Auto => self.of(FormatKind::Or(vec![self.only_calls(), text()])),
            Mode::Required | Mode::One => self.only_calls(),
        }
    }

    /// The beginnings of calls: no text begins so.
    pub(super) fn not_first(&self) -> Vec<String> {
        let tools = match self.chosen.mode {
            Mode::None => self.chosen.all.iter().collect(),
            _ => self.chosen.tools.clone(),
        };
        let tools = tools.iter().take_while(|_| !self.is_over());
        let begins = tools.flat_map(|tool| {
            let calls = self.format.calls().iter();
            calls.map(|call| match (self.has_room_for(call, tool), self.holes) {
                (false, _) => String::new(),
                (true, None) => self.begin(call, tool),
                (true, Some(_)) => call.begin().value,
            })
        });
        let begins: Vec<String> = begins.collect();
        let sections = self.format.sections().iter();
        let not_first = sections.flat_map(|section| {
            let begin = &section.begin;
            let has_room = |call: &&String| {
                self.has_room(begin.value.len().saturating_add(call.len()), begin.span)
            };
            let calls = begins.iter().take_while(has_room);
            calls.map(move |call| before_blanks(format!("{}{call}", begin.value)))
        });
        let not_first: BTreeSet<String> = not_first.collect();
        not_first.into_iter().collect()
    }

    /// Whether there may be text that does not begin as a call, and the names of tools decide what
    /// that is.
    pub(super) fn text_depends_on_names(&self) -> bool {
        let is_call = matches!(self.chosen.mode, Mode::Required | Mode::One);
        if is_call && self.format.reasoning().is_none() {
            return false;
        }
        // A section begins with a text, so blanks at the beginning of a call stand behind that.
        let is_plain = |begin: &String| before_blanks(begin.clone()) == *begin;
        let mut sections = self.format.sections().iter();
        let mut calls = self.format.calls().iter();
        sections.any(|section| is_plain(&section.begin.value))
            && calls.any(|call| !call.begin().value.contains([' ', '\n', '\r', '\t']))
    }
}
