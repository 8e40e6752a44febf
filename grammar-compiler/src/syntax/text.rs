//! Grammars as a user gives them: a kind, a text or a file, and how to read it.
//!
//! In: what a build script, a macro or a command line says. Out: [`Parsed`]. What holds after: as
//! [`super::Parsed`] says.

use std::path::{Path, PathBuf};

use super::json_schema::SchemaOptions;
use super::lark::LarkOptions;
use super::structural_tag::TagOptions;
use super::tools::ToolOptions;
use super::{Kind, ParseOptions, Parsed, parse};
use crate::digest::Digester;
use crate::documents::{Documents, Folder, SharedDocuments};
use crate::error::{Code, Diagnostic, Error};
use crate::file;
use crate::limits::{Deadline, Limits};
use crate::source::Source;
use crate::vocabulary::TokenNames;

/// A grammar as text: of which kind, where it is, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarText {
    kind: Kind,
    content: TextContent,
    root: Option<String>,
    schema_options: Option<SchemaOptions>,
    tag_options: TagOptions,
    tool_options: ToolOptions,
    lark_options: LarkOptions,
    tokens: TokenNames,
    documents: TextDocuments,
    package: PathBuf,
}

/// Where the documents come from that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TextDocuments {
    /// From the folder of the text's file; from nowhere if it is in none.
    OfFile,
    /// From this folder; a relative path starts at the package.
    Folder(PathBuf),
    /// From this source.
    Given(SharedDocuments),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TextContent {
    File(PathBuf),
    Text(Source),
}

impl GrammarText {
    /// A file in the grammar language.
    pub fn ebnf_file(path: impl Into<PathBuf>) -> Self {
        GrammarText::file(Kind::Ebnf, path)
    }

    /// A text in the grammar language.
    pub fn ebnf(text: impl Into<String>) -> Self {
        GrammarText::text(Kind::Ebnf, text)
    }

    /// A file in a dialect of Lark.
    pub fn lark_file(path: impl Into<PathBuf>) -> Self {
        GrammarText::file(Kind::Lark, path)
    }

    /// A grammar in a dialect of Lark: its own, llguidance's or XGrammar's.
    pub fn lark(text: impl Into<String>) -> Self {
        GrammarText::text(Kind::Lark, text)
    }

    /// A regular expression, which the whole text must match.
    pub fn regex(pattern: impl Into<String>) -> Self {
        GrammarText::text(Kind::Regex, pattern)
    }

    /// A file with a JSON Schema: the texts of its values.
    pub fn schema_file(path: impl Into<PathBuf>) -> Self {
        GrammarText::file(Kind::JsonSchema, path)
    }

    /// A JSON Schema: the texts of its values.
    pub fn schema(text: impl Into<String>) -> Self {
        GrammarText::text(Kind::JsonSchema, text)
    }

    /// A file with a structural tag, or a request of an engine that has one: free text with tags in
    /// it.
    pub fn structural_tag_file(path: impl Into<PathBuf>) -> Self {
        GrammarText::file(Kind::StructuralTag, path)
    }

    /// A structural tag, or a request of an engine that has one: free text with tags in it.
    pub fn structural_tag(text: impl Into<String>) -> Self {
        GrammarText::text(Kind::StructuralTag, text)
    }

    /// A file with the tools of a request: what a model writes that can call them. The format of
    /// the calls is one of the [`tool_options`](Self::tool_options).
    pub fn tools_file(path: impl Into<PathBuf>) -> Self {
        GrammarText::file(Kind::Tools, path)
    }

    /// The tools of a request: what a model writes that can call them.
    pub fn tools(text: impl Into<String>) -> Self {
        GrammarText::text(Kind::Tools, text)
    }

    /// A file of this kind. Documents that it names come from its folder.
    pub fn file(kind: Kind, path: impl Into<PathBuf>) -> Self {
        GrammarText::of(kind, TextContent::File(path.into()))
    }

    /// A text of this kind. It names no documents, unless [`folder`](Self::folder) or
    /// [`documents`](Self::documents) says where they come from.
    pub fn text(kind: Kind, text: impl Into<String>) -> Self {
        GrammarText::source(kind, Source::new(kind.source_name(), text))
    }

    /// A text of this kind with a name that errors call it by.
    pub fn source(kind: Kind, source: Source) -> Self {
        GrammarText::of(kind, TextContent::Text(source))
    }

    fn of(kind: Kind, content: TextContent) -> Self {
        GrammarText {
            kind,
            content,
            root: None,
            schema_options: None,
            tag_options: TagOptions::default(),
            tool_options: ToolOptions::default(),
            lark_options: LarkOptions::default(),
            tokens: TokenNames::default(),
            documents: TextDocuments::OfFile,
            package: PathBuf::new(),
        }
    }

    /// The same with this rule for the whole text, instead of `root`. Only grammars in the grammar
    /// language have rules: with others it is an error of [`parse`](Self::parse).
    #[must_use]
    pub fn root(mut self, rule: impl Into<String>) -> Self {
        self.root = Some(rule.into());
        self
    }

