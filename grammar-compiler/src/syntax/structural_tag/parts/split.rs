//! Tags that are pieces, taken out of a format.
//!
//! In: a format that was checked. Out: the format with holes, what each hole begins with, and the
//! pieces. What holds: with its names and pieces in the place of each hole, the format has the
//! texts that it had.
//!
//! A tag is a piece if nothing around it changes what its content is: the content is made of
//! schemas, grammars, patterns and texts. Tags of one list that begin alike share a hole, which
//! stands behind what all of their begins have in common:
//!
//! ```text
//! <function=get>{…}</function>      <function= HOLE      get>     →  {…}</function> EXIT
//! <function=put>{…}</function>                           put>     →  {…}</function> EXIT
//! ```

use super::super::ast::{Delimiter, Dispatch, FieldText, Format, FormatKind, Tag, TriggeredTags};
use super::super::check::is_prefix;
use crate::syntax::affixes::shared_start;
use crate::syntax::spell::Speller;

/// What a hole begins with, and the piece behind it.
#[derive(Debug)]
pub(super) struct HoleName {
    pub(super) text: String,
    pub(super) piece: usize,
}

/// Takes pieces out of formats.
pub(super) struct FormatSplitter<'o> {
    speller: &'o Speller,
    /// The token of the first hole. That of each further one is the next.
    exit: u32,
    /// The names of each hole, ascending; none is the beginning of another one.
    pub(super) holes: Vec<Vec<HoleName>>,
    pub(super) pieces: Vec<Format>,
}

/// Tags whose begins share their first character or token, and the trigger.
struct TagGroup<'f> {
    /// Bytes of the trigger.
    least: usize,
    first: (Option<u32>, Option<char>),
    trigger: Option<usize>,
    tags: Vec<&'f Tag>,
}

/// A tag, and where its name ends in its begin.
struct NamedTag<'f> {
    name: &'f str,
    tag: &'f Tag,
    end: usize,
}

impl<'o> FormatSplitter<'o> {
    pub(super) fn new(speller: &'o Speller, exit: u32) -> Self {
        FormatSplitter {
            speller,
            exit,
            holes: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// The format with holes.
    pub(super) fn format(&mut self, format: &Format) -> Format {
        let kind = match &format.kind {
            FormatKind::Sequence(parts) => {
                FormatKind::Sequence(parts.iter().map(|part| self.format(part)).collect())
            }
            FormatKind::Or(parts) => self.or(parts),
            FormatKind::Repeat { content, min, max } => FormatKind::Repeat {
                content: Box::new(self.format(content)),
                min: *min,
                max: *max,
            },
            FormatKind::Tag(tag) => {
                let mut tags = self.tags([&**tag], &[]).into_iter();
                FormatKind::Tag(Box::new(tags.next().unwrap_or_else(|| (**tag).clone())))
            }
            FormatKind::TriggeredTags(tags) => FormatKind::TriggeredTags(TriggeredTags {
                tags: self.tags(&tags.tags, &tags.triggers),
                ..tags.clone()
            }),
            FormatKind::TagsWithSeparator {
                tags,
                separator,
                at_least_one,
                stop_after_first,
            } => FormatKind::TagsWithSeparator {
                tags: self.tags(tags, &[]),
                separator: separator.clone(),
                at_least_one: *at_least_one,
                stop_after_first: *stop_after_first,
            },
            FormatKind::Dispatch(dispatch) => {
                let rules = dispatch.rules.iter();
                let rules = rules.map(|(trigger, format)| (trigger.clone(), self.format(format)));
                FormatKind::Dispatch(Dispatch {
                    rules: rules.collect(),
                    ..dispatch.clone()
                })
            }
            FormatKind::ConstString(_)
            | FormatKind::JsonSchema(_)
            | FormatKind::Grammar(_)
            | FormatKind::Regex(_)
            | FormatKind::Any { .. }
            | FormatKind::Token(_)
            | FormatKind::ExcludeToken(_) => return format.clone(),
        };
        Format {
            span: format.span,
            kind,
        }
    }

    fn or(&mut self, parts: &[Format]) -> FormatKind {
        let mut tags = Vec::new();
        let mut all = Vec::new();
        for part in parts {
            match &part.kind {
                FormatKind::Tag(tag) => tags.push(&**tag),
                _ => all.push(self.format(part)),
            }
        }
        all.extend(self.tags(tags, &[]).into_iter().map(|tag| Format {
            span: tag.span,
            kind: FormatKind::Tag(Box::new(tag)),
        }));
        FormatKind::Or(all)
    }

    /// A list of tags, of which those that are pieces have become holes.
    fn tags<'f>(
        &mut self,
        tags: impl IntoIterator<Item = &'f Tag>,
        triggers: &[Delimiter],
    ) -> Vec<Tag> {
        let mut split = Vec::new();
        let mut groups: Vec<TagGroup<'f>> = Vec::new();
        for tag in tags {
            let Some(own) = self.alike(tag, triggers) else {
                split.push(Tag {
                    content: self.format(&tag.content),
                    ..tag.clone()
                });
                continue;
            };
            let mut known = groups.iter_mut();
            let is_same = |of: &&mut TagGroup| (of.first, of.trigger) == (own.first, own.trigger);
            match known.find(is_same) {
                Some(known) => known.tags.push(tag),
                None => groups.push(own),
            }
        }
        for group in groups {
            match self.hole(&group) {
                Some(tag) => split.push(tag),
                None => split.extend(group.tags.into_iter().cloned()),
            }
        }
        split
    }

    /// A tag that may be a piece, by itself; `None` if it cannot be one.
    fn alike<'f>(&self, tag: &'f Tag, triggers: &[Delimiter]) -> Option<TagGroup<'f>> {
        let begin = tag.begin.text()?;
        if !is_closed(&tag.content) || !has_embedded(&tag.content) {
            return None;
        }
        let mut all = triggers.iter();
        let trigger = all.position(|trigger| is_prefix(trigger, &tag.begin));
        let least = match trigger {
            Some(at) => triggers[at].text()?.len(),
            None if triggers.is_empty() => 0,
            None => return None,
        };
        let pieces = self.speller.pieces(begin);
        let first = pieces.first()?;
        Some(TagGroup {
            least,
            first: (first.token, first.text.chars().next()),
            trigger,
            tags: vec![tag],
        })
    }

    /// The tag that ends with a hole, for some tags; `None` if their begins cannot be told apart
    /// behind what they share.
    fn hole(&mut self, group: &TagGroup<'_>) -> Option<Tag> {
        let first = *group.tags.first()?;
        let mut at = shared(&group.tags)?;
        let mut named = loop {
            let all = group.tags.iter().map(|tag| self.named(tag, at));
            if let Some(named) = all.collect::<Option<Vec<_>>>() {
                break named;
            }
            at = first.begin.text()?.get(..at)?.char_indices().last()?.0;
            if at < group.least {
                return None;
            }
        };
        named.sort_by_key(|of| of.name);
        let is_open = |pair: &[NamedTag]| {
            pair[0].name != pair[1].name && pair[1].name.starts_with(pair[0].name)
        };
        if named.windows(2).any(is_open) {
            return None;
        }
        let names = named.chunk_by(|one, other| one.name == other.name);
        let names = names.map(|same| {
            let rests = same.iter().map(NamedTag::rest);
            self.pieces.push(Format {
                span: same[0].tag.span,
                kind: FormatKind::Or(rests.collect()),
            });
            HoleName {
                text: same[0].name.to_owned(),
                piece: self.pieces.len() - 1,
            }
        });
        let names: Vec<HoleName> = names.collect();
        let hole = self.exit + self.holes.len() as u32;
        self.holes.push(names);
        Some(Tag {
            span: first.span,
            begin: part(first, 0, at)?,
            content: Format {
                span: first.content.span,
                kind: FormatKind::Token(hole),
            },
            ends: vec![part(first, 0, 0)?],
        })
    }

    /// A tag whose name begins at this place of its begin; `None` if a token stands there, or
    /// nothing.
    fn named<'f>(&self, tag: &'f Tag, at: usize) -> Option<NamedTag<'f>> {
        let begin = tag.begin.text()?;
        let mut end = 0;
        let pieces = self.speller.pieces(begin);
        let here = pieces.iter().find(|piece| {
            end += piece.text.len();
            at < end
        })?;
        let name = begin.get(at..end)?;
        here.token.is_none().then_some(NamedTag { name, tag, end })
    }
}

