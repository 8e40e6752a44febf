//! Files that are opened by their paths, with what lies beside them.

use std::fs;
use std::path::PathBuf;

use super::*;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

/// The 256 characters that stand for bytes, and more pieces after them.
fn vocab_json(more: &[&str]) -> String {
    let characters = (0..0x200).filter_map(char::from_u32);
    let bytes = characters.filter(|c| super::super::pieces::byte_of(*c).is_some());
    let pieces = bytes.map(String::from);
    let pieces = pieces.chain(more.iter().map(|piece| (*piece).to_owned()));
    let map: serde_json::Map<_, _> = (pieces.zip(0_u32..))
        .map(|(piece, id)| (piece, id.into()))
        .collect();
    serde_json::Value::Object(map).to_string()
}

#[test]
fn a_vocab_json_with_what_lies_beside_it() {
    let folder = Folder::new();
    let path = folder.write("vocab.json", vocab_json(&["Ġa", "<|endoftext|>", "<s>"]));
    let error = Vocabulary::open(&path).unwrap_err().to_string();
    assert!(error.contains("without a `merges.txt`"), "{error}");
    folder.write("merges.txt", "#version: 0.2\nĠ a\n");
    let alone = VocabularyFile::read(&path).unwrap();
    assert_eq!(
        (alone.kind(), alone.paths().count()),
        (FileKind::VocabJson, 1)
    );
    let alone = alone.vocabulary().unwrap();
    assert_eq!((alone.size(), alone.bytes(256)), (259, &b" a"[..]));
    assert_eq!(alone.eos(), [257], "the usual end, where no file tells");
    assert_eq!(alone.bytes(258), b"<s>");

    folder.write("added_tokens.json", r#"{"<|im_end|>":260,"<tool>":261}"#);
    folder.write(
        "special_tokens_map.json",
        r#"{"bos_token":{"content":"<s>","lstrip":false},"eos_token":"<|im_end|>","pad_token":null}"#,
    );
    let file = VocabularyFile::read(&path).unwrap();
    assert_eq!(file.paths().count(), 3);
    let vocabulary = file.vocabulary().unwrap();
    let special: Vec<_> = vocabulary.special().collect();
    assert_eq!(special, [(258, "<s>"), (260, "<|im_end|>")]);
    assert_eq!(vocabulary.eos(), [260]);
    assert_eq!(vocabulary.added().collect::<Vec<_>>(), [(261, "<tool>")]);
    assert_eq!(
        vocabulary.bytes(257),
        b"<|endoftext|>",
        "another token ends"
    );
    assert_eq!(vocabulary.bytes(259), b"", "a hole");

    folder.write(
        "tokenizer_config.json",
        r#"{"eos_token":"<|im_end|>","added_tokens_decoder":{"257":{"content":"<|endoftext|>","special":true},
            "260":{"content":"<|im_end|>","special":true},"261":{"content":"<tool>","special":true}}}"#,
    );
    let vocabulary = Vocabulary::open(&path).unwrap();
    let special: Vec<u32> = vocabulary.special().map(|token| token.0).collect();
    assert_eq!(special, [257, 258, 260, 261]);
    assert_eq!(vocabulary.eos(), [257, 260]);
}

