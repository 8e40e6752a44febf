//! From tools and a format to a structural tag.
//!
//! In: the tools that may be called, and how outputs are written. Out: a [`Format`] whose texts are
//! the outputs. What holds: places of the tools lie in the first source, those of the format behind
//! `base`; each schema is named once for each way of calling its tool.
//!
//! | layout | `auto` | `required` | one tool | `none` |
//! |---|---|---|---|---|
//! | anywhere | text with calls in it | calls with separators | one call | text without triggers |
//! | at the start | calls, or text that does not begin as one | calls | one call | text that does not begin as one |
//! | blocks | text, then perhaps a section | text, then a section | text, then one call in a section | text |
//! | messages | reasoning, texts and calls | the same with a call | reasoning, then the call | reasoning and texts |

mod call;
mod copied;
mod ends;
mod messages;
mod reasoning;
mod start;

use super::ToolOptions;
use super::blanks::soft_blanks;
use super::chosen::{ChosenTools, Mode};
use super::format::{Layout, SectionText, Template, ToolFormat};
use super::read::Tool;
use crate::error::Diagnostic;
use crate::limits::Deadline;
use crate::source::Span;
use crate::syntax::ParseOptions;
use crate::syntax::fields::FieldText;
use crate::syntax::structural_tag::ast::{Delimiter, Format, FormatKind, Tag, TriggeredTags, Unit};
pub(super) use call::name;
use copied::CopiedBytes;

/// The most blanks that may stand where the template has some, if other blanks are allowed.
const MAX_BLANKS: u32 = 8;

/// The structural tag of a request.
///
/// # Errors
/// If it would be too large, or takes too long.
pub(super) fn lower(
    chosen: &ChosenTools<'_>,
    format: &ToolFormat,
    base: usize,
    options: &ParseOptions,
) -> Result<Format, Diagnostic> {
    let lowering = ToolLowering::new(chosen, format, base, options);
    lowering.whole(lowering.output())
}

/// The structural tag of a request without the calls themselves. Each way of writing a call ends
/// before the tool's name, with the token of its hole; ways without a hole are left out. The outer
/// error says why there is none.
///
/// # Errors
/// As [`lower`].
pub(super) fn lower_outer(
    chosen: &ChosenTools<'_>,
    format: &ToolFormat,
    base: usize,
    options: &ParseOptions,
    holes: &[Option<u32>],
) -> Result<Result<Format, Diagnostic>, &'static str> {
    let lowering = ToolLowering {
        holes: Some(holes),
        ..ToolLowering::new(chosen, format, base, options)
    };
    if format.layout() == Layout::AtStart && lowering.text_depends_on_names() {
        return Err("what text may not begin with depends on the names of tools");
    }
    if format.is_told_by_name() {
        return Err("the names of tools tell calls from other messages");
    }
    Ok(lowering.whole(lowering.output()))
}

/// The rest of a call, from `behind` bytes behind the tool's name to the end of the call, and then
/// the token `exit`.
///
/// # Errors
/// As [`lower`].
pub(super) fn lower_piece(
    chosen: &ChosenTools<'_>,
    format: &ToolFormat,
    base: usize,
    options: &ParseOptions,
    calls: &[ToolCall<'_>],
    behind: usize,
    exit: u32,
) -> Result<Format, Diagnostic> {
    let lowering = ToolLowering::new(chosen, format, base, options);
    let ways = alike(calls.iter().map(|call| call.template), Some);
    let tool = calls.first().map(|call| call.tool);
    let rests = tool.into_iter().flat_map(|tool| {
        let rests = ways.iter();
        rests.map(move |ways| (ways, tool))
    });
    let rests = rests.map(|(ways, tool)| lowering.piece(ways, tool, behind));
    let rest = lowering.either(rests.collect());
    let exit = lowering.of(FormatKind::Token(exit));
    lowering.whole(lowering.sequence([rest, exit]))
}

/// All that [`lower_piece`] makes the rest of a call from but the tool's schema and the format's
/// identifiers, as bytes. Ways of writing a call that begin differently may have equal rests.
pub(super) fn rest_bytes(ways: &[&Template], tool: &Tool, behind: usize, blanks: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for group in alike(ways.iter().copied(), Some) {
        let (common, rests) = call::rest_parts(&group, tool, behind, blanks);
        common.iter().for_each(|part| part.write(&mut bytes));
        for rest in rests {
            bytes.push(REST);
            rest.iter().for_each(|part| part.write(&mut bytes));
        }
        bytes.push(GROUP);
    }
    bytes
}

/// Groups the ways of writing a call that are alike up to the end of the arguments, so that each
/// schema is read once for a group.
pub(super) fn alike<'t, W: Copy>(
    ways: impl IntoIterator<Item = W>,
    template: impl Fn(W) -> Option<&'t Template>,
) -> Vec<Vec<W>> {
    let mut groups: Vec<Vec<W>> = Vec::new();
    let head = |way: W| template(way).map(Template::up_to_arguments);
    for way in ways {
        let mut known = groups.iter_mut();
        match known.find(|group| group.first().is_some_and(|&first| head(first) == head(way))) {
            Some(group) => group.push(way),
            None => groups.push(vec![way]),
        }
    }
    groups
}

