//! [`Builder`]: what a build script says.
//!
//! In: calls of its methods. Out: fields that one [run](super::run) reads.

use std::path::PathBuf;

use super::beside::BesideSpec;
use super::{Cache, VocabularySpec};
use crate::options::Options;
use crate::syntax::GrammarText;
use crate::syntax::json_schema::SchemaOptions;
use crate::syntax::tools::ToolOptions;
use crate::vocabulary::Vocabulary;

/// Compiles grammars in a build script: see the [module](super).
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is compiled before `emit`"]
pub struct Builder {
    pub(super) vocabulary: Option<VocabularySpec>,
    pub(super) grammars: Vec<(String, GrammarText)>,
    pub(super) linked: Vec<(String, GrammarText)>,
    pub(super) beside: Option<BesideSpec>,
    pub(super) depths: Vec<(String, usize)>,
    pub(super) options: Options,
    pub(super) schema_options: Option<SchemaOptions>,
    pub(super) cache: Option<Cache>,
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

    /// Compiles for the vocabulary of a file: a `tokenizer.json`, a GGUF, a SentencePiece model, a
    /// `tekken.json`, a `.tiktoken` file, or a `vocab.json` beside its `merges.txt`. For padding,
    /// end tokens and lists of special tokens see [`VocabularySpec`].
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

    /// Adds a grammar in a file of a dialect of Lark, as `static` of this name. A relative path
    /// starts at the package. For its options see [`GrammarText::lark_options`].
    pub fn lark_file(self, name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.grammar(name, GrammarText::lark_file(path))
    }

    /// Adds a grammar in a dialect of Lark given as text.
    pub fn lark(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.grammar(name, GrammarText::lark(text))
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

    /// Adds the grammar of a structural tag in a file, as `static` of this name. A relative path
    /// starts at the package.
    pub fn structural_tag_file(self, name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.grammar(name, GrammarText::structural_tag_file(path))
    }

    /// Adds the grammar of a structural tag given as text.
    pub fn structural_tag(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.grammar(name, GrammarText::structural_tag(text))
    }

    /// Adds the grammar of outputs with calls of the tools in a file, as `static` of this name: see
    /// [`Self::tools`]. A relative path starts at the package.
    pub fn tools_file(
        self,
        name: impl Into<String>,
        path: impl Into<PathBuf>,
        options: ToolOptions,
    ) -> Self {
        self.grammar(name, GrammarText::tools_file(path).tool_options(options))
    }

    /// Adds the grammar of outputs with calls of these tools, as `static` of this name, such as
    /// `TOOLS`. A second static, `TOOLS_FORMAT`, reads outputs back.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use maskwright_compiler::syntax::tools::ToolOptions;
    ///
    /// maskwright_compiler::Builder::new()
    ///     .vocabulary_file("tokenizer.json")
    ///     .tools_file("TOOLS", "tools.json", ToolOptions::format("qwen_3"))
    ///     .emit("grammars.rs")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn tools(
        self,
        name: impl Into<String>,
        text: impl Into<String>,
        options: ToolOptions,
    ) -> Self {
        self.grammar(name, GrammarText::tools(text).tool_options(options))
    }

    /// Links the tools in a file, as `static` of this name: see [`Self::linked_tools`]. A relative
    /// path starts at the package.
    pub fn linked_tools_file(
        self,
        name: impl Into<String>,
        path: impl Into<PathBuf>,
        options: ToolOptions,
    ) -> Self {
        self.link(name, GrammarText::tools_file(path).tool_options(options))
    }

