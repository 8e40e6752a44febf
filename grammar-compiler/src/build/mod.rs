//! Grammars compiled by a build script.
//!
//! In: grammars and a vocabulary, by file, text or name. Out: a Rust file in `OUT_DIR` with a
//! `static` for each grammar, ready to `include!`.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     maskwright_compiler::Builder::new()
//!         .vocabulary_named("cl100k_base") // needs the cargo feature `tiktoken`
//!         .ebnf_file("JSON", "grammars/json.ebnf")
//!         .emit("grammars.rs")?;
//!     Ok(())
//! }
//! ```
//!
//! ```ignore
//! // src/main.rs
//! include!(concat!(env!("OUT_DIR"), "/grammars.rs"));
//!
//! let mut matcher = JsonMatcher::<32>::new(&JSON)?;
//! ```
//!
//! What holds after: Cargo runs the script again when one of the files changes, and only then;
//! a grammar that was compiled before for the same vocabulary and options is not compiled
//! again. Build scripts are not optimised by default: put `[profile.dev.build-override]` and
//! `[profile.release.build-override]` with `opt-level = 3` into the workspace's `Cargo.toml`.

mod cache;
mod compile;
mod key;
mod text;
mod vocabulary;

pub use cache::{CACHE_VARIABLE, Cache};
pub use compile::{CachedTables, CachedWarning, compile_cached};
pub use text::{GrammarText, ParsedText, explain, place, sentence};
pub use vocabulary::{PackedVocabulary, VocabularySpec};

use std::fmt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::Options;
use crate::emit::{self, Embedding, Facts, GrammarItem, VocabularyItem};
use crate::error::{Diagnostic, Error};
use crate::schema::SchemaOptions;
use crate::vocabulary::Vocabulary;

/// Compiles grammars in a build script: see the [module](self).
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is compiled before `emit`"]
pub struct Builder {
    vocabulary: Option<VocabularySpec>,
    grammars: Vec<(String, GrammarText)>,
    options: Options,
    schema_options: Option<SchemaOptions>,
    cache: Option<Cache>,
}

/// What a build script tells Cargo.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Directive {
    RerunIfChanged(PathBuf),
    Warning(String),
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Directive::RerunIfChanged(path) => {
                write!(f, "cargo::rerun-if-changed={}", path.display())
            }
            Directive::Warning(message) => write!(f, "cargo::warning={message}"),
        }
    }
}

impl Builder {
    /// A builder without grammars.
    pub fn new() -> Self {
        Builder::default()
    }

    /// The vocabulary to compile for. The last one named is the one for all grammars.
    pub fn vocabulary(mut self, vocabulary: VocabularySpec) -> Self {
        self.vocabulary = Some(vocabulary);
        self
    }

    /// Compiles for a well-known vocabulary, such as `cl100k_base`: see [`VocabularySpec::named`].
    pub fn vocabulary_named(self, name: impl Into<String>) -> Self {
        self.vocabulary(VocabularySpec::named(name))
    }

    /// Compiles for a `tokenizer.json` or `.tiktoken` file. For padding and end tokens see [`VocabularySpec`].
    pub fn vocabulary_file(self, path: impl Into<PathBuf>) -> Self {
        self.vocabulary(VocabularySpec::file(path))
    }

    /// Compiles for a vocabulary that the build script made.
    pub fn vocabulary_made(self, vocabulary: Vocabulary) -> Self {
        self.vocabulary(VocabularySpec::made(vocabulary))
    }

    /// Adds a grammar in a file of the grammar language, as `static` of this name, such as `JSON`.
    /// A relative path starts at the package.
    pub fn ebnf_file(self, name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.grammar(name, GrammarText::ebnf_file(path))
    }

    /// Adds a grammar given as text.
    pub fn ebnf(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.grammar(name, GrammarText::ebnf(text))
    }

    /// Adds the grammar of the texts that a regular expression matches as a whole.
    pub fn regex(self, name: impl Into<String>, pattern: impl Into<String>) -> Self {
        self.grammar(name, GrammarText::regex(pattern))
    }

    /// Adds the grammar of the values of a JSON Schema in a file, as `static` of this name.
    /// A relative path starts at the package.
    pub fn schema_file(self, name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.grammar(name, GrammarText::schema_file(path))
    }

    /// Adds the grammar of the values of a JSON Schema given as text.
    pub fn schema(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.grammar(name, GrammarText::schema(text))
    }

    /// Reads all JSON Schemas with these options, but those that have some of their own: see
    /// [`GrammarText::schema_options`]. Limits are those of [`Self::options`].
    pub fn schema_options(mut self, options: SchemaOptions) -> Self {
        self.schema_options = Some(options);
        self
    }

    /// Adds a grammar, such as one whose root is not called `root`: see [`GrammarText::root`].
    pub fn grammar(mut self, name: impl Into<String>, text: GrammarText) -> Self {
        self.grammars.push((name.into(), text));
        self
    }

    /// Compiles with these options.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Refuses grammars for which a matcher would need more than one stack, with a text that has two readings and the
    /// rules in which they come apart: see [`Options::deterministic`].
    pub fn deterministic(mut self, deterministic: bool) -> Self {
        self.options.deterministic = deterministic;
        self
    }