impl NamedTag<'_> {
    /// What follows the name.
    fn rest(&self) -> Format {
        let length = self.tag.begin.text().map_or(0, str::len);
        let begin = part(self.tag, self.end, length);
        let tag = Tag {
            begin: begin.unwrap_or_else(|| self.tag.begin.clone()),
            ..self.tag.clone()
        };
        Format {
            span: tag.span,
            kind: FormatKind::Tag(Box::new(tag)),
        }
    }
}

/// A part of a tag's begin.
fn part(tag: &Tag, start: usize, end: usize) -> Option<Delimiter> {
    let value = tag.begin.text()?.get(start..end)?.to_owned();
    let span = tag.begin.span();
    Some(Delimiter::Text(FieldText { value, span }))
}

/// How many bytes the begins of tags share.
fn shared(tags: &[&Tag]) -> Option<usize> {
    let (first, others) = tags.split_first()?;
    let first = first.begin.text()?;
    let lengths = others.iter().map(|tag| {
        let other = tag.begin.text()?;
        Some(shared_start(first, other).len())
    });
    let lengths: Option<Vec<usize>> = lengths.collect();
    Some(lengths?.into_iter().min().unwrap_or(first.len()))
}

/// Whether the texts of a format do not depend on what is around it, and it names no token but in
/// delimiters and texts.
fn is_closed(format: &Format) -> bool {
    match &format.kind {
        FormatKind::ConstString(_)
        | FormatKind::JsonSchema(_)
        | FormatKind::Grammar(_)
        | FormatKind::Regex(_) => true,
        FormatKind::Sequence(parts) | FormatKind::Or(parts) => parts.iter().all(is_closed),
        FormatKind::Repeat { content, .. } => is_closed(content),
        FormatKind::Tag(tag) => is_closed(&tag.content),
        FormatKind::TagsWithSeparator { tags, .. } => {
            tags.iter().all(|tag| is_closed(&tag.content))
        }
        FormatKind::Any { .. }
        | FormatKind::TriggeredTags(_)
        | FormatKind::Dispatch(_)
        | FormatKind::Token(_)
        | FormatKind::ExcludeToken(_) => false,
    }
}

/// Whether a closed format holds something that is worth a piece of its own.
fn has_embedded(format: &Format) -> bool {
    match &format.kind {
        FormatKind::JsonSchema(_) | FormatKind::Grammar(_) | FormatKind::Regex(_) => true,
        FormatKind::Sequence(parts) | FormatKind::Or(parts) => parts.iter().any(has_embedded),
        FormatKind::Repeat { content, .. } => has_embedded(content),
        FormatKind::Tag(tag) => has_embedded(&tag.content),
        FormatKind::TagsWithSeparator { tags, .. } => {
            tags.iter().any(|tag| has_embedded(&tag.content))
        }
        _ => false,
    }
}
