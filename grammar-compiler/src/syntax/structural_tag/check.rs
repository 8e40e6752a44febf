//! Refuses structural tags that can never match, or that a reader could not tell apart.
//!
//! In: a [`Format`]. Out: nothing, or an error for each place; and warnings. What holds: every
//! trigger can be completed and is used, every begin has one trigger, no exclude and no end lies in
//! a trigger's way, free text in a tag has an end.

mod delimiters;

use super::ast::{Delimiter, Dispatch, Format, FormatKind, Tag, TriggeredTags, Unit};
use super::matched::Matched;
use crate::error::{Code, Diagnostic, Severity};
use crate::limits::{Deadline, Limits};
use crate::syntax::ParseOptions;
use crate::syntax::spell::Speller;
use crate::vocabulary::TokenNames;
use delimiters::WrittenDelimiter;

/// Checks formats; the warnings.
///
/// # Errors
/// If one of them cannot be meant, with the warnings behind.
pub(super) fn check(
    format: &Format,
    options: &ParseOptions,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let mut checker = Checker {
        outer_ends: options.tags.outer_ends,
        tokens: &options.tokens,
        speller: Speller::new(&options.tokens, false),
        found: Vec::new(),
        limits: &options.limits,
        deadline: Deadline::start(&options.limits),
    };
    checker.format(format, &EndContext::default());
    checker.in_time()?;
    let mut found = checker.found;
    found.sort_by_key(|diagnostic| (diagnostic.severity() != Severity::Error, diagnostic.span()));
    match found.first().map(Diagnostic::severity) {
        Some(Severity::Error) => Err(found),
        _ => Ok(found),
    }
}

/// Checks the delimiters of one free text.
///
/// # Errors
/// If they cannot be told apart.
pub(super) fn free(
    triggers: &[&Delimiter],
    excludes: &[Delimiter],
    options: &ParseOptions,
) -> Result<(), Vec<Diagnostic>> {
    let mut checker = Checker {
        outer_ends: options.tags.outer_ends,
        tokens: &options.tokens,
        speller: Speller::new(&options.tokens, false),
        found: Vec::new(),
        limits: &options.limits,
        deadline: Deadline::start(&options.limits),
    };
    checker.free(triggers, excludes, &EndContext::default());
    checker.in_time()?;
    match checker.found.is_empty() {
        true => Ok(()),
        false => Err(checker.found),
    }
}

/// The ends around a format.
#[derive(Clone, Default)]
struct EndContext<'f> {
    /// Ends that come right behind it.
    exits: Vec<WrittenDelimiter<'f>>,
    /// Ends of tags around it that do not.
    outer: Vec<WrittenDelimiter<'f>>,
}

impl<'f> EndContext<'f> {
    /// The same for what is not the last part.
    fn inner(&self) -> Self {
        EndContext {
            exits: Vec::new(),
            outer: self.outer.iter().chain(&self.exits).cloned().collect(),
        }
    }
}

struct Checker<'o> {
    outer_ends: bool,
    tokens: &'o TokenNames,
    speller: Speller,
    found: Vec<Diagnostic>,
    limits: &'o Limits,
    /// When to stop. What has been found then is not the whole.
    deadline: Deadline,
}

/// What is being done.
const DOING: &str = "checking delimiters";

