//! `maskwright compile`: a grammar into binary tables or into Rust code.

use crate::beside::{BesideArgs, BesideTables};
use crate::depth::DepthArgs;
use crate::diagnostic::DiagnosticEntry;
use crate::failure::{Failure, Outcome};
use crate::input::{GrammarArgs, VocabularyArgs};
use crate::output;
use maskwright_compiler::emit::{self, Embedding, GrammarItem, TableFacts, VocabularyItem};
use maskwright_compiler::{Compiled, Report};
use maskwright_core::Grammar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use serde::Serialize;
use std::path::PathBuf;

/// `maskwright compile`.
#[derive(clap::Args)]
pub struct CompileArgs {
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    #[command(flatten)]
    beside: BesideArgs,
    /// The path of the static that holds TABLES where the Rust code is included, such as
    /// crate::JSON.
    #[arg(long, value_name = "PATH", requires = "beside")]
    beside_static: Option<String>,
    /// What to write: `tables` for `Grammar::load`, or `rust` with statics of the grammar and the
    /// vocabulary [default: rust if FILE ends in .rs, else tables].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Where the grammar goes.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Where the vocabulary's tables go, which accepting tokens by id needs; Rust code has them
    /// within.
    #[arg(long, value_name = "FILE")]
    vocab_output: Option<PathBuf>,
    /// The name of the static in Rust code [default: GRAMMAR].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    depth: DepthArgs,
    /// Print one JSON object about what was written.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    grammar: GrammarArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Tables,
    Rust,
}

#[derive(Serialize)]
struct Written {
    output: String,
    /// Bytes of the file.
    output_bytes: usize,
    table_bytes: usize,
    vocab_output: Option<String>,
    /// Bytes of the vocabulary's tables.
    vocab_bytes: usize,
    max_stacks: usize,
    stacks_proved: bool,
    /// The least `DEPTH` with which some text can be finished.
    least_depth: usize,
    /// The `DEPTH` with which every text can; none where texts may nest without end.
    greatest_depth: Option<usize>,
    /// The frames that one more level of nesting takes at least, where texts may nest without end.
    depth_per_level: Option<usize>,
    compile_ms: f64,
    warnings: Vec<DiagnosticEntry>,
}

impl Written {
    /// `bytes`: of the file, and of the vocabulary's tables.
    fn new(
        args: &CompileArgs,
        report: &Report,
        bytes: [usize; 2],
        warnings: Vec<DiagnosticEntry>,
    ) -> Self {
        let name = |path: &PathBuf| path.display().to_string();
        let [output_bytes, vocab_bytes] = bytes;
        Written {
            output: name(&args.output),
            output_bytes,
            table_bytes: report.table_bytes,
            vocab_output: args.vocab_output.as_ref().map(name),
            vocab_bytes,
            max_stacks: report.max_stacks,
            stacks_proved: report.stacks_proved,
            least_depth: report.least_depth,
            greatest_depth: report.height.at_most(),
            depth_per_level: report.height.grows_by(),
            compile_ms: output::milliseconds(report.compile_time),
            warnings,
        }
    }
}

impl CompileArgs {
    /// What to write: as it is said, or as the file's name says.
    fn format(&self) -> Format {
        let is_rust = self.output.extension().is_some_and(|end| end == "rs");
        self.format.unwrap_or(match is_rust {
            true => Format::Rust,
            false => Format::Tables,
        })
    }
}

