//! The code blocks of README.md and docs are compiled, and run, as a reader sees them: no line is
//! hidden.
//!
//! - A block that begins with `// build.rs` is a build script: `scripts` compiles it, and the build
//!   script of this package runs it.
//! - A block with `fn main()` is a program: `tests/rust` runs it.
//! - Every other block of Rust stands in `tests/rust` within the lines that its document leaves to
//!   the reader.
//!
//! The files that blocks name lie in this folder. `tokenizer.json` is a vocabulary of all bytes and
//! of two control tokens.
