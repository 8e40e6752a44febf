//! One type from which grammars are compiled.
//!
//! In: a vocabulary, prepared once; perhaps base tables; options and a cache. Out: [`Compiled`] for
//! each grammar. What holds after: tables depend on the grammar, the vocabulary, the options and
//! the base tables, and on nothing else. What comes from a cache was validated as the runtime
//! validates a file.

use std::sync::{Arc, OnceLock};

use maskwright_core::{Grammar as Tables, LoadError};

use super::automaton::Automaton;
use super::compiled::Compiled;
use super::entry;
use super::packed::PackedVocabulary;
use super::pipeline::{Pipeline, Stop};
use super::prepared::PreparedVocabulary;
use crate::cache::{Cache, EntryKind, Key, KeyBuilder, most_bytes};
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::Grammar;
use crate::options::Options;
use crate::pack::{Beside, BesideError};
use crate::syntax::GrammarText;
use crate::vocabulary::{TokenNames, Vocabulary, VocabularyError};

/// Compiles grammars for one vocabulary. Clones are cheap and share the prepared vocabulary;
/// several threads can use one compiler at the same time.
///
/// ```
/// use maskwright_compiler::{Compiler, GrammarText, vocabulary::Vocabulary};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
/// # let vocabulary = Vocabulary::from_tokens(tokens, vec![256]);
/// let compiler = Compiler::new(&vocabulary)?;
/// let compiled = compiler.compile_text(&GrammarText::ebnf(r#"root ::= "yes" | "no""#))?;
/// assert_eq!(compiled.grammar()?.max_stacks(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Compiler {
    vocabulary: Arc<CompilerVocabulary>,
    base: Option<Arc<BaseTables>>,
    options: Options,
    cache: Cache,
}

/// A vocabulary, prepared when the first grammar is compiled that no cache has.
#[derive(Debug)]
struct CompilerVocabulary {
    packed: Option<PackedVocabulary>,
    prepared: OnceLock<Arc<PreparedVocabulary>>,
    key: OnceLock<Key>,
}

/// Base tables. Their sets are read when the first grammar is compiled that no cache has.
#[derive(Debug)]
struct BaseTables {
    tables: Vec<u8>,
    sets: OnceLock<Beside>,
}

impl Compiler {
    /// A compiler for a vocabulary. Sorting the vocabulary into a trie takes about as long as
    /// compiling some hundred rules, so keep the compiler.
    ///
    /// # Errors
    ///
    /// If the vocabulary passes a limit of its own: see [`Vocabulary::check`].
    pub fn new(vocabulary: &Vocabulary) -> Result<Self, VocabularyError> {
        let prepared = Arc::new(PreparedVocabulary::new(vocabulary)?);
        Ok(Compiler::of(CompilerVocabulary {
            packed: None,
            prepared: prepared.into(),
            key: OnceLock::new(),
        }))
    }

    /// A compiler for a vocabulary that build scripts and `grammar!` have read.
    #[doc(hidden)]
    pub fn packed(vocabulary: &PackedVocabulary) -> Self {
        Compiler::of(CompilerVocabulary {
            packed: Some(vocabulary.clone()),
            prepared: OnceLock::new(),
            key: vocabulary.key().into(),
        })
    }

    fn of(vocabulary: CompilerVocabulary) -> Self {
        Compiler {
            vocabulary: Arc::new(vocabulary),
            base: None,
            options: Options::default(),
            cache: Cache::disabled(),
        }
    }

    /// The same compiler with these options.
    #[must_use]
    pub fn with_options(&self, options: Options) -> Self {
        Compiler {
            options,
            ..self.clone()
        }
    }

