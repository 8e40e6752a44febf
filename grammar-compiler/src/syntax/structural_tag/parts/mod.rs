//! A structural tag in parts: what stands around tags with schemas, and each of these tags by
//! itself.
//!
//! In: the same as for [`parse`](super::parse). Out: [`TagParts`]: the grammar of the format with
//! holes, the names that each hole begins with, and for each piece the grammar of what follows its
//! name. What holds: with names and pieces in the place of the holes, the texts are those of the
//! whole grammar.

mod describe;
mod named;
mod split;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde_json::Value;

use super::ast::{Delimiter, FieldText, Format, FormatKind, JsonSchema, Tag};
use super::{check, parse_format, read};
use crate::digest::{Digest, Digester};
use crate::error::Error;
use crate::limits::Limits;
use crate::source::{Source, Sources, Span};
use crate::syntax::embed::EmbedContent;
use crate::syntax::kinds;
use crate::syntax::spell::Speller;
use crate::syntax::{ParseOptions, Parsed};
use describe::FormatWriter;
use named::named;
use split::FormatSplitter;

/// The most holes of a format.
const MAX_HOLES: usize = 64;

/// A structural tag in parts.
#[derive(Debug)]
pub(crate) struct TagParts {
    source: Source,
    options: ParseOptions,
    /// The token of the first hole, which is the exit of pieces, too.
    exit: u32,
    /// The format with holes.
    outer: Format,
    holes: Vec<Vec<split::HoleName>>,
    pieces: Vec<Format>,
    /// The tokens that pieces name.
    named: BTreeSet<u32>,
    options_hash: Digest,
    /// The key of the base, once it has been asked for.
    base_key: OnceLock<Digest>,
}

