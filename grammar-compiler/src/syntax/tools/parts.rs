//! The tools of a request in parts: what stands around calls, and each call by itself.
//!
//! In: the same as for [`parse`](super::parse). Out: [`ToolParts`]: the grammar of what stands around calls, in which a token stands for each call from the tool's name on; and for each tool the
//! grammar of the rest of its call. What holds: with the rests in the place of the tokens, the texts are those of the whole grammar.

use super::choice::{self, Chosen, Mode, ToolChoice};
use super::format::Template;
use super::lower::{self, Call};
use super::read::{self, Arguments, Tool, ToolSet};
use super::{CalledTool, ToolCalls, ToolFormat, format_of};
use crate::error::{Code, Diagnostic, Error};
use crate::source::{Source, Sources};
use crate::syntax::spell::Speller;
use crate::syntax::{ParseOptions, Parsed, structural_tag};
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

mod common;

/// The tools of a request, and how they are called.
#[derive(Debug)]
pub(crate) struct ToolParts {
    source: Source,
    format: ToolFormat,
    set: ToolSet,
    /// The places of the tools that may be called.
    called: Vec<usize>,
    mode: Mode,
    parallel: bool,
    options: ParseOptions,
    /// A hash of the format and the options.
    options_hash: u128,
}

/// How one tool is called in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The tool's name, and what follows it up to where ways differ that begin alike.
    pub(crate) name: String,
    /// Whether another name goes on where this one ends.
    pub(crate) is_open: bool,
    pub(crate) rest: Rest,
}

/// The rest of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rest {
    /// The place of the tool among those that may be called.
    tool: usize,
    /// How many bytes behind the name it begins.
    behind: usize,
    /// The ways of writing it, of which there are several only if they begin alike with a special token.
    ways: Vec<usize>,
    /// Whether what it begins with is no part of a name: a special token, or the mark of arguments.
    is_marked: bool,
}

/// A tool that has arguments of all kinds.
const ALL_KINDS: &str = r#"[{"name": "f", "inputSchema": {"type": "object", "properties": {
    "a": {"type": "string"}, "b": {"type": "number"}, "c": {"type": "array", "items": {"type": "string"}},
    "d": {"type": "object", "properties": {"e": {"type": "string"}}}, "f": {"type": "boolean"}, "g": {"type": "null"}, "h": {}
}}}]"#;

impl ToolParts {
    /// Reads the tools of a request.
    ///
    /// # Errors
    /// As [`parse`](super::parse), but for what is wrong with schemas and the format.
    pub(crate) fn read(
        source: &Source,
        format: ToolFormat,
        options: &ParseOptions,
    ) -> Result<Self, Error> {
        let set = read::read(source, &format, options)?;
        let chosen = choice::choose(&set, &format, &options.tools);
        let chosen = chosen.map_err(|error| Error::in_source(source, vec![error]))?;
        let (mode, parallel) = (chosen.mode, chosen.parallel);
        // Both are in the order of the request.
        let mut chosen = chosen.tools.into_iter().peekable();
        let mut is_called = |tool: &Tool| {
            let next = chosen.next_if(|called| std::ptr::eq(*called, tool));
            next.is_some()
        };
        let called = (0..set.tools.len()).filter(|&at| is_called(&set.tools[at]));
        let called = called.collect();
        Ok(ToolParts {
            source: source.clone(),
            options_hash: options_hash(&format, options),
            format,
            set,
            called,
            mode,
            parallel,
            options: options.clone(),
        })
    }

