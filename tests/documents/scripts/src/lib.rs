//! Each block of the documents that shows a build script, compiled; and the blocks themselves, for
//! the crate around this one: its build script runs them, as Cargo would run a reader's.

use std::error::Error;

pub mod blocks;
pub mod documents;

/// A build script of the documents.
pub type Script = fn() -> Result<(), Box<dyn Error>>;

include!(concat!(env!("OUT_DIR"), "/scripts.rs"));
