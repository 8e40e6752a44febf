//! Maskwright in mistral.rs, at either of two places.
//!
//! - [`processor`]: a custom logits processor of a request. mistral.rs takes it as it is.
//! - [`recogniser`]: what stands where llguidance's matcher does. mistral.rs has to be changed for
//!   it, in four places that the README names.
//!
//! Both work from a [`ServedMatcher`](maskwright_compiler::link::registry::ServedMatcher), so that
//! a request is served before its grammar is compiled.

pub mod processor;
pub mod recogniser;
