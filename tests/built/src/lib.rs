//! Grammars that a build script compiles (`tests/emitted.rs`), and the examples of the README.

/// The examples of the README, which are tests like those of any documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
