//! Structural tags: which texts they take.
//!
//! The vectors are those that XGrammar 0.2.8 was asked about; where a verdict differs from its, the
//! test says so, and docs/structural-tags.md says why.

mod forms;
mod refusals;
mod support;
mod vectors;
