//! Exact token masks for language models, from a grammar that was compiled ahead of time.
//!
//! A grammar and the vocabulary of a tokenizer are compiled by `maskwright-compiler` (from a build
//! script, a macro, the command line or a host program) into tables. This crate decodes under them:
//! it is `no_std`, allocates nothing, has no dependencies and no unsafe code, and no input makes it
//! panic.
//!
//! - [`Grammar`] is a view of the tables, [`Vocabulary`] one of the tokens' bytes; both may lie in
//!   flash, in a static, in a file or in a memory map.
//! - [`Matcher`] stands at a point of a text. It is small and `Copy`, so a fork or a checkpoint is
//!   a copy.
//! - [`Mask`] is the set of tokens that may come next: it fills bitmaps, masks logits, iterates,
//!   counts and picks.
//!
//! ```
//! use maskwright::{Grammar, Matcher, Vocabulary};
//! use maskwright_compiler::{Compiler, GrammarText};
//!
//! // On the host, or in a build script: compile a grammar for a vocabulary.
//! let text = r#"root ::= "yes" | "no" (", " reason)?
//!               reason ::= [a-z]+ (" " [a-z]+)*"#;
//! let tokens = ["y", "es", "no", "n", "o", ", ", "because", " ", "busy", "maybe", ""];
//! let tokens = tokens.map(|token| token.as_bytes().to_vec()).to_vec();
//! let vocabulary = maskwright_compiler::vocabulary::Vocabulary::from_tokens(tokens, vec![10]);
//! let compiler = Compiler::new(&vocabulary)?;
//! let tables = compiler.compile_text(&GrammarText::ebnf(text))?.into_tables();
//! let vocabulary = vocabulary.pack()?;
//!
//! // Where the text is decoded: no allocation from here on.
//! let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(&vocabulary)?)?;
//! let mut matcher = Matcher::<8>::new(&grammar)?;
//! let logits = [0.1, 0.0, 0.5, 0.2, 0.0, 0.3, 0.0, 0.0, 0.0, 9.0, 0.4]; // "maybe" is what the model would say
//! let mut text = Vec::new();
//! while !matcher.is_finished() {
//!     let token = matcher.mask().argmax(&logits).ok_or("no logits")?;
//!     matcher.accept_token(token)?;
//!     text.extend_from_slice(grammar.vocabulary().map_or(&[], |vocabulary| vocabulary.bytes(token)));
//! }
//! assert_eq!(text, b"no");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `macros`, `grammar!` compiles a grammar that stands in the program itself. It
//! is off by default, since it makes the compiler a dependency of the build, though never of the
//! program. Rules, EBNF and regular expressions need no more; `json-schema`, `lark`, `tags` (for
//! structural tags and tools) and `files` (for vocabularies in files) add the rest of what
//! `grammar!` takes, and `threads` compiles on all cores.
//!
//! With the feature `alloc` there are grammars and matchers that own their tables, `OwnedGrammar`
//! and `OwnedMatcher`, for servers. With the feature `graph`, which `alloc` has, matchers follow
//! grammars for which no number of stacks is proved to be enough.
#![no_std]
#![forbid(unsafe_code)]

pub use maskwright_core::*;
// Of the compiler and of what it writes; they may change at any time.
#[doc(hidden)]
pub use maskwright_core::{crc32, layout};
#[cfg(feature = "macros")]
pub use maskwright_macros::grammar;
