//! The written specification of tables (`docs/table-format.md`) has the version of the layout, and
//! its test vectors are what the compiler writes.

use maskwright::{Grammar, Matcher, Vocabulary as VocabularyTables, layout};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_tests::documents::read;
use maskwright_tests::harness::{compile, parse, unhurried};

/// The grammar and the vocabulary of the vectors, as the document's commands write them.
const GRAMMAR: &str = r#"root ::= "a" | "[" root "]"\n"#;
const VOCABULARY: &str = r"YQ== 0\nWw== 1\nXQ== 2\nW1s= 3\nXV0= 4\n";

fn document() -> String {
    read("docs/table-format.md")
}

/// The words of a block of code that begins with a magic number. A line is an offset, words, and
/// what they mean; `×` repeats the last word.
fn words(magic: u32) -> Vec<u32> {
    let (document, first) = (document(), format!("  0   {magic:08x} "));
    let lines = document
        .lines()
        .skip_while(|line| !line.starts_with(&first));
    let mut words = Vec::new();
    for line in lines.take_while(|line| !line.starts_with("```")) {
        let mut parts = line.split_whitespace();
        let Some(offset) = parts.next().and_then(|offset| offset.parse::<usize>().ok()) else {
            continue;
        };
        assert_eq!(offset, words.len(), "{line}");
        for part in parts {
            if let Some(times) = part.strip_prefix('×') {
                let (last, times) = (words[words.len() - 1], times.parse::<usize>().unwrap());
                words.resize(words.len() + times - 1, last);
            } else if part.len() == 8
                && let Ok(word) = u32::from_str_radix(part, 16)
            {
                words.push(word);
            } else {
                break;
            }
        }
    }
    words
}

fn compiled() -> (Vec<u8>, Vec<u8>) {
    let unescaped = |text: &str| text.replace(r"\n", "\n");
    let vocabulary = Vocabulary::from_bytes(unescaped(VOCABULARY).as_bytes()).unwrap();
    let vocabulary = vocabulary.with_size(6).unwrap().with_eos([5]).unwrap();
    let grammar = parse("nested.ebnf", &unescaped(GRAMMAR)).unwrap();
    let tables = compile(&grammar, &vocabulary, &unhurried()).unwrap();
    (tables.into_tables(), vocabulary.pack().unwrap())
}

/// The bytes as words.
fn as_words(bytes: &[u8]) -> Vec<u32> {
    let (words, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

#[test]
fn the_document_is_of_this_version_and_names_what_makes_its_vectors() {
    let document = document();
    let version = format!("This is version {}. ", layout::FORMAT_VERSION);
    assert!(document.contains(&version), "{version}");
    for text in [GRAMMAR, VOCABULARY] {
        assert!(document.contains(&format!("printf '{text}'")), "{text}");
    }
}

#[test]
fn vectors_are_what_the_compiler_writes() {
    let (grammar, vocabulary) = compiled();
    for (magic, tables) in [
        (layout::GRAMMAR_MAGIC, grammar),
        (layout::VOCABULARY_MAGIC, vocabulary),
    ] {
        let (written, expected) = (words(magic), as_words(&tables));
        let differ = (written.iter().zip(&expected).enumerate())
            .filter(|(_, (one, other))| one != other)
            .map(|(at, (one, other))| format!("word {at}: {one:08x}, compiled {other:08x}"));
        let differ: Vec<String> = differ.collect();
        assert!(differ.is_empty(), "docs/table-format.md: {differ:#?}");
        assert_eq!(written.len(), expected.len());
    }
}

#[test]
fn masks_along_the_text_are_those_of_the_matcher() {
    let (tables, vocabulary) = compiled();
    let vocabulary = VocabularyTables::load(&vocabulary).unwrap();
    let grammar = Grammar::load(&tables).unwrap();
    let grammar = grammar.with_vocabulary(vocabulary).unwrap();
    let mut matcher = Matcher::<2>::new(&grammar).unwrap();
    let mut masks = Vec::new();
    for token in [Some(3), Some(0), Some(2), Some(2), Some(5), None] {
        let mut mask = [0];
        matcher.mask().fill(&mut mask).unwrap();
        masks.push(format!("{:08x}", mask[0]));
        if let Some(token) = token {
            matcher.accept_token(token).unwrap();
        }
    }
    let document = document();
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with("| text | state |"));
    let cells = rows
        .skip(2)
        .filter_map(|line| line.trim_end_matches([' ', '|']).rsplit(' ').next());
    let written: Vec<&str> = cells.collect();
    assert_eq!(written, masks);
}
