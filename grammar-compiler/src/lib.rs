//! The compiler.
pub mod grammar;
pub mod limits;
pub mod source;
pub mod vocabulary;
