//! Grammars that are compiled as a whole.
//!
//! In: a request's text. Out: [`Whole`], which has its tables once they are compiled. What holds: the guarantees of [`Once`]; the grammar that was read from the text is dropped when there are tables.

use std::fmt;
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use maskwright_core::{OwnedGrammar, OwnedVocabulary};

use super::queue::Work;
use super::refusal::refused;
use crate::compile::Compiler;
use crate::digest::Digest;
use crate::error::Error;
use crate::grammar::Grammar;
use crate::lazy::{LazyMatcher, LazyVocabulary, Tables};
use crate::limits::{Cancel, Limits};
use crate::link::compiles::{Compiles, Once};
use crate::source::Sources;
use crate::syntax::GrammarText;

/// Bytes of a grammar for each byte of its text, about.
const READ: usize = 8;

/// A grammar that is compiled as a whole when it is first needed.
pub(super) struct Whole {
    key: Digest,
    text: GrammarText,
    /// Bytes of the text.
    bytes: usize,
    compiler: Compiler,
    vocabulary: OwnedVocabulary,
    compiles: Arc<Compiles>,
    /// Once somebody has read the text, and as long as there are no tables.
    read: Mutex<Option<ReadText>>,
    tables: Once<(), OwnedGrammar, Error>,
    /// For the queue that it waits in.
    mark: AtomicU8,
}

/// A grammar, and the texts that its places lie in.
#[derive(Clone)]
pub(super) struct ReadText {
    pub(super) grammar: Arc<Grammar>,
    sources: Sources,
}

impl ReadText {
    /// Reads a text.
    ///
    /// # Errors
    /// If it is refused.
    pub(super) fn of(text: &GrammarText, limits: &Limits) -> Result<Self, Error> {
        let parsed = text.parse(limits)?;
        Ok(ReadText {
            grammar: parsed.grammar.into(),
            sources: parsed.sources,
        })
    }
}

impl Whole {
    /// Nothing is compiled yet. The text has the tokens that it can name; with it come its bytes, and what was read of it if it has been read.
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
            read: Mutex::new(read),
            tables: Once::new(()),
            mark: AtomicU8::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<ReadText>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The grammar, which the first who asks reads.
    fn read(&self, cancel: &Cancel) -> Result<ReadText, Error> {
        let mut read = self.lock();
        if let Some(read) = &*read {
            return Ok(read.clone());
        }
        let limits = self.compiler.options().limits.cancelled_by(cancel);
        let new = ReadText::of(&self.text, &limits)?;
        Ok(read.insert(new).clone())
    }

    /// The tables, which the first who asks compiles.
    pub(super) fn get(&self) -> &Result<OwnedGrammar, Error> {
        let tables = self
            .tables
            .get(&self.compiles, |(), never| self.compile(never));
        *self.lock() = None;
        tables
    }

    fn compile(&self, cancel: &Cancel) -> Result<OwnedGrammar, Error> {
        let ReadText { grammar, sources } = self.read(cancel)?;
        let options = self.compiler.options().clone();
        let limits = options.limits.cancelled_by(cancel);
        let compiler = self.compiler.with_options(options.limits(limits));
        let compiled = compiler.compile(&grammar);
        let compiled = compiled.map_err(|error| error.or_in_sources(&sources))?;
        let grammar = OwnedGrammar::load(compiled.into_tables());
        let grammar = grammar.map_err(|error| refused(&error.to_string()))?;
        let grammar = grammar.with_vocabulary(&self.vocabulary);
        grammar.map_err(|error| refused(&error.to_string()))
    }

    /// A matcher of the first tier, if that follows texts of the grammar.
    pub(super) fn first_tier(
        &self,
        vocabulary: &Arc<LazyVocabulary>,
    ) -> Result<Option<LazyMatcher>, Error> {
        let grammar = self.read(&Cancel::default())?.grammar;
        Ok(LazyMatcher::new(grammar, vocabulary.clone()).ok())
    }

    /// About how many bytes it takes.
    pub(super) fn memory(&self) -> usize {
        let rest = match self.ready() {
            Some(Ok(grammar)) => grammar.tables().len(),
            Some(Err(error)) => error.sources().map_or(0, Sources::bytes),
            None if self.read.try_lock().is_ok_and(|read| read.is_none()) => 0,
            None => READ * self.bytes,
        };
        self.bytes + rest
    }
}

impl Work for Whole {
    fn run(&self, cancel: &Cancel) {
        (self.tables).ahead(&self.compiles, cancel, |(), cancel| self.compile(cancel));
        if self.is_done() {
            *self.lock() = None;
        }
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

impl Tables for Whole {
    fn ready(&self) -> Option<&Result<OwnedGrammar, Error>> {
        self.tables.ready()
    }

    fn wait(&self) -> Result<&OwnedGrammar, Error> {
        self.get().as_ref().map_err(Clone::clone)
    }
}

impl fmt::Debug for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Whole").field(&self.is_done()).finish()
    }
}
