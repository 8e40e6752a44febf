//! What all commands take: a grammar, a vocabulary, limits.
//!
//! - here: the grammar;
//! - [`vocabulary`]: the vocabulary.

mod vocabulary;

use crate::beside::BesideTables;
use crate::diagnostic::Entry;
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::output::{self, Stream};
use crate::progress;
use crate::read::read_grammar;
use crate::schema::SchemaArgs;
use crate::tools::ToolArgs;
use maskwright_compiler::error::{Diagnostic, Error};
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::tools::format::EXAMPLE_TOOLS;
use maskwright_compiler::syntax::{GrammarText, Kind, Parsed};
use maskwright_compiler::vocabulary::{TokenNames, Vocabulary};
use maskwright_compiler::{Automaton, Compiled, Compiler};
use std::path::{Path, PathBuf};
use std::sync::Arc;
pub use vocabulary::{
    OptionalVocabularyArgs, VocabularyArgs, VocabularyChange, byte_vocabulary, load_with_kind,
};

/// The grammar.
#[derive(clap::Args)]
pub struct GrammarArgs {
    #[command(flatten)]
    given: Given,
    /// The rule that the whole text must match [default: root].
    #[arg(long, value_name = "NAME")]
    root: Option<String>,
    #[command(flatten)]
    schema_options: SchemaArgs,
    #[command(flatten)]
    tag_options: TagArgs,
    #[command(flatten)]
    tool_options: ToolArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(clap::Args)]
#[group(multiple = false)]
struct Given {
    /// A grammar in the EBNF of llama.cpp and XGrammar; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    ebnf: Option<PathBuf>,
    /// A regular expression that the whole text must match.
    #[arg(long, value_name = "PATTERN")]
    regex: Option<String>,
    /// A JSON Schema, whose values' texts are the sentences; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// A structural tag, or a request of an engine that has one: free text with tags in it; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    structural_tag: Option<PathBuf>,
    /// The tools of a request, as OpenAI, Anthropic or MCP write them: text with calls of them in it; `-` reads standard input. Needs --tool-format.
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
}

/// How structural tags are read.
#[derive(clap::Args)]
struct TagArgs {
    /// A delimiter of a structural tag that is a special or added token may also be written in other tokens.
    #[arg(long)]
    spelled: bool,
    /// Free text in a tag knows the ends of the nearest tag only, not those of tags around it.
    #[arg(long)]
    no_outer_ends: bool,
}

impl TagArgs {
    fn options(&self) -> TagOptions {
        TagOptions::default()
            .spelled(self.spelled)
            .outer_ends(!self.no_outer_ends)
    }
}

impl GrammarArgs {
    /// Reads the grammar, which may name the tokens of a vocabulary, if one is given.
    pub fn load(&self, vocabulary: Option<&Vocabulary>) -> Result<Loaded, Failure> {
        let limits = self.limits.limits();
        let text = self.text(&limits)?;
        let tags = self.tag_options.options();
        let tools = self.tool_options.options();
        if !text.kind().takes_tool_options() && tools != ToolOptions::default() {
            let message = "--tool-format and the options of tools need --tools FILE";
            return Err(Failure::Usage(message.into()));
        }
        if !text.kind().takes_tag_options() && tags != TagOptions::default() {
            let message = "--spelled and --no-outer-ends are about structural tags: --structural-tag, --tools, --ebnf";
            return Err(Failure::Usage(message.into()));
        }
        if !text.kind().takes_root() && self.root.is_some() {
            let message = "--root names a rule of --ebnf; other grammars have none";
            return Err(Failure::Usage(message.into()));
        }
        let mut text = text;
        if let Some(root) = &self.root {
            text = text.root(root);
        }
        if let Some(vocabulary) = vocabulary {
            text = text.tokens(TokenNames::of(Arc::new(vocabulary.clone())));
        }
        let parsed = text
            .schema_options(self.schema_options.options(&limits)?)
            .tag_options(tags)
            .tool_options(tools)
            .parse(&limits)?;
        if !parsed.has_schema && self.schema_options.are_given() {
            return Err(Failure::Usage(
                "options of JSON Schemas need --schema FILE, or a grammar that embeds a schema"
                    .into(),
            ));
        }
        Ok(Loaded { parsed })
    }

