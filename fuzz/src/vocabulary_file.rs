//! The readers of vocabularies: what is read is within the limits, packs and unpacks to the same.

use crate::Target;
use maskwright_compiler::vocabulary::Vocabulary;

/// This target.
pub const TARGET: Target = Target {
    name: "vocabulary_file",
    run,
    seeds: &[
        concat!(
            "GGUF\u{3}\0\0\0\0\0\0\0\0\0\0\0\u{4}\0\0\0\0\0\0\0",
            "\u{14}\0\0\0\0\0\0\0tokenizer.ggml.model\u{8}\0\0\0\u{5}\0\0\0\0\0\0\0llama",
            "\u{15}\0\0\0\0\0\0\0tokenizer.ggml.tokens\u{9}\0\0\0\u{8}\0\0\0\u{3}\0\0\0\0\0\0\0",
            "\u{4}\0\0\0\0\0\0\0</s>\u{6}\0\0\0\0\0\0\0<0x0A>\u{2}\0\0\0\0\0\0\0ab",
            "\u{19}\0\0\0\0\0\0\0tokenizer.ggml.token_type\u{9}\0\0\0\u{5}\0\0\0\u{3}\0\0\0\0\0\0\0",
            "\u{3}\0\0\0\u{6}\0\0\0\u{1}\0\0\0",
            "\u{1b}\0\0\0\0\0\0\0tokenizer.ggml.eos_token_id\u{4}\0\0\0\0\0\0\0",
        ),
        "\n\u{e}\n\u{5}<unk>\u{15}\0\0\0\0\u{18}\u{2}\n\u{d}\n\u{4}</s>\u{15}\0\0\0\0\u{18}\u{3}\n\u{8}\n\u{1}a\u{15}\0\0\0\0\u{12}\u{2}\u{18}\u{1}",
        r#"{"config":{"default_vocab_size":4,"default_num_special_tokens":2,"version":"v3"},"vocab":[{"rank":0,"token_bytes":"YQ=="},{"rank":1,"token_bytes":"/w=="}],"special_tokens":[{"rank":0,"token_str":"</s>"}]}"#,
        r#"{"model":{"type":"BPE","vocab":{"a":0,"<0x0A>":1,"▁b":2},"merges":[],"byte_fallback":true},"added_tokens":[{"id":3,"content":"</s>","special":true}],"decoder":{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},{"type":"Fuse"}]}}"#,
        "YQ== 0\nYg== 1\n/w== 3\n",
        r#"{"a":0,"b":1}"#,
    ],
    words: &[
        "\0\0\0\u{8}\0\0\0\0",
        "\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}",
        "\0\0\0\0\u{1}\0\0\0",
        "\u{9}\0\0\0\u{9}\0\0\0\u{1}\0\0\0\0\0\0\0",
        "tokenizer.ggml.model",
        "gpt2",
        "gemma4",
        "tokenizer.ggml.eot_token_id",
        "<|im_end|>",
        "<0x41>",
        "▁",
        "\n\u{8}\n\u{1}b\u{15}\0\0\0\0",
        "\u{18}\u{6}",
        "\"rank\":4294967295",
        "\"id\":4194303",
        "2147483648",
        "YWI= 2\n",
    ],
};

/// Reads a vocabulary, and a list of special tokens for one.
///
/// # Panics
///
/// If what was read is past a limit, or packs to something else.
pub fn run(data: &[u8]) {
    let small = Vocabulary::from_tokens(vec![b"a".to_vec(), b"b".to_vec()], Vec::new());
    for read in [
        Vocabulary::from_bytes(data),
        small.with_special_tokens(data),
    ] {
        match read {
            Ok(vocabulary) => {
                vocabulary.check().expect("it was checked");
                let tables = vocabulary.pack().expect("what was checked can be packed");
                let back = Vocabulary::from_tables(&tables, vocabulary.eos().to_vec());
                let back = back.expect("what was packed can be read");
                assert!(back.iter().eq(vocabulary.iter()), "it packs to the same");
                let special = vocabulary
                    .special()
                    .all(|token| vocabulary.bytes(token.0).is_empty());
                assert!(special, "special tokens are never text");
            }
            Err(error) => assert!(error.to_string().len() < 4096, "a short message"),
        }
    }
}
