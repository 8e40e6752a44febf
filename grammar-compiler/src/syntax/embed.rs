//! Grammars within grammars: a rule of one can name a schema, or a grammar in another document.
//!
//! In: a grammar with a rule for each [`Embed`], empty so far, and what those name. Out:
//! [`JoinedGrammar`]: one grammar, in which each of those rules refers to the root of what it
//! names. What holds after: rules of different texts keep apart, whatever they are called; every
//! place says which text it lies in; each document came from the source in
//! [`ParseOptions::documents`] and was read once, and its rules are there once for each way of
//! reading them, so that documents that name each other are rules that call each other.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;

use super::json_schema::{self, SchemaOptions};
use super::{Embedded, Kind, ParseOptions, Parsed, parse_embedded};
use crate::documents::{self, DocumentError, Documents, ReadLimits};
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::{Expr, Grammar, RuleId};
use crate::limits::{Deadline, LimitExceeded};
use crate::maps::KeyedMap;
use crate::source::{Source, Sources, Span};

/// A grammar that a rule of another one names.
#[derive(Clone, Debug)]
pub struct Embed {
    /// The language that it is written in.
    pub kind: Kind,
    /// Where it is.
    pub content: EmbedContent,
    /// The rule of it that is meant; `root` if none is named.
    pub root: Option<String>,
    /// How it is read, if it is a schema; as the grammar around it says if nothing is said.
    pub schema: Option<SchemaOptions>,
    /// Where it is named.
    pub span: Span,
    /// The rule of the grammar around it that stands for it.
    pub rule: RuleId,
    /// The rule of what ends it, if only that can come behind it: nothing is left of the rule if
    /// the embedded grammar holds that end.
    pub end: Option<RuleId>,
}

/// Where an embedded grammar is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbedContent {
    /// In another document, whose name is relative to the document that names it.
    File(String),
    /// At this place of the text that names it.
    Here(Span),
    /// In a text of its own, such as a literal of which the escapes were read.
    Text(Source),
}

/// A text as its own front end reads it, before what it embeds is there.
#[derive(Debug)]
pub(super) struct Unjoined {
    pub(super) grammar: Grammar,
    pub(super) embeds: Vec<Embed>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// A grammar and everything that is embedded in it.
#[derive(Debug)]
pub struct JoinedGrammar {
    /// The grammar: the rules of the text itself first.
    pub grammar: Grammar,
    /// The texts.
    pub sources: Sources,
    /// What is probably not meant in the embedded texts.
    pub warnings: Vec<Diagnostic>,
    /// The files of documents that were read.
    pub files: Vec<PathBuf>,
    /// Whether there was a schema among them.
    pub has_schema: bool,
    /// The rules of each text in the grammar language that is embedded.
    pub(super) ebnf: Vec<Range<usize>>,
}

/// Joins a grammar, whose places lie in `sources` so far, with what it embeds.
///
/// # Errors
/// If a document cannot be read or there is no source of documents, what is embedded is wrong, all
/// texts together pass `limits.grammar_bytes`, or the time is over.
pub fn join(
    grammar: Grammar,
    sources: Sources,
    embeds: Vec<Embed>,
    options: &ParseOptions,
) -> Result<JoinedGrammar, Error> {
    let mut joiner = Joiner {
        joined: JoinedGrammar {
            grammar,
            sources,
            warnings: Vec::new(),
            files: Vec::new(),
            has_schema: false,
            ebnf: Vec::new(),
        },
        known: KeyedMap::default(),
        documents: ReadDocuments::default(),
        deadline: Deadline::start(&options.limits),
        options,
    };
    let mut pending: VecDeque<(Embed, Text)> = VecDeque::new();
    pending.extend(embeds.into_iter().map(|embed| (embed, Text::default())));
    while let Some((embed, text)) = pending.pop_front() {
        joiner.deadline.check("reading embedded texts")?;
        let (root, added) = joiner.embed(&embed, &text)?;
        joiner.resolve(embed.rule, root);
        pending.extend(added);
    }
    Ok(joiner.joined)
}

/// The key of an embedded document: its kind, its number, and the rule that it is entered by.
/// Grammars with equal keys are the same grammar if their
/// schema options are equal too.
type EmbedKey = (Kind, usize, Option<String>);

struct Joiner<'o> {
    joined: JoinedGrammar,
    /// The root of each document that is there, for each way of reading it.
    known: KeyedMap<EmbedKey, Vec<(Option<SchemaOptions>, RuleId)>>,
    documents: ReadDocuments,
    deadline: Deadline,
    options: &'o ParseOptions,
}

/// The documents that were read, by number.
#[derive(Default)]
struct ReadDocuments {
    sources: Vec<Source>,
    by_name: KeyedMap<String, usize>,
    /// A file may have several names.
    by_file: KeyedMap<PathBuf, usize>,
}

/// A text that embeds others.
#[derive(Clone, Default)]
struct Text {
    /// The folder of documents that names in it start at.
    folder: String,
    /// Where it is embedded itself.
    embedded_at: Option<Span>,
}

