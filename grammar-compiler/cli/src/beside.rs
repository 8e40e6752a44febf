//! Tables that others stand beside: read from a file.

use crate::failure::Failure;
use maskwright_compiler::file;
use maskwright_compiler::{BesideError, Compiler};
use maskwright_core::{Grammar, LoadError, OwnedGrammar};
use std::path::PathBuf;

/// The tables that others are to stand beside.
#[derive(clap::Args)]
pub struct BesideArgs {
    /// Tables that `compile` has written for the same vocabulary: token sets that they have are not
    /// stored again, and they are needed wherever these are loaded.
    #[arg(long, value_name = "TABLES")]
    beside: Option<PathBuf>,
}

/// What a file holds.
pub struct BesideTables {
    file: String,
    tables: Vec<u8>,
}

/// A grammar that others stand beside, and a compiler for those others.
pub struct Other<'t> {
    /// The grammar.
    pub grammar: Grammar<'t>,
    /// The same, with tables of its own.
    pub owned: OwnedGrammar,
    /// The compiler.
    pub compiler: Compiler,
}

impl BesideArgs {
    /// Whether tables are given.
    pub fn is_given(&self) -> bool {
        self.beside.is_some()
    }

    /// Reads the file, if one is given.
    pub fn read(&self) -> Result<Option<BesideTables>, Failure> {
        let read = |path: &PathBuf| {
            Ok(BesideTables {
                file: path.display().to_string(),
                tables: file::read_any(path, file::MAX_BYTES).map_err(Failure::file(path))?,
            })
        };
        self.beside.as_ref().map(read).transpose()
    }
}

impl BesideTables {
    /// The grammar.
    pub fn grammar(&self) -> Result<Grammar<'_>, Failure> {
        Grammar::load(&self.tables).map_err(|error| match error {
            LoadError::OtherTables { .. } => self.failure(BesideError::NotAlone),
            error => self.failure(error),
        })
    }

    /// The grammar, and the compiler for tables that stand beside it.
    pub fn load(&self, compiler: &Compiler) -> Result<Other<'_>, Failure> {
        let grammar = self.grammar()?;
        let compiler = compiler.beside(&grammar);
        let compiler = compiler.map_err(|error| self.failure(error))?;
        let owned = OwnedGrammar::load(self.tables.as_slice());
        Ok(Other {
            grammar,
            owned: owned.map_err(|error| self.failure(error))?,
            compiler,
        })
    }

    fn failure(&self, error: impl std::fmt::Display) -> Failure {
        Failure::Matcher(format!("{}: {error}", self.file))
    }
}
