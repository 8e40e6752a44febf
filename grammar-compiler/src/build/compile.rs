//! Compiling through the cache.

use maskwright_core::{Grammar as Tables, LoadError, Vocabulary};

use super::beside::OtherTables;
use super::failure;
use super::packed::PackedVocabulary;
use crate::Options;
use crate::cache::{Cache, Key, KeyBuilder};
use crate::emit::Facts;
use crate::error::Error;
use crate::grammar::Grammar;
use crate::grammar::places::Site;
use crate::pda::height::Height;
use crate::source::{Sources, Span};

/// Tables, and what was warned of when they were compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachedTables {
    /// The grammar tables.
    pub tables: Vec<u8>,
    /// The number of frames that is enough for every text, or what one more level of nesting takes.
    pub height: Height,
    /// What the user should know.
    pub warnings: Vec<CachedWarning>,
}

/// A warning of a compile, perhaps of an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachedWarning {
    /// A sentence.
    pub text: String,
    /// Its place in the grammar as it is now written.
    pub span: Option<Span>,
}

impl CachedWarning {
    /// The warning in one line, with its place.
    pub fn one_line(&self, sources: &Sources) -> String {
        format!("{}: {}", sources.place(self.span), self.text)
    }
}

/// The tables of `grammar` for `vocabulary`: from the cache where it has them, else compiled, and
/// then stored in it. What comes from the cache was validated as the runtime validates a file.
///
/// # Errors
/// What [`Compiler::compile`](crate::Compiler::compile) says.
pub fn compile_cached(
    grammar: &Grammar,
    vocabulary: &PackedVocabulary,
    options: &Options,
    cache: &Cache,
) -> Result<CachedTables, Error> {
    compile_cached_beside(grammar, vocabulary, None, options, cache)
}

/// The same for tables that stand beside `other`, if there are any: see [`crate::Compiler::beside`].
///
/// # Errors
/// What [`Compiler::compile`](crate::Compiler::compile) says.
pub fn compile_cached_beside(
    grammar: &Grammar,
    vocabulary: &PackedVocabulary,
    other: Option<&OtherTables>,
    options: &Options,
    cache: &Cache,
) -> Result<CachedTables, Error> {
    let key = key(grammar, vocabulary, other, options);
    let cached = cache
        .get(key)
        .and_then(|entry| CachedTables::from_entry(&entry, grammar));
    let good = |cached: &CachedTables| belong_together(&cached.tables, vocabulary, other);
    if let Some(cached) = cached.filter(good) {
        return Ok(cached);
    }
    let prepared = vocabulary.prepared()?;
    let compiled = match other {
        Some(other) => crate::compile_beside(grammar, prepared, other.sets(vocabulary)?, options)?,
        None => crate::compile_prepared(grammar, prepared, options)?,
    };
    let warnings = compiled.warnings().iter().map(|warning| CachedWarning {
        text: warning.sentence(),
        span: warning.span(),
    });
    let made = CachedTables {
        warnings: warnings.collect(),
        height: compiled.report().height,
        tables: compiled.into_tables(),
    };
    cache.put(key, &made.to_entry(grammar));
    Ok(made)
}

/// Written for a site that there is not.
const NOWHERE: u32 = u32::MAX;
/// Written before each kind of height.
const AT_MOST: u32 = 0;
const GROWS: u32 = 1;

impl CachedTables {
    /// The figures of the tables, which were compiled beside `other`, if there are any.
    ///
    /// # Errors
    /// What the runtime says when it refuses to load the tables.
    pub fn facts(&self, other: Option<&OtherTables>) -> Result<Facts, Error> {
        let facts = load(&self.tables, other).map(|grammar| Facts::of(&grammar, self.height));
        facts.map_err(|error| failure(error.to_string()).into())
    }

    /// The height, the number of warnings, each with its site and its length before it, then the tables. Places are not kept: the same grammar may
    /// be written elsewhere when the entry is read.
    pub(super) fn to_entry(&self, grammar: &Grammar) -> Vec<u8> {
        let (kind, frames) = match self.height {
            Height::AtMost(frames) => (AT_MOST, frames),
            Height::Grows { by } => (GROWS, by),
        };
        let mut entry = Vec::new();
        for number in [kind, frames as u32, self.warnings.len() as u32] {
            entry.extend_from_slice(&number.to_le_bytes());
        }
        for CachedWarning { text, span } in &self.warnings {
            let site = span.and_then(|span| grammar.site(span));
            let rule = site.map_or(NOWHERE, |site| site.rule);
            let part = site.and_then(|site| site.part).unwrap_or(NOWHERE);
            for number in [rule, part, text.len() as u32] {
                entry.extend_from_slice(&number.to_le_bytes());
            }
            entry.extend_from_slice(text.as_bytes());
        }
        entry.extend_from_slice(&self.tables);
        entry
    }

