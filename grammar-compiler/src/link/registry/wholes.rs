//! Grammars that are compiled as a whole, and matchers of them.
//!
//! In: requests. Out: [`Whole`]s from the store, and matchers that are usable before there are
//! tables, or where only the tables are refused. What holds: a request that refers to other texts
//! is read each time, and its key depends on the grammar that was read.

use std::sync::Arc;

use maskwright_core::{MatcherError, OwnedMatcher, OwnedVocabulary};

use super::refusal::refused;
use super::store::Store;
use super::whole::{LentWhole, ReadText, Whole};
use crate::compile::Compiler;
use crate::digest::Digester;
use crate::error::Error;
use crate::lazy::{LazyVocabulary, Tables, Taken, TieredMatcher, follow};
use crate::limits::Limits;
use crate::link::assemble::with_grammar;
use crate::source::Source;
use crate::syntax::GrammarText;

/// A matcher of a grammar that is compiled as a whole.
pub(super) enum WholeMatcher {
    /// In its tables.
    Tables(OwnedMatcher),
    /// In the first tier, until there are tables.
    Tiered(TieredMatcher),
}

/// What makes grammars of requests.
#[derive(Debug)]
pub(super) struct Wholes {
    pub(super) compiler: Compiler,
    pub(super) vocabulary: OwnedVocabulary,
    /// What the first tier knows of the vocabulary.
    pub(super) lazy: Arc<LazyVocabulary>,
    pub(super) store: Arc<Store>,
    /// Frames that a stack may have.
    pub(super) depth: usize,
}

impl Wholes {
    /// The grammar of a request that begins now.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub(super) fn begin(&self, request: &GrammarText) -> Result<Arc<LentWhole>, Error> {
        self.get(request, &self.compiler.options().limits.begun())
    }

    /// The grammar of a request that has begun with these limits.
    ///
    /// # Errors
    /// If it cannot be read, as far as that is found out here.
    pub(super) fn get(
        &self,
        request: &GrammarText,
        limits: &Limits,
    ) -> Result<Arc<LentWhole>, Error> {
        let (source, _) = request.source_and_options(limits)?;
        let text = request.clone().tokens(self.compiler.tokens());
        let reads_others = request.reads_others(source.text());
        let read = reads_others
            .then(|| ReadText::of(&text, limits))
            .transpose()?;
        let fields = whole_fields(request, &source);
        let (key, bytes) = (fields.finish(), fields.fields().len());
        let key = match &read {
            Some(read) => with_grammar(key, &read.grammar),
            None => key,
        };
        let make = |compiles: &_| {
            let text = (text, bytes, read);
            Whole::new(key, text, &self.compiler, &self.vocabulary, compiles)
        };
        Ok(self.store.whole(key, make))
    }

    /// A matcher at the beginning of a text.
    ///
    /// # Errors
    /// If the grammar is refused, or the shortest text needs more frames than there are.
    pub(super) fn matcher(&self, whole: &Arc<LentWhole>) -> Result<WholeMatcher, Error> {
        let limits = whole.whole().limits().begun();
        let first = || {
            let first = whole.whole().first_tier(&self.lazy, &limits)?;
            let of = |first| TieredMatcher::new(first, whole.clone(), self.depth);
            Ok::<_, Error>(first.map(of).map(WholeMatcher::Tiered))
        };
        if whole.whole().needs_first_tier()
            && let Some(matcher) = first()?
        {
            return Ok(matcher);
        }
        let grammar = whole.whole().get_within(&limits)?;
        match OwnedMatcher::new(grammar, self.depth) {
            Ok(matcher) => Ok(WholeMatcher::Tables(matcher)),
            // The first tier has no bound on frames.
            Err(error @ MatcherError::TooLarge { .. }) => {
                first()?.ok_or_else(|| refused(&error.to_string()))
            }
            Err(error) => Err(refused(&error.to_string())),
        }
    }

    /// Waits until no matcher of the grammar has to wait: until there are tables, or it is known
    /// that the first tier follows texts without them.
    ///
    /// # Errors
    /// If the grammar is refused.
    pub(super) fn wait(&self, whole: &LentWhole) -> Result<(), Error> {
        match whole.wait() {
            Err(_) if !whole.is_refused() && whole.whole().is_followed(&self.lazy) => Ok(()),
            waited => waited.map(drop),
        }
    }

    /// Why the grammar is refused, as far as that is known.
    pub(super) fn refusal(&self, whole: &LentWhole) -> Option<Error> {
        whole.whole().refusal(&self.lazy).cloned()
    }

    /// A matcher of a text that has taken these. The first tier follows what is deeper than the
    /// tables' matchers go.
    ///
    /// # Errors
    /// If the grammar is refused, or is another one than that of the text.
    pub(super) fn matcher_after(
        &self,
        whole: &Arc<LentWhole>,
        taken: &[Taken],
    ) -> Result<WholeMatcher, Error> {
        if let Some(Ok(grammar)) = whole.ready()
            && let Ok(matcher) = follow(grammar, self.depth, taken)
        {
            return Ok(WholeMatcher::Tables(matcher));
        }
        let limits = whole.whole().limits().begun();
        if !whole.is_refused()
            && let Some(first) = whole.whole().first_tier(&self.lazy, &limits)?
            && let Ok(matcher) = TieredMatcher::after(first, taken, whole.clone(), self.depth)
        {
            return Ok(WholeMatcher::Tiered(matcher));
        }
        let grammar = whole.whole().get_within(&limits)?;
        let matcher = follow(grammar, self.depth, taken);
        let matcher = matcher.map_err(|error| match error {
            Some(error) => refused(&error.to_string()),
            None => refused("the text so far needs more frames than the registry gives"),
        })?;
        Ok(WholeMatcher::Tables(matcher))
    }
}

/// What tells a request that is compiled as a whole from others: its text and its options.
fn whole_fields(request: &GrammarText, source: &Source) -> Digester {
    let mut digester = Digester::new("whole grammar");
    request.write_options(&mut digester);
    digester.text(source.text());
    digester
}