    /// The grammar as it is given.
    fn text(&self, limits: &Limits) -> Result<GrammarText, Failure> {
        let Given {
            ebnf,
            regex,
            schema,
            structural_tag,
            tools,
        } = &self.given;
        if let Some(pattern) = regex {
            return Ok(GrammarText::regex(pattern));
        }
        let kinds = [
            (Kind::Ebnf, ebnf),
            (Kind::JsonSchema, schema),
            (Kind::StructuralTag, structural_tag),
            (Kind::Tools, tools),
        ];
        let mut given = kinds.into_iter();
        let given = given.find_map(|(kind, path)| Some((kind, path.as_ref()?)));
        let Some((kind, path)) = given else {
            if self.tool_options.tool_format.is_some() {
                let example = Source::new("<example tools>", EXAMPLE_TOOLS);
                return Ok(GrammarText::source(Kind::Tools, example));
            }
            let message = "a grammar is needed: --ebnf FILE, --regex PATTERN, --schema FILE, --structural-tag FILE or --tools FILE";
            return Err(Failure::Usage(message.into()));
        };
        let source = Source::new(path.display().to_string(), read_grammar(path, limits)?);
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(GrammarText::source(kind, source).folder(folder))
    }

    /// Whether it is written in the grammar language.
    pub fn is_ebnf(&self) -> bool {
        self.given.ebnf.is_some()
    }

    /// What the grammar is called in documentation.
    pub fn origin(&self) -> String {
        let Given {
            ebnf,
            regex,
            schema,
            structural_tag,
            tools,
        } = &self.given;
        let files = [ebnf, schema, structural_tag, tools];
        match files.into_iter().flatten().next() {
            Some(path) => format!("`{}`", path.display()),
            None if regex.is_none() => "of an example tool".to_owned(),
            None => format!("of the pattern `{}`", regex.as_deref().unwrap_or_default()),
        }
    }

    /// Reads the grammar and shows its warnings on standard error.
    pub fn load_and_warn(&self, vocabulary: Option<&Vocabulary>) -> Result<Loaded, Failure> {
        let loaded = progress::during("reading the grammar", || self.load(vocabulary))?;
        tell(&loaded.entries(output::colour(Stream::Err)));
        Ok(loaded)
    }

    /// Reads and compiles the grammar, with progress on standard error.
    pub fn compile(&self, vocabulary: &Vocabulary) -> Result<Compiled, Failure> {
        self.compile_loaded(&self.load_and_warn(Some(vocabulary))?, vocabulary, None)
    }

    /// Compiles a grammar that was read.
    pub fn compile_loaded(
        &self,
        loaded: &Loaded,
        vocabulary: &Vocabulary,
        beside: Option<&BesideTables>,
    ) -> Result<Compiled, Failure> {
        let compiler = Compiler::new(vocabulary).map_err(Error::from)?;
        let other = beside.map(|beside| beside.load(&compiler)).transpose()?;
        let compiler = other.as_ref().map_or(&compiler, |other| &other.compiler);
        Ok(self.compile_and_keep(loaded, compiler)?.0)
    }

    /// Compiles a grammar that was read with the options that are given, and keeps the automaton.
    pub fn compile_and_keep(
        &self,
        loaded: &Loaded,
        compiler: &Compiler,
    ) -> Result<(Compiled, Automaton), Failure> {
        let compiler = compiler.with_options(self.limits.options());
        let result = progress::during("compiling", || compiler.compile_and_keep(loaded.grammar()));
        let (compiled, automaton) = result.map_err(|error| loaded.locate(error))?;
        loaded.warn(&compiled);
        Ok((compiled, automaton))
    }
}

/// A grammar that was read.
pub struct Loaded {
    /// The grammar, its texts and what is probably not meant in them.
    pub parsed: Parsed,
}

impl Loaded {
    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.parsed.grammar
    }

    /// The same error with the grammar's text.
    pub fn locate(&self, error: Error) -> Error {
        self.parsed.locate(error)
    }

    /// Tells what the user should know though the grammar compiles.
    fn warn(&self, compiled: &Compiled) {
        tell(&self.all(compiled.warnings(), output::colour(Stream::Err)));
    }

    /// These diagnostics, of a later stage, as they are printed.
    pub fn all<'d>(
        &self,
        diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
        colour: bool,
    ) -> Vec<Entry> {
        Entry::all(diagnostics, Some(&self.parsed.sources), colour)
    }

    /// The warnings as they are printed.
    pub fn entries(&self, colour: bool) -> Vec<Entry> {
        self.all(&self.parsed.warnings, colour)
    }

    /// These warnings and those of compiling, as they are printed.
    pub fn entries_with(&self, compiled: &Compiled) -> Vec<Entry> {
        self.all(
            self.parsed.warnings.iter().chain(compiled.warnings()),
            false,
        )
    }
}

/// Shows warnings on standard error.
fn tell(warnings: &[Entry]) {
    for warning in Entry::shown(warnings) {
        eprintln!("{warning}\n");
    }
}
