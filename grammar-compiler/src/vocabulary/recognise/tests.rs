//! What files look like that are no vocabulary.

use super::super::Vocabulary;

fn error(content: &[u8]) -> String {
    Vocabulary::from_bytes(content).unwrap_err().to_string()
}

#[test]
fn what_is_no_vocabulary_is_named_with_the_way_out() {
    let mut safetensors = 24_u64.to_le_bytes().to_vec();
    safetensors.extend(br#"{"a":{"dtype":"F32"}}"#);
    let cases: [(&[u8], &str, &str); 24] = [
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "Git LFS",
            "git lfs pull",
        ),
        (b"PK\x03\x04\0\0", "zip", "tokenizer.json"),
        (b"\x1F\x8B\x08", "gzip", "unpack"),
        (b"\x80\x04\x95", "pickle", "tokenizer.json"),
        (&safetensors, "safetensors", "tokenizer.json"),
        (b"<!doctype html>", "HTML", "not the page"),
        (b"lmgg\0\0", "before GGUF", "convert"),
        (b"[1]", "a JSON array", "expected"),
        (b"\x01\0\x02", "a binary file", "expected"),
        (
            b"#version: 0.2\n\xC4\xA0 t\n",
            "`merges.txt`",
            "`vocab.json`",
        ),
        ("Ġ t\nĠ a\n".as_bytes(), "`merges.txt`", "`vocab.json`"),
        (b"[PAD]\n[unused0]\n", "one a line", "`tokenizer.json`"),
        (b"<unk>\t0\n<s>\t0\n", "one a line", "SentencePiece"),
        (b"once upon a time", "a text", "expected"),
        (
            br#"{"tokenizer_class":"x"}"#,
            "`tokenizer_config.json`",
            "beside it",
        ),
        (
            br#"{"architectures":["x"],"a":1}"#,
            "`config.json`",
            "beside it",
        ),
        (br#"{"weight_map":{}}"#, "index of weights", "beside it"),
        (
            br#"{"bos_token":"<s>"}"#,
            "`special_tokens_map.json`",
            "beside it",
        ),
        (
            br#"{"a":[],"b":{"model":{}},"c":-1}"#,
            "the keys `a`, `b`, `c`",
            "expected",
        ),
        (
            br#"{"a":0,"b":1}"#,
            "a map from tokens to ids",
            "`merges.txt`",
        ),
        (br#"{"a":0,"b":1"#, "cannot be read", "again"),
        (b"{}", "without the key `model`", "expected"),
        (br#"{"model":0,"a":null}"#, "the keys `a`", "expected"),
        (b"\xEF\xBB\xBF<html>", "HTML", "not the page"),
    ];
    for (content, looks_like, way_out) in cases {
        let error = error(content);
        assert!(
            error.contains(looks_like) && error.contains(way_out),
            "{looks_like}: {error}"
        );
    }
    assert!(error(b"  \n").contains("no token"));
}

#[test]
fn the_key_that_decides_ends_the_look() {
    // What follows is looked at by the reader of that kind, which says where it breaks.
    let broken = error(b"{\"version\":\"1.0\",\n\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":");
    assert!(
        broken.contains("`tokenizer.json`") && broken.contains("line 2"),
        "{broken}"
    );
    let broken = error(br#"{"config":{"pattern":""},"vocab":[{"rank":0"#);
    assert!(broken.contains("`tekken.json`"), "{broken}");
}
