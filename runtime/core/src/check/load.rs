//! Loading tables that come from anywhere.
//!
//! In: bytes. Out: a [`Grammar`]. What holds after: as for [`validate`].

use crate::error::LoadError;
use crate::tables::Grammar;

use super::validate;

impl<'t> Grammar<'t> {
    /// Loads tables from anywhere: a file, the network, a memory map. Nothing in them is trusted:
    /// every word is checked, in one pass, without allocating.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
    /// # let (tables, vocabulary) = example::tables();
    /// use maskwright_core::{Grammar, LoadError};
    ///
    /// let grammar = Grammar::load(&tables)?;
    /// assert_eq!(grammar.vocab_size(), 260);
    /// let cut_off = Grammar::load(&tables[..tables.len() - 1]).unwrap_err();
    /// assert!(matches!(cut_off, LoadError::Length { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the bytes are not complete, unchanged grammar tables of this version, or if a word
    /// violates the [layout](crate::layout).
    pub fn load(tables: &'t [u8]) -> Result<Self, LoadError> {
        let grammar = Self::view(tables, None)?;
        validate(&grammar)?;
        Ok(grammar)
    }

    /// Loads delta tables, which refer to token sets of the base grammar `other` instead of storing
    /// them. They are checked like those of [`load`](Self::load). The vocabulary that is attached
    /// to the base is attached to this grammar as well.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load); and if they were compiled beside other tables than these.
    /// Tables that need no base are loaded whatever `other` is.
    pub fn load_beside(tables: &'t [u8], other: &Grammar<'t>) -> Result<Self, LoadError> {
        let grammar = Self::view(tables, Some(other))?;
        validate(&grammar)?;
        Ok(grammar)
    }
}
