//! Triggers that begin with a control token and go on.
//!
//! In: a format, and the vocabulary that it is read for. Out: warnings. A control token has no
//! text, so free text cannot hold it: with the trigger `<|channel|>analysis` a model that has
//! written `<|channel|>` can write `analysis`, and no other channel.

use super::ast::{Delimiter, Dispatch, Format, FormatKind, Tag, TriggeredTags};
use crate::error::{Code, Diagnostic};
use crate::limits::Deadline;
use crate::syntax::spell::Speller;
use crate::vocabulary::TokenNames;

/// What is being done.
const DOING: &str = "looking for triggers that begin with a control token";

/// A warning for each free text with such a trigger. When the deadline passes, it stops early.
pub(super) fn warnings(
    format: &Format,
    tokens: &TokenNames,
    deadline: &Deadline,
) -> Vec<Diagnostic> {
    let mut finder = Finder {
        tokens,
        speller: None,
        deadline,
        found: Vec::new(),
    };
    finder.format(format);
    finder.found
}

struct Finder<'o> {
    tokens: &'o TokenNames,
    /// Made for the first trigger: most formats have none.
    speller: Option<Speller>,
    deadline: &'o Deadline,
    found: Vec<Diagnostic>,
}

impl Finder<'_> {
    fn format(&mut self, format: &Format) {
        if self.deadline.stops_after(1, DOING) {
            return;
        }
        match &format.kind {
            FormatKind::Sequence(parts) | FormatKind::Or(parts) => {
                parts.iter().for_each(|part| self.format(part));
            }
            FormatKind::Repeat { content, .. } => self.format(content),
            FormatKind::Tag(tag) => self.format(&tag.content),
            FormatKind::TagsWithSeparator { tags, .. } => self.tags(tags),
            FormatKind::TriggeredTags(TriggeredTags { triggers, tags, .. }) => {
                self.triggers(&triggers.iter().collect::<Vec<_>>());
                self.tags(tags);
            }
            FormatKind::Dispatch(Dispatch { rules, .. }) => {
                self.triggers(&rules.iter().map(|rule| &rule.0).collect::<Vec<_>>());
                rules.iter().for_each(|rule| self.format(&rule.1));
            }
            _ => {}
        }
    }

    fn tags(&mut self, tags: &[Tag]) {
        tags.iter().for_each(|tag| self.format(&tag.content));
    }

    /// Looks at the triggers of one free text.
    fn triggers(&mut self, triggers: &[&Delimiter]) {
        let tokens = self.tokens;
        let speller = (self.speller).get_or_insert_with(|| Speller::of_control_tokens(tokens));
        for trigger in triggers {
            let Some(text) = trigger.text() else { continue };
            if self.deadline.stops_after(1 + text.len(), DOING) {
                return;
            }
            let token = speller.first_token(text).map(|(name, _)| name);
            if let Some(name) = token.filter(|name| text.starts_with(name) && text != *name) {
                self.found.push(warning(trigger, name));
                return;
            }
        }
    }
}

fn warning(trigger: &Delimiter, name: &str) -> Diagnostic {
    let message = format!(
        "`{name}` is a control token, which free text cannot hold: the mask allows it only where \
         it begins a trigger such as {}",
        trigger.shown()
    );
    let help = format!(
        "add a tag for whatever else the model writes behind `{name}`; other control \
         tokens, such as one that opens a message, want a tag too"
    );
    Diagnostic::warning(Code::TagControlTrigger, message)
        .at(trigger.span(), "")
        .help(help)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::source::Source;
    use crate::syntax::{Kind, ParseOptions, parse};
    use crate::vocabulary::{TokenNames, Vocabulary};

    /// The codes of the warnings of a tag whose trigger is this, and how its begin goes on.
    fn codes(trigger: &str, rest: &str) -> Vec<&'static str> {
        let tokens = ["a", "<tag>", "", ""].map(|text| text.as_bytes().to_vec());
        let vocabulary = Vocabulary::from_tokens(tokens.to_vec(), vec![3])
            .with_special([(2, "<|channel|>".to_owned())])
            .with_added([(1, "<tag>".to_owned())]);
        let tag = format!(
            r#"{{"format": {{"type": "triggered_tags", "triggers": ["{trigger}"], "tags": [
               {{"begin": "{trigger}{rest}", "content": {{"type": "const_string", "value": "a"}}, "end": "b"}}]}}}}"#
        );
        let options = ParseOptions::default().tokens(TokenNames::of(Arc::new(vocabulary)));
        let parsed = parse(Kind::StructuralTag, &Source::new("tag", &tag), &options).unwrap();
        let warnings = parsed.warnings.iter();
        warnings.map(|warning| warning.code().as_str()).collect()
    }

    #[test]
    fn a_trigger_that_goes_on_behind_a_control_token_is_warned_of() {
        assert_eq!(codes("<|channel|>analysis", ":"), ["tag-control-trigger"]);
        // Any text may follow the token, as far as tags say.
        assert!(codes("<|channel|>", "analysis").is_empty());
        // The token is text too, so free text may hold its characters.
        assert!(codes("<tag>more", "").is_empty());
        assert!(codes("channel", "").is_empty());
    }
}
