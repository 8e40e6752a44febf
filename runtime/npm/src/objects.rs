//! Grammars, and what goes wrong.

use std::sync::Arc;

use maskwright_core::OwnedGrammar;
use serde_json::{Value, json};

/// A compiled grammar, with its vocabulary attached.
pub(crate) struct Grammar {
    pub(crate) inner: OwnedGrammar,
    /// The tables, as they are kept in a file.
    pub(crate) tables: Arc<[u8]>,
}

/// Why a call failed, as JavaScript is told.
pub(crate) struct Failure(pub(crate) Value);

impl Failure {
    /// A failure that is a message and nothing else.
    pub(crate) fn text(message: &str) -> Self {
        Failure(json!({ "message": message }))
    }

    /// The failure of what has an error to show.
    pub(crate) fn of(error: impl std::fmt::Display) -> Self {
        Failure::text(&error.to_string())
    }
}

impl Grammar {
    /// A grammar of these tables, for a vocabulary.
    pub(crate) fn load(
        tables: Vec<u8>,
        vocabulary: &maskwright_core::OwnedVocabulary,
    ) -> Result<Self, Failure> {
        let tables: Arc<[u8]> = tables.into();
        let inner = OwnedGrammar::load(Arc::clone(&tables)).map_err(Failure::of)?;
        let inner = inner.with_vocabulary(vocabulary).map_err(Failure::of)?;
        Ok(Grammar { inner, tables })
    }
}
