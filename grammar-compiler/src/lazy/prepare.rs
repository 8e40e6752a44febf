//! Preparing a vocabulary for the first tier.
//!
//! In: a compiler. Out: a [`LazyVocabulary`] that knows the run of JSON strings, which nearly every
//! schema has. What holds: the first mask within a string needs no walk over the vocabulary.

use std::sync::Arc;

use super::matcher::LazyMatcher;
use super::vocabulary::LazyVocabulary;
use crate::compile::Compiler;
use crate::grammar::Grammar;
use crate::source::Source;
use crate::syntax::json_schema;
use crate::vocabulary::VocabularyError;

impl LazyVocabulary {
    /// Finds out ahead what strings of JSON need, which takes some milliseconds for 100,000 tokens.
    ///
    /// # Errors
    ///
    /// If the compiler's vocabulary was read from tables that it does not pack.
    pub fn new(compiler: &Compiler) -> Result<Arc<Self>, VocabularyError> {
        Self::within(compiler, usize::MAX)
    }

    /// The same with a bound on the bytes that all matchers hold together. Where they hold more,
    /// those that are used forget what is beyond their share.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn within(compiler: &Compiler, bytes: usize) -> Result<Arc<Self>, VocabularyError> {
        let vocabulary = Self::without_runs(compiler, bytes)?;
        vocabulary.meet_strings();
        Ok(vocabulary)
    }

    /// Asks for the mask of strings, which is the same whatever the schema.
    fn meet_strings(self: &Arc<Self>) {
        let schema = Source::new("string", r#"{"type": "string"}"#);
        let Ok(parsed) = json_schema::parse(&schema, &Default::default()) else {
            return;
        };
        let grammar: Arc<Grammar> = parsed.grammar.into();
        if let Ok(mut matcher) = LazyMatcher::new(grammar, self.clone())
            && matcher.accept_bytes(b"\"").is_ok()
        {
            // Its kind becomes known.
            let _ = matcher.mask();
        }
    }
}