    /// The same with JSON Schemas read with these options, whether it is one or embeds some.
    #[must_use]
    pub fn schema_options(mut self, options: SchemaOptions) -> Self {
        self.schema_options = Some(options);
        self
    }

    /// The same with structural tags read with these options.
    #[must_use]
    pub fn tag_options(mut self, options: TagOptions) -> Self {
        self.tag_options = options;
        self
    }

    /// The same with tools read with these options.
    #[must_use]
    pub fn tool_options(mut self, options: ToolOptions) -> Self {
        self.tool_options = options;
        self
    }

    /// The same with a Lark grammar read with these options.
    #[must_use]
    pub fn lark_options(mut self, options: LarkOptions) -> Self {
        self.lark_options = options;
        self
    }

    /// The same with other options of tools.
    pub(crate) fn map_tool_options(
        mut self,
        change: impl FnOnce(ToolOptions) -> ToolOptions,
    ) -> Self {
        self.tool_options = change(self.tool_options);
        self
    }

    /// The same with the tokens that it can name: those of the vocabulary that it is compiled for.
    #[must_use]
    pub fn tokens(mut self, tokens: TokenNames) -> Self {
        self.tokens = tokens;
        self
    }

    /// The same with relative paths starting at this folder, which errors do not show.
    #[must_use]
    pub fn within(mut self, package: impl Into<PathBuf>) -> Self {
        self.package = package.into();
        self
    }