    /// Links tools: the text around calls and each tool are compiled by themselves, and kept in the
    /// [cache](Self::cache). A change of one tool compiles one piece. Masks are those of
    /// [`Self::tools`]. The static is a [`maskwright_core::link::Linked`], the type of its matcher
    /// a [`maskwright_core::link::LinkedMatcher`] for the [depth](Self::depth) that is given, or
    /// 32; the program needs the runtime's feature `link`. `TOOLS_FORMAT` reads outputs back. The
    /// tools have a base of their own, not that of [`Self::beside`].
    ///
    /// Tools that cannot be linked are an error of [`emit`](Self::emit) that says why.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use maskwright_compiler::syntax::tools::ToolOptions;
    ///
    /// maskwright_compiler::Builder::new()
    ///     .vocabulary_file("tokenizer.json")
    ///     .linked_tools_file("TOOLS", "tools.json", ToolOptions::format("qwen_3"))
    ///     .emit("grammars.rs")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn linked_tools(
        self,
        name: impl Into<String>,
        text: impl Into<String>,
        options: ToolOptions,
    ) -> Self {
        self.link(name, GrammarText::tools(text).tool_options(options))
    }

    /// Links the structural tag in a file, as `static` of this name: see
    /// [`Self::linked_structural_tag`]. A relative path starts at the package.
    pub fn linked_structural_tag_file(
        self,
        name: impl Into<String>,
        path: impl Into<PathBuf>,
    ) -> Self {
        self.link(name, GrammarText::structural_tag_file(path))
    }

    /// Links a structural tag as [`Self::linked_tools`] links tools: tags whose contents are
    /// schemas, grammars or patterns are pieces, and what stands around them is a part of its own.
    /// A change of one schema compiles one piece. Masks are those of [`Self::structural_tag`].
    ///
    /// A tag that cannot be linked is an error of [`emit`](Self::emit) that says why.
    pub fn linked_structural_tag(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.link(name, GrammarText::structural_tag(text))
    }

    fn link(mut self, name: impl Into<String>, text: GrammarText) -> Self {
        self.linked.push((name.into(), text));
        self
    }

    /// Reads all JSON Schemas with these options, except those with options of their own: see
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

    /// Compiles all other grammars of this builder beside the one of this name, so that they store
    /// only the token sets that it lacks: see [`Compiler::beside`](crate::Compiler::beside). Masks
    /// are the same, and take as long. The program has to contain that grammar too. The last one
    /// named is the one for all grammars.
    pub fn beside(mut self, name: impl Into<String>) -> Self {
        self.beside = Some(BesideSpec::Grammar(name.into()));
        self
    }

    /// Compiles all grammars beside the tables in a file, such as `maskwright compile` or another
    /// build has written. `path` names the program's static with these tables, as the emitted code
    /// is to write it: `crate::JSON`. If that static holds other tables, the program does not
    /// compile.
    ///
    /// ```ignore
    /// static JSON: maskwright::Grammar<'static> = maskwright::Grammar::from_static(include_bytes!("../json.mskg"));
    /// ```
    pub fn beside_file(mut self, file: impl Into<PathBuf>, path: impl Into<String>) -> Self {
        self.beside = Some(BesideSpec::File {
            file: file.into(),
            path: path.into(),
        });
        self
    }

    /// Fixes the depth of the matcher of the grammar of this name: its type is then `JsonMatcher`,
    /// for [`maskwright_core::Matcher`] with this `DEPTH`, and not
    /// `JsonMatcher<const DEPTH: usize>`. A depth below the least one, with which no text could be
    /// finished, is an error of [`emit`](Self::emit) that says the least.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// maskwright_compiler::Builder::new()
    ///     .vocabulary_named("cl100k_base")
    ///     .ebnf_file("JSON", "grammars/json.ebnf")
    ///     .depth("JSON", 24)
    ///     .emit("grammars.rs")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn depth(mut self, name: impl Into<String>, frames: usize) -> Self {
        self.depths.push((name.into(), frames));
        self
    }

    /// Compiles with these options.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Refuses grammars for which a matcher would need more than one stack, with a text that has
    /// two readings and the rules in which they come apart: see [`Options::deterministic`].
    pub fn deterministic(mut self, deterministic: bool) -> Self {
        self.options.deterministic = deterministic;
        self
    }

    /// Uses this cache. By default it is the folder that the environment variable
    /// [`CACHE_VARIABLE`](super::CACHE_VARIABLE) names, or else one in `OUT_DIR`. Entries that are
    /// passed over, and a folder that other users can write to, are warnings.
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
        self
    }
}
