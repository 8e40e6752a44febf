//! Linked tools: their masks are those of the same tools compiled as a whole.
//!
//! With `MASKWRIGHT_FORMAT` set to the name of a format, only that one is followed.
//!
//! Vocabularies are made so that tokens cross one boundary and two: they have pieces of outputs
//! that begin before the end of a part and end behind it.

mod added;
mod back;
mod busy;
mod bytes;
mod depth;
mod documents;
mod errors;
mod fallback;
mod formats;
mod pair;
mod processes;
mod registry;
mod rows;
mod states;
mod tables;
mod tags;
mod unready;
mod vocabulary;

use maskwright_compiler::syntax::tools::{
    FormatSource, Reasoning, ToolChoice, ToolFormat, ToolOptions,
};
use maskwright_compiler::{Compiler, Options};
use maskwright_tests::random::Random;

use pair::Pair;
