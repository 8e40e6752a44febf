//! Contents that can contain the end of their own tag.
//!
//! In: a [`Format`]. Out: a warning for each tag whose content consists of constants, regular
//! expressions and grammars, and has a text in which an end of the tag is complete before the tag
//! ends. The grammar is exact all the same, but a program that cuts the output at the first end
//! cuts it elsewhere. Free text cannot contain its ends, and JSON has a reader of its own. Nothing
//! is said of a content that needs a stack.

use super::ast::{Delimiter, Format, FormatKind, Tag};
use super::lower;
use super::matched::Matched;
use crate::automata::{self, Dfa};
use crate::error::{Code, Diagnostic};
use crate::limits::{Deadline, Tuning};
use crate::maps::IdMap;
use crate::source::{Source, Sources, Span};
use crate::syntax::{ParseOptions, embed};
use crate::threads::Threads;
use crate::vocabulary::TokenNames;

/// What is being done.
const DOING: &str = "looking for ends in contents";

/// The steps that the edges of a state take.
const STATE_STEPS: usize = 64;

/// The most pairs of states that are looked at for one tag; nothing is said of larger ones.
const PAIRS: usize = 100_000;

/// The warnings.
///
/// # Errors
/// If looking for them takes longer than a compile may.
pub(super) fn warnings(
    format: &Format,
    options: &ParseOptions,
    deadline: &Deadline,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let mut tags = Vec::new();
    collect(format, &mut tags);
    let mut found = Vec::new();
    for tag in tags {
        let late = |limit| Diagnostic::from(&limit).at(content_span(&tag.content), "");
        deadline.check(DOING).map_err(late)?;
        found.extend(warning(tag, options, deadline));
        deadline.confirm(DOING).map_err(late)?;
    }
    Ok(found)
}

/// All tags of a format.
fn collect<'f>(format: &'f Format, tags: &mut Vec<&'f Tag>) {
    let mut inner = |own: &'f [Tag]| {
        tags.extend(own);
        own.iter().for_each(|tag| collect(&tag.content, tags));
    };
    match &format.kind {
        FormatKind::Tag(tag) => inner(std::slice::from_ref(tag)),
        FormatKind::TriggeredTags(triggered) => inner(&triggered.tags),
        FormatKind::TagsWithSeparator { tags: own, .. } => inner(own),
        FormatKind::Sequence(parts) | FormatKind::Or(parts) => {
            parts.iter().for_each(|part| collect(part, tags));
        }
        FormatKind::Repeat { content, .. } => collect(content, tags),
        FormatKind::Dispatch(dispatch) => {
            let formats = dispatch.rules.iter().map(|(_, format)| format);
            formats.for_each(|format| collect(format, tags));
        }
        FormatKind::Any { .. }
        | FormatKind::ConstString(_)
        | FormatKind::JsonSchema(_)
        | FormatKind::Grammar(_)
        | FormatKind::Regex(_)
        | FormatKind::Token(_)
        | FormatKind::ExcludeToken(_) => {}
    }
}

/// The warning for one tag, with a text as an example.
fn warning(tag: &Tag, options: &ParseOptions, deadline: &Deadline) -> Option<Diagnostic> {
    let content = automaton(&tag.content, options, deadline)?;
    let ends = tag.filled_ends().filter_map(Delimiter::text);
    let (end, example) = ends
        .filter_map(|end| Some((end, early(&content, end.as_bytes(), deadline)?)))
        .next()?;
    let message = format!(
        "the content can contain the end {end:?} of its tag: in {example:?} the tag does not end at the first one"
    );
    let help = "let the content exclude the end, or take an end that the content cannot contain";
    Some(
        Diagnostic::warning(Code::TagEndInContent, message)
            .at(content_span(&tag.content), "this content")
            .help(help),
    )
}

/// Where a message points: a pattern or a grammar rather than the format that holds it.
fn content_span(content: &Format) -> Span {
    match &content.kind {
        FormatKind::Regex(text) | FormatKind::Grammar(text) | FormatKind::ConstString(text) => {
            text.span
        }
        _ => content.span,
    }
}