    /// Uses this cache. By default it is the folder that the environment variable
    /// [`CACHE_VARIABLE`] names, or else one in `OUT_DIR`.
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Compiles, writes `OUT_DIR/file` and the tables that it includes, and tells Cargo on standard
    /// output which files it depends on and what to warn of.
    ///
    /// # Errors
    /// If a file cannot be read, a grammar or the vocabulary is wrong, or `OUT_DIR` is not set or cannot be
    /// written. `Display` and `Debug` both show the place in the grammar.
    pub fn emit(self, file: &str) -> Result<(), Error> {
        let out = env::var_os("OUT_DIR").ok_or_else(|| {
            failure("the environment variable OUT_DIR is not set".into())
                .help("call `emit` in a build script, where Cargo sets it")
        })?;
        self.emit_into(Path::new(&out), file, &mut |directive| {
            println!("{directive}")
        })
    }

    fn emit_into(
        self,
        out: &Path,
        file: &str,
        tell: &mut dyn FnMut(Directive),
    ) -> Result<(), Error> {
        let Builder {
            vocabulary,
            grammars,
            options,
            schema_options,
            cache,
        } = self;
        let spec = vocabulary.ok_or_else(|| {
            failure("no vocabulary was given".into())
                .help("add `.vocabulary_named(…)` or `.vocabulary_file(…)`")
        })?;
        let files = grammars
            .iter()
            .filter_map(|(_, text)| text.path())
            .chain(spec.path());
        files.for_each(|path| tell(Directive::RerunIfChanged(path.to_path_buf())));
        let cache = cache.unwrap_or_else(|| Cache::from_env(Some(out.join("maskwright-cache"))));
        let packed = spec.pack(&cache)?;
        if packed.eos().is_empty() {
            tell(Directive::Warning(no_end_token(&spec)));
        }
        let output = Output { folder: out, file };
        let mut items = Vec::new();
        for (name, text) in &grammars {
            let text = text.or_schema_options(schema_options.as_ref());
            let parsed = text.parse(&options.limits)?;
            for warning in &parsed.warnings {
                tell(Directive::Warning(explain(warning, &parsed.source)));
            }
            let compiled = compile_cached(&parsed.grammar, &packed, &options, &cache)
                .map_err(|error| parsed.locate(error))?;
            for warning in &compiled.warnings {
                tell(Directive::Warning(parsed.one_line(warning)));
            }
            items.push(output.grammar(name, &text, &compiled.tables)?);
        }
        let vocabulary = output.vocabulary(&items, &spec, &packed)?;
        let code = emit::file(&items, &vocabulary).map_err(|error| failure(error.to_string()))?;
        output.write(file, code.as_bytes())
    }
}

/// Where files are written.
struct Output<'a> {
    folder: &'a Path,
    /// The name of the Rust file, after which the files with tables are named.
    file: &'a str,
}

impl Output<'_> {
    fn grammar(&self, name: &str, text: &GrammarText, tables: &[u8]) -> Result<GrammarItem, Error> {
        Ok(GrammarItem {
            name: identifier(name)?,
            visibility: quote!(pub),
            attributes: TokenStream::new(),
            origin: text.description(),
            facts: Facts::read(tables).map_err(|error| failure(error.to_string()))?,
            tables: self.write_tables(name, tables)?,
        })
    }

    fn vocabulary(
        &self,
        grammars: &[GrammarItem],
        spec: &VocabularySpec,
        packed: &PackedVocabulary,
    ) -> Result<VocabularyItem, Error> {
        let first = grammars.first().ok_or_else(|| {
            failure("no grammar was given".into()).help("add `.ebnf_file(\"NAME\", …)`")
        })?;
        let name = format_ident!("{}_VOCABULARY", first.name);
        let embedding = self.write_tables(&name.to_string(), packed.tables())?;
        VocabularyItem::new(
            name,
            quote!(pub),
            spec.description(),
            packed.tables(),
            embedding,
        )
        .map_err(|error| failure(error.to_string()).into())
    }

    fn write_tables(&self, name: &str, tables: &[u8]) -> Result<Embedding, Error> {
        let file = format!("{}.{name}.mask", self.file);
        self.write(&file, tables)?;
        Ok(Embedding::OutDir(file))
    }

    fn write(&self, file: &str, content: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(file);
        fs::write(&path, content)
            .map_err(|error| failure(format!("cannot write {}: {error}", path.display())).into())
    }
}

/// The name of a static.
fn identifier(name: &str) -> Result<Ident, Error> {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ok(Ident::new(name, Span::call_site())),
        Err(_) => Err(failure(format!("`{name}` cannot be the name of a static"))
            .help("name the grammar with letters, digits and `_`, such as `JSON`")
            .into()),
    }
}

fn no_end_token(spec: &VocabularySpec) -> String {
    format!(
        "the vocabulary {} has no token that ends a sequence, so no mask will ever offer one: \
         name it with `VocabularySpec::eos`",
        spec.description()
    )
}

fn failure(message: String) -> Diagnostic {
    Diagnostic::error("build", message)
}

#[cfg(test)]
mod tests;
