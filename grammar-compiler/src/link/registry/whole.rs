//! Grammars that are compiled as a whole.
//!
//! In: a request's text. Out: [`Whole`], which has its tables once they are compiled, and
//! [`LentWhole`], a use of it. What holds: the guarantees of [`Once`], for reading as for
//! compiling. The grammar that was read from the text is dropped when there are tables. It is kept
//! where only the tables are refused, since the first tier follows texts of the grammar then.

use std::fmt;
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use maskwright_core::{OwnedGrammar, OwnedVocabulary};

use super::queue::Work;
use super::refusal::refused;
use crate::compile::Compiler;
use crate::digest::{Digest, tables_digest};
use crate::error::Error;
use crate::grammar::Grammar;
use crate::lazy::{LazyMatcher, LazyVocabulary, Tables};
use crate::limits::{Cancel, Limits};
use crate::link::compiles::{Compiles, Once};
use crate::link::target::Lease;
use crate::source::Sources;
use crate::syntax::GrammarText;

/// A grammar that is compiled as a whole when it is first needed.
pub(super) struct Whole {
    key: Digest,
    text: GrammarText,
    /// Bytes of the text and its options.
    bytes: usize,
    compiler: Compiler,
    vocabulary: OwnedVocabulary,
    compiles: Arc<Compiles>,
    /// The text, read by the first who needs that. Another one is put in its place when there are
    /// tables.
    read: Mutex<Arc<Reading>>,
    tables: Once<(), OwnedGrammar, Error>,
    /// Whether the first tier follows texts of the grammar, once somebody has asked.
    is_followed: OnceLock<bool>,
    /// For the queue that it waits in.
    mark: AtomicU8,
}

/// A text that is read once.
type Reading = Once<Option<ReadText>, ReadText, Error>;

/// A grammar, and the texts that its places lie in.
#[derive(Clone, Debug)]
pub(super) struct ReadText {
    pub(super) grammar: Arc<Grammar>,
    sources: Sources,
    /// About how many bytes both take.
    bytes: usize,
}

impl ReadText {
    /// Reads a text.
    ///
    /// # Errors
    /// If it is refused.
    pub(super) fn of(text: &GrammarText, limits: &Limits) -> Result<Self, Error> {
        let parsed = text.parse(limits)?;
        Ok(ReadText {
            bytes: parsed.grammar.memory() + parsed.sources.bytes(),
            grammar: parsed.grammar.into(),
            sources: parsed.sources,
        })
    }
}

