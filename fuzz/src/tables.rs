//! The loader of tables, and a matcher over whatever it loads.
//!
//! The input is a list of changes to good tables, six bytes each: a word, and a value for it. The
//! length and the checksum are then made right, so that the checks behind them are reached. The
//! first byte says which tables.

use std::sync::OnceLock;

use crate::Target;
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::ebnf;
use maskwright_compiler::{Compiler, vocabulary::Vocabulary as Tokens};
use maskwright_core::layout::header;
use maskwright_core::{Grammar, Matcher, Vocabulary, crc32};

/// This target.
pub const TARGET: Target = Target {
    name: "tables",
    run,
    seeds: &["a", "b", "c", "v"],
    words: &[
        "\u{10}\0\u{1}\0\0\0",
        "\u{40}\0\u{7f}\u{7f}\u{7f}\u{7f}",
        "\u{20}\u{1}\0\0\0\0",
        "\0\u{2}\u{1}\0\0\0",
        "\u{18}\0\0\0\0\u{1}",
    ],
};

/// A grammar with calls, one that splits, the first beside itself, and their vocabulary.
struct Good {
    grammars: [Vec<u8>; 3],
    vocabulary: Vec<u8>,
}

const GRAMMARS: [&str; 2] = [
    r#"root ::= "[" (root ("," root)*)? "]" | "\"" [^"]* "\"" | "-"? [0-9]+"#,
    r#"root ::= "a"* "c" | ab
       ab ::= "a" ab "b" | "d""#,
];

/// The tables that are changed.
///
/// # Panics
///
/// If the compiler refuses its own.
fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        let longer = [
            "[[", "]]", "],[", "\",\"", "aa", "ab", "bb", "dbb", "12", "-1,", "]]]", "",
        ];
        tokens.extend(longer.map(|token| token.as_bytes().to_vec()));
        let vocabulary = Tokens::from_tokens(tokens, vec![267]);
        let compiler = Compiler::new(&vocabulary).expect("it is small");
        let grammars = GRAMMARS.map(|text| {
            let parsed = ebnf::parse(&Source::new("fuzz", text), &Default::default());
            parsed.expect("a grammar").grammar
        });
        let [calls, splits] = grammars.each_ref().map(|grammar| {
            let compiled = compiler.compile(grammar);
            compiled.expect("it compiles").into_tables()
        });
        let other = Grammar::load(&calls).expect("it loads");
        let beside = compiler.beside(&other).expect("it stands alone");
        let beside = beside.compile(&grammars[0]);
        let beside = beside.expect("it compiles").into_tables();
        Good {
            grammars: [calls, splits, beside],
            vocabulary: vocabulary.pack().expect("it packs"),
        }
    })
}

/// Loads changed tables and decodes under them.
pub fn run(data: &[u8]) {
    let good = good();
    let (&which, changes) = data.split_first().unwrap_or((&b'a', &[]));
    let vocabulary = Vocabulary::load(&good.vocabulary).expect("it was not changed");
    if which == b'v' {
        let changed = change(&good.vocabulary, changes);
        if let Ok(vocabulary) = Vocabulary::load(&changed) {
            let all: usize = (0..vocabulary.size())
                .map(|id| vocabulary.bytes(id).len())
                .sum();
            assert!(all <= changed.len(), "tokens overlap");
        }
        return;
    }
    let changed = change(&good.grammars[(which % 3) as usize], changes);
    static OTHER: OnceLock<Grammar<'static>> = OnceLock::new();
    let other = OTHER.get_or_init(|| Grammar::load(&good.grammars[0]).expect("it was not changed"));
    let Ok(grammar) = Grammar::load_beside(&changed, other) else {
        return;
    };
    decode(&grammar, data);
    if let Ok(grammar) = grammar.with_vocabulary(vocabulary) {
        decode(&grammar, data);
    }
}

/// Sets words, then the length and the checksum.
fn change(tables: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut words: Vec<u32> = tables
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect();
    let len = words.len();
    for [low, high, value @ ..] in changes.as_chunks::<6>().0 {
        let at = u16::from_le_bytes([*low, *high]) as usize % len;
        words[at] = u32::from_le_bytes(*value);
    }
    words[header::WORDS] = len as u32;
    let body: Vec<u8> = words
        .iter()
        .skip(header::CHECKSUM + 1)
        .flat_map(|word| word.to_le_bytes())
        .collect();
    words[header::CHECKSUM] = crc32(&body);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Takes tokens and bytes that `choices` name and asks for everything.
fn decode(grammar: &Grammar<'_>, choices: &[u8]) {
    let Ok(mut matcher) = Matcher::<12, 8>::new(grammar) else {
        return;
    };
    let size = grammar.vocab_size().min(1 << 16);
    let mut words = vec![0; grammar.mask_words().min(1 << 16)];
    let mut logits = vec![0.5; size as usize];
    for &choice in choices.iter().take(24) {
        let mask = matcher.mask();
        if mask.fill(&mut words).is_ok() {
            let set: u32 = words.iter().map(|word| word.count_ones()).sum();
            assert_eq!(set as usize, mask.count(), "fill and count differ");
        }
        assert!(
            mask.iter().take(300).all(|id| mask.contains(id)),
            "iter and contains differ"
        );
        mask.apply(&mut logits);
        mask.argmax(&logits);
        matcher.forced_bytes(&mut [0; 8]);
        matcher.forced_tokens(&mut [0; 4]);
        let _ = matcher.accept_token(u32::from(choice) % size.max(1));
        let _ = matcher.accept_bytes(&[choice]);
    }
}
