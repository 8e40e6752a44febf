//! A vocabulary that many grammars are compiled for.
//!
//! In: a [`Vocabulary`]. Out: [`PreparedVocabulary`]: its tries, one for each kind of grammar that
//! names tokens.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::grammar::Grammar;
use crate::limits::Deadline;
use crate::mask::TokenTrie;
use crate::pack::{Beside, BesideError};
use crate::terminals::{self, LongTokenBytes, Terminals};
use crate::vocabulary::{TokenNames, Vocabulary, VocabularyError};

/// A vocabulary made ready for compiling. It is the same for every grammar, so keep it if you
/// compile many. Facts about the vocabulary that compiles find out are kept in it and shared with
/// its clones: mostly less than a megabyte, and for 100,000 tokens at most 26. Tables do not depend
/// on them.
#[derive(Clone, Debug)]
pub struct PreparedVocabulary {
    pub(super) vocabulary: Arc<Vocabulary>,
    pub(super) trie: Arc<TokenTrie>,
    /// The tries of grammars that have tokens as terminals, the last one used first.
    with_terminals: Arc<Mutex<TriesOfTerminals>>,
    long_tokens: LongTokenBytes,
    pub(super) hash: u64,
}

/// Groups of terminals, each with its trie once it has been met twice: a client may send grammars
/// whose groups never come again.
type TriesOfTerminals = Vec<(Terminals, Option<Arc<TokenTrie>>)>;

/// The groups of terminals that are remembered, and the tries that are kept at most. All grammars
/// of one tool-call format have the same group.
const MAX_TRIES: usize = 4;

impl PreparedVocabulary {
    /// Checks the vocabulary and sorts it into a trie, which takes a fraction of a second for
    /// 200,000 tokens.
    ///
    /// # Errors
    ///
    /// If the vocabulary passes a limit of its own: see [`Vocabulary::check`].
    pub fn new(vocabulary: &Vocabulary) -> Result<Self, VocabularyError> {
        vocabulary.check()?;
        Ok(PreparedVocabulary {
            trie: Arc::new(TokenTrie::new(vocabulary)),
            with_terminals: Arc::default(),
            long_tokens: LongTokenBytes::of(vocabulary),
            hash: vocabulary.hash(),
            vocabulary: Arc::new(vocabulary.clone()),
        })
    }

    /// The same vocabulary with ids for the exits and endings of parts, which begin at a whole word
    /// behind its own.
    pub(crate) fn extended(&self, ids: u32) -> Result<Self, VocabularyError> {
        let size = self.vocabulary.size().next_multiple_of(32) + ids;
        let vocabulary = Vocabulary::clone(&self.vocabulary).with_size(size)?;
        Ok(PreparedVocabulary {
            vocabulary: Arc::new(vocabulary),
            trie: self.trie.clone(),
            with_terminals: Arc::default(),
            long_tokens: self.long_tokens.clone(),
            // Parts are for this vocabulary as it is.
            hash: self.hash,
        })
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The grammar with spellings in the place of tokens: see [`terminals::resolve`].
    ///
    /// # Errors
    ///
    /// As for [`terminals::resolve`].
    pub(crate) fn resolve(
        &self,
        grammar: &Grammar,
        reserved: &[u32],
        deadline: &Deadline,
    ) -> Result<Option<(Grammar, Terminals)>, Error> {
        let vocabulary = (&*self.vocabulary, &self.long_tokens);
        terminals::resolve(grammar, vocabulary, reserved, deadline)
    }

    /// The hash of the vocabulary.
    pub(crate) fn vocabulary_hash(&self) -> u64 {
        self.hash
    }

    /// The tokens that grammars can name.
    pub fn names(&self) -> TokenNames {
        TokenNames::of(self.vocabulary.clone())
    }

    /// The trie for a grammar with these terminals. It is built unless two grammars before had the
    /// same, which takes tens of milliseconds for 100,000 tokens.
    pub(super) fn trie_with(&self, terminals: &Terminals) -> Arc<TokenTrie> {
        let lock = || (self.with_terminals.lock()).unwrap_or_else(PoisonError::into_inner);
        // The group used last comes first.
        let met = |tries: &mut TriesOfTerminals| {
            let at = tries.iter().position(|(of, _)| of == terminals)?;
            tries[..=at].rotate_right(1);
            Some(tries[0].1.clone())
        };
        let known = met(&mut lock());
        if let Some(Some(trie)) = known {
            return trie;
        }
        let made = Arc::new(TokenTrie::with_terminals(&self.vocabulary, terminals));
        let mut tries = lock();
        match met(&mut tries) {
            // Another thread has made it meanwhile.
            Some(Some(trie)) => trie,
            Some(None) if known.is_some() => {
                tries[0].1 = Some(made.clone());
                made
            }
            Some(None) => made,
            None => {
                tries.insert(0, (terminals.clone(), None));
                tries.truncate(MAX_TRIES);
                made
            }
        }
    }

    /// How many groups of terminals are remembered.
    #[cfg(test)]
    pub(crate) fn tries(&self) -> usize {
        let tries = self.with_terminals.lock();
        tries.unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The trie.
    pub fn trie(&self) -> &TokenTrie {
        &self.trie
    }

    /// The sets of a grammar, so that others can be compiled [beside it](crate::Compiler::beside).
    /// This takes a few milliseconds for tables of usual size.
    ///
    /// # Errors
    ///
    /// If the grammar is for another vocabulary, or its tables stand beside others themselves.
    pub fn beside(&self, grammar: &maskwright_core::Grammar<'_>) -> Result<Beside, BesideError> {
        Beside::read(grammar, self.hash)
    }
}