    /// The same compiler with a cache: a grammar that was compiled before, for the same vocabulary,
    /// options and base tables, is not compiled again. The [report](Compiled::report) on such a
    /// grammar has no times, since no stage has run.
    ///
    /// ```
    /// use maskwright_compiler::build::Cache;
    /// use maskwright_compiler::{Compiler, GrammarText};
    /// # use maskwright_compiler::vocabulary::Vocabulary;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
    /// # let compiler = Compiler::new(&Vocabulary::from_tokens(tokens, vec![256]))?;
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let compiler = compiler.with_cache(Cache::at(folder));
    /// let lists = GrammarText::ebnf(r#"root ::= [a-z]+ ("," [a-z]+)*"#);
    /// let first = compiler.compile_text(&lists)?;
    /// let second = compiler.compile_text(&lists)?;
    /// assert_eq!(first.tables(), second.tables());
    /// assert!(second.report().stages.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_cache(&self, cache: Cache) -> Self {
        Compiler {
            cache,
            ..self.clone()
        }
    }

    /// The same compiler, which makes delta tables: they store only the token sets that the base
    /// `grammar` lacks, and are loaded with [`maskwright_core::Grammar::load_beside`]. Masks are
    /// the same, and take as long. If a grammar shares no set with the base, its tables stand
    /// alone.
    ///
    /// ```
    /// use maskwright_compiler::{Compiler, GrammarText};
    /// # use maskwright_compiler::vocabulary::Vocabulary;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
    /// # let compiler = Compiler::new(&Vocabulary::from_tokens(tokens, vec![256]))?;
    /// let numbers = compiler.compile_text(&GrammarText::ebnf(r#"root ::= [a-z]+ ":" [0-9]+"#))?;
    /// let numbers = numbers.grammar()?;
    /// let lists = GrammarText::ebnf(r#"root ::= [a-z]+ ("," [a-z]+)*"#);
    /// let lists = compiler.beside(&numbers)?.compile_text(&lists)?;
    /// let lists = maskwright_core::Grammar::load_beside(lists.tables(), &numbers)?;
    /// assert_eq!(lists.stands_beside(), Some(numbers.checksum()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the grammar is for another vocabulary, or its tables stand beside others themselves.
    pub fn beside(&self, grammar: &maskwright_core::Grammar<'_>) -> Result<Self, BesideError> {
        if !self.is_for_vocabulary(grammar) {
            return Err(BesideError::OtherVocabulary);
        }
        if grammar.stands_beside().is_some() {
            return Err(BesideError::NotAlone);
        }
        let base = BaseTables {
            tables: grammar.as_bytes().to_vec(),
            sets: OnceLock::new(),
        };
        Ok(Compiler {
            base: Some(Arc::new(base)),
            ..self.clone()
        })
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The tokens that a grammar can name.
    pub fn tokens(&self) -> TokenNames {
        match (&self.vocabulary.packed, self.vocabulary.prepared.get()) {
            (_, Some(prepared)) => prepared.names(),
            (Some(packed), None) => packed.names(),
            (None, None) => TokenNames::default(),
        }
    }

    /// Compiles a grammar.
    ///
    /// # Errors
    ///
    /// If the grammar has no sentence or the vocabulary can spell none, if it needs more than one
    /// stack and [`Options::deterministic`] is set, or a limit is passed.
    pub fn compile(&self, grammar: &Grammar) -> Result<Compiled, Error> {
        if self.cache.folder().is_none() {
            return Ok(self.compile_and_keep(grammar)?.0);
        }
        let key = self.key(grammar);
        let most = most_bytes(&self.options.limits);
        if let Some(entry) = self.cache.get(key, most) {
            let kept = entry::read(&entry, grammar);
            if let Some(kept) = kept.filter(|kept| self.is_for(kept.tables())) {
                return Ok(kept);
            }
            self.cache
                .refuse(key, "it holds no tables for this vocabulary");
        }
        let (compiled, _) = self.compile_and_keep(grammar)?;
        let entry = entry::write(&compiled, grammar);
        self.cache.put(key, &entry, most);
        Ok(compiled)
    }

    /// Reads and compiles a grammar. The result has the warnings of both, and the texts that they
    /// are about.
    ///
    /// # Errors
    ///
    /// As for [`GrammarText::parse`] and [`compile`](Self::compile); each error shows its place.
    pub fn compile_text(&self, text: &GrammarText) -> Result<Compiled, Error> {
        let limits = self.options.limits.begun();
        let text = text.clone().tokens(self.tokens());
        let parsed = text.parse(&limits)?;
        let compiler = self.with_options(self.options.clone().limits(limits));
        let compiled = compiler.compile(&parsed.grammar);
        let compiled = compiled.map_err(|error| error.or_in_sources(&parsed.sources))?;
        Ok(compiled.with_parsed(parsed))
    }

    /// Compiles a grammar, whatever a cache has, and keeps the automaton that the tables were made
    /// from: for looking into them.
    ///
    /// # Errors
    ///
    /// As for [`compile`](Self::compile).
    pub fn compile_and_keep(&self, grammar: &Grammar) -> Result<(Compiled, Automaton), Error> {
        let vocabulary = self.prepared()?;
        let base = self.base.as_ref();
        let pipeline = Pipeline {
            grammar,
            vocabulary,
            beside: base.map(|base| base.sets(vocabulary)).transpose()?,
            part: None,
            options: &self.options,
        };
        let made = pipeline.run().map_err(Stop::into_error)?;
        Ok((made.compiled, made.automaton))
    }

    /// The vocabulary, ready for compiling.
    ///
    /// # Errors
    ///
    /// If it was read from tables that this compiler does not pack, or passes a limit of its own.
    #[doc(hidden)]
    pub fn prepared(&self) -> Result<&Arc<PreparedVocabulary>, VocabularyError> {
        let CompilerVocabulary {
            packed, prepared, ..
        } = &*self.vocabulary;
        if let Some(prepared) = prepared.get() {
            return Ok(prepared);
        }
        let unpacked = packed.as_ref().ok_or(VocabularyError::NoTokens)?.unpack()?;
        let made = PreparedVocabulary::new(&unpacked)?;
        Ok(prepared.get_or_init(|| Arc::new(made)))
    }

    /// What stands for the vocabulary in keys.
    pub(crate) fn vocabulary_key(&self) -> Key {
        self.vocabulary.key()
    }

    /// Where results are kept.
    pub(crate) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// What names the tables of `grammar` in a cache. Of base tables, every byte counts.
    pub(crate) fn key(&self, grammar: &Grammar) -> Key {
        let mut key = KeyBuilder::new(EntryKind::Grammar);
        key.grammar(grammar);
        key.key(self.vocabulary.key());
        key.bytes(self.base.as_ref().map_or(&[], |base| &base.tables));
        key.options(&self.options);
        key.finish()
    }

    /// Whether these are tables that this compiler may have made.
    fn is_for(&self, tables: &[u8]) -> bool {
        let loaded = match &self.base {
            None => Tables::load(tables),
            Some(base) => base
                .grammar()
                .and_then(|base| Tables::load_beside(tables, &base)),
        };
        loaded.is_ok_and(|grammar| self.is_for_vocabulary(&grammar))
    }

    fn is_for_vocabulary(&self, grammar: &Tables<'_>) -> bool {
        let (hash, size) = self.vocabulary.hash_and_size();
        grammar.vocabulary_hash() == hash && grammar.vocab_size() == size
    }
}