/// An embedded grammar that is there: its root, and what it embeds in turn.
type AddedGrammar = (RuleId, Vec<(Embed, Text)>);

impl Joiner<'_> {
    fn embed(&mut self, embed: &Embed, text: &Text) -> Result<AddedGrammar, Error> {
        match &embed.content {
            EmbedContent::File(reference) => self.embed_document(embed, text, reference),
            EmbedContent::Text(source) => {
                self.add(embed, embed.kind.name(), source.clone(), &text.folder)
            }
            EmbedContent::Here(place) => self.add_here(embed, *place),
        }
    }

    /// Adds the document that a text calls `reference`, unless it is there.
    fn embed_document(
        &mut self,
        embed: &Embed,
        text: &Text,
        reference: &str,
    ) -> Result<AddedGrammar, Error> {
        let read = self.read(&text.folder, reference);
        let (document, name) = read.map_err(|diagnostic| {
            let diagnostic = diagnostic.at(embed.span, "named here");
            self.refuse(match text.embedded_at {
                Some(place) => diagnostic.at(place, "embedded here"),
                None => diagnostic,
            })
        })?;
        let key = (embed.kind, document, embed.root.clone());
        let known = self.known.get(&key).map_or(&[][..], Vec::as_slice);
        if let Some((_, root)) = known.iter().find(|(schema, _)| *schema == embed.schema) {
            return Ok((*root, Vec::new()));
        }
        let source = self.documents.sources[document].clone();
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", &name));
        let added = self.add(embed, last, source, folder)?;
        let ways = self.known.entry(key).or_default();
        ways.push((embed.schema.clone(), added.0));
        Ok(added)
    }

    /// The number and the name of the document that a text in `folder` calls `reference`, which is
    /// read if it was not read yet.
    fn read(&mut self, folder: &str, reference: &str) -> Result<(usize, String), Diagnostic> {
        let Some(documents) = &self.options.documents else {
            return Err(no_documents(reference));
        };
        let name = documents::resolve(folder, reference);
        let name = name.map_err(|why| unreadable(reference, why))?;
        if let Some(&known) = self.documents.by_name.get(&name) {
            return Ok((known, name));
        }
        let limits = ReadLimits::new(&self.options.limits, &self.deadline);
        let read = documents.read(&name, &limits);
        let document = match read.and_then(|read| limits.check_time().map(|()| read)) {
            Ok(Some(document)) => document,
            Ok(None) => return Err(unreadable(&name, "there is no such document")),
            Err(DocumentError::Refused(why)) => return Err(unreadable(&name, &why)),
            Err(DocumentError::Limit(limit)) => return Err(Diagnostic::from(&limit)),
        };
        let number = self.documents.sources.len();
        let number = match document.real_file {
            Some(file) => *self.documents.by_file.entry(file).or_insert(number),
            None => number,
        };
        if number == self.documents.sources.len() {
            let source = Source::new(document.name, document.text);
            self.documents.sources.push(source);
            self.joined.files.extend(document.file);
        }
        self.documents.by_name.insert(name.clone(), number);
        Ok((number, name))
    }

    /// Adds a grammar in a text of its own.
    fn add(
        &mut self,
        embed: &Embed,
        name: &str,
        source: Source,
        folder: &str,
    ) -> Result<AddedGrammar, Error> {
        let base = self.joined.sources.add(source.clone());
        self.check_size(embed)?;
        let options = self.options_of(embed);
        let read = parse_embedded(embed.kind, &source, &options);
        let read = match read.map_err(|error| self.inside(embed, base, &error))? {
            Embedded::Open(unjoined) => unjoined,
            Embedded::Whole(parsed) => self.note(embed, parsed),
        };
        if read.grammar.lexer.is_some() {
            let message = "a grammar with a lexer cannot stand in another grammar";
            return Err(self.refuse(
                Diagnostic::error(Code::LarkUnsupported, message)
                    .at(embed.span, "named here")
                    .help("write it in EBNF, or let it be the whole grammar"),
            ));
        }
        let shift = |span: Span| span.shifted(base);
        let start = self.joined.grammar.rules.len();
        let root = self.append(read.grammar, read.warnings, name, base);
        if embed.kind == Kind::Ebnf {
            self.joined
                .ebnf
                .push(start..self.joined.grammar.rules.len());
        }
        let embeds = read.embeds.into_iter().map(|inner| {
            let content = match inner.content {
                EmbedContent::Here(place) => EmbedContent::Here(shift(place)),
                content => content,
            };
            let moved = |rule: RuleId| RuleId(rule.0 + start as u32);
            let span = shift(inner.span);
            (
                Embed {
                    content,
                    rule: moved(inner.rule),
                    end: inner.end.map(moved),
                    span,
                    ..inner
                },
                Text {
                    folder: folder.to_owned(),
                    embedded_at: Some(embed.span),
                },
            )
        });
        Ok((root, embeds.collect()))
    }

    /// Adds a schema that stands in a text that is there already.
    fn add_here(&mut self, embed: &Embed, place: Span) -> Result<AddedGrammar, Error> {
        let options = self.options_of(embed);
        let Some((source, within)) = self.joined.sources.locate(place) else {
            return Err(self.refuse(
                Diagnostic::error(Code::UnreadableGrammar, "this text is not there").at(place, ""),
            ));
        };
        let base = place.start - within.start;
        let parsed = json_schema::parse_within(source, within, &options);
        let parsed = parsed.map_err(|error| self.inside(embed, base, &error))?;
        let read = self.note(embed, parsed);
        let root = self.append(read.grammar, read.warnings, embed.kind.name(), base);
        Ok((root, Vec::new()))
    }

    fn options_of(&self, embed: &Embed) -> ParseOptions {
        let root = embed.root.clone();
        let schema = embed.schema.clone();
        ParseOptions {
            root: root.unwrap_or_else(|| "root".to_owned()),
            schema: schema.unwrap_or_else(|| self.options.schema.clone()),
            ..self.options.clone()
        }
    }

    /// Keeps what was read on the way. Nothing is left of the rule of an end that it holds.
    fn note(&mut self, embed: &Embed, parsed: Parsed) -> Unjoined {
        let end = embed.end.filter(|_| parsed.holds_end);
        let end = end.and_then(|end| self.joined.grammar.rules.get_mut(end.0 as usize));
        if let Some(end) = end {
            end.expr = Expr::Seq(Vec::new());
        }
        self.joined.files.extend(parsed.files);
        self.joined.has_schema |= parsed.has_schema;
        Unjoined {
            grammar: parsed.grammar,
            embeds: Vec::new(),
            warnings: parsed.warnings,
        }
    }

    fn check_size(&self, embed: &Embed) -> Result<(), Error> {
        let (bytes, most) = (
            self.joined.sources.bytes(),
            self.options.limits.grammar_bytes,
        );
        if bytes <= most {
            return Ok(());
        }
        let limit = LimitExceeded::new(
            "grammar_bytes",
            most,
            format!("the grammar and what it embeds have {bytes} bytes"),
        );
        Err(self.refuse(Diagnostic::from(&limit).at(embed.span, "named here")))
    }

    /// Appends the rules of a text that begins at `base`, and what is probably not meant in it;
    /// where the root is then.
    fn append(
        &mut self,
        grammar: Grammar,
        warnings: Vec<Diagnostic>,
        name: &str,
        base: usize,
    ) -> RuleId {
        let shift = |span: Span| span.shifted(base);
        let warnings = warnings.into_iter();
        let warnings = warnings.map(|warning| warning.map_spans(shift));
        self.joined.warnings.extend(warnings);
        let rules = &mut self.joined.grammar.rules;
        let start = rules.len() as u32;
        let root = RuleId(grammar.root.0 + start);
        rules.extend(grammar.rules.into_iter().map(|rule| {
            let separator = if rule.name.starts_with('/') || rule.name.is_empty() {
                "#"
            } else {
                ":"
            };
            let mut rule = rule.renumbered(&|id| RuleId(id.0 + start));
            rule.name = format!("{name}{separator}{}", rule.name);
            rule.span = shift(rule.span);
            rule.places
                .iter_mut()
                .for_each(|place| *place = shift(*place));
            rule
        }));
        root
    }

    /// Makes the rule that stands for an embedded grammar refer to it.
    fn resolve(&mut self, rule: RuleId, root: RuleId) {
        if let Some(rule) = self.joined.grammar.rules.get_mut(rule.0 as usize) {
            rule.expr = Expr::Ref(root);
        }
    }

    fn refuse(&self, diagnostic: Diagnostic) -> Error {
        Error::in_sources(&self.joined.sources, vec![diagnostic])
    }

    /// An error in an embedded text that begins at `base`, which says where that is named.
    fn inside(&self, embed: &Embed, base: usize, error: &Error) -> Error {
        let diagnostics = error.diagnostics().iter().map(|diagnostic| {
            let diagnostic = diagnostic.clone().map_spans(|span| span.shifted(base));
            match embed.content {
                EmbedContent::Here(_) if !diagnostic.labels().is_empty() => diagnostic,
                _ => diagnostic.at(embed.span, "embedded here"),
            }
        });
        Error::in_sources(&self.joined.sources, diagnostics.collect())
    }
}

/// The error of a text that names a document, where the caller gave no source of documents.
fn no_documents(reference: &str) -> Diagnostic {
    let message = format!("`{reference}` is another document, and no source of documents is given");
    Diagnostic::error(Code::NoDocuments, message).help(
        "write the text here, or give the folder of the document: `GrammarText::folder` in Rust, `folder=` in Python; `GrammarText::documents` takes other sources",
    )
}

fn unreadable(name: &str, why: &str) -> Diagnostic {
    let message = format!("cannot read {name}: {why}");
    Diagnostic::error(Code::UnreadableGrammar, message).help(
        "a document has a name such as `lists/list.ebnf`, relative to the text that names it, and lies in the folder of documents",
    )
}