    /// Reads an entry back; nothing in it is trusted.
    fn from_entry(entry: &[u8], grammar: &Grammar) -> Option<Self> {
        let (kind, rest) = number(entry)?;
        let (frames, rest) = number(rest)?;
        let frames = usize::try_from(frames).ok()?;
        let height = match kind {
            AT_MOST => Height::AtMost(frames),
            GROWS => Height::Grows { by: frames },
            _ => return None,
        };
        let (count, mut rest) = number(rest)?;
        let mut warnings = Vec::new();
        for _ in 0..count {
            let (rule, after) = number(rest)?;
            let (part, after) = number(after)?;
            let (length, after) = number(after)?;
            let (text, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
            let site = Site {
                rule,
                part: (part != NOWHERE).then_some(part),
            };
            warnings.push(CachedWarning {
                text: String::from_utf8(text.to_vec()).ok()?,
                span: grammar.place(site),
            });
            rest = after;
        }
        Some(CachedTables {
            tables: rest.to_vec(),
            height,
            warnings,
        })
    }
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// What names the tables of `grammar` in a cache. Of tables that these stand beside, every byte counts.
pub(super) fn key(
    grammar: &Grammar,
    vocabulary: &PackedVocabulary,
    other: Option<&OtherTables>,
    options: &Options,
) -> Key {
    let mut key = KeyBuilder::new("grammar, height and warnings");
    key.grammar(grammar);
    key.key(vocabulary.key());
    key.bytes(other.map_or(&[], OtherTables::tables));
    key.options(options);
    key.finish()
}

fn belong_together(
    tables: &[u8],
    vocabulary: &PackedVocabulary,
    other: Option<&OtherTables>,
) -> bool {
    let vocabulary = Vocabulary::load(vocabulary.tables());
    match (load(tables, other), vocabulary) {
        (Ok(grammar), Ok(vocabulary)) => grammar.with_vocabulary(vocabulary).is_ok(),
        _ => false,
    }
}

fn load<'t>(tables: &'t [u8], other: Option<&'t OtherTables>) -> Result<Tables<'t>, LoadError> {
    match other {
        Some(other) => Tables::load_beside(tables, &other.grammar()?),
        None => Tables::load(tables),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::syntax::ebnf;

    #[test]
    fn entries_are_read_back() {
        let grammar = |text: &str| {
            let source = Source::new("test", text);
            let parsed = ebnf::parse(&source, &Default::default());
            parsed.unwrap().grammar
        };
        let warning = |text: &str, span| CachedWarning {
            text: text.to_owned(),
            span,
        };
        let here = grammar("root ::= \"a\" | b\nb ::= \"b\"");
        let made = CachedTables {
            tables: vec![1, 2, 3],
            height: Height::Grows { by: 2 },
            warnings: vec![
                warning("first", Some(here.rules[0].places[2])),
                warning("", None),
                warning("ünïcode", Some(here.rules[1].span)),
            ],
        };
        let entry = made.to_entry(&here);
        assert_eq!(
            CachedTables::from_entry(&entry, &here).as_ref(),
            Some(&made)
        );
        for cut in 0..entry.len() - 3 {
            let read = CachedTables::from_entry(&entry[..cut], &here);
            assert_eq!(read, None, "cut at {cut}");
        }
        assert_eq!(CachedTables::from_entry(&[0xFF; 64], &here), None);
        let bounded = CachedTables {
            height: Height::AtMost(7),
            ..made
        };
        let read = CachedTables::from_entry(&bounded.to_entry(&here), &here);
        assert_eq!(read, Some(bounded));

        // The same grammar, written in another way.
        let moved = grammar("# moved\nroot ::= (\"a\")\n  | b\n\nb ::= \"b\"");
        let read = CachedTables::from_entry(&entry, &moved).unwrap();
        let spans: Vec<_> = read.warnings.iter().map(|w| w.span).collect();
        assert_eq!(
            spans,
            [Some(Span::new(27, 28)), None, Some(Span::new(30, 31))]
        );
    }
}
