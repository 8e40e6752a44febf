//! Grammars that a build script compiles (`tests/emitted.rs`), and the examples of the README and of docs/decoding.md.

/// The examples of the README are tests, like those of any documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/decoding.md")]
struct Decoding;
