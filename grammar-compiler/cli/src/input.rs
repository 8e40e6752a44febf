//! What all commands take: a grammar, a vocabulary, limits.
//!
//! - here and in [`given`]: the grammar;
//! - [`vocabulary`]: the vocabulary.

mod given;
mod vocabulary;

use crate::beside::BesideTables;
use crate::diagnostic::DiagnosticEntry;
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::output::{self, Stream};
use crate::progress;
use crate::read::read_grammar;
use crate::schema::SchemaArgs;
use crate::settings::Given;
use given::{Content, GivenText};
use maskwright_compiler::error::{Diagnostic, Error};
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::lark::LarkOptions;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::tools::format::EXAMPLE_TOOLS;
use maskwright_compiler::syntax::{GrammarText, Kind, Parsed, Settings};
use maskwright_compiler::vocabulary::{TokenNames, Vocabulary};
use maskwright_compiler::{Automaton, Compiled, Compiler, Options};
use std::path::Path;
use std::sync::{Arc, OnceLock};
pub use vocabulary::{
    OptionalVocabularyArgs, VocabularyArgs, VocabularyChange, byte_vocabulary, load_with_kind,
};

/// The grammar. A command flattens it last: what follows would stand under the heading of tools.
#[derive(clap::Args)]
pub struct GrammarArgs {
    #[command(flatten)]
    given: GivenText,
    /// The rule that the whole text must match [default: root].
    #[arg(long, value_name = "NAME")]
    root: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    /// The limits of all that is done with the grammar, once it has begun.
    #[arg(skip)]
    begun: OnceLock<Limits>,
    #[command(flatten)]
    schema_options: SchemaArgs,
    #[command(flatten, next_help_heading = "Structural tags")]
    tag_options: Given<TagOptions>,
    #[command(flatten, next_help_heading = "Lark")]
    lark_options: Given<LarkOptions>,
    #[command(flatten, next_help_heading = "Tools")]
    tool_options: Given<ToolOptions>,
}

impl GrammarArgs {
    /// Reads the grammar, which may name the tokens of a vocabulary, if one is given.
    pub fn load(&self, vocabulary: Option<&Vocabulary>) -> Result<Loaded, Failure> {
        let limits = self.limits();
        let text = self.text(limits)?;
        self.check_options(text.kind())?;
        let mut text = text;
        if let Some(root) = &self.root {
            text = text.root(root);
        }
        if let Some(vocabulary) = vocabulary {
            text = text.tokens(TokenNames::of(Arc::new(vocabulary.clone())));
        }
        let parsed = text
            .schema_options(self.schema_options.options(limits)?)
            .tag_options(self.tag_options.0.clone())
            .tool_options(self.tool_options.0.clone())
            .lark_options(self.lark_options.0.clone())
            .parse(limits)?;
        if !parsed.has_schema && self.schema_options.are_given() {
            return Err(Failure::Usage(
                "options of JSON Schemas need --schema FILE, or a grammar that embeds a schema"
                    .into(),
            ));
        }
        Ok(Loaded { parsed })
    }

    /// The limits. Their time begins with the first call: reading and compiling share it.
    pub fn limits(&self) -> &Limits {
        self.begun.get_or_init(|| self.limits.limits().begun())
    }

    /// Options for a compile, with these limits.
    pub fn options(&self) -> Options {
        self.limits.options().limits(self.limits().clone())
    }

    /// Refuses options that a text of this kind does not have.
    fn check_options(&self, kind: Kind) -> Result<(), Failure> {
        let refused = |message: String| Err(Failure::Usage(message));
        if !kind.takes_tool_options() && self.tool_options.0 != ToolOptions::default() {
            return refused("--tool-format and the options of tools need --tools FILE".into());
        }
        if !kind.takes_tag_options() && self.tag_options.0 != TagOptions::default() {
            let options = TagOptions::SETTINGS.iter();
            let options: Vec<String> = options.map(|o| format!("--{}", o.flag)).collect();
            let kinds = given::flags(Kind::takes_tag_options);
            let (options, kinds) = (options.join(" and "), kinds.join(", "));
            return refused(format!("{options} are about structural tags: {kinds}"));
        }
        if !kind.takes_lark_options() && self.lark_options.0 != LarkOptions::default() {
            return refused("--lexer and --start need --lark FILE".into());
        }
        if !kind.takes_root() && self.root.is_some() {
            return refused("--root names a rule of --ebnf; other grammars have none".into());
        }
        Ok(())
    }

    /// The grammar as it is given.
    fn text(&self, limits: &Limits) -> Result<GrammarText, Failure> {
        match &self.given.0 {
            Some((kind, Content::Here(text))) => Ok(GrammarText::text(*kind, text)),
            Some((kind, Content::File(path))) => {
                let text = read_grammar(path, limits)?;
                let source = Source::new(path.display().to_string(), text);
                let folder = path.parent().unwrap_or(Path::new(""));
                Ok(GrammarText::source(*kind, source).folder(folder))
            }
            None if self.tool_options.0.format.is_some() => {
                let example = Source::new("<example tools>", EXAMPLE_TOOLS);
                Ok(GrammarText::source(Kind::Tools, example))
            }
            None => Err(Failure::Usage(format!(
                "a grammar is needed: {}",
                given::all()
            ))),
        }
    }

    /// Whether it is written in the grammar language.
    pub fn is_ebnf(&self) -> bool {
        matches!(self.given.0, Some((Kind::Ebnf, _)))
    }

    /// What the grammar is called in documentation.
    pub fn origin(&self) -> String {
        match &self.given.0 {
            Some((_, Content::File(path))) => format!("`{}`", path.display()),
            Some((_, Content::Here(text))) => format!("of the pattern `{text}`"),
            None => "of an example tool".to_owned(),
        }
    }

    /// Reads the grammar and shows its warnings on standard error.
    pub fn load_and_warn(&self, vocabulary: Option<&Vocabulary>) -> Result<Loaded, Failure> {
        let loaded = progress::during("reading the grammar", || self.load(vocabulary))?;
        show_warnings(&loaded.entries(output::colour(Stream::Err)));
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
        let compiler = compiler.with_options(self.options());
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
        show_warnings(&self.all(compiled.warnings(), output::colour(Stream::Err)));
    }

    /// These diagnostics, of a later stage, as they are printed.
    pub fn all<'d>(
        &self,
        diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
        colour: bool,
    ) -> Vec<DiagnosticEntry> {
        DiagnosticEntry::all(diagnostics, Some(&self.parsed.sources), colour)
    }

    /// The warnings as they are printed.
    pub fn entries(&self, colour: bool) -> Vec<DiagnosticEntry> {
        self.all(&self.parsed.warnings, colour)
    }

    /// These warnings and those of compiling, as they are printed.
    pub fn entries_with(&self, compiled: &Compiled) -> Vec<DiagnosticEntry> {
        self.all(
            self.parsed.warnings.iter().chain(compiled.warnings()),
            false,
        )
    }
}

/// Shows warnings on standard error.
fn show_warnings(warnings: &[DiagnosticEntry]) {
    for warning in DiagnosticEntry::shown(warnings) {
        eprintln!("{warning}\n");
    }
}