    /// The same with documents that its rules name coming from this folder, with
    /// `grammar("list.ebnf")` for instance. Only regular files in the folder are read; no name and
    /// no link leads out of it. An empty path is the current folder.
    ///
    /// Errors show excerpts of documents. Where the text comes from a client, the folder should
    /// hold nothing else.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.documents = TextDocuments::Folder(folder.into());
        self
    }

    /// The same with documents that its rules name coming from this source, in place of a folder.
    ///
    /// ```
    /// use maskwright_compiler::documents::{Document, DocumentError, Documents, ReadLimits};
    /// use maskwright_compiler::GrammarText;
    ///
    /// #[derive(Debug)]
    /// struct Digits;
    ///
    /// impl Documents for Digits {
    ///     fn read(&self, name: &str, _: &ReadLimits<'_>) -> Result<Option<Document>,
    /// DocumentError> {         let document = || Document::new(name, "root ::= [0-9]+");
    /// Ok((name == "digits.ebnf").then(document))     } }
    ///
    /// # fn main() -> Result<(), maskwright_compiler::Error> {
    /// let text = GrammarText::ebnf("root ::= grammar(\"digits.ebnf\")");
    /// assert!(text.parse(&Default::default()).is_err());
    /// text.documents(Digits).parse(&Default::default())?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn documents(mut self, documents: impl Documents + 'static) -> Self {
        self.documents = TextDocuments::Given(SharedDocuments::new(documents));
        self
    }

    /// As [`Self::folder`], where it has no other source of documents.
    #[must_use]
    pub(crate) fn or_folder(self, folder: impl Into<PathBuf>) -> Self {
        match (&self.documents, self.path()) {
            (TextDocuments::OfFile, None) => self.folder(folder),
            _ => self,
        }
    }

    /// As [`Self::schema_options`], where it has none of its own.
    #[must_use]
    pub(crate) fn or_schema_options(&self, options: Option<&SchemaOptions>) -> Self {
        let own = self.schema_options.clone();
        GrammarText {
            schema_options: own.or_else(|| options.cloned()),
            ..self.clone()
        }
    }

    /// The language that it is written in.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The file that the grammar is read from.
    pub fn path(&self) -> Option<&Path> {
        match &self.content {
            TextContent::File(path) => Some(path),
            TextContent::Text(_) => None,
        }
    }

    /// The folders of documents that its JSON Schemas may refer to.
    pub(crate) fn document_folders(&self) -> impl Iterator<Item = &Path> {
        let takes = self.kind.takes_schema_options();
        let options = self.schema_options.as_ref().filter(|_| takes);
        options
            .into_iter()
            .flat_map(SchemaOptions::document_folders)
    }

    /// Whether other texts may say what it means: documents that its schemas refer to, a format in
    /// a file, files that its rules embed. The text alone does not name the grammar then.
    pub(crate) fn reads_others(&self, text: &str) -> bool {
        let schema = self.schema_options.as_ref();
        let schema = schema.filter(|_| self.kind.takes_schema_options());
        let has_documents = schema.is_some_and(SchemaOptions::has_documents);
        let names_others = self.source_of_documents().is_some();
        has_documents
            || match self.kind {
                Kind::Ebnf | Kind::Lark | Kind::StructuralTag if !names_others => false,
                // The calls that embed a file have these names.
                Kind::Ebnf => ["json_schema", "grammar"]
                    .iter()
                    .any(|call| text.contains(call)),
                // A grammar within a tag has rules; JSON may write their characters as escapes.
                Kind::StructuralTag => ["::=", "\\u"].iter().any(|mark| text.contains(mark)),
                Kind::Tools => self.tool_options.reads_file(),
                Kind::Lark => text.contains("%import"),
                Kind::Regex | Kind::JsonSchema => false,
            }
    }

    /// What documentation calls it.
    pub fn description(&self) -> String {
        match (self.kind, self.path()) {
            (Kind::JsonSchema, Some(path)) => format!("of the JSON Schema `{}`", path.display()),
            (Kind::StructuralTag, Some(path)) => {
                format!("of the structural tag `{}`", path.display())
            }
            (Kind::Tools, Some(path)) => format!("of the tools `{}`", path.display()),
            (_, Some(path)) => format!("of `{}`", path.display()),
            (Kind::Ebnf | Kind::Lark, None) => "given as text".to_owned(),
            (Kind::JsonSchema, None) => "of a JSON Schema".to_owned(),
            (Kind::StructuralTag, None) => "of a structural tag".to_owned(),
            (Kind::Tools, None) => "of tools".to_owned(),
            (Kind::Regex, None) => "of a regular expression".to_owned(),
        }
    }

    /// Writes all of it but the text, to tell requests apart: neither the texts of tools nor a
    /// file's content are in it. The tokens that it can name are those of the vocabulary that it is
    /// compiled for.
    pub(crate) fn write_options(&self, to: &mut Digester) {
        let GrammarText {
            kind,
            content,
            root,
            schema_options,
            tag_options,
            tool_options,
            lark_options,
            tokens: _,
            documents,
            package,
        } = self;
        to.field(kind);
        match content {
            TextContent::File(path) => {
                to.small(0);
                to.field(&**path);
            }
            TextContent::Text(source) => {
                to.small(1);
                to.field(source.name());
            }
        }
        to.field(root);
        to.field(schema_options);
        to.field(tag_options);
        to.field(tool_options);
        to.field(lark_options);
        // A request that may read documents is known by what was read, too.
        match documents {
            TextDocuments::OfFile => to.small(0),
            TextDocuments::Folder(folder) => {
                to.small(1);
                to.field(&**folder);
            }
            TextDocuments::Given(_) => to.small(2),
        }
        to.field(&**package);
    }

    /// Reads and parses the grammar.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or the text is not a grammar.
    pub fn parse(&self, limits: &Limits) -> Result<Parsed, Error> {
        let limits = limits.begun();
        let (source, options) = self.source_and_options(&limits)?;
        let parsed = parse(self.kind, &source, &options)?;
        // Whatever has stopped at a look at the clock, no part of it gets out.
        Deadline::start(&limits).confirm("reading the grammar")?;
        Ok(parsed)
    }

    /// Where documents come from that its rules name.
    fn source_of_documents(&self) -> Option<SharedDocuments> {
        let folder = match (&self.documents, &self.content) {
            (TextDocuments::Given(documents), _) => return Some(documents.clone()),
            (TextDocuments::Folder(folder), _) => folder,
            (TextDocuments::OfFile, TextContent::File(path)) => path.parent()?,
            (TextDocuments::OfFile, TextContent::Text(_)) => return None,
        };
        let folder = Folder::new(folder).within(&self.package);
        Some(SharedDocuments::new(folder))
    }

    /// The text, and how it is read.
    ///
    /// # Errors
    /// If the file cannot be read or is not UTF-8.
    pub(crate) fn source_and_options(
        &self,
        limits: &Limits,
    ) -> Result<(Source, ParseOptions), Error> {
        if let (Some(root), false) = (&self.root, self.kind.takes_root()) {
            let message = format!(
                "`{root}` cannot be the root: only grammars in EBNF have rules to choose from"
            );
            return Err(Diagnostic::error(Code::Build, message)
                .help("leave the root out")
                .into());
        }
        let schema = self.schema_options.clone().unwrap_or_default();
        let mut options = ParseOptions {
            schema: schema.within(&self.package),
            tags: self.tag_options.clone(),
            tools: self.tool_options.clone(),
            lark: self.lark_options.clone(),
            tokens: self.tokens.clone(),
            limits: limits.clone(),
            documents: self.source_of_documents(),
            package: self.package.clone(),
            ..ParseOptions::default()
        };
        if let Some(root) = &self.root {
            options.root.clone_from(root);
        }
        let source = match &self.content {
            TextContent::Text(source) => source.clone(),
            TextContent::File(path) => {
                let text = read(path, &self.package.join(path), limits)?;
                Source::new(path.display().to_string(), text)
            }
        };
        Ok((source, options))
    }
}

fn read(shown: &Path, path: &Path, limits: &Limits) -> Result<String, Error> {
    file::read_text(path, file::most_of_grammar(limits)).map_err(|error| {
        match file::grammar_too_long(shown, &error, limits) {
            Some(limit) => limit.into(),
            None => Diagnostic::error(
                Code::Build,
                format!("cannot read {}: {error}", shown.display()),
            )
            .help("paths are relative to the package's folder")
            .into(),
        }
    })
}
