//! The tools of a request in parts: the grammar around calls, and a grammar for each call.
//!
//! In: the same as for [`parse`](super::parse). Out: [`ToolParts`]: the grammar around calls, in
//! which a token stands for each call from the tool's name on; and for each tool the grammar of the
//! rest of its call. What holds: with the rests in the place of the tokens, the texts are those of
//! the whole grammar.

use super::blame;
use super::choice::ToolChoice;
use super::chosen::{self, ChosenTools, Mode};
use super::delimiters::name_delimiters;
use super::format::Template;
use super::lower::{self, ToolCall};
use super::read::{self, Arguments, Tool, ToolSet};
use super::{CalledTool, ToolCalls, ToolFormat, ToolOptions, format_of};
use crate::digest::{Digest, Digester};
use crate::error::{Code, Diagnostic, Error};
use crate::limits::Limits;
use crate::maps::KeyedSet;
use crate::source::{Source, Sources};
use crate::syntax::spell::Speller;
use crate::syntax::structural_tag::ast::Format;
use crate::syntax::{ParseOptions, Parsed, structural_tag};

mod common;
mod names;

use names::{NameText, apart, length_behind, shared_end};

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
    options_hash: Digest,
}

/// How one tool is called in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallEntry {
    /// The tool's name, and the text behind it up to the character at which ways that begin alike
    /// differ.
    pub(crate) name: String,
    /// Whether another name begins with this one.
    pub(crate) is_open: bool,
    pub(crate) rest: Rest,
}

/// The rest of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rest {
    /// The place of the tool among those that may be called.
    tool: usize,
    /// The rest begins this many bytes behind the name.
    behind: usize,
    /// The ways of writing it. There are several only if they begin alike with a special token, or
    /// are alike up to the end of the arguments.
    ways: Vec<usize>,
    /// Whether the rest begins with something that no name contains: a special token, or the mark
    /// of arguments.
    is_marked: bool,
}

