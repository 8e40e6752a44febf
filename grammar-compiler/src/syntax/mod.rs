//! Front ends: text to [`crate::grammar::Grammar`].
//!
//! In: what a user wrote. Out: a grammar whose names are resolved, every rule of which can finish,
//! or an [`crate::error::Error`] that marks the places.

pub mod ebnf;
pub mod regex;
