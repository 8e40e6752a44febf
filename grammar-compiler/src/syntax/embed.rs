//! Grammars within grammars: a rule of one can name a schema, or a grammar in another file.
//!
//! In: a grammar with a rule for each [`Embed`], empty so far, and what those name. Out: [`JoinedGrammar`]: one grammar, in which each of those rules refers to the root of
//! what it names. What holds after: rules of different texts keep apart, whatever they are called; every place says which text it lies in; each file is read once for
//! each way of reading it, so that files that name each other are rules that call each other.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::json_schema::{self, SchemaOptions};
use super::{Embedded, Kind, ParseOptions, Parsed, parse_embedded};
use crate::error::{Code, Diagnostic, Error};
use crate::file;
use crate::grammar::{Expr, Grammar, RuleId};
use crate::limits::{Deadline, LimitExceeded};
use crate::source::{Source, Sources, Span};
use rustc_hash::FxHashMap as HashMap;

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
}

/// Where an embedded grammar is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbedContent {
    /// In a file; a relative path starts at the folder of the text that names it.
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
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Whether there was a schema among them.
    pub has_schema: bool,
    /// The rules of each text in the grammar language that is embedded.
    pub(super) ebnf: Vec<Range<usize>>,
}

/// Joins a grammar, whose places lie in `sources` so far, with what it embeds.
///
/// # Errors
/// If a file cannot be read, what is embedded is wrong, or all texts together pass `limits.grammar_bytes`.
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
        known: HashMap::default(),
        options,
    };
    let folder = &options.folder;
    let mut pending: VecDeque<(Embed, PathBuf)> = VecDeque::new();
    pending.extend(embeds.into_iter().map(|embed| (embed, folder.clone())));
    let deadline = Deadline::start(&options.limits);
    while let Some((embed, folder)) = pending.pop_front() {
        deadline.check("reading embedded texts")?;
        let (root, added) = joiner.embed(&embed, &folder)?;
        joiner.resolve(embed.rule, root);
        pending.extend(added);
    }
    Ok(joiner.joined)
}

/// The key of an embedded file: its kind, its path, and the rule that it is entered by. Grammars with equal keys are the same grammar if their
/// schema options are equal too.
type EmbedKey = (Kind, PathBuf, Option<String>);

struct Joiner<'o> {
    joined: JoinedGrammar,
    /// The root of each file that is there, for each way of reading it.
    known: HashMap<EmbedKey, Vec<(Option<SchemaOptions>, RuleId)>>,
    options: &'o ParseOptions,
}

/// An embedded grammar that is there: its root, and what it embeds in turn, with the folder that paths start at.
type AddedGrammar = (RuleId, Vec<(Embed, PathBuf)>);

impl Joiner<'_> {
    fn embed(&mut self, embed: &Embed, folder: &Path) -> Result<AddedGrammar, Error> {
        match &embed.content {
            EmbedContent::File(path) => {
                let shown = folder.join(path);
                let real = self.options.package.join(&shown);
                let file = real.canonicalize().unwrap_or_else(|_| real.clone());
                let key = (embed.kind, file, embed.root.clone());
                let known = self.known.get(&key).map_or(&[][..], Vec::as_slice);
                if let Some((_, root)) = known.iter().find(|(schema, _)| *schema == embed.schema) {
                    return Ok((*root, Vec::new()));
                }
                let source = self.read(embed, &shown, &real)?;
                let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
                self.joined.files.push(real);
                let folder = shown.parent().unwrap_or(Path::new("")).to_path_buf();
                let added = self.add(embed, &name, source, &folder)?;
                let ways = self.known.entry(key).or_default();
                ways.push((embed.schema.clone(), added.0));
                Ok(added)
            }
            EmbedContent::Text(source) => {
                self.add(embed, embed.kind.name(), source.clone(), folder)
            }
            EmbedContent::Here(place) => self.add_here(embed, *place),
        }
    }

    fn read(&self, embed: &Embed, shown: &Path, path: &Path) -> Result<Source, Error> {
        let limits = &self.options.limits;
        let text = file::read_text(path, file::most_of_grammar(limits)).map_err(|error| {
            let shown = shown.display();
            let diagnostic = match file::grammar_too_long(path, &error, limits) {
                Some(limit) => Diagnostic::from(&limit),
                None => Diagnostic::error(
                    Code::UnreadableGrammar,
                    format!("cannot read {shown}: {error}"),
                )
                .help("a path is relative to the folder of the file that names it"),
            };
            self.refuse(diagnostic.at(embed.span, "named here"))
        })?;
        Ok(Source::new(shown.display().to_string(), text))
    }

    /// Adds a grammar in a text of its own.
    fn add(
        &mut self,
        embed: &Embed,
        name: &str,
        source: Source,
        folder: &Path,
    ) -> Result<AddedGrammar, Error> {
        let base = self.joined.sources.add(source.clone());
        self.check_size(embed)?;
        let options = self.options_of(embed, folder);
        let read = parse_embedded(embed.kind, &source, &options);
        let read = match read.map_err(|error| self.inside(embed, base, &error))? {
            Embedded::Open(unjoined) => unjoined,
            Embedded::Whole(parsed) => self.note(parsed),
        };
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
            let rule = RuleId(inner.rule.0 + start as u32);
            let span = shift(inner.span);
            (
                Embed {
                    content,
                    rule,
                    span,
                    ..inner
                },
                folder.to_path_buf(),
            )
        });
        Ok((root, embeds.collect()))
    }

    /// Adds a schema that stands in a text that is there already.
    fn add_here(&mut self, embed: &Embed, place: Span) -> Result<AddedGrammar, Error> {
        let options = self.options_of(embed, Path::new(""));
        let Some((source, within)) = self.joined.sources.locate(place) else {
            return Err(self.refuse(
                Diagnostic::error(Code::UnreadableGrammar, "this text is not there").at(place, ""),
            ));
        };
        let base = place.start - within.start;
        let parsed = json_schema::parse_within(source, within, &options);
        let parsed = parsed.map_err(|error| self.inside(embed, base, &error))?;
        let read = self.note(parsed);
        let root = self.append(read.grammar, read.warnings, embed.kind.name(), base);
        Ok((root, Vec::new()))
    }

    fn options_of(&self, embed: &Embed, folder: &Path) -> ParseOptions {
        let root = embed.root.clone();
        let schema = embed.schema.clone();
        ParseOptions {
            root: root.unwrap_or_else(|| "root".to_owned()),
            schema: schema.unwrap_or_else(|| self.options.schema.clone()),
            folder: folder.to_path_buf(),
            ..self.options.clone()
        }
    }

    /// Keeps what was read on the way.
    fn note(&mut self, parsed: Parsed) -> Unjoined {
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
        let limit = LimitExceeded {
            limit: "grammar_bytes",
            value: most as u64,
            what: format!("the grammar and what it embeds have {bytes} bytes"),
        };
        Err(self.refuse(Diagnostic::from(&limit).at(embed.span, "named here")))
    }

    /// Appends the rules of a text that begins at `base`, and what is probably not meant in it; where the root is then.
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