impl Checker<'_> {
    /// Fails if the time is over.
    fn in_time(&self) -> Result<(), Vec<Diagnostic>> {
        let in_time = self.deadline.confirm(DOING);
        in_time.map_err(|limit| vec![Diagnostic::from(&limit)])
    }

    /// Counts steps, or bytes of texts: whether the time is over.
    fn stops(&self, steps: usize) -> bool {
        self.deadline.stops_after(1 + steps, DOING)
    }

    fn refuse(&mut self, code: Code, message: String, labels: &[(&Delimiter, &str)], help: &str) {
        let diagnostic = Diagnostic::error(code, message).help(help);
        let at = |diagnostic: Diagnostic, (delimiter, label): &(&Delimiter, &str)| {
            diagnostic.at(delimiter.span(), *label)
        };
        self.found.push(labels.iter().fold(diagnostic, at));
    }

    fn format<'f>(&mut self, format: &'f Format, context: &EndContext<'f>) {
        if self.stops(context.exits.len() + context.outer.len()) {
            return;
        }
        match &format.kind {
            FormatKind::Any { excludes, .. } => self.free(&[], excludes, context),
            FormatKind::Sequence(parts) => {
                if let Some((last, others)) = parts.split_last() {
                    let inner = context.inner();
                    others.iter().for_each(|part| self.format(part, &inner));
                    self.format(last, context);
                }
                self.adjacent(parts);
            }
            FormatKind::Or(parts) => parts.iter().for_each(|part| self.format(part, context)),
            FormatKind::Repeat { content, max, .. } => {
                self.format(content, context);
                if *max != Some(1) && max.is_none_or(|max| max > 0) {
                    self.adjacent([&**content, content]);
                }
            }
            FormatKind::Tag(tag) => self.tag(tag, context),
            FormatKind::TriggeredTags(tags) => self.triggered_tags(tags, context),
            FormatKind::TagsWithSeparator { tags, .. } => {
                tags.iter().for_each(|tag| self.tag(tag, context));
            }
            FormatKind::Dispatch(dispatch) => self.dispatch(dispatch, context),
            FormatKind::ConstString(_)
            | FormatKind::JsonSchema(_)
            | FormatKind::Grammar(_)
            | FormatKind::Regex(_)
            | FormatKind::Token(_)
            | FormatKind::ExcludeToken(_) => {}
        }
    }

    /// Warns of free text right behind free text: a delimiter that lies in both is not seen.
    fn adjacent<'f>(&mut self, parts: impl IntoIterator<Item = &'f Format>) {
        let mut before: Option<&Format> = None;
        for part in parts {
            if let Some(before) =
                before.filter(|before| before.ends_in_text() && part.begins_with_text())
            {
                let message = "free text follows free text: a delimiter that begins in one text and ends in the next is not recognised";
                let diagnostic = Diagnostic::warning(Code::TagAdjacentText, message)
                    .at(part.span, "this text")
                    .at(before.span, "follows this one")
                    .help("leave one of them out, or put a text between them");
                self.found.push(diagnostic);
            }
            before = Some(part);
        }
    }

    fn tag<'f>(&mut self, tag: &'f Tag, context: &EndContext<'f>) {
        let bytes = tag.ends.iter().map(Delimiter::steps);
        if self.stops(bytes.sum::<usize>() + context.exits.len() + context.outer.len()) {
            return;
        }
        let ends: Vec<&Delimiter> = tag.filled_ends().collect();
        let is_token = |end: &&Delimiter| match end {
            Delimiter::Text(text) => self.tokens.delimiter(&text.value).is_some(),
            Delimiter::Token(..) => true,
        };
        let endless = (ends.is_empty() && is_unlimited(&tag.content, Unit::Text))
            || (!ends.iter().any(is_token) && is_unlimited(&tag.content, Unit::Tokens));
        if endless {
            let message = "nothing ends the text of this tag";
            let diagnostic = Diagnostic::error(Code::TagWithoutEnd, message);
            let end = tag.ends.first().map_or(tag.span, Delimiter::span);
            let help = "give the tag an end, or say in `excludes` what its text does not contain";
            self.found.push(
                diagnostic
                    .at(end, "this end")
                    .at(tag.content.span, "this text")
                    .help(help),
            );
        }
        if tag.content.ends_in_text() {
            ends.iter().for_each(|end| self.bordered(end));
        }
        let mut inner = EndContext {
            exits: ends.into_iter().map(|end| self.written(end)).collect(),
            outer: match self.outer_ends {
                true => context.inner().outer,
                false => Vec::new(),
            },
        };
        if tag.may_end_anywhere() {
            inner.exits.extend(context.exits.iter().cloned());
        }
        self.format(&tag.content, &inner);
    }

    /// Warns of an end that can overlap with itself: the first one counts, so the text before it
    /// cannot end with its beginning.
    fn bordered(&mut self, end: &Delimiter) {
        let text = end.text().unwrap_or_default();
        if self.stops(text.len()) {
            return;
        }
        // The longest text that it begins and ends with, which ends where a character does, as the
        // whole does.
        let length = Matched::new(text.as_bytes()).border();
        let Some(border) = text.get(..length).filter(|border| !border.is_empty()) else {
            return;
        };
        let message = format!(
            "the end {} begins with `{border}`, and ends with it",
            end.shown()
        );
        let diagnostic = Diagnostic::warning(Code::TagBorderedEnd, message).at(end.span(), "");
        let help = format!(
            "the text ends as soon as its end is complete, so the text itself cannot end with `{border}`"
        );
        self.found.push(diagnostic.help(help));
    }

    fn triggered_tags<'f>(&mut self, format: &'f TriggeredTags, context: &EndContext<'f>) {
        let TriggeredTags {
            triggers,
            tags,
            excludes,
            ..
        } = format;
        for tag in tags {
            if self.stops(triggers.len()) {
                return;
            }
            let mut prefixes = triggers
                .iter()
                .filter(|trigger| is_prefix(trigger, &tag.begin));
            let (first, second) = (prefixes.next(), prefixes.next());
            let begin = (&tag.begin, "this begin");
            match (first, second) {
                (None, _) => self.refuse(
                    Code::TagBegin,
                    format!("{} begins with no trigger", tag.begin.shown()),
                    &[begin],
                    "add a trigger that the tag begins with; without one the tag is never read",
                ),
                (Some(first), Some(second)) => self.refuse(
                    Code::TagBegin,
                    format!("{} begins with two triggers", tag.begin.shown()),
                    &[begin, (first, "this one"), (second, "and this one")],
                    "leave one of the triggers out",
                ),
                (Some(_), None) => {}
            }
        }
        for trigger in triggers {
            if self.stops(tags.len()) {
                return;
            }
            if !tags.iter().any(|tag| is_prefix(trigger, &tag.begin)) {
                self.refuse(
                    Code::TagUnusedTrigger,
                    format!("no tag begins with the trigger {}", trigger.shown()),
                    &[(trigger, "")],
                    "add a tag, or say in `excludes` that the text does not contain it",
                );
            }
        }
        let triggers: Vec<&Delimiter> = triggers.iter().collect();
        self.free(&triggers, excludes, context);
        let inner = match format.stop_after_first {
            true => context.clone(),
            false => context.inner(),
        };
        tags.iter().for_each(|tag| self.tag(tag, &inner));
    }

    fn dispatch<'f>(&mut self, format: &'f Dispatch, context: &EndContext<'f>) {
        let Dispatch {
            rules, excludes, ..
        } = format;
        let triggers: Vec<&Delimiter> = rules.iter().map(|(trigger, _)| trigger).collect();
        self.free(&triggers, excludes, context);
        let inner = match format.is_loop {
            true => context.inner(),
            false => context.clone(),
        };
        rules
            .iter()
            .for_each(|(_, format)| self.format(format, &inner));
    }
}

