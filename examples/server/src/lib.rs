//! A server's decoding loop under grammars that come and go.
//!
//! In: requests, each with one of some schemas. Out: a text for each, which its schema allows, and
//! what the masks cost. What holds throughout: no request waits for its grammar to be compiled, the
//! rows of the pool outlive grammars, and the text of a request depends on its seed alone, not on
//! what else is decoded.

pub mod figures;
pub mod model;
pub mod retokenise;
pub mod schemas;
pub mod serve;
