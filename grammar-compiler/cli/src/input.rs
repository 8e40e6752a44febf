//! What all commands take: a grammar, a vocabulary, limits.

use crate::beside::{BesideTables, Other};
use crate::diagnostic::Entry;
use crate::failure::Failure;
use crate::output::{self, Stream};
use crate::progress;
use crate::schema::SchemaArgs;
use crate::tools::ToolArgs;
use maskwright_compiler::error::{Diagnostic, Error};
use maskwright_compiler::file;
use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::limits::Limits;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::structural_tag::TagOptions;
use maskwright_compiler::syntax::tools::ToolOptions;
use maskwright_compiler::syntax::tools::format::EXAMPLE_TOOLS;
use maskwright_compiler::syntax::{GrammarText, Kind, Parsed};
use maskwright_compiler::vocabulary::{FileKind, NAMES, TokenNames, Vocabulary, VocabularyFile};
use maskwright_compiler::{
    Automaton, Compiled, Options, PreparedVocabulary, compile_and_keep, compile_beside_and_keep,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

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
        let vocabulary = PreparedVocabulary::new(vocabulary).map_err(Error::from)?;
        let other = beside.map(|beside| beside.load(&vocabulary)).transpose()?;
        Ok(self
            .compile_and_keep(loaded, &vocabulary, other.as_ref())?
            .0)
    }

    /// Compiles a grammar that was read, and keeps the automaton.
    pub fn compile_and_keep(
        &self,
        loaded: &Loaded,
        vocabulary: &PreparedVocabulary,
        other: Option<&Other<'_>>,
    ) -> Result<(Compiled, Automaton), Failure> {
        let (grammar, options) = (loaded.grammar(), self.limits.options());
        let result = progress::during("compiling", || match other {
            Some(other) => compile_beside_and_keep(grammar, vocabulary, &other.sets, &options),
            None => compile_and_keep(grammar, vocabulary, &options),
        });
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

/// Reads a grammar, a schema or a document that one refers to, which may be as long as `limits` say; standard input where `path` is `-`.
pub fn read_grammar(path: &Path, limits: &Limits) -> Result<String, Failure> {
    let content = read_within(path, file::most_of_grammar(limits)).and_then(file::text);
    content.map_err(|error| match file::grammar_too_long(path, &error, limits) {
        Some(limit) => Failure::from(Error::from(limit)),
        None => Failure::file(path)(error),
    })
}

/// Reads a file, or standard input where `path` is `-`.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_within(path, file::MAX_BYTES).map_err(Failure::file(path))
}

fn read_within(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => file::read_all(std::io::stdin().lock(), most),
        false => file::read(path, most),
    }
}

/// The vocabulary.
#[derive(clap::Args)]
pub struct VocabularyArgs {
    /// A vocabulary's file: `tokenizer.json`, GGUF, SentencePiece model, `tekken.json`, `.tiktoken`, or `vocab.json` beside `merges.txt`; or
    /// the name of a vocabulary that ships with the program, such as cl100k_base or o200k_base.
    #[arg(long, value_name = "FILE|NAME")]
    pub vocab: String,
    #[command(flatten)]
    pub change: VocabularyChange,
}

/// As [`VocabularyArgs`], where a vocabulary need not be given.
#[derive(clap::Args)]
pub struct OptionalVocabularyArgs {
    /// A vocabulary's file: `tokenizer.json`, GGUF, SentencePiece model, `tekken.json`, `.tiktoken`, or `vocab.json` beside `merges.txt`; or
    /// the name of a vocabulary that ships with the program, such as cl100k_base or o200k_base. A grammar that names tokens needs one.
    #[arg(long, value_name = "FILE|NAME")]
    pub vocab: Option<String>,
    #[command(flatten)]
    pub change: VocabularyChange,
}

/// What a file leaves open about a vocabulary.
#[derive(clap::Args)]
pub struct VocabularyChange {
    /// An id that ends a sequence, instead of those that the vocabulary names; may be given several times.
    #[arg(long, value_name = "ID")]
    eos: Vec<u32>,
    /// The number of ids, those past the vocabulary's last being padding: the length of the model's logits.
    #[arg(long, value_name = "COUNT")]
    vocab_size: Option<u32>,
    /// A list of special tokens, for a file that leaves them out: JSON with names in the order of their ids, with names and their ids, or a
    /// `tokenizer_config.json`.
    #[arg(long, value_name = "FILE")]
    special: Option<PathBuf>,
}

impl VocabularyArgs {
    /// Loads the vocabulary.
    pub fn load(&self) -> Result<Vocabulary, Failure> {
        load_and_tell(&self.vocab, &self.change)
    }
}

impl OptionalVocabularyArgs {
    /// Loads the vocabulary, if one is given.
    pub fn load(&self) -> Result<Option<Vocabulary>, Failure> {
        self.vocab
            .as_ref()
            .map(|vocab| load_and_tell(vocab, &self.change))
            .transpose()
    }
}

