//! Grammars compiled by a build script.
//!
//! In: grammars and a vocabulary, by file, text or name. Out: a Rust file in `OUT_DIR` with a
//! `static` for each grammar, ready to `include!`.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     maskwright_compiler::Builder::new()
//!         .vocabulary_named("cl100k_base") // needs the cargo feature `tiktoken`
//!         .ebnf_file("JSON", "grammars/json.ebnf")
//!         .emit("grammars.rs")?;
//!     Ok(())
//! }
//! ```
//!
//! ```ignore
//! // src/main.rs
//! include!(concat!(env!("OUT_DIR"), "/grammars.rs"));
//!
//! let mut matcher = JsonMatcher::<32>::new(&JSON)?;
//! ```
//!
//! Grammars that differ little, such as the arguments of many tools, share token sets.
//! [`Builder::beside`] names the grammar of the builder beside which the others are compiled;
//! [`Builder::beside_file`] names tables that were compiled before. Their statics are used like any
//! others.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! maskwright_compiler::Builder::new()
//!     .vocabulary_named("cl100k_base")
//!     .ebnf_file("JSON", "grammars/json.ebnf")
//!     .schema_file("SEARCH", "tools/search.json")
//!     .schema_file("MAIL", "tools/mail.json")
//!     .beside("JSON") // SEARCH and MAIL are the smaller for it; their masks are the same
//!     .emit("grammars.rs")?;
//! # Ok(())
//! # }
//! ```
//!
//! What holds after: Cargo runs the script again when one of the files changes, and only then; a
//! grammar that was compiled before for the same vocabulary and options is not compiled again.
//! Cargo does not optimise build scripts by default. For many or large grammars put
//! `[profile.dev.package.maskwright-compiler]` and `[profile.release.build-override]` with
//! `opt-level = 1` into the workspace's `Cargo.toml`.

mod beside;
#[cfg(feature = "build")]
mod builder;
mod directive;
#[cfg(all(feature = "build", feature = "tags"))]
mod linked;
#[cfg(all(feature = "build", not(feature = "tags")))]
#[path = "absent/linked.rs"]
mod linked;
#[cfg(feature = "tags")]
mod linker;
#[cfg(feature = "build")]
mod run;
mod vocabulary;

pub use crate::cache::{CACHE_VARIABLE, Cache, RefusedFile};
pub use crate::syntax::GrammarText;
#[cfg(feature = "build")]
pub use builder::Builder;
pub use vocabulary::VocabularySpec;

// For `grammar!`.
#[doc(hidden)]
pub use crate::compile::PackedVocabulary;
#[doc(hidden)]
pub use beside::{OtherTables, facts};
#[cfg(feature = "tags")]
#[doc(hidden)]
pub use linker::{Linker, ToolTables};

#[cfg(all(test, feature = "build"))]
mod tests;
