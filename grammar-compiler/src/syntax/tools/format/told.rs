//! Whether a reader of outputs finds identifiers, texts and arguments again.
//!
//! In: a format that is read. Out: errors, each with its place. What holds without errors: an
//! identifier ends where what follows it begins; no text or reasoning begins as another part of the
//! output does, unless the tool's name tells a call apart; what follows arguments does not begin as
//! another argument.

use super::template::{Piece, Place, Template};
use super::{Layout, ToolFormat, message};
use crate::grammar::{Expr, Grammar, interpret};
use crate::limits::Limits;
use crate::source::Source;
use crate::syntax::ParseOptions;
use crate::syntax::fields::{DOING, FieldReader, FieldText};
use crate::syntax::regex;
use maskwright_core::calls::is_name_char;
use std::collections::BTreeSet;

/// Every character that no identifier has is one of these.
const ASCII: std::ops::RangeInclusive<char> = '\0'..='\u{7f}';

/// Marks what could not be found again.
pub(super) fn check(reader: &mut FieldReader<'_>, format: &ToolFormat, limits: &Limits) {
    identifiers(reader, format, limits);
    beginnings(reader, format);
    message::check(reader, format);
    arguments(reader, format);
}

/// Texts in frames are told from reasoning and sections, and from one another, by what they begin
/// with. Calls without sections: [`message::check`].
fn beginnings(reader: &mut FieldReader<'_>, format: &ToolFormat) {
    let sections = format.sections.iter();
    let sections = sections.map(|section| ("a section", &section.begin));
    let mut others: Vec<(&str, &FieldText)> = sections.collect();
    // In blocks reasoning is the first one, and the prompt has begun it.
    let reasoning = format.reasoning.iter();
    let reasoning = reasoning.filter(|_| format.layout == Layout::Messages);
    others.extend(reasoning.map(|reasoning| ("reasoning", &reasoning.begin)));
    if !format.end.value.is_empty() {
        others.push(("the end of the output", &format.end));
    }
    let mut known = Beginnings::default();
    for (_, other) in &others {
        known.insert(&other.value);
    }
    for frame in &format.texts {
        let begin = frame.begin.value.as_str();
        if reader.deadline.stops_after(1 + begin.len(), DOING) {
            return;
        }
        let is_alike = known.has_alike(begin);
        known.insert(begin);
        let first = || {
            others.iter().find(|(_, other)| {
                let other = other.value.as_str();
                let is_over =
                    (reader.deadline).stops_after(1 + begin.len().min(other.len()), DOING);
                is_over || begin.starts_with(other) || other.starts_with(begin)
            })
        };
        if let Some((what, other)) = is_alike.then(first).flatten() {
            let message = format!("a text begins as {what} does, with `{}`", other.value);
            let help =
                "let neither be the beginning of the other: a reader could not tell them apart";
            reader.malformed(frame.begin.span, message, help);
        }
        others.push(("another text", &frame.begin));
    }
}

/// Texts, to find whether one of them begins as another text does.
#[derive(Default)]
struct Beginnings<'t> {
    all: BTreeSet<&'t str>,
    /// Those that begin with no other one: only the last one before a text can begin it.
    shortest: BTreeSet<&'t str>,
}

impl<'t> Beginnings<'t> {
    /// Whether a text is the beginning of one of them, or one of them of the text.
    fn has_alike(&self, text: &str) -> bool {
        let longer = self.all.range::<&str, _>(text..).next();
        longer.is_some_and(|longer| longer.starts_with(text)) || self.has_beginning_of(text)
    }

    fn has_beginning_of(&self, text: &str) -> bool {
        let shorter = self.shortest.range::<&str, _>(..=text).next_back();
        shorter.is_some_and(|shorter| text.starts_with(shorter))
    }

    fn insert(&mut self, text: &'t str) {
        self.all.insert(text);
        if self.has_beginning_of(text) {
            return;
        }
        let longer = self.shortest.range::<&str, _>(text..);
        let longer: Vec<&str> = longer
            .copied()
            .take_while(|one| one.starts_with(text))
            .collect();
        for one in longer {
            self.shortest.remove(one);
        }
        self.shortest.insert(text);
    }
}

