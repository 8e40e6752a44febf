//! Outputs of models that call tools, read back: which part is text, which is reasoning, which tool
//! is called with which arguments.
//!
//! A [`CallFormat`] says as data how a model writes. [`CallFormat::parts`] takes a finished text
//! apart by it, and a [`Reader`] a text that grows: both give the same [`Part`]s.
//!
//! The compiler emits a format into programs as an expression, so a format and the structures in it
//! are open to be built: a new field or variant comes with a new version.

mod attempt;
mod extent;
mod format;
mod literal;
mod part;
mod parts;
mod place;
mod reader;
mod state;

pub use format::{
    CallFormat, Layout, Opened, Piece, Reasoning, Section, TextFrame, Tool, is_name_char,
};
pub use part::{Begun, Call, Open, Part};
pub use parts::Parts;
pub use reader::Reader;
pub use state::ReaderState;