    fn chosen(&self) -> Chosen<'_> {
        let tools = self.called.iter().filter_map(|&at| self.set.tools.get(at));
        Chosen {
            tools: tools.collect(),
            all: &self.set.tools,
            mode: self.mode,
            parallel: self.parallel,
        }
    }

    fn tool(&self, tool: usize) -> Option<&Tool> {
        self.set.tools.get(*self.called.get(tool)?)
    }

    /// The holes of what stands around calls: the ways of writing a call that begin alike.
    pub(crate) fn holes(&self) -> Vec<Vec<usize>> {
        let mut holes: Vec<Vec<usize>> = Vec::new();
        let begin = |way: usize| self.format.calls()[way].begin().value;
        for way in 0..self.format.calls().len() {
            match holes.iter_mut().find(|hole| begin(hole[0]) == begin(way)) {
                Some(hole) => hole.push(way),
                None => holes.push(vec![way]),
            }
        }
        holes
    }

    fn template(&self, way: usize) -> Option<&Template> {
        self.format.calls().get(way)
    }

    /// What a hole begins with, ascending by name.
    ///
    /// # Errors
    /// Why a name cannot be read by itself.
    pub(crate) fn entries(&self, ways: &[usize]) -> Result<Vec<Entry>, &'static str> {
        if self.options.tools.blanks {
            return Err("blanks may stand before a name");
        }
        let chosen = self.chosen();
        let speller = Speller::new(&self.options.tokens, self.options.tags.spelled);
        let mut entries = Vec::with_capacity(ways.len() * chosen.tools.len());
        for (at, tool) in chosen.tools.iter().enumerate() {
            let texts = ways.iter().map(|&way| {
                let template = self.template(way)?;
                let call = Call { template, tool };
                lower::name(&chosen, &self.format, &self.options, call)
            });
            let texts: Option<Vec<_>> = texts.collect();
            let texts = texts.ok_or("something else stands before a name")?;
            let texts = texts.into_iter().map(|(text, name)| {
                let token = speller.next_name(&text, name.end);
                NameText { text, name, token }
            });
            let texts: Vec<NameText> = texts.collect();
            let behind = length_behind(&texts).ok_or("two ways of writing a call differ late")?;
            for (&way, text) in ways.iter().zip(&texts) {
                let plain = text.behind().len();
                let length = behind.min(plain);
                let entry = text.name.start..text.name.end + length;
                if speller.cuts(&text.text, entry.clone()) {
                    return Err("a special token's name stands across the end of a tool's name");
                }
                entries.push(Entry {
                    name: text
                        .text
                        .get(entry)
                        .ok_or("a name is not a text")?
                        .to_owned(),
                    is_open: false,
                    rest: Rest {
                        tool: at,
                        behind: length,
                        ways: vec![way],
                        is_marked: length == 0,
                    },
                });
            }
        }
        apart(entries)
    }

    /// What tells the grammar around calls from others, but for the vocabulary and the options of the compiler.
    pub(crate) fn outer_key(&self) -> u128 {
        let key = format!("{:?} {} {:x}", self.mode, self.parallel, self.options_hash);
        xxh3_128(key.as_bytes())
    }

    /// What tells the rest of a call from others, but for the vocabulary and the options of the compiler.
    pub(crate) fn piece_key(&self, rest: &Rest) -> Option<u128> {
        let tool = self.tool(rest.tool)?;
        let mut hasher = Xxh3::new();
        hasher.update(&self.options_hash.to_le_bytes());
        hasher.update(&(rest.behind as u64).to_le_bytes());
        for &way in &rest.ways {
            hasher.update(&(way as u64).to_le_bytes());
        }
        match &tool.arguments {
            Arguments::None => hasher.update(&[0]),
            Arguments::Any(names) => {
                hasher.update(&[1]);
                hasher.update(format!("{names:?}").as_bytes());
            }
            Arguments::Schema(place) => {
                hasher.update(&[2]);
                let text = self.source.text();
                let text = text.get(place.start..place.end)?;
                hasher.update(text.as_bytes());
            }
        }
        // A template may name the tool again behind the first place.
        let mut templates = rest.ways.iter().filter_map(|&way| self.template(way));
        if templates.any(|template| template.names() > 1) {
            hasher.update(&[3]);
            hasher.update(tool.name.value.as_bytes());
        }
        Some(hasher.digest128())
    }

    /// The grammar of what stands around calls; in each hole, the token of this id stands for a call from the tool's name on.
    ///
    /// # Errors
    /// If it is refused; or why it depends on the tools.
    pub(crate) fn outer(&self, holes: &[u32]) -> Result<Result<Parsed, Error>, &'static str> {
        let chosen = self.chosen();
        let mut of_ways = vec![None; self.format.calls().len()];
        for (ways, &hole) in self.holes().iter().zip(holes) {
            of_ways[ways[0]] = Some(hole);
        }
        let mut sources = Sources::from(&self.source);
        let base = sources.add(self.format.source().clone());
        let tag = lower::lower_outer(&chosen, &self.format, base, &self.options, &of_ways)?;
        Ok(structural_tag::parse_format(&tag, sources, &self.options))
    }

    /// Rests of calls that have all elements of the format, of tools with arguments of all kinds: for the tokens that calls name.
    pub(crate) fn probe(&self, exit: u32) -> Vec<Parsed> {
        let Ok(parts) = self.with_tools(ALL_KINDS) else {
            return Vec::new();
        };
        let rests = parts.whole_rests();
        rests
            .filter_map(|rest| parts.piece(&rest, exit).ok())
            .collect()
    }

    /// The same format and options with other tools.
    fn with_tools(&self, tools: &str) -> Result<Self, Error> {
        let mut options = self.options.clone();
        options.tools.choice = Some(ToolChoice::Required);
        let source = Source::new("<tools>", tools);
        ToolParts::read(&source, self.format.clone(), &options)
    }

    /// The rests of all calls from the name on, in each way by itself.
    fn whole_rests(&self) -> impl Iterator<Item = Rest> + '_ {
        let ways = 0..self.format.calls().len();
        ways.flat_map(|way| {
            (0..self.called.len()).map(move |tool| Rest {
                tool,
                behind: 0,
                ways: vec![way],
                is_marked: true,
            })
        })
    }

    /// What tells the format and the options from others, but for the vocabulary and the options of the compiler.
    pub(crate) fn options_key(&self) -> u128 {
        self.options_hash
    }

    /// The grammar of the rest of a call, which ends with this token.
    ///
    /// # Errors
    /// If the tool's schema is refused.
    pub(crate) fn piece(&self, rest: &Rest, exit: u32) -> Result<Parsed, Error> {
        let chosen = self.chosen();
        let mut sources = Sources::from(&self.source);
        let base = sources.add(self.format.source().clone());
        let Some(tool) = self.tool(rest.tool) else {
            let message = "there is no such tool";
            return Err(Diagnostic::error(Code::ToolChoice, message).into());
        };
        let templates = rest.ways.iter().filter_map(|&way| self.template(way));
        let calls: Vec<Call<'_>> = templates.map(|template| Call { template, tool }).collect();
        let tag = lower::lower_piece(
            &chosen,
            &self.format,
            base,
            &self.options,
            &calls,
            rest.behind,
            exit,
        );
        structural_tag::parse_format(&tag, sources, &self.options)
    }

    /// What a reader of outputs has to know.
    pub(crate) fn calls(&self) -> ToolCalls {
        let called = self.called.iter().filter_map(|&at| self.set.tools.get(at));
        let tools = called.map(|tool| CalledTool {
            name: tool.name.value.clone(),
            kinds: tool.kinds.clone(),
        });
        ToolCalls {
            tools: tools.collect(),
            reasoning: self.options.tools.reasoning,
            has_calls: !self.called.is_empty(),
            format: self.format.clone(),
        }
    }
}

