//! Matchers whose depth and number of stacks are chosen when the tables are known.

use crate::failure::Failure;
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_core::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};

/// The tables of a vocabulary.
pub fn vocabulary(vocabulary: &Vocabulary) -> Result<OwnedVocabulary, Failure> {
    OwnedVocabulary::load(vocabulary.pack().map_err(refused)?).map_err(refused)
}

/// Tables that stand alone, with the vocabulary that they were compiled for.
pub fn grammar(tables: &[u8], vocabulary: &OwnedVocabulary) -> Result<OwnedGrammar, Failure> {
    let grammar = OwnedGrammar::load(tables).map_err(refused)?;
    grammar.with_vocabulary(vocabulary).map_err(refused)
}

/// A matcher of `depth` frames for `grammar`, with as few stacks as it allows, which need not go
/// back.
pub fn matcher(grammar: &OwnedGrammar, depth: usize) -> Result<OwnedMatcher, Failure> {
    let matcher = OwnedMatcher::new(grammar, depth).map_err(refused)?;
    Ok(matcher.with_history(0))
}

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Matcher(error.to_string())
}
