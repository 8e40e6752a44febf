//! Requests and files that are made to take long.
//!
//! In: a size, which the text's length grows with, and a seed, so that no two requests are the
//! same. Out: a [`GrammarText`], or the bytes of a vocabulary's file. What holds after: nothing
//! about whether the text is a grammar. It is read and compiled within the limit of time, or
//! refused within it.

mod ebnf;
mod files;
mod graphs;
mod lark;
mod lark_rules;
mod regex;
mod schema;
mod tags;
mod tools;

pub use graphs::AMBIGUOUS;
use maskwright_compiler::GrammarText;
use std::fmt::{Display, Write};

/// A kind of request that grows with its size in one way.
#[derive(Clone, Copy, Debug)]
pub struct Hostile {
    /// What grows, with the language before it.
    pub name: &'static str,
    /// A size at which an optimised compiler has some hundredths of a second to do, or refuses it.
    pub size: usize,
    /// The request of this size, with names that depend on the seed.
    pub text: fn(size: usize, seed: u64) -> GrammarText,
}

/// A kind of vocabulary file that grows with its size in one way.
#[derive(Clone, Copy, Debug)]
pub struct HostileFile {
    /// What grows, with the format before it.
    pub name: &'static str,
    /// A size at which an optimised reader has some hundredths of a second to do, or refuses it.
    pub size: usize,
    /// The content of the file.
    pub bytes: fn(size: usize, seed: u64) -> Vec<u8>,
}

/// All kinds of requests.
pub fn requests() -> Vec<Hostile> {
    [
        ebnf::KINDS,
        graphs::KINDS,
        lark::KINDS,
        lark_rules::KINDS,
        regex::KINDS,
        schema::KINDS,
        tags::KINDS,
        tools::KINDS,
    ]
    .concat()
}

/// All kinds of vocabulary files.
pub fn files() -> Vec<HostileFile> {
    files::KINDS.to_vec()
}

const fn kind(name: &'static str, size: usize, text: fn(usize, u64) -> GrammarText) -> Hostile {
    Hostile { name, size, text }
}

/// So many items, with the separator between them.
fn list<T: Display>(count: usize, separator: &str, item: impl Fn(usize) -> T) -> String {
    let mut text = String::new();
    for i in 0..count {
        if i > 0 {
            text.push_str(separator);
        }
        // Writing to a string does not fail.
        let _ = write!(text, "{}", item(i));
    }
    text
}

/// So many opening texts, the middle, and as many closing ones.
fn nested(depth: usize, open: &str, middle: &str, close: &str) -> String {
    open.repeat(depth) + middle + &close.repeat(depth)
}