/// One way of writing a call of a tool.
#[derive(Clone, Copy)]
pub(super) struct ToolCall<'c> {
    pub(super) template: &'c Template,
    pub(super) tool: &'c Tool,
}

struct ToolLowering<'l> {
    chosen: &'l ChosenTools<'l>,
    format: &'l ToolFormat,
    /// Where the format's text begins.
    base: usize,
    options: &'l ParseOptions,
    tools: &'l ToolOptions,
    /// For each way of writing a call, the token that stands for the rest of the call behind its
    /// begin.
    holes: Option<&'l [Option<u32>]>,
    copied: CopiedBytes,
}

/// A piece of one tool's call.
enum CallPart {
    Text(String),
    Blanks,
    Id,
    Arguments,
}

/// [`rest_bytes`] writes `REST` before the parts behind the arguments of a way, and `GROUP` behind
/// the ways of a group. [`CallPart::write`] uses the numbers below.
const REST: u8 = 4;
const GROUP: u8 = 5;

impl CallPart {
    /// Writes the part so that no two lists of parts are written alike.
    fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            CallPart::Text(text) => {
                bytes.push(0);
                bytes.extend((text.len() as u64).to_le_bytes());
                bytes.extend(text.bytes());
            }
            CallPart::Blanks => bytes.push(1),
            CallPart::Id => bytes.push(2),
            CallPart::Arguments => bytes.push(3),
        }
    }
}

impl<'l> ToolLowering<'l> {
    fn new(
        chosen: &'l ChosenTools<'l>,
        format: &'l ToolFormat,
        base: usize,
        options: &'l ParseOptions,
    ) -> Self {
        ToolLowering {
            chosen,
            format,
            base,
            options,
            tools: &options.tools,
            holes: None,
            copied: CopiedBytes::new(Deadline::start(&options.limits), &options.limits),
        }
    }
}