/// Runs the command.
pub fn run(args: &CompileArgs) -> Result<Outcome, Failure> {
    let name = name(args)?;
    if args.depth.given().is_some() {
        only_rust(args, "--depth")?;
    }
    let other = beside_static(args)?;
    let beside = args.beside.read()?;
    let vocabulary = args.vocabulary.load()?;
    let loaded = args.grammar.load_and_warn(Some(&vocabulary));
    let loaded = loaded.map_err(output::for_tools(args.json))?;
    let compiled = args
        .grammar
        .compile_loaded(&loaded, &vocabulary, beside.as_ref());
    let compiled = compiled.map_err(output::for_tools(args.json))?;
    let report = compiled.report();
    let depth = args.depth.checked(report.depths());
    let depth = depth.map_err(output::for_tools(args.json))?;
    let packed = vocabulary
        .pack()
        .map_err(|error| Failure::Vocabulary(args.vocabulary.vocab.clone(), error))?;
    let content = match args.format() {
        Format::Tables => compiled.tables().to_vec(),
        Format::Rust => {
            let facts = facts(&compiled, beside.as_ref())?;
            let grammar = GrammarItem {
                name,
                visibility: quote!(pub),
                attributes: TokenStream::new(),
                origin: args.grammar.origin(),
                facts,
                tables: Embedding::Literal(compiled.tables().to_vec()),
                depth,
                calls: loaded.parsed.calls.clone(),
                beside: other,
            };
            rust(args, grammar, &packed)?.into_bytes()
        }
    };
    output::write_to(Some(&args.output), &content)?;
    if let Some(path) = &args.vocab_output {
        output::write_to(Some(path), &packed)?;
    }
    let warnings = loaded.entries_with(&compiled);
    let written = Written::new(args, report, [content.len(), packed.len()], warnings);
    if args.json {
        output::print_json(&written)?;
    } else {
        // The output may be standard output.
        eprintln!("{}: {}", written.output, summary(report));
    }
    Ok(Outcome::Good)
}

/// What is to be known of a grammar before a matcher is made for it.
fn summary(report: &Report) -> String {
    let bytes = report.table_bytes;
    let graph = match report.stacks_proved {
        true => "",
        false => " (a graph)",
    };
    format!(
        "{bytes} bytes of tables; stacks: {}{graph}; DEPTH: {}",
        report.max_stacks,
        report.depths()
    )
}

/// The name of the static.
fn name(args: &CompileArgs) -> Result<Ident, Failure> {
    if args.name.is_some() {
        only_rust(args, "--name")?;
    }
    identifier(args.name.as_deref().unwrap_or("GRAMMAR"))
}

/// Refuses an option that would be ignored.
fn only_rust(args: &CompileArgs, option: &str) -> Result<(), Failure> {
    match args.format() {
        Format::Rust => Ok(()),
        Format::Tables => Err(Failure::Usage(format!(
            "{option} is about Rust code: add --format rust, or leave it out"
        ))),
    }
}

fn identifier(name: &str) -> Result<Ident, Failure> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(is_word) {
        Ok(Ident::new(name, Span::call_site()))
    } else {
        Err(Failure::Usage(format!(
            "`{name}` is no name for a static: use capitals, digits and `_`, such as JSON"
        )))
    }
}

/// The path of `--beside-static`, which Rust code beside others cannot do without.
fn beside_static(args: &CompileArgs) -> Result<Option<TokenStream>, Failure> {
    let Some(path) = &args.beside_static else {
        if args.beside.is_given() && args.format() == Format::Rust {
            let why = "Rust code with tables beside others names the static that holds those: give its path, such as `--beside-static crate::JSON`";
            return Err(Failure::Usage(why.into()));
        }
        return Ok(None);
    };
    only_rust(args, "--beside-static")?;
    let path: syn::Path = syn::parse_str(path).map_err(|_| {
        Failure::Usage(format!(
            "`{path}` is no path of a static, such as crate::JSON"
        ))
    })?;
    Ok(Some(quote!(#path)))
}

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Matcher(error.to_string())
}

fn facts(compiled: &Compiled, beside: Option<&BesideTables>) -> Result<TableFacts, Failure> {
    let (tables, height) = (compiled.tables(), compiled.report().height);
    let Some(beside) = beside else {
        return TableFacts::read(tables, height).map_err(refused);
    };
    let other = beside.grammar()?;
    let grammar = Grammar::load_beside(tables, &other).map_err(refused)?;
    Ok(TableFacts::of(&grammar, height))
}

fn rust(args: &CompileArgs, grammar: GrammarItem, packed: &[u8]) -> Result<String, Failure> {
    let vocabulary = VocabularyItem::new(
        format_ident!("{}_VOCABULARY", grammar.name),
        quote!(pub),
        format!("`{}`", args.vocabulary.vocab),
        packed,
        Embedding::Literal(packed.to_vec()),
    )
    .map_err(refused)?;
    emit::file(&[grammar], &[], &vocabulary).map_err(refused)
}