/// Entries ascending by name, with those of equal names joined.
fn apart(mut entries: Vec<Entry>) -> Result<Vec<Entry>, &'static str> {
    const ALIKE: &str = "one name is the beginning of another";
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let mut joined: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match joined.last_mut() {
            Some(last) if last.name == entry.name => {
                let (one, other) = (&mut last.rest, entry.rest);
                let is_same = one.tool == other.tool && one.behind == other.behind;
                if !is_same || !one.is_marked || !other.is_marked {
                    return Err(ALIKE);
                }
                one.ways.extend(other.ways);
            }
            Some(last) if entry.name.starts_with(&last.name) => {
                if !last.rest.is_marked {
                    return Err(ALIKE);
                }
                last.is_open = true;
                joined.push(entry);
            }
            _ => joined.push(entry),
        }
    }
    Ok(joined)
}

/// The first text of a call.
struct NameText {
    text: String,
    /// Where the tool's name stands.
    name: Range<usize>,
    /// Where the first name of a special token stands behind it.
    token: Option<usize>,
}

impl NameText {
    /// What follows the name up to the first special token.
    fn behind(&self) -> &str {
        let end = self.token.unwrap_or(self.text.len());
        self.text.get(self.name.end..end).unwrap_or_default()
    }
}

/// How many bytes behind the name tell these texts apart: one character, if there is one text. `None` if they cannot be told apart.
fn length_behind(texts: &[NameText]) -> Option<usize> {
    let rests: Vec<&str> = texts.iter().map(NameText::behind).collect();
    let (first, others) = rests.split_first()?;
    let shared = others.iter().map(|other| {
        let pairs = first.char_indices().zip(other.chars());
        let same = pairs.take_while(|((_, one), other)| one == other);
        same.last().map_or(0, |((at, c), _)| at + c.len_utf8())
    });
    let shared = shared.max().unwrap_or(0);
    let next = |rest: &&str| rest.get(shared..).and_then(|rest| rest.chars().next());
    let longest = rests.iter().filter_map(next).map(char::len_utf8).max();
    let has_token = texts.iter().any(|text| text.token.is_some());
    match (longest, others.is_empty() || has_token) {
        (Some(next), _) => Some(shared + next),
        (None, true) => Some(shared + usize::from(has_token)),
        (None, false) => None,
    }
}

/// A hash of all that texts depend on but the tools.
fn options_hash(format: &ToolFormat, options: &ParseOptions) -> u128 {
    let ParseOptions {
        schema,
        tags,
        tools,
        ..
    } = options;
    let mut hasher = Xxh3::new();
    let options = format!("{:?}", (schema, tags, tools.reasoning, tools.blanks));
    hasher.update(options.as_bytes());
    hasher.update(format.source().text().as_bytes());
    hasher.digest128()
}

/// The format that options name.
///
/// # Errors
/// If there is none, or it cannot be read.
pub(crate) fn format(source: &Source, options: &ParseOptions) -> Result<ToolFormat, Error> {
    format_of(source, options).map(|(format, _)| format)
}