/// Loads a vocabulary; shows a warning on standard error where it has no end token.
fn load_and_tell(vocab: &str, change: &VocabularyChange) -> Result<Vocabulary, Failure> {
    let vocabulary = load_vocabulary(vocab, change)?;
    let warning = vocabulary.no_end_token();
    tell(&Entry::all(
        warning.as_ref(),
        None,
        output::colour(Stream::Err),
    ));
    Ok(vocabulary)
}

/// Loads a vocabulary from a file or by its name.
pub fn load_vocabulary(vocab: &str, change: &VocabularyChange) -> Result<Vocabulary, Failure> {
    load_with_kind(vocab, change).map(|(vocabulary, _)| vocabulary)
}

/// Loads a vocabulary; answers too what its file is, unless it is one by name.
pub fn load_with_kind(
    vocab: &str,
    change: &VocabularyChange,
) -> Result<(Vocabulary, Option<FileKind>), Failure> {
    let failure = |error| Failure::Vocabulary(vocab.to_owned(), error);
    let loaded = progress::during("loading the vocabulary", || {
        // What is no file and looks like none was meant as a name: the error lists those that there are.
        let is_file = vocab.contains(['/', '\\', '.']) || Path::new(vocab).exists();
        if NAMES.contains(&vocab) || !is_file {
            return Ok((Vocabulary::named(vocab)?, None));
        }
        let file = VocabularyFile::read(vocab)?;
        Ok((file.vocabulary()?, Some(file.kind())))
    });
    let (mut vocabulary, kind) = loaded.map_err(failure)?;
    if let Some(path) = &change.special {
        let list = read(path)?;
        vocabulary = vocabulary
            .with_special_tokens(&list)
            .map_err(|error| Failure::Vocabulary(path.display().to_string(), error))?;
    }
    if let Some(size) = change.vocab_size {
        vocabulary = vocabulary.with_size(size).map_err(failure)?;
    }
    if !change.eos.is_empty() {
        vocabulary = vocabulary
            .with_eos(change.eos.iter().copied())
            .map_err(failure)?;
    }
    Ok((vocabulary, kind))
}

/// A vocabulary of all single bytes and an end token: for what is about text, not about tokens.
pub fn byte_vocabulary() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![256])
}

/// Limits and threads.
#[derive(clap::Args)]
pub struct LimitArgs {
    /// Threads to compile with; 0 is one for each processor.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    threads: usize,
    /// Refuse a grammar for which a matcher would need more than one stack.
    #[arg(long)]
    deterministic: bool,
    /// Take a grammar too for which no number of stacks is proved to be enough: readings past --limit-stacks are then dropped. A program
    /// that decodes with it needs the runtime's feature `capped`, and the vocabulary. `conform` always does, and counts such grammars apart.
    #[arg(long, conflicts_with = "deterministic")]
    capped: bool,
    /// The most bytes of grammar text [default: 16 MiB].
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    limit_grammar_bytes: Option<usize>,
    /// How deep groups may nest [default: 200].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_nesting: Option<usize>,
    /// The largest bound of a counted repetition [default: 100000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_repetition: Option<u32>,
    /// The most states of finite automata [default: 400000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_automaton_states: Option<usize>,
    /// The most states of the pushdown automaton [default: 100000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_states: Option<usize>,
    /// The most branches of edges that depend on the stack [default: 1000000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_branches: Option<usize>,
    /// The most bytes of tables [default: 256 MiB].
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    limit_table_bytes: Option<usize>,
    /// The most stacks of a matcher, where no bound is proved [default: 8].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_stacks: Option<usize>,
    /// The most seconds for one compile [default: 60].
    #[arg(
        long,
        visible_alias = "time-limit",
        value_name = "SECONDS",
        value_parser = seconds,
        help_heading = "Limits"
    )]
    limit_time: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds, such as `10` or `0.5`".to_owned())
}

impl LimitArgs {
    /// The limits, defaults where none is given.
    pub fn limits(&self) -> Limits {
        fn set<T: Copy>(field: &mut T, given: Option<T>) {
            *field = given.unwrap_or(*field);
        }
        let mut limits = Limits::default();
        set(&mut limits.grammar_bytes, self.limit_grammar_bytes);
        set(&mut limits.nesting, self.limit_nesting);
        set(&mut limits.repetition, self.limit_repetition);
        set(&mut limits.automaton_states, self.limit_automaton_states);
        set(&mut limits.states, self.limit_states);
        set(&mut limits.branches, self.limit_branches);
        set(&mut limits.table_bytes, self.limit_table_bytes);
        set(&mut limits.stacks, self.limit_stacks);
        set(&mut limits.time, self.limit_time);
        limits
    }

    /// Options for a compile.
    pub fn options(&self) -> Options {
        Options::default()
            .limits(self.limits())
            .threads(self.threads)
            .deterministic(self.deterministic)
            .capped(self.capped)
    }

    /// The number of threads as it was given; 0 if it is for the program to choose.
    pub fn given_threads(&self) -> usize {
        self.threads
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}
