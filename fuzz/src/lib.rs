//! What is fuzzed: each target is a function from bytes that must not panic.

pub mod cache_folder;
pub mod format_file;
pub mod grammar_text;
pub mod lark_text;
pub mod mutate;
pub mod regex_text;
pub mod schema_text;
pub mod tables;
pub mod tag_text;
pub mod tools_text;
pub mod vocabulary_file;
pub mod walked;

/// A function to be fuzzed and what its inputs are made of.
pub struct Target {
    /// What the drivers call it.
    pub name: &'static str,
    /// Panics if something does not hold for this input.
    pub run: fn(&[u8]),
    /// Good inputs to begin with.
    pub seeds: &'static [&'static str],
    /// What is put into inputs.
    pub words: &'static [&'static str],
}

/// All targets.
pub const TARGETS: &[Target] = &[
    cache_folder::TARGET,
    format_file::TARGET,
    grammar_text::TARGET,
    lark_text::TARGET,
    regex_text::TARGET,
    schema_text::TARGET,
    tables::TARGET,
    tag_text::TARGET,
    tools_text::TARGET,
    vocabulary_file::TARGET,
    walked::TARGET,
];

/// What lies before the first NUL of an input, and what lies behind it.
pub(crate) fn split_at_nul(data: &[u8]) -> (&[u8], &[u8]) {
    let mut parts = data.splitn(2, |&byte| byte == 0);
    let mut next = || parts.next().unwrap_or_default();
    (next(), next())
}
