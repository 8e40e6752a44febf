//! Grammars that a build script compiles: `tests/emitted.rs` and `tests/linked.rs`.
