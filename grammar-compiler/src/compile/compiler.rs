//! One type from which grammars are compiled.
//!
//! In: a vocabulary, prepared once, and options. Out: [`Compiled`] for each grammar. What holds after: tables depend on the grammar, the vocabulary, the options and the
//! tables that they stand beside, and on nothing else.

use std::sync::Arc;

use super::{Automaton, Compiled, Options, PreparedVocabulary, Stop, compile_with};
use crate::error::Error;
use crate::grammar::Grammar;
use crate::pack::{Beside, BesideError};
use crate::syntax::GrammarText;
use crate::vocabulary::{TokenNames, Vocabulary, VocabularyError};

/// Compiles grammars for one vocabulary. Copies are cheap and share what is known of the vocabulary; threads can use one at the same time.
///
/// ```
/// use maskwright_compiler::{Compiler, GrammarText, Vocabulary};
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
    vocabulary: Arc<PreparedVocabulary>,
    beside: Option<Arc<Beside>>,
    options: Options,
}

impl Compiler {
    /// A compiler for a vocabulary, which is sorted into a trie: as long as a compile of some hundred rules takes.
    ///
    /// # Errors
    ///
    /// If the vocabulary passes a limit of its own: see [`Vocabulary::check`].
    pub fn new(vocabulary: &Vocabulary) -> Result<Self, VocabularyError> {
        Ok(Compiler {
            vocabulary: Arc::new(PreparedVocabulary::new(vocabulary)?),
            beside: None,
            options: Options::default(),
        })
    }

    /// A compiler for a vocabulary that has been prepared.
    pub(crate) fn of(vocabulary: PreparedVocabulary) -> Self {
        Compiler {
            vocabulary: Arc::new(vocabulary),
            beside: None,
            options: Options::default(),
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

    /// The same compiler for tables that stand beside those of a grammar, which was compiled before and stays as it is: token sets that it has are not stored again. Such tables
    /// are loaded with [`maskwright_core::Grammar::load_beside`]. Masks are the same, and take as long. Where a grammar shares no set, its tables stand alone.
    ///
    /// ```
    /// use maskwright_compiler::{Compiler, GrammarText};
    /// # use maskwright_compiler::Vocabulary;
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
        Ok(Compiler {
            beside: Some(Arc::new(self.vocabulary.beside(grammar)?)),
            ..self.clone()
        })
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The tokens that a grammar can name.
    pub fn tokens(&self) -> TokenNames {
        self.vocabulary.names()
    }

    /// Compiles a grammar.
    ///
    /// # Errors
    ///
    /// If the grammar has no sentence or the vocabulary can spell none, if no number of stacks is proved to be enough for it (see
    /// [`Options::capped`]), or a limit is passed.
    pub fn compile(&self, grammar: &Grammar) -> Result<Compiled, Error> {
        Ok(self.compile_and_keep(grammar)?.0)
    }

    /// Reads and compiles a grammar. The result has the warnings of both, and the texts that they are about.
    ///
    /// # Errors
    ///
    /// As for [`GrammarText::parse`] and [`compile`](Self::compile); each error shows its place.
    pub fn compile_text(&self, text: &GrammarText) -> Result<Compiled, Error> {
        let text = text.clone().tokens(self.tokens());
        let parsed = text.parse(&self.options.limits)?;
        let compiled = self.compile(&parsed.grammar);
        let compiled = compiled.map_err(|error| error.or_in_sources(&parsed.sources))?;
        Ok(compiled.with_sources(parsed.sources, parsed.warnings))
    }

    /// Compiles a grammar and keeps the automaton that the tables were made from: for looking into them.
    ///
    /// # Errors
    ///
    /// As for [`compile`](Self::compile).
    #[doc(hidden)]
    pub fn compile_and_keep(&self, grammar: &Grammar) -> Result<(Compiled, Automaton), Error> {
        let (compiled, automaton, _) = compile_with(
            grammar,
            &self.vocabulary,
            self.beside.as_deref(),
            None,
            &self.options,
        )
        .map_err(Stop::into_error)?;
        Ok((compiled, automaton))
    }

    /// The vocabulary.
    pub(crate) fn prepared(&self) -> &Arc<PreparedVocabulary> {
        &self.vocabulary
    }
}