#[test]
fn a_map_that_is_not_byte_level_is_refused() {
    let folder = Folder::new();
    folder.write("my-merges.txt", "");
    let path = folder.write("my-vocab.json", r#"{"a":0,"b":1}"#);
    let error = Vocabulary::open(&path).unwrap_err().to_string();
    assert!(error.contains("not all 256"), "{error}");
    let path = folder.write("my-vocab.json", vocab_json(&["a</w>"]));
    let error = Vocabulary::open(&path).unwrap_err().to_string();
    assert!(error.contains("`</w>`"), "{error}");
}

#[test]
fn a_list_of_special_tokens() {
    let folder = Folder::new();
    let ranks = folder.write("ranks.tiktoken", "YQ== 0\nYg== 1\n");
    let with = |list: &str| {
        let list = folder.write("special.json", list);
        VocabularyFile::read(&ranks)
            .and_then(|file| file.with_special_tokens(list))
            .and_then(|file| file.vocabulary())
    };
    let vocabulary = with(r#"["<|begin|>","<|endoftext|>"]"#).unwrap();
    let special: Vec<_> = vocabulary.special().collect();
    assert_eq!(special, [(2, "<|begin|>"), (3, "<|endoftext|>")]);
    assert_eq!(vocabulary.eos(), [3]);
    let vocabulary = with(r#"{"<|stop|>":5}"#).unwrap();
    assert_eq!((vocabulary.size(), vocabulary.eos()), (6, &[][..]));
    let config = r#"{"added_tokens_decoder":{"3":{"content":"[E]","special":true},"2":{"content":"<x>"}},"eos_token":"[E]"}"#;
    let vocabulary = with(config).unwrap();
    assert_eq!(vocabulary.eos(), [3]);
    assert_eq!(vocabulary.bytes(2), b"<x>");

    let error = |list: &str| with(list).unwrap_err().to_string();
    for (list, expected) in [
        (r#"{"<|stop|>":1}"#, "id 1 is given to two different tokens"),
        (r#"{"x":3,"y":3}"#, "id 3 is given to two different tokens"),
        (r#"{"x":-1}"#, "`x` has no id"),
        (r#"{"x":4194304}"#, "4194305 ids"),
        ("[1]", "expected a list of names"),
        ("7", "expected a list of names"),
        ("[", "it is no JSON"),
        (
            r#"{"added_tokens_decoder":{"a":{"content":"x"}}}"#,
            "`a` is no id",
        ),
        (
            r#"{"added_tokens_decoder":{"1":{}}}"#,
            "added_tokens_decoder",
        ),
    ] {
        let error = error(list);
        assert!(
            error.contains(expected) && error.contains("special.json"),
            "{list}: {error}"
        );
    }
    assert!(
        with(r#"{"b":1}"#).unwrap().bytes(1).is_empty(),
        "the same token, now special"
    );
}

#[test]
fn only_the_metadata_of_a_long_gguf_is_read() {
    let folder = Folder::new();
    let path = folder.0.path().join("long.gguf");
    let mut content = b"GGUF\x03\0\0\0".to_vec();
    content.extend(0_u64.to_le_bytes());
    content.extend(2_u64.to_le_bytes());
    for (key, value) in [("tokenizer.ggml.model", "gpt2"), ("general.name", "x")] {
        content.extend((key.len() as u64).to_le_bytes());
        content.extend(key.as_bytes());
        content.extend(8_u32.to_le_bytes());
        content.extend((value.len() as u64).to_le_bytes());
        content.extend(value.as_bytes());
    }
    fs::write(&path, &content).unwrap();
    // A hole in the file, so that it takes no place.
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(8 << 30)
        .unwrap();
    let file = VocabularyFile::read(&path).unwrap();
    assert_eq!(file.contents().next().unwrap(), content);
    let error = file.vocabulary().unwrap_err().to_string();
    assert!(error.contains("tokenizer.ggml.tokens"), "{error}");
    // A number that lies is an error before everything is read.
    content[24..32].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    fs::write(&path, &content).unwrap();
    let error = VocabularyFile::read(&path).unwrap_err().to_string();
    assert!(error.contains("a key of 1099511627776 bytes"), "{error}");
}

#[test]
fn what_is_no_file_with_a_vocabulary() {
    let folder = Folder::new();
    let error = Vocabulary::open(folder.0.path()).unwrap_err().to_string();
    assert!(error.contains("a folder"), "{error}");
    let path = folder.write(
        "long.safetensors",
        [&24_u64.to_le_bytes()[..], b"{\"a\":{}}"].concat(),
    );
    let hole = fs::File::options().write(true).open(&path).unwrap();
    hole.set_len(MAX_FILE_BYTES + 2).unwrap();
    let error = Vocabulary::open(&path).unwrap_err().to_string();
    assert!(
        error.contains("safetensors"),
        "told though it is too large: {error}"
    );
    let path = folder.write("long.tiktoken", "");
    let hole = fs::File::options().write(true).open(&path).unwrap();
    hole.set_len(MAX_FILE_BYTES + 1).unwrap();
    let error = Vocabulary::open(&path).unwrap_err().to_string();
    assert!(error.contains("268435457 bytes"), "{error}");
}