impl ToolLowering<'_> {
    /// An output, and the token after which the model stops.
    fn output(&self) -> Format {
        let parts = [Some(self.parts_of_output()), self.stop()];
        self.sequence(parts.into_iter().flatten())
    }

    fn parts_of_output(&self) -> Format {
        match self.format.layout() {
            Layout::Messages => self.messages(),
            Layout::Blocks => self.blocks(),
            Layout::Anywhere => {
                let calls = || self.triggers();
                self.sequence(
                    self.reasoning(calls, &[])
                        .into_iter()
                        .chain([self.anywhere()]),
                )
            }
            Layout::AtStart => {
                let not_first = self.not_first();
                let body = self.at_start(&not_first);
                self.sequence(
                    self.reasoning(Vec::new, &not_first)
                        .into_iter()
                        .chain([body]),
                )
            }
        }
    }

    fn anywhere(&self) -> Format {
        match self.chosen.mode {
            Mode::None => {
                let triggers = self.triggers();
                self.text(self.excludes().into_iter().chain(triggers).collect())
            }
            Mode::Auto => self.of(FormatKind::TriggeredTags(TriggeredTags {
                unit: Unit::Text,
                triggers: self.triggers(),
                tags: self.calls(self.chosen.parallel),
                at_least_one: false,
                stop_after_first: !self.chosen.parallel,
                excludes: self.excludes(),
            })),
            Mode::Required | Mode::One => {
                let before = self.constant(self.format.before());
                self.sequence(before.into_iter().chain([self.only_calls()]))
            }
        }
    }

    /// Calls, or sections of calls, and nothing else.
    fn only_calls(&self) -> Format {
        let several = self.chosen.parallel && self.chosen.mode != Mode::One;
        let several_tags = several && self.format.sections().is_empty();
        self.joined(self.calls(several), several_tags)
    }

    /// One of these tags, or several with separators between them.
    fn joined(&self, tags: Vec<Tag>, several: bool) -> Format {
        let separator = self.format.separator();
        if !self.tools.blanks || !several {
            return self.of(FormatKind::TagsWithSeparator {
                tags,
                separator: self.shifted(separator),
                at_least_one: true,
                stop_after_first: !several,
            });
        }
        let tags = tags.into_iter();
        let tags = tags.map(|tag| self.of(FormatKind::Tag(Box::new(tag))));
        let one = self.of(FormatKind::Or(tags.collect()));
        let further = self.constant(separator).into_iter().chain([one.clone()]);
        let further = self.repeat(self.sequence(further), 0, None);
        self.sequence([one, further])
    }

    /// The tags of calls, or of sections that hold them.
    fn calls(&self, several: bool) -> Vec<Tag> {
        let calls = || -> Vec<Tag> {
            let ways = self.format.calls().iter();
            let ways = ways.take_while(|_| !self.is_over());
            if let Some(holes) = self.holes {
                let holes = ways.zip(holes);
                let holes = holes.filter_map(|(way, &hole)| Some(self.hole(way, hole?)));
                return holes.collect();
            }
            let tools = self.chosen.tools.iter();
            let tools = tools.take_while(|_| !self.is_over());
            let ways = alike(ways, Some);
            let calls = tools.flat_map(|tool| ways.iter().map(|ways| self.call(ways, tool)));
            calls.collect()
        };
        if self.format.sections().is_empty() {
            return calls();
        }
        let sections = self.format.sections().iter();
        let sections = sections.take_while(|_| !self.is_over());
        let of = |section: &SectionText| {
            let (begin, mut parts) = self.split_first(&section.begin);
            parts.push(self.joined(calls(), several));
            let (more, end) = self.split_last(&section.end);
            parts.extend(more);
            Tag {
                span: self.shift(section.begin.span),
                begin,
                content: self.sequence(parts),
                ends: vec![end],
            }
        };
        sections.map(of).collect()
    }

    fn triggers(&self) -> Vec<Delimiter> {
        let triggers = self.format.triggers_of(self.tools.blanks);
        triggers
            .iter()
            .map(|trigger| self.delimiter(trigger))
            .collect()
    }

    /// Free text behind `begin`, if there is one, up to one of the ends.
    fn tag(
        &self,
        begin: Option<&FieldText>,
        excludes: Vec<Delimiter>,
        ends: &[FieldText],
    ) -> Format {
        self.tag_of(begin, self.text(excludes), ends)
    }

    /// This content behind `begin`, if there is one, up to one of the ends.
    fn tag_of(&self, begin: Option<&FieldText>, content: Format, ends: &[FieldText]) -> Format {
        let span = self.shift(ends.first().map_or(Span::new(0, 1), |end| end.span));
        let empty = FieldText {
            value: String::new(),
            span,
        };
        self.of(FormatKind::Tag(Box::new(Tag {
            span,
            begin: Delimiter::Text(begin.map_or(empty, |begin| self.shifted(begin))),
            content,
            ends: ends.iter().map(|end| self.delimiter(end)).collect(),
        })))
    }

    fn text(&self, excludes: Vec<Delimiter>) -> Format {
        self.text_not_first(excludes, &[])
    }

    /// Free text that begins with none of these.
    fn text_not_first(&self, excludes: Vec<Delimiter>, not_first: &[String]) -> Format {
        self.of(FormatKind::Any {
            unit: Unit::Text,
            excludes,
            not_first: not_first.to_vec(),
            max_chars: None,
            max_tokens: None,
        })
    }

    /// A text of the format, if it is not empty.
    fn constant(&self, text: &FieldText) -> Option<Format> {
        (!text.value.is_empty()).then(|| match self.tools.blanks {
            true => self.sequence(self.soft(text, &text.value)),
            false => self.of(FormatKind::ConstString(self.shifted(text))),
        })
    }

    /// A part of a text, with any blanks for the soft ones.
    fn soft(&self, text: &FieldText, part: &str) -> Vec<Format> {
        let span = self.shift(text.span);
        let mut parts = Vec::new();
        for (before, blanks) in soft_blanks(part) {
            let value = self.copy(before, text.span);
            if !value.is_empty() {
                parts.push(self.of(FormatKind::ConstString(FieldText { value, span })));
            }
            if blanks {
                parts.push(self.of(self.blanks(span)));
            }
        }
        parts
    }

    fn blanks(&self, span: Span) -> FormatKind {
        let value = format!("[ \\t\\r\\n]{{0,{MAX_BLANKS}}}");
        FormatKind::Regex(FieldText { value, span })
    }

    fn optional(&self, content: Format) -> Format {
        self.repeat(content, 0, Some(1))
    }

    fn repeat(&self, content: Format, min: u32, max: Option<u32>) -> Format {
        let content = Box::new(content);
        self.of(FormatKind::Repeat { content, min, max })
    }

    /// These formats in order.
    fn sequence(&self, parts: impl IntoIterator<Item = Format>) -> Format {
        let mut parts: Vec<Format> = parts.into_iter().collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => self.of(FormatKind::Sequence(parts)),
        }
    }

    /// A format whose place is the beginning of the tool format's text.
    fn of(&self, kind: FormatKind) -> Format {
        self.has_room(0, Span::new(0, 1));
        let span = self.shift(Span::new(0, 1));
        Format { span, kind }
    }

    fn shift(&self, span: Span) -> Span {
        span.shifted(self.base)
    }

    fn shifted(&self, text: &FieldText) -> FieldText {
        FieldText {
            value: self.copy(&text.value, text.span),
            span: self.shift(text.span),
        }
    }

    fn delimiter(&self, text: &FieldText) -> Delimiter {
        Delimiter::Text(self.shifted(text))
    }
}
