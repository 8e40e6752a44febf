//! Files of Mistral's kind that are written here, good and bad.

use super::super::Vocabulary;
use super::*;

/// A file with these parts.
fn read(config: &str, vocab: &str, rest: &str) -> Result<Vocabulary, VocabularyError> {
    let text = format!(r#"{{"config":{{{config}}},"vocab":[{vocab}]{rest}}}"#);
    Vocabulary::from_bytes(text.as_bytes())
}

const RANKS: &str = r#"{"rank":1,"token_bytes":"Yg==","token_str":"b"},
    {"rank":0,"token_bytes":"YQ==","token_str":"a"},{"rank":2,"token_bytes":"/w==","token_str":null}"#;
const SPECIAL: &str = r#","special_tokens":[{"rank":0,"token_str":"<s>","is_control":true},
    {"rank":2,"token_str":"</s>","is_control":true}]"#;

#[test]
fn special_tokens_come_first_and_ranks_are_cut_off() {
    let config = r#""default_vocab_size":6,"default_num_special_tokens":4,"version":"v11""#;
    let vocabulary = read(config, RANKS, SPECIAL).unwrap();
    let tokens: Vec<&[u8]> = vocabulary.iter().collect();
    assert_eq!(tokens, [&b""[..], b"", b"", b"", b"a", b"b"]);
    let special: Vec<_> = vocabulary.special().collect();
    assert_eq!(
        special,
        [
            (0, "<s>"),
            (1, "<SPECIAL_1>"),
            (2, "</s>"),
            (3, "<SPECIAL_3>")
        ]
    );
    assert_eq!(vocabulary.eos(), [2]);
    let config = r#""default_vocab_size":7,"default_num_special_tokens":4"#;
    assert_eq!(read(config, RANKS, SPECIAL).unwrap().bytes(6), b"\xFF");
}

#[test]
fn old_files_list_no_special_tokens() {
    let config = |version: &str| {
        format!(r#""default_vocab_size":23,"default_num_special_tokens":21,"version":"{version}""#)
    };
    let vocabulary = read(&config("v3"), RANKS, "").unwrap();
    let names: Vec<_> = vocabulary.special().collect();
    assert_eq!(
        (names.len(), names[9], names[20]),
        (21, (9, "[TOOL_CALLS]"), (20, "<SPECIAL_20>"))
    );
    assert_eq!(vocabulary.bytes(21), b"a");
    assert!(read(&config("v7m1"), RANKS, "").is_ok());
    for version in ["v11", "new", ""] {
        let error = read(&config(version), RANKS, "").unwrap_err().to_string();
        assert!(error.contains("lists no special tokens"), "{error}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    let error =
        |config: &str, vocab: &str, rest: &str| read(config, vocab, rest).unwrap_err().to_string();
    let sizes = |size: u64, special: u64| {
        format!(r#""default_vocab_size":{size},"default_num_special_tokens":{special}"#)
    };
    let of_size = |size, special| error(&sizes(size, special), RANKS, SPECIAL);
    assert!(of_size(8, 4).contains("of 4 ranks, which its size asks for, it has 3"));
    assert!(of_size(4, 5).contains("5 special tokens in a vocabulary of 4"));
    assert!(of_size(1 << 20, 1 << 20).contains("it may have 65536"));
    assert!(of_size(1 << 31, 4).contains("2147483648 ids"));
    assert!(of_size(1 << 40, 4).contains("`tekken.json`"));
    assert!(of_size(6, 2).contains("special token 2, where there are places for 2"));
    let twice = format!(r#"{RANKS},{{"rank":0,"token_bytes":"YQ=="}}"#);
    assert!(error(&sizes(6, 4), &twice, SPECIAL).contains("id 4 is given to two"));
    let twice = r#","special_tokens":[{"rank":0,"token_str":"x"},{"rank":0,"token_str":"y"}]"#;
    assert!(error(&sizes(6, 4), RANKS, twice).contains("id 0 is given to two"));
    let bad = r#"{"rank":0,"token_bytes":"?"}"#;
    assert!(error(&sizes(5, 4), bad, SPECIAL).contains("rank 0 is not valid base64"));
    assert!(error(r#""version":"v3""#, RANKS, SPECIAL).contains("default_vocab_size"));
    let huge = r#"{"rank":4294967295,"token_bytes":"YQ=="}"#;
    assert!(error(&sizes(5, 4), huge, SPECIAL).contains("it has 0"));
}

#[test]
fn damaged_files_are_refused_or_within_the_limits() {
    let config = r#""default_vocab_size":6,"default_num_special_tokens":4,"version":"v11""#;
    let good = format!(r#"{{"config":{{{config}}},"vocab":[{RANKS}]{SPECIAL}}}"#);
    let mut refused = 0;
    for at in 0..good.len() {
        assert!(
            Vocabulary::from_bytes(&good.as_bytes()[..at]).is_err(),
            "{at}"
        );
        for byte in [b'"', b'9', b'{', b'-', 0xFF] {
            let mut damaged = good.clone().into_bytes();
            damaged[at] = byte;
            match Vocabulary::from_bytes(&damaged) {
                Ok(vocabulary) => vocabulary.check().unwrap(),
                Err(error) => refused += usize::from(!error.to_string().is_empty()),
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}
