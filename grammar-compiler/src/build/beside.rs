//! Tables that those of other grammars stand beside.
//!
//! In: the name of a grammar of the same builder, or a file of tables and the path of the static that holds them. Out: [`OtherTables`].
//! What holds after: the tables are whole, stand alone and are for the vocabulary; their sets are read when the first grammar is
//! compiled beside them, so not at all where the cache has all of those.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use maskwright_core::{Grammar, LoadError, Vocabulary};
use proc_macro2::TokenStream;
use quote::ToTokens;

use super::failure;
use super::packed::PackedVocabulary;
use crate::error::Error;
use crate::file;
use crate::pack::{Beside, BesideError};

/// What the grammars of a builder stand beside.
#[derive(Clone, Debug)]
pub(super) enum BesideSpec {
    /// The grammar of this name.
    Grammar(String),
    /// Tables in a file; the program has them as the static of this path.
    File { file: PathBuf, path: String },
}

impl BesideSpec {
    /// The file that tables are read from.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            BesideSpec::File { file, .. } => Some(file),
            BesideSpec::Grammar(_) => None,
        }
    }
}

/// Tables that those of other grammars stand beside, and the static that holds them.
#[derive(Clone, Debug)]
pub struct OtherTables {
    tables: Vec<u8>,
    path: TokenStream,
    sets: OnceCell<Beside>,
}

impl OtherTables {
    /// These tables, which the program has as the static of this path.
    ///
    /// # Errors
    /// If these are not whole tables of this version, are for another vocabulary, or stand beside others themselves.
    pub fn new(
        tables: Vec<u8>,
        path: &syn::Path,
        vocabulary: &PackedVocabulary,
    ) -> Result<Self, Error> {
        let refused = |error: LoadError| match error {
            LoadError::OtherTables { .. } => failure(BesideError::NotAlone.to_string()),
            LoadError::OtherVocabulary { .. } => failure(BesideError::OtherVocabulary.to_string()),
            error => failure(error.to_string()),
        };
        let other = OtherTables {
            tables,
            path: path.to_token_stream(),
            sets: OnceCell::new(),
        };
        let vocabulary = Vocabulary::load(vocabulary.tables()).map_err(refused)?;
        let grammar = other.grammar().map_err(refused)?;
        grammar.with_vocabulary(vocabulary).map_err(refused)?;
        Ok(other)
    }

    /// The same from a file.
    pub(super) fn read(
        file: &Path,
        path: &str,
        vocabulary: &PackedVocabulary,
    ) -> Result<Self, Error> {
        let path: syn::Path = syn::parse_str(path).map_err(|_| {
            failure(format!("`{path}` cannot be the path of a static"))
                .help("name the static that holds the tables, such as `crate::JSON`")
        })?;
        let tables = file::read(file, file::MAX_BYTES).map_err(|error| {
            failure(format!("cannot read {}: {error}", file.display()))
                .help("paths are relative to the package's folder")
        })?;
        Self::new(tables, &path, vocabulary)
            .map_err(|error| failure(format!("{}: {}", file.display(), error.message())).into())
    }

    /// The tables.
    pub fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// The path of the static that holds them.
    pub fn path(&self) -> &TokenStream {
        &self.path
    }

    /// The grammar.
    pub(super) fn grammar(&self) -> Result<Grammar<'_>, LoadError> {
        Grammar::load(&self.tables)
    }

    /// Its sets.
    pub(super) fn sets(&self, vocabulary: &PackedVocabulary) -> Result<&Beside, Error> {
        if let Some(sets) = self.sets.get() {
            return Ok(sets);
        }
        let grammar = self.grammar().map_err(|error| failure(error.to_string()))?;
        let sets = vocabulary.prepared()?.beside(&grammar);
        let sets = sets.map_err(|error| failure(error.to_string()))?;
        Ok(self.sets.get_or_init(|| sets))
    }
}
