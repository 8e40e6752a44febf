//! What the benchmarks share: grammars, vocabularies, a long JSON text, tools, random numbers and
//! percentiles.

pub mod percentiles;
pub mod random;
pub mod text;
pub mod tools;

use maskwright_compiler::grammar::Grammar;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ebnf;
use maskwright_compiler::vocabulary::Vocabulary;

/// The vocabularies that are measured.
pub const VOCABULARIES: [&str; 2] = ["cl100k_base", "o200k_base"];

/// The grammars that are measured, by name.
pub const GRAMMARS: [(&str, &str); 2] = [
    ("json", include_str!("../grammars/json.ebnf")),
    ("sql", include_str!("../grammars/sql.ebnf")),
];

/// One of [`GRAMMARS`], parsed.
///
/// # Panics
///
/// If its text is not a grammar.
pub fn grammar(name: &str) -> Grammar {
    let (_, text) = GRAMMARS
        .iter()
        .find(|(known, _)| *known == name)
        .expect("a known grammar");
    ebnf::parse(&Source::new(name, *text), &Default::default())
        .expect("a grammar")
        .grammar
}

/// One of [`VOCABULARIES`].
///
/// # Panics
///
/// If it is not one of them.
pub fn vocabulary(name: &str) -> Vocabulary {
    Vocabulary::named(name).expect("a known vocabulary")
}

/// A text as the tokens that its tokenizer makes of it. The tokenizer is read once.
///
/// # Panics
///
/// If the vocabulary is not one of [`VOCABULARIES`].
pub fn tokenize(vocabulary: &str, text: &str) -> Vec<u32> {
    let encoder = match vocabulary {
        "cl100k_base" => tiktoken_rs::cl100k_base_singleton(),
        "o200k_base" => tiktoken_rs::o200k_base_singleton(),
        other => panic!("unknown vocabulary {other}"),
    };
    encoder.encode_ordinary(text)
}