impl CompilerVocabulary {
    /// Hash and number of ids.
    fn hash_and_size(&self) -> (u64, u32) {
        match (&self.packed, self.prepared.get()) {
            (Some(packed), _) => packed.hash_and_size(),
            (None, Some(prepared)) => (prepared.hash, prepared.vocabulary.size()),
            (None, None) => (0, 0),
        }
    }

    /// What stands for the vocabulary in keys.
    fn key(&self) -> Key {
        *self.key.get_or_init(|| {
            let mut key = KeyBuilder::new(EntryKind::Tokens);
            if let Some(prepared) = self.prepared.get() {
                key.vocabulary(&prepared.vocabulary);
            }
            key.finish()
        })
    }
}

impl BaseTables {
    fn grammar(&self) -> Result<Tables<'_>, LoadError> {
        Tables::load(&self.tables)
    }

    /// The sets.
    fn sets(&self, vocabulary: &PreparedVocabulary) -> Result<&Beside, Error> {
        if let Some(sets) = self.sets.get() {
            return Ok(sets);
        }
        let failed = |why: String| Error::from(Diagnostic::error(Code::Build, why));
        let grammar = self.grammar().map_err(|error| failed(error.to_string()))?;
        let sets = vocabulary.beside(&grammar);
        let sets = sets.map_err(|error| failed(error.to_string()))?;
        Ok(self.sets.get_or_init(|| sets))
    }
}