/// Whether a content consists of constants, patterns and grammars.
fn is_of_texts(content: &Format) -> bool {
    match &content.kind {
        FormatKind::ConstString(_) | FormatKind::Regex(_) | FormatKind::Grammar(_) => true,
        FormatKind::Sequence(parts) | FormatKind::Or(parts) => parts.iter().all(is_of_texts),
        FormatKind::Repeat { content, .. } => is_of_texts(content),
        FormatKind::Tag(tag) => {
            let mut delimiters = tag.ends.iter().chain([&tag.begin]);
            delimiters.all(|one| one.text().is_some()) && is_of_texts(&tag.content)
        }
        _ => false,
    }
}

/// The automaton of a content, in characters; none if it is of another kind, needs a stack or is
/// too large.
fn automaton(content: &Format, options: &ParseOptions, deadline: &Deadline) -> Option<Dfa> {
    if !is_of_texts(content) {
        return None;
    }
    let in_characters = ParseOptions {
        tokens: TokenNames::default(),
        ..options.clone()
    };
    let (grammar, embeds) = lower::lower(content, &in_characters, deadline).ok()?;
    let sources = Sources::from(&Source::new("content", ""));
    let joined = embed::join(grammar, sources, embeds, &in_characters).ok()?;
    let written_out = Tuning::default().block(0);
    let network = automata::build(
        &joined.grammar,
        &options.limits,
        &written_out,
        &mut Threads::up_to(1),
        deadline,
    )
    .ok()?;
    let root = network.machines.into_iter().next()?;
    root.body.calls().is_empty().then_some(root.body)
}

/// A text of the content with its end, in which the end is complete earlier too: the shortest one.
fn early(content: &Dfa, end: &[u8], deadline: &Deadline) -> Option<String> {
    // If the time is over, `warnings` says so.
    deadline.ticks(end.len(), DOING).ok()?;
    let matched = Matched::new(end);
    let is_early = matched.early();
    // State and matched bytes of the end; where each pair was reached from, and by which byte.
    let start = (content.start, 0);
    let mut reached = IdMap::from_iter([(start, None)]);
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&(state, length)) = queue.get(next) {
        next += 1;
        deadline.ticks(STATE_STEPS, DOING).ok()?;
        let text = |to| text_to(&reached, to);
        if length == end.len() {
            // The content goes on from here to some end: any text of it is an example.
            let rest = rest_of(content, state)?;
            let bytes = [text((state, length)), rest, end.to_vec()].concat();
            return String::from_utf8(bytes).ok();
        }
        if content.state(state).is_final && is_early[length] {
            let bytes = [text((state, length)), end.to_vec()].concat();
            return String::from_utf8(bytes).ok();
        }
        if queue.len() > PAIRS {
            return None;
        }
        for &(low, high, to) in content.state(state).bytes {
            for byte in low..=high {
                let pair = (to, matched.step(length, byte));
                reached.entry(pair).or_insert_with(|| {
                    queue.push(pair);
                    Some(((state, length), byte))
                });
            }
        }
    }
    None
}

/// A state of the content and the bytes of the end that the text ends with.
type EndPair = (u32, usize);

/// The bytes that led to a pair.
fn text_to(reached: &IdMap<EndPair, Option<(EndPair, u8)>>, to: EndPair) -> Vec<u8> {
    let mut at = to;
    let mut bytes = Vec::new();
    while let Some(Some((from, byte))) = reached.get(&at) {
        bytes.push(*byte);
        at = *from;
    }
    bytes.reverse();
    bytes
}

/// The shortest bytes with which a content can finish from a state.
fn rest_of(content: &Dfa, from: u32) -> Option<Vec<u8>> {
    let mut reached = IdMap::from_iter([((from, 0), None)]);
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        if content.state(state).is_final {
            return Some(text_to(&reached, (state, 0)));
        }
        for &(low, _, to) in content.state(state).bytes {
            reached.entry((to, 0)).or_insert_with(|| {
                queue.push(to);
                Some(((state, 0), low))
            });
        }
    }
    None
}
