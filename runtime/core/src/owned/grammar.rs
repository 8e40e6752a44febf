//! Grammars and vocabularies that own their tables.
//!
//! In: bytes, shared or not. Out: [`OwnedGrammar`] and [`OwnedVocabulary`]. What holds after
//! loading: all bytes have been checked as by [`Grammar::load`]. The places of the sections are
//! kept, so a view is made without reading the tables.

use alloc::sync::Arc;
use core::fmt;

use crate::error::LoadError;
use crate::id::TablesId;
use crate::tables::Grammar;
use crate::vocabulary::Vocabulary;
#[cfg(feature = "link")]
use crate::walk::Trees;

use super::parts::{SectionPlaces, VocabularyParts};

/// A compiled grammar that owns its tables: they are freed with the last clone of it, and the last
/// matcher of it.
///
/// It has no lifetime, and is `Send` and `Sync`; a clone counts a reference. [`view`](Self::view)
/// gives the [`Grammar`] that everything else takes.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, vocabulary) = example::tables();
/// use maskwright_core::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
///
/// struct Sequence {
///     grammar: OwnedGrammar,
///     matcher: OwnedMatcher, // in one structure with its grammar
/// }
///
/// let vocabulary = OwnedVocabulary::load(vocabulary)?;
/// let grammar = OwnedGrammar::load(tables)?.with_vocabulary(&vocabulary)?;
/// let matcher = OwnedMatcher::new(&grammar, 8)?;
/// let mut sequence = Sequence { grammar, matcher };
/// sequence.matcher.accept_token(b'[' as u32)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct OwnedGrammar(Arc<Owned>);

/// The tables of a grammar and what they need.
#[derive(Clone)]
struct Owned {
    tables: Arc<[u8]>,
    parts: SectionPlaces,
    /// The tables that these stand beside.
    beside: Option<(Arc<[u8]>, SectionPlaces)>,
    vocabulary: Option<OwnedVocabulary>,
}

impl OwnedGrammar {
    /// Tables from anywhere, checked as [`Grammar::load`] does.
    ///
    /// # Errors
    ///
    /// As for [`Grammar::load`].
    pub fn load(tables: impl Into<Arc<[u8]>>) -> Result<Self, LoadError> {
        let tables = tables.into();
        let parts = SectionPlaces::of(&Grammar::load(&tables)?);
        Ok(OwnedGrammar(Arc::new(Owned {
            tables,
            parts,
            beside: None,
            vocabulary: None,
        })))
    }

    /// Delta tables, which keep their base tables alive: see [`Grammar::load_beside`]. The
    /// vocabulary of the base comes with it.
    ///
    /// # Errors
    ///
    /// As for [`Grammar::load_beside`].
    pub fn load_beside(
        tables: impl Into<Arc<[u8]>>,
        other: &OwnedGrammar,
    ) -> Result<Self, LoadError> {
        let tables = tables.into();
        let (parts, has_vocabulary) = {
            let grammar = Grammar::load_beside(&tables, &other.view())?;
            (SectionPlaces::of(&grammar), grammar.vocabulary().is_some())
        };
        let beside = (parts.stands_beside()).then(|| (other.0.tables.clone(), other.0.parts));
        Ok(OwnedGrammar(Arc::new(Owned {
            tables,
            parts,
            beside,
            vocabulary: other.0.vocabulary.clone().filter(|_| has_vocabulary),
        })))
    }

    /// The same grammar with the bytes of its tokens.
    ///
    /// # Errors
    ///
    /// If the grammar was compiled for another vocabulary.
    pub fn with_vocabulary(self, vocabulary: &OwnedVocabulary) -> Result<Self, LoadError> {
        self.view().with_vocabulary(vocabulary.view())?;
        let mut owned = Arc::unwrap_or_clone(self.0);
        owned.vocabulary = Some(vocabulary.clone());
        Ok(OwnedGrammar(Arc::new(owned)))
    }

    /// The same tables with 16 bytes of a cryptographic digest of them, and of the tables that they
    /// stand beside: see [`Grammar::with_digest`]. The compiler's registry gives digests to all
    /// tables.
    #[must_use]
    pub fn with_digest(self, digest: [u64; 2]) -> Self {
        let mut owned = Arc::unwrap_or_clone(self.0);
        owned.parts.digest = Some(digest);
        OwnedGrammar(Arc::new(owned))
    }

    /// The grammar, as everything else takes it. It costs some nanoseconds, since the tables are
    /// not read.
    #[inline]
    pub fn view(&self) -> Grammar<'_> {
        let owned = &*self.0;
        let beside = owned
            .beside
            .as_ref()
            .map(|(tables, parts)| (&tables[..], parts));
        let vocabulary = owned.vocabulary.as_ref().map(OwnedVocabulary::view);
        owned.parts.view(&owned.tables, beside, vocabulary)
    }

    /// The vocabulary that was attached.
    pub fn vocabulary(&self) -> Option<&OwnedVocabulary> {
        self.0.vocabulary.as_ref()
    }

    /// The tables themselves, which may be shared.
    pub fn tables(&self) -> &Arc<[u8]> {
        &self.0.tables
    }

    /// The identity of the tables: see [`Grammar::id`].
    #[inline]
    pub fn id(&self) -> TablesId {
        self.0.parts.id()
    }

    /// What rows of a pool know the tables by.
    #[inline]
    pub(crate) fn rows_id(&self) -> TablesId {
        self.0.parts.rows_id()
    }

    /// What rows of a pool know the tables by that others stand beside: not zeros.
    #[cfg(feature = "link")]
    pub(crate) fn rows(&self) -> [u64; 2] {
        let parts = &self.0.parts;
        parts.digest.unwrap_or([0, parts.id().mixed()])
    }

    /// The mask trees of the tables.
    #[cfg(feature = "link")]
    #[inline]
    pub(crate) fn trees(&self) -> Trees<'_> {
        self.0.parts.trees(&self.0.tables)
    }
}

impl fmt::Debug for OwnedGrammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnedGrammar").field(&self.view()).finish()
    }
}

/// The bytes of each token id, owned: a clone counts a reference.
#[derive(Clone)]
pub struct OwnedVocabulary {
    tables: Arc<[u8]>,
    parts: VocabularyParts,
}

impl OwnedVocabulary {
    /// Tables from anywhere, checked as [`Vocabulary::load`] does.
    ///
    /// # Errors
    ///
    /// As for [`Vocabulary::load`].
    pub fn load(tables: impl Into<Arc<[u8]>>) -> Result<Self, LoadError> {
        let tables = tables.into();
        let parts = VocabularyParts::of(&Vocabulary::load(&tables)?);
        Ok(OwnedVocabulary { tables, parts })
    }

    /// The vocabulary, as everything else takes it.
    #[inline]
    pub fn view(&self) -> Vocabulary<'_> {
        self.parts.view(&self.tables)
    }

    /// The tables themselves, which may be shared.
    pub fn tables(&self) -> &Arc<[u8]> {
        &self.tables
    }
}

impl fmt::Debug for OwnedVocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnedVocabulary")
            .field(&self.view())
            .finish()
    }
}