impl TagParts {
    /// Reads a structural tag. `exit` is the token of its first hole: those of further holes
    /// follow. The inner error says why there are no parts.
    ///
    /// # Errors
    /// As [`parse`](super::parse), but for what is wrong with what is embedded.
    pub(crate) fn read(
        source: &Source,
        options: &ParseOptions,
        exit: u32,
    ) -> Result<Result<Self, &'static str>, Error> {
        let request = read::unwrap(source, &options.limits)?;
        let sources = Sources::from(&request.source);
        let refused = |errors| Error::in_sources(&sources, errors);
        let format = read::read(&request, options).map_err(refused)?;
        check::check(&format, options).map_err(refused)?;
        if options.schema.has_documents() {
            return Ok(Err("its schemas may refer to documents"));
        }
        let speller = Speller::new(&options.tokens, options.tags.spelled);
        let mut splitter = FormatSplitter::new(&speller, exit);
        let outer = splitter.format(&format);
        let FormatSplitter { holes, pieces, .. } = splitter;
        let parts = TagParts {
            named: named(&pieces, &speller),
            options_hash: options_hash(options),
            base_key: OnceLock::new(),
            source: request.source,
            options: ParseOptions {
                limits: options.limits.not_begun(),
                ..options.clone()
            },
            exit,
            outer,
            holes,
            pieces,
        };
        Ok(parts.checked())
    }

    /// The same, if it can be compiled in parts.
    fn checked(self) -> Result<Self, &'static str> {
        let reads_files = self.pieces.iter().chain([&self.outer]).any(|format| {
            let mut writer = self.writer("looked through");
            writer.format(format);
            writer.reads_files
        });
        match self.holes.len() {
            0 => Err("no tag of it is a part"),
            _ if reads_files => Err("its grammars may embed files"),
            1..=MAX_HOLES => Ok(self),
            _ => Err("too many of its tags begin differently"),
        }
    }

    /// A writer of what tells something of this kind from others: with the options.
    fn writer(&self, kind: &'static str) -> FormatWriter<'_> {
        let mut writer = FormatWriter::new(kind, self.source.text());
        writer.fields.digest(self.options_hash);
        writer
    }

    /// For each hole its names, ascending, each with its piece. No name is the beginning of another
    /// one of its hole.
    pub(crate) fn holes(&self) -> impl Iterator<Item = impl Iterator<Item = (&str, usize)>> {
        let holes = self.holes.iter();
        holes.map(|names| names.iter().map(|name| (name.text.as_str(), name.piece)))
    }

    /// Number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The tokens that pieces name in delimiters and texts.
    pub(crate) fn named(&self) -> &BTreeSet<u32> {
        &self.named
    }

    /// The key of the format with holes. The vocabulary and the compiler's options are not part of
    /// it.
    pub(crate) fn outer_key(&self) -> Digest {
        let mut writer = self.writer("outer part of a tag");
        writer.format(&self.outer);
        writer.fields.number(self.named.len() as u64);
        for &id in &self.named {
            writer.fields.number(id.into());
        }
        writer.fields.finish()
    }

    /// The fields of the key of a piece. The vocabulary, the compiler's options and the tokens that
    /// are no text are not among them.
    pub(crate) fn piece_fields(&self, piece: usize) -> Option<Digester> {
        let mut writer = self.writer("piece of a tag");
        writer.fields.digest(self.base_key());
        writer.format(self.pieces.get(piece)?);
        Some(writer.fields)
    }

    /// The key of the base, without the same three.
    pub(crate) fn base_key(&self) -> Digest {
        *self.base_key.get_or_init(|| self.new_base_key())
    }

    fn new_base_key(&self) -> Digest {
        let mut writer = self.writer("base of a tag");
        if let Some((schema, tag)) = self.first_schema() {
            writer.style(schema);
            writer.ends(&tag.ends);
        }
        writer.fields.finish()
    }

    /// Bytes of the text of a piece.
    pub(crate) fn bytes_of(&self, piece: usize) -> usize {
        let span = self.pieces.get(piece).map(|piece| piece.span);
        span.map_or(0, |span| span.end - span.start)
    }

    /// The grammar of the format with holes.
    ///
    /// # Errors
    /// As [`parse`](super::parse).
    pub(crate) fn outer(&self, limits: &Limits) -> Result<Parsed, Error> {
        let options = self.options_within(limits);
        parse_format(&self.outer, Sources::from(&self.source), &options)
    }

    /// The options for what is read within a request that has begun with these limits.
    fn options_within(&self, limits: &Limits) -> ParseOptions {
        ParseOptions {
            limits: self.options.limits.within(limits),
            ..self.options.clone()
        }
    }

    /// The grammar of what follows a name, which ends with the exit.
    ///
    /// # Errors
    /// If what is embedded is refused.
    pub(crate) fn piece(&self, piece: usize, limits: &Limits) -> Result<Parsed, Error> {
        let options = self.options_within(limits);
        let piece = self.pieces.get(piece).cloned();
        let format = self.ended(piece.into_iter().collect());
        parse_format(&format, Sources::from(&self.source), &options)
    }

    /// The grammar of tags that have most of the token sets that others have. Each begins with a
    /// text of its own, and ends with the exit. `None` if no piece is one schema.
    pub(crate) fn common(&self, limits: &Limits) -> Option<Result<Parsed, Error>> {
        let options = self.options_within(limits);
        let (schema, tag) = self.first_schema()?;
        let schemas = kinds::objects().into_iter().enumerate();
        let tags = schemas.map(|(at, kind)| self.with_schema(tag, schema, at, &kind));
        // Not all styles can write all kinds.
        let parse = |format: &Format| {
            let sources = Sources::from(&self.source);
            parse_format(format, sources, &options)
        };
        let tags: Vec<Format> = tags.filter(|tag| parse(tag).is_ok()).collect();
        let span = tag.span;
        let kind = FormatKind::Or(tags);
        let all = self.ended(vec![Format { span, kind }]);
        Some(parse(&all))
    }

    /// The same tag with another schema in it, and another begin.
    fn with_schema(&self, tag: &Tag, schema: &JsonSchema, at: usize, kind: &Value) -> Format {
        let text = kind.to_string();
        // Schemas are known by their places, and each place is read once: this one needs a place of
        // its own.
        let span = Span::new(at, at + 1);
        let schema = JsonSchema {
            content: EmbedContent::Text(Source::new("<schema>", text)),
            span,
            ..schema.clone()
        };
        let tag = Tag {
            span,
            begin: Delimiter::Text(FieldText {
                value: format!("{at}:"),
                span,
            }),
            content: Format {
                span,
                kind: FormatKind::JsonSchema(schema),
            },
            ends: tag.ends.clone(),
        };
        Format {
            span,
            kind: FormatKind::Tag(Box::new(tag)),
        }
    }

    /// These formats, and the exit.
    fn ended(&self, mut formats: Vec<Format>) -> Format {
        let span = formats.first().map_or(Span::default(), |first| first.span);
        let kind = FormatKind::Token(self.exit);
        formats.push(Format { span, kind });
        let kind = FormatKind::Sequence(formats);
        Format { span, kind }
    }

    /// The first piece that is a schema with an end, if there is one.
    fn first_schema(&self) -> Option<(&JsonSchema, &Tag)> {
        let tags = self.pieces.iter().flat_map(tags_of);
        let mut schemas = tags.filter_map(|tag| match &tag.content.kind {
            FormatKind::JsonSchema(schema) => Some((schema, tag)),
            _ => None,
        });
        schemas.next()
    }
}

/// The tags that a piece is one of.
fn tags_of(piece: &Format) -> impl Iterator<Item = &Tag> {
    let tags = match &piece.kind {
        FormatKind::Or(tags) => tags.as_slice(),
        _ => &[],
    };
    tags.iter().filter_map(|tag| match &tag.kind {
        FormatKind::Tag(tag) => Some(&**tag),
        _ => None,
    })
}

/// A hash of the options that texts depend on.
fn options_hash(options: &ParseOptions) -> Digest {
    let ParseOptions {
        root: _,
        schema,
        tags,
        tools: _,
        // Tags hold no Lark grammar.
        lark: _,
        // Part of the target's vocabulary.
        tokens: _,
        // Part of the target's options.
        limits: _,
        // A tag that reads files has no parts.
        documents: _,
        package: _,
    } = options;
    let mut digester = Digester::new("options of tags");
    digester.field(schema);
    digester.field(tags);
    digester.finish()
}
