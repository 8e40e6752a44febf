//! Outputs of models that call tools, read back: which part is text, which is reasoning, which tool is called with which arguments.

mod format;

pub use format::{CallFormat, Layout, Piece, Reasoning, Section, TextFrame};