impl Whole {
    /// Nothing is compiled yet. The text has the tokens that it can name; with it come its bytes,
    /// and what was read of it if it has been read.
    pub(super) fn new(
        key: Digest,
        (text, bytes, read): (GrammarText, usize, Option<ReadText>),
        compiler: &Compiler,
        vocabulary: &OwnedVocabulary,
        compiles: &Arc<Compiles>,
    ) -> Self {
        Whole {
            key,
            text,
            bytes,
            compiler: compiler.clone(),
            vocabulary: vocabulary.clone(),
            compiles: compiles.clone(),
            read: Mutex::new(Arc::new(Reading::new(read))),
            tables: Once::new(()),
            is_followed: OnceLock::new(),
            mark: AtomicU8::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Reading>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What reading and compiling it may cost.
    pub(super) fn limits(&self) -> &Limits {
        &self.compiler.options().limits
    }

    /// The grammar, which the first who asks reads. A refusal is kept as well.
    fn read(&self, limits: &Limits) -> Result<ReadText, Error> {
        let reading = self.lock().clone();
        // It is no compile: it is counted nowhere.
        let read = reading.get(&Compiles::default(), limits, |known, limits| match known {
            Some(known) => Ok(known.clone()),
            None => ReadText::of(&self.text, limits),
        });
        if let Some(Err(refused)) = reading.ready() {
            // Then there are no tables either, and later requests are told so.
            self.tables.settle(Err(refused.clone()));
        }
        read.cloned()
    }

    /// Whether texts are followed in the first tier, if they can be: there are no tables, yet or at
    /// all, and nothing is known to be wrong with the grammar itself.
    pub(super) fn needs_first_tier(&self) -> bool {
        match self.ready() {
            None => true,
            Some(Err(error)) => error.is_of_tables(),
            Some(Ok(_)) => false,
        }
    }

    /// Drops what was read, unless the first tier goes on with it.
    fn forget_text(&self) {
        if self.needs_first_tier() {
            return;
        }
        let read = std::mem::replace(&mut *self.lock(), Arc::new(Reading::new(None)));
        drop(read);
    }

    /// The tables, which the first who asks compiles.
    ///
    /// # Errors
    /// If the grammar is refused, or another thread does not finish it within the limit of time.
    pub(super) fn get(&self) -> Result<&OwnedGrammar, Error> {
        self.get_within(self.limits())
    }

    /// The same within the time of these limits. If a request has begun with them, it is not
    /// refused for others when that is over.
    pub(super) fn get_within(&self, limits: &Limits) -> Result<&OwnedGrammar, Error> {
        if let Some(ready) = self.ready() {
            return ready.as_ref().map_err(Clone::clone);
        }
        let compile = |(): &(), limits: &Limits| self.compile(limits);
        let tables = self.tables.get(&self.compiles, limits, compile);
        self.forget_text();
        tables
    }

    /// Reads the text and compiles it, both within the time of these limits.
    fn compile(&self, limits: &Limits) -> Result<OwnedGrammar, Error> {
        let ReadText {
            grammar, sources, ..
        } = self.read(limits)?;
        let options = self.compiler.options().clone();
        let compiler = self.compiler.with_options(options.limits(limits.clone()));
        let compiled = compiler.compile(&grammar);
        let compiled = compiled.map_err(|error| error.of_tables().or_in_sources(&sources))?;
        let tables = compiled.into_tables();
        let digest = tables_digest(&tables);
        let grammar = OwnedGrammar::load(tables);
        let grammar = grammar.map_err(|error| refused(&error.to_string()))?;
        let grammar = grammar
            .with_digest(digest)
            .with_vocabulary(&self.vocabulary);
        grammar.map_err(|error| refused(&error.to_string()))
    }

    /// A matcher of the first tier, if that follows texts of the grammar.
    ///
    /// # Errors
    /// If the text is refused, or not read within the time of these limits.
    pub(super) fn first_tier(
        &self,
        vocabulary: &Arc<LazyVocabulary>,
        limits: &Limits,
    ) -> Result<Option<LazyMatcher>, Error> {
        let grammar = self.read(limits)?.grammar;
        let matcher = LazyMatcher::new(grammar, vocabulary.clone()).ok();
        // The first who finds it out says so; all find the same.
        let _ = self.is_followed.set(matcher.is_some());
        Ok(matcher)
    }

    /// Why texts of the grammar cannot be followed, as far as that is known: where only its tables
    /// are refused, the first tier follows them.
    pub(super) fn refusal(&self, vocabulary: &Arc<LazyVocabulary>) -> Option<&Error> {
        let refused = self.ready()?.as_ref().err()?;
        if !refused.is_of_tables() {
            return Some(refused);
        }
        (!self.is_followed(vocabulary)).then_some(refused)
    }

    /// Whether the first tier follows texts of the grammar.
    pub(super) fn is_followed(&self, vocabulary: &Arc<LazyVocabulary>) -> bool {
        let find = || matches!(self.first_tier(vocabulary, self.limits()), Ok(Some(_)));
        self.is_followed.get().copied().unwrap_or_else(find)
    }

    /// Keeps this refusal of the tables, which was found without compiling the grammar. What is
    /// known already stays.
    pub(super) fn refuse(&self, error: Error) {
        self.tables.settle(Err(error));
    }

    /// About how many bytes it takes.
    pub(super) fn memory(&self) -> usize {
        let tables = match self.ready() {
            Some(Ok(grammar)) => grammar.tables().len(),
            Some(Err(error)) => error.memory(),
            None => 0,
        };
        let read = match self.lock().ready() {
            Some(Ok(read)) => read.bytes,
            Some(Err(error)) => error.memory(),
            None => 0,
        };
        self.bytes + tables + read
    }
}

impl Work for Whole {
    fn run(&self, cancel: &Cancel) {
        let limits = self.limits().cancelled_by(cancel);
        let compile = |(): &(), limits: &Limits| self.compile(limits);
        self.tables.ahead(&self.compiles, &limits, compile);
        self.forget_text();
    }

    fn is_done(&self) -> bool {
        self.ready().is_some()
    }

    fn key(&self) -> Digest {
        self.key
    }

    fn text(&self) -> usize {
        self.bytes
    }

    fn mark(&self) -> &AtomicU8 {
        &self.mark
    }
}

impl Whole {
    /// The tables, or why there are none; `None` while that is not known.
    pub(super) fn ready(&self) -> Option<&Result<OwnedGrammar, Error>> {
        self.tables.ready()
    }
}

impl fmt::Debug for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Whole").field(&self.is_done()).finish()
    }
}

/// A use of a grammar. It ends when this is dropped.
pub(super) struct LentWhole {
    whole: Arc<Whole>,
    /// Dropped after the grammar.
    _lease: Lease,
}

impl LentWhole {
    pub(super) fn new(whole: Arc<Whole>, lease: Lease) -> Self {
        LentWhole {
            whole,
            _lease: lease,
        }
    }

    /// The grammar.
    pub(super) fn whole(&self) -> &Arc<Whole> {
        &self.whole
    }

    /// Whether it has been compiled.
    pub(super) fn is_done(&self) -> bool {
        self.whole.is_done()
    }

    /// Whether the grammar itself is refused, and not only its tables.
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.ready(), Some(Err(error)) if !error.is_of_tables())
    }
}

impl Tables for LentWhole {
    fn ready(&self) -> Option<&Result<OwnedGrammar, Error>> {
        self.whole.ready()
    }

    fn wait(&self) -> Result<&OwnedGrammar, Error> {
        self.whole.get()
    }
}