/// Behind an argument there is another one, or what the call goes on with.
fn arguments(reader: &mut FieldReader<'_>, format: &ToolFormat) {
    let own = format.form.as_ref().map(|form| form.form());
    let Some(form) = own.as_ref().or(format.arguments.form()) else {
        return;
    };
    for call in &format.calls {
        let behind = behind(call, Place::Arguments)
            .unwrap_or_default()
            .trim_start();
        // A key does not begin with some characters.
        let begins_key = |c: char| form.not_first != Some(c) && !form.forbidden.contains(&c);
        let is_alike = match behind.strip_prefix(form.open) {
            Some(rest) => rest.chars().next().is_none_or(begins_key),
            None => form.open.starts_with(behind),
        };
        if is_alike && !behind.is_empty() {
            let message = format!(
                "behind its arguments the call goes on with `{behind}`, and an argument begins with `{}`",
                form.open
            );
            let help = "let neither be the beginning of the other: a reader would look for another argument there";
            reader.malformed(call.span(), message, help);
        }
    }
}

/// The text behind the first place of this kind.
fn behind(call: &Template, place: Place) -> Option<&str> {
    call.pieces().windows(2).find_map(|pair| match pair {
        [Piece::Place(before), Piece::Text(text)] if *before == place => Some(text.as_str()),
        _ => None,
    })
}

/// A pattern of identifiers must be one, and a reader must find where an identifier ends.
fn identifiers(reader: &mut FieldReader<'_>, format: &ToolFormat, limits: &Limits) {
    let source = Source::new("<id>", format.id.value.as_str());
    let grammar = match regex::parse(&source, &ParseOptions::from(limits.clone())) {
        Ok(parsed) => parsed.grammar,
        Err(error) => {
            let first = error.diagnostics().first();
            let why = first.map_or_else(String::new, |first| first.message().to_owned());
            let message = format!("`id` is no pattern: {why}");
            let help = "write a regular expression, such as `[0-9]+`";
            reader.malformed(format.id.span, message, help);
            return;
        }
    };
    // An end begins within an identifier or across its last character only if identifiers may have
    // all of its characters.
    let ends = format.calls.iter();
    let mut ends = ends.filter_map(|call| behind(call, Place::Id)?.split_whitespace().next());
    // All of the pattern is looked through for each character.
    let deadline = reader.deadline.clone();
    let may_have = |grammar: &Grammar, c: char| {
        deadline.stops_after(1 + format.id.value.len(), DOING) || may_have(grammar, c)
    };
    let no_name = |c: &char| !is_name_char(*c) && may_have(&grammar, *c);
    let message = match ASCII.into_iter().find(no_name) {
        Some(c) => {
            let c = c.escape_debug();
            format!("an identifier may contain `{c}`, at which a reader ends it")
        }
        None => match ends.find(|end| end.chars().all(|c| may_have(&grammar, c))) {
            Some(end) => format!("`{end}`, which ends an identifier, may begin within it"),
            None if interpret::accepts(&grammar, "") => "an identifier may be empty".to_owned(),
            None => return,
        },
    };
    let help = "write a pattern of letters, digits, `_` and `-`, such as `[A-Za-z0-9_-]{1,64}`";
    reader.malformed(format.id.span, message, help);
}

/// Whether some text of a pattern may have a character; true where that is not worked out.
fn may_have(grammar: &Grammar, c: char) -> bool {
    fn within(expr: &Expr, c: char) -> bool {
        match expr {
            Expr::Literal(text) => text.contains(c),
            Expr::Class(ranges) => ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)),
            Expr::Seq(parts) | Expr::Alt(parts) => parts.iter().any(|part| within(part, c)),
            Expr::Repeat { expr, .. } => within(expr, c),
            // The caller looks at every rule.
            Expr::Ref(_) => false,
            Expr::Bytes(_)
            | Expr::Tokens(_)
            | Expr::Terminal(_)
            | Expr::Words(_)
            | Expr::Bounded(_)
            | Expr::Graph(_) => true,
        }
    }
    grammar.rules.iter().any(|rule| within(&rule.expr, c))
}

#[cfg(test)]
mod tests {
    use super::Beginnings;

    #[test]
    fn texts_that_begin_alike_are_found() {
        let words = ["", "a", "b", "aa", "ab", "ba", "aab", "aba", "abb", "b-"];
        let is_alike = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
        for number in 0..words.len().pow(4) {
            let at = |place: u32| words[number / words.len().pow(place) % words.len()];
            let texts = [at(0), at(1), at(2)];
            let mut known = Beginnings::default();
            texts.iter().for_each(|text| known.insert(text));
            let expected = texts.iter().any(|other| is_alike(at(3), other));
            assert_eq!(known.has_alike(at(3)), expected, "{texts:?}, {}", at(3));
        }
    }
}
