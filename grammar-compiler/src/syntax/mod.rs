//! Front ends: text to [`crate::grammar::Grammar`].
//!
//! In: what a user wrote. Out: a grammar whose names are resolved, every rule of which can finish,
//! or an [`crate::error::Error`] that marks the places.
//!
//! # Codes
//! The codes of errors and warnings are stable:
//!
//! | About | Codes |
//! |---|---|
//! | words | `unexpected-character` `unexpected-word` `unexpected-end` `unclosed-literal` `unclosed-class` `unclosed-group` `unopened-group` `unclosed-regex` `empty-regex` `bad-escape` `regex-syntax` |
//! | rules | `missing-root` `duplicate-rule` `undefined-rule` `unnamed-rule` `unproductive-rule` `never-matches` |
//! | classes and repetitions | `empty-class` `invalid-range` `unknown-class` `not-a-byte` `invalid-repetition` `nothing-to-repeat` `double-repetition` |
//! | built-in calls | `invalid-argument` |
//! | what cannot be compiled | `unsupported-lookaround` `unsupported-backreference` `unsupported-word-boundary` `unsupported-anchor` `unsupported-atomic-group` `unsupported-regex-flag` `unsupported-class-operator` `unsupported-lookahead` `unsupported-rule-option` `unsupported-tag-dispatch` `unsupported-token` |
//! | size | `limit-exceeded` |
//! | warnings | `unused-rule` `raw-newline` `ambiguous-escape` |

pub mod ebnf;
pub mod regex;
