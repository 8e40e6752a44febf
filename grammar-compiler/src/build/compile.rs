//! Compiling through the cache.

use maskwright_core as core_tables;

use super::cache::Cache;
use super::key::{Key, KeyBuilder};
use super::text::sentence;
use super::vocabulary::PackedVocabulary;
use crate::Options;
use crate::error::Error;
use crate::grammar::Grammar;

/// Tables, and what was warned of when they were compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedTables {
    /// The grammar tables.
    pub tables: Vec<u8>,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// The tables of `grammar` for `vocabulary`: from the cache where it has them, else compiled, and
/// then stored in it. What comes from the cache was validated as the runtime validates a file.
///
/// # Errors
/// What [`crate::compile`] says.
pub fn compile_cached(
    grammar: &Grammar,
    vocabulary: &PackedVocabulary,
    options: &Options,
    cache: &Cache,
) -> Result<CachedTables, Error> {
    let key = key(grammar, vocabulary, options);
    let cached = cache
        .get(key)
        .and_then(|entry| CachedTables::from_entry(&entry));
    if let Some(cached) = cached.filter(|cached| belong_together(&cached.tables, vocabulary)) {
        return Ok(cached);
    }
    let compiled = crate::compile_prepared(grammar, vocabulary.prepared()?, options)?;
    let warnings = compiled.warnings().iter().map(sentence).collect();
    let made = CachedTables {
        warnings,
        tables: compiled.into_tables(),
    };
    cache.put(key, &made.to_entry());
    Ok(made)
}

impl CachedTables {
    /// Number of warnings, each with its length before it, then the tables.
    pub(super) fn to_entry(&self) -> Vec<u8> {
        let mut entry = (self.warnings.len() as u32).to_le_bytes().to_vec();
        for warning in &self.warnings {
            entry.extend_from_slice(&(warning.len() as u32).to_le_bytes());
            entry.extend_from_slice(warning.as_bytes());
        }
        entry.extend_from_slice(&self.tables);
        entry
    }

    /// Reads an entry back; nothing in it is trusted.
    fn from_entry(entry: &[u8]) -> Option<Self> {
        let (count, mut rest) = number(entry)?;
        let mut warnings = Vec::new();
        for _ in 0..count {
            let (length, after) = number(rest)?;
            let (text, after) = after.split_at_checked(length)?;
            warnings.push(String::from_utf8(text.to_vec()).ok()?);
            rest = after;
        }
        Some(CachedTables {
            tables: rest.to_vec(),
            warnings,
        })
    }
}

fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((usize::try_from(u32::from_le_bytes(*number)).ok()?, rest))
}

fn key(grammar: &Grammar, vocabulary: &PackedVocabulary, options: &Options) -> Key {
    let mut key = KeyBuilder::new("grammar");
    key.grammar(grammar);
    key.key(vocabulary.key());
    key.options(options);
    key.finish()
}

fn belong_together(tables: &[u8], vocabulary: &PackedVocabulary) -> bool {
    let vocabulary = core_tables::Vocabulary::load(vocabulary.tables());
    let grammar = core_tables::Grammar::load(tables);
    match (grammar, vocabulary) {
        (Ok(grammar), Ok(vocabulary)) => grammar.with_vocabulary(vocabulary).is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_back() {
        let warnings = vec!["first".to_owned(), String::new(), "ünïcode".to_owned()];
        let made = CachedTables {
            tables: vec![1, 2, 3],
            warnings,
        };
        let entry = made.to_entry();
        assert_eq!(CachedTables::from_entry(&entry), Some(made));
        for cut in 0..entry.len() - 3 {
            assert_eq!(
                CachedTables::from_entry(&entry[..cut]),
                None,
                "cut at {cut}"
            );
        }
        assert_eq!(CachedTables::from_entry(&[0xFF; 64]), None);
    }
}