impl Rest {
    /// The place of the tool among those that may be called.
    pub(crate) fn tool(&self) -> usize {
        self.tool
    }
}

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
        let chosen = chosen::choose(&set, &format, &options.tools);
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
            options: ParseOptions {
                limits: options.limits.not_begun(),
                ..options.clone()
            },
        })
    }

    /// The options for what is read within a request that has begun with these limits.
    fn options_within(&self, limits: &Limits) -> ParseOptions {
        ParseOptions {
            limits: self.options.limits.within(limits),
            ..self.options.clone()
        }
    }

    fn chosen(&self) -> ChosenTools<'_> {
        let tools = self.called.iter().filter_map(|&at| self.set.tools.get(at));
        ChosenTools {
            tools: tools.collect(),
            all: &self.set.tools,
            mode: self.mode,
            parallel: self.parallel,
        }
    }

    fn tool(&self, tool: usize) -> Option<&Tool> {
        self.set.tools.get(*self.called.get(tool)?)
    }

    /// The holes of the grammar around calls: in each, the ways of writing a call that are alike up
    /// to the tool's name.
    pub(crate) fn holes(&self) -> Vec<Vec<usize>> {
        let mut holes: Vec<Vec<usize>> = Vec::new();
        let before = |way: usize| self.format.calls()[way].around_name().0;
        for way in 0..self.format.calls().len() {
            match holes.iter_mut().find(|hole| before(hole[0]) == before(way)) {
                Some(hole) => hole.push(way),
                None => holes.push(vec![way]),
            }
        }
        holes
    }

    fn template(&self, way: usize) -> Option<&Template> {
        self.format.calls().get(way)
    }

    /// The entries of a hole, ascending by name.
    ///
    /// # Errors
    /// Why a name cannot be read by itself.
    pub(crate) fn entries(&self, ways: &[usize]) -> Result<Vec<CallEntry>, &'static str> {
        if self.options.tools.blanks {
            return Err("blanks may stand before a name");
        }
        let chosen = self.chosen();
        let speller = Speller::new(&self.options.tokens, self.options.tags.spelled);
        let end = self.shared_end(&speller);
        let mut entries = Vec::with_capacity(ways.len() * chosen.tools.len());
        for (at, tool) in chosen.tools.iter().enumerate() {
            let texts = self.texts(ways, tool, &speller);
            let apart = length_behind(texts.iter().map(|(_, text)| text));
            let apart = apart.ok_or("two ways of writing a call differ late")?;
            for (ways, text) in texts {
                let plain = text.behind().len();
                let length = match end {
                    Some(end) => plain.saturating_sub(end),
                    None => apart.min(plain),
                };
                let entry = text.name.start..text.name.end + length;
                if speller.cuts(&text.text, entry.clone()) {
                    return Err("a special token's name stands across the end of a tool's name");
                }
                entries.push(CallEntry {
                    name: text
                        .text
                        .get(entry)
                        .ok_or("a name is not a text")?
                        .to_owned(),
                    is_open: false,
                    rest: Rest {
                        tool: at,
                        behind: length,
                        ways,
                        is_marked: length == 0,
                    },
                });
            }
        }
        apart(entries)
    }

    /// The texts around the name in calls of a tool, each with the ways that are alike up to the
    /// end of the arguments.
    fn texts(&self, ways: &[usize], tool: &Tool, speller: &Speller) -> Vec<(Vec<usize>, NameText)> {
        let alike = lower::alike(ways.iter().copied(), |way| self.template(way));
        let texts = alike.into_iter().filter_map(|ways| {
            let template = self.template(*ways.first()?)?;
            let call = ToolCall { template, tool };
            let (text, name) = lower::name(call, self.options.tools.blanks);
            let token = speller.next_name(&text, name.end);
            Some((ways, NameText { text, name, token }))
        });
        texts.collect()
    }

    /// The number of bytes that stand before the arguments, or before an identifier, in all ways of
    /// writing a call, behind what tells the ways apart. Pieces begin with these bytes, so that one
    /// piece serves all ways. `None` if a special token or the tool's name stands there.
    fn shared_end(&self, speller: &Speller) -> Option<usize> {
        let tool = self.tool(0)?;
        if self.format.calls().iter().any(|way| way.names() > 1) {
            return None;
        }
        let holes = self.holes().into_iter().map(|ways| {
            let texts = self.texts(&ways, tool, speller);
            let apart = length_behind(texts.iter().map(|(_, text)| text))?;
            Some(texts.into_iter().map(move |(_, text)| (text, apart)))
        });
        let texts = holes.collect::<Option<Vec<_>>>()?;
        let texts: Vec<(NameText, usize)> = texts.into_iter().flatten().collect();
        let is_plain = texts.iter().all(|(text, _)| text.token.is_none());
        is_plain.then(|| shared_end(texts.iter().map(|(text, apart)| (text.behind(), *apart))))
    }

    /// The key of the grammar around calls. The vocabulary and the compiler's options are not in
    /// it.
    pub(crate) fn outer_key(&self) -> Digest {
        let mut digester = Digester::new("outer part of tools");
        digester.field(&self.mode);
        digester.flag(self.parallel);
        digester.digest(self.options_hash);
        digester.finish()
    }

    /// The fields of the key of the rest of a call: ways of writing it that differ only in what
    /// stands before the rest have equal ones. The vocabulary, the compiler's options and documents
    /// that the schema refers to are not in it.
    pub(crate) fn piece_fields(&self, rest: &Rest) -> Option<Digester> {
        let tool = self.tool(rest.tool)?;
        let mut digester = Digester::new("rest of a call");
        digester.digest(self.options_hash);
        let ways = rest.ways.iter().filter_map(|&way| self.template(way));
        let ways: Vec<&Template> = ways.collect();
        let blanks = self.options.tools.blanks;
        digester.bytes(&lower::rest_bytes(&ways, tool, rest.behind, blanks));
        match &tool.arguments {
            Arguments::None => digester.small(0),
            Arguments::Any(names) => {
                digester.small(1);
                digester.field(&names[..]);
            }
            Arguments::Schema(place) => {
                digester.small(2);
                let text = self.source.text();
                let text = text.get(place.start..place.end)?;
                digester.text(text);
            }
            Arguments::Input(pattern) => {
                digester.small(3);
                digester.field(&pattern.as_ref().map(|pattern| pattern.value.clone()));
            }
        }
        Some(digester)
    }

    /// The number of bytes of the schema of the tool that is called.
    pub(crate) fn bytes_of(&self, rest: &Rest) -> usize {
        let tool = self.tool(rest.tool);
        tool.map_or(0, |tool| match &tool.arguments {
            Arguments::Schema(place) => place.end - place.start,
            Arguments::Input(Some(pattern)) => pattern.value.len(),
            Arguments::None | Arguments::Any(_) | Arguments::Input(None) => 0,
        })
    }

    /// Whether schemas may refer to documents. No key depends on those.
    pub(crate) fn reads_documents(&self) -> bool {
        self.options.schema.has_documents()
    }

    /// The grammar around calls. In each hole, the token of this id stands for a call from the
    /// tool's name on. It names the tokens that any call names.
    ///
    /// # Errors
    /// If it is refused; or why it depends on the tools.
    pub(crate) fn outer(
        &self,
        holes: &[u32],
        limits: &Limits,
    ) -> Result<Result<Parsed, Error>, &'static str> {
        let chosen = self.chosen();
        let mut of_ways = vec![None; self.format.calls().len()];
        for (ways, &hole) in self.holes().iter().zip(holes) {
            of_ways[ways[0]] = Some(hole);
        }
        let mut sources = Sources::from(&self.source);
        let base = sources.add(self.format.source().clone());
        let options = self.options_within(limits);
        let tag = match lower::lower_outer(&chosen, &self.format, base, &options, &of_ways)? {
            Ok(tag) => tag,
            Err(error) => return Ok(Err(Error::in_sources(&sources, vec![error]))),
        };
        let mut parsed = structural_tag::parse_format(&tag, sources, &options);
        if let Ok(parsed) = &mut parsed {
            name_delimiters(&mut parsed.grammar, &self.format, &options);
        }
        Ok(parsed)
    }

    /// The same format and options with other tools.
    fn with_tools(&self, tools: &str) -> Result<Self, Error> {
        let mut options = self.options.clone();
        options.tools.choice = Some(ToolChoice::Required);
        let source = Source::new("<tools>", tools);
        ToolParts::read(&source, self.format.clone(), &options)
    }

    /// The rests of calls of all tools, equal ones once.
    fn rests(&self) -> Vec<Rest> {
        let holes = self.holes().into_iter();
        let entries = holes.filter_map(|ways| self.entries(&ways).ok()).flatten();
        let mut met = KeyedSet::default();
        let rests = entries.map(|entry| entry.rest);
        rests
            .filter(|rest| met.insert(self.piece_fields(rest).map(|fields| fields.finish())))
            .collect()
    }

    /// The key of the format and the options of the request. The vocabulary and the compiler's
    /// options are not in it.
    pub(crate) fn options_key(&self) -> Digest {
        self.options_hash
    }

    /// The grammar of the rest of a call, which ends with this token.
    ///
    /// # Errors
    /// If the tool's schema is refused.
    pub(crate) fn piece(&self, rest: &Rest, exit: u32, limits: &Limits) -> Result<Parsed, Error> {
        let options = self.options_within(limits);
        let mut sources = Sources::from(&self.source);
        let base = sources.add(self.format.source().clone());
        let Some(tag) = self.rest(rest, base, exit, &options) else {
            let message = "there is no such tool";
            return Err(Diagnostic::error(Code::ToolChoice, message).into());
        };
        let tag = tag.map_err(|error| Error::in_sources(&sources, vec![error]))?;
        structural_tag::parse_format(&tag, sources, &options)
    }

    /// An error of the rest of a call with the name of the tool. Equal rests of other requests have
    /// other names, so this is for those who know only this request.
    pub(crate) fn blame(&self, rest: &Rest, error: Error) -> Error {
        match self.tool(rest.tool) {
            Some(tool) => blame::of_tool(error, tool),
            None => error,
        }
    }

    /// The choice of those tools that may be called and are not among these, each given by its
    /// place among them; `None` if there is none, or one tool had to be called.
    pub(crate) fn choice_without(&self, left_out: &[usize]) -> Option<ToolChoice> {
        let required = match self.mode {
            Mode::Auto => false,
            Mode::Required => true,
            Mode::None | Mode::One => return None,
        };
        let chosen = self.chosen().tools.into_iter().enumerate();
        let tools = chosen.filter(|(at, _)| !left_out.contains(at));
        let tools: Vec<String> = tools.map(|(_, tool)| tool.name.value.clone()).collect();
        (!tools.is_empty()).then_some(ToolChoice::Allowed { tools, required })
    }

    /// The structural tag of the rest of a call, which ends with this token. The format's text
    /// stands at `base` among the sources.
    fn rest(
        &self,
        rest: &Rest,
        base: usize,
        exit: u32,
        options: &ParseOptions,
    ) -> Option<Result<Format, Diagnostic>> {
        let tool = self.tool(rest.tool)?;
        let templates = rest.ways.iter().filter_map(|&way| self.template(way));
        let calls = templates.map(|template| ToolCall { template, tool });
        Some(lower::lower_piece(
            &self.chosen(),
            &self.format,
            base,
            options,
            &calls.collect::<Vec<_>>(),
            rest.behind,
            exit,
        ))
    }

    /// The format and the tools that a reader of outputs needs.
    pub(crate) fn calls(&self) -> ToolCalls {
        let called = self.called.iter().filter_map(|&at| self.set.tools.get(at));
        let tools = called.map(|tool| CalledTool {
            name: tool.name.value.clone(),
            values: tool.values.clone(),
        });
        ToolCalls {
            tools: tools.collect(),
            reasoning: self.options.tools.reasoning,
            has_calls: !self.called.is_empty(),
            blanks: self.options.tools.blanks,
            format: self.format.clone(),
        }
    }
}

/// A hash of the format and of every option that outputs depend on. The tools are not in it.
fn options_hash(format: &ToolFormat, options: &ParseOptions) -> Digest {
    let ParseOptions {
        root: _,
        schema,
        tags,
        tools:
            ToolOptions {
                // Its text is here.
                format: _,
                // What these say of each tool is part of the keys of the tools.
                choice: _,
                parallel: _,
                strict: _,
                reasoning,
                blanks,
            },
        // Tools hold no Lark grammar.
        lark: _,
        // Part of the target's vocabulary.
        tokens: _,
        // Part of the target's options.
        limits: _,
        // Documents and a format's file are told apart by what they say.
        documents: _,
        package: _,
    } = options;
    let mut digester = Digester::new("options of tools");
    digester.field(schema);
    digester.field(tags);
    digester.field(reasoning);
    digester.field(blanks);
    digester.text(format.source().text());
    digester.finish()
}

/// The format that options name.
///
/// # Errors
/// If there is none, or it cannot be read.
pub(crate) fn format(source: &Source, options: &ParseOptions) -> Result<ToolFormat, Error> {
    format_of(source, options).map(|(format, _)| format)
}