/// Whether a tag with this begin is one of the trigger's.
pub(super) fn is_prefix(trigger: &Delimiter, begin: &Delimiter) -> bool {
    match (trigger.text(), begin.text()) {
        (Some(trigger), Some(begin)) => begin.starts_with(trigger),
        _ => trigger.is(begin),
    }
}

/// Whether the last part of a format can be free text of this unit that goes on without a bound.
fn is_unlimited(format: &Format, of: Unit) -> bool {
    match &format.kind {
        FormatKind::Any {
            unit,
            excludes,
            not_first: _,
            max_chars,
            max_tokens,
        } => {
            let is_limited = max_chars.is_some() || max_tokens.is_some();
            *unit == of && excludes.is_empty() && !is_limited
        }
        FormatKind::TriggeredTags(tags) => {
            let is_one_tag = tags.at_least_one && tags.stop_after_first;
            tags.unit == of && tags.excludes.is_empty() && !is_one_tag
        }
        FormatKind::Dispatch(dispatch) => dispatch.unit == of && dispatch.excludes.is_empty(),
        FormatKind::Sequence(parts) => parts.last().is_some_and(|part| is_unlimited(part, of)),
        FormatKind::Or(parts) => parts.iter().any(|part| is_unlimited(part, of)),
        FormatKind::Repeat { content, .. } => is_unlimited(content, of),
        _ => false,
    }
}

impl Format {
    /// Whether the first part of it can be free text.
    fn begins_with_text(&self) -> bool {
        match &self.kind {
            FormatKind::Any { .. } => true,
            FormatKind::TriggeredTags(tags) => !tags.at_least_one,
            FormatKind::Dispatch(_) => true,
            FormatKind::Sequence(parts) => parts.first().is_some_and(Format::begins_with_text),
            FormatKind::Or(parts) => parts.iter().any(Format::begins_with_text),
            FormatKind::Repeat { content, .. } => content.begins_with_text(),
            FormatKind::Tag(tag) => tag.begin.is_empty() && tag.content.begins_with_text(),
            _ => false,
        }
    }
}
