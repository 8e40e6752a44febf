//! Tables that those of other grammars stand beside.
//!
//! In: the name of a grammar of the same builder, or a file of tables and the path of the static
//! that holds them. Out: [`OtherTables`]. What holds after: the tables are whole, stand alone and
//! are for the vocabulary. Their sets are read when the first grammar is compiled beside them, so
//! never if the cache has all of these.

use std::path::{Path, PathBuf};

use maskwright_core::{Grammar, LoadError};
use proc_macro2::TokenStream;
use quote::ToTokens;

use super::directive::failure;
use crate::compile::{Compiled, Compiler};
use crate::emit::TableFacts;
use crate::error::Error;
use crate::file;
use crate::pack::BesideError;

/// The base grammar of a builder's other grammars.
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

/// Tables that those of other grammars stand beside, the static that holds them, and a compiler for
/// those others.
#[derive(Clone, Debug)]
pub struct OtherTables {
    tables: Vec<u8>,
    path: TokenStream,
    compiler: Compiler,
}

impl OtherTables {
    /// These tables, which the program has as the static of this path.
    ///
    /// # Errors
    /// If these are not whole tables of this version, are for another vocabulary than `compiler`,
    /// or stand beside others themselves.
    pub fn new(tables: Vec<u8>, path: &syn::Path, compiler: &Compiler) -> Result<Self, Error> {
        let grammar = Grammar::load(&tables).map_err(|error| match error {
            LoadError::OtherTables { .. } => failure(BesideError::NotAlone.to_string()),
            error => failure(error.to_string()),
        })?;
        let compiler = compiler.beside(&grammar);
        Ok(OtherTables {
            compiler: compiler.map_err(|error| failure(error.to_string()))?,
            path: path.to_token_stream(),
            tables,
        })
    }

    /// The same from a file.
    pub(super) fn read(file: &Path, path: &str, compiler: &Compiler) -> Result<Self, Error> {
        let path: syn::Path = syn::parse_str(path).map_err(|_| {
            failure(format!("`{path}` cannot be the path of a static"))
                .help("name the static that holds the tables, such as `crate::JSON`")
        })?;
        let tables = file::read(file, file::MAX_BYTES).map_err(|error| {
            failure(format!("cannot read {}: {error}", file.display()))
                .help("paths are relative to the package's folder")
        })?;
        Self::new(tables, &path, compiler)
            .map_err(|error| failure(format!("{}: {}", file.display(), error.message())).into())
    }

    /// The compiler for tables that stand beside these.
    pub fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// The path of the static that holds them.
    pub fn path(&self) -> &TokenStream {
        &self.path
    }
}

/// The figures of compiled tables, which stand beside `other`, if there are any.
///
/// # Errors
/// What the runtime says when it refuses to load the tables.
pub fn facts(compiled: &Compiled, other: Option<&OtherTables>) -> Result<TableFacts, Error> {
    let loaded = match other {
        Some(other) => Grammar::load(&other.tables)
            .and_then(|other| Grammar::load_beside(compiled.tables(), &other)),
        None => Grammar::load(compiled.tables()),
    };
    let facts = loaded.map(|grammar| TableFacts::of(&grammar, compiled.report().height));
    facts.map_err(|error| failure(error.to_string()).into())
}
