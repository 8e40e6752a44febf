//! What the loaders make of files, good and bad.

mod whole;

use super::*;
use maskwright_core::layout::vocabulary as layout;

fn tokens(vocabulary: &Vocabulary) -> Vec<&[u8]> {
    vocabulary.iter().collect()
}

/// A `tokenizer.json` of these parts.
fn json(model: &str, rest: &str) -> Result<Vocabulary, VocabularyError> {
    Vocabulary::from_bytes(format!(r#"{{"version":"1.0","model":{model}{rest}}}"#).as_bytes())
}

const BYTE_LEVEL: &str = r#","decoder":{"type":"ByteLevel","add_prefix_space":true}"#;

const LLAMA_2: &str = r#","decoder":{"type":"Sequence","decoders":[
    {"type":"Replace","pattern":{"String":"▁"},"content":" "},
    {"type":"ByteFallback"},{"type":"Fuse"},
    {"type":"Strip","content":" ","start":1,"stop":0}]}"#;

#[test]
fn tiktoken_lines() {
    let vocabulary = Vocabulary::from_bytes(b"IQ== 0\r\nIg== 3\n\nIyQ= 1\n 4\n= 5\n").unwrap();
    let expected: [&[u8]; 6] = [b"!", b"#$", b"", b"\"", b"", b""];
    assert_eq!(tokens(&vocabulary), expected);
    assert!(vocabulary.eos().is_empty());
}

#[test]
fn tiktoken_errors_name_the_line() {
    let error = |text: &[u8]| Vocabulary::from_bytes(text).unwrap_err().to_string();
    assert_eq!(
        error(b"IQ== 0\nIg== \n"),
        "line 2: expected a token in base64, a space and its rank"
    );
    assert_eq!(
        error(b"IQ== 0\nI! 1\n"),
        "line 2: the token is not valid base64"
    );
    assert_eq!(
        error(b"IQ== 0\nIg== -1\n"),
        "line 2: the rank is not a number below 2^32"
    );
    assert_eq!(
        error(b"IQ== 0\nIg== 0\n"),
        "line 2: id 0 is given to two different tokens"
    );
    assert_eq!(
        error(b"IQ== 4194304\n"),
        "the vocabulary has 4194305 ids; it may have 4194304"
    );
    assert_eq!(error(b"\n\n"), "the vocabulary has no token with text");
    assert_eq!(error(b"= 3\n"), "the vocabulary has no token with text");
}

#[test]
fn byte_level() {
    let model =
        r#"{"type":"BPE","merges":["Ġ a"],"vocab":{"Ġ":0,"a":1,"Ġa":2,"Ċ":5,"Ãī":4,"日":6}}"#;
    let added = r#","added_tokens":[
        {"id":7,"content":"<|im_end|>","special":true},
        {"id":8,"content":"<think>","special":false},
        {"id":9,"content":"  é","special":false},
        {"id":10,"content":"<|endoftext|>","special":true},
        {"id":11,"content":"<|im_start|>","special":true},
        {"id":12,"content":"</s>","special":false},
        {"id":13,"content":"é","special":false}]"#;
    let vocabulary = json(model, &format!("{added}{BYTE_LEVEL}")).unwrap();
    let expected: [&[u8]; 14] = [
        b" ",
        b"a",
        b" a",
        b"",
        b"\xC3\x89",
        b"\n",
        "日".as_bytes(),
        b"",
        b"<think>",
        "  é".as_bytes(),
        b"",
        b"",
        b"</s>",
        // As the decoder does, to which `é` is a byte; `  é` has a character that is none.
        b"\xE9",
    ];
    assert_eq!(tokens(&vocabulary), expected);
    assert_eq!(vocabulary.eos(), [7, 10]);
}

#[test]
fn the_end_of_a_message_is_not_the_end_of_an_answer() {
    let ends = |names: &[&str]| {
        let added = (1..)
            .zip(names)
            .map(|(id, name)| format!(r#"{{"id":{id},"content":"{name}","special":true}}"#));
        let added: Vec<String> = added.collect();
        let rest = format!(r#","added_tokens":[{}]"#, added.join(","));
        let vocabulary = json(r#"{"type":"BPE","vocab":{"a":0},"merges":[]}"#, &rest);
        vocabulary.unwrap().eos().to_vec()
    };
    assert_eq!(ends(&["<|end|>", "<|call|>", "<|return|>"]), [2, 3]);
    assert_eq!(ends(&["<|end|>", "<|endoftext|>"]), [1, 2]);
    // GLM stops with the token that begins the next message; other models with a token of that name
    // do not.
    let glm = ["<|endoftext|>", "<|user|>", "<|observation|>", "<|system|>"];
    assert_eq!(ends(&glm), [1, 2, 3]);
    assert_eq!(ends(&["<|endoftext|>", "<|user|>"]), [1]);
    let others = [
        "[|endofturn|]",
        "<seed:eos>",
        "<|assistant_end|>",
        "<|eom|>",
        "<|end_of_msg|>",
    ];
    assert_eq!(ends(&others), [1, 2, 3, 4, 5]);
}

#[test]
fn byte_level_without_a_decoder_is_told_by_the_pre_tokenizer() {
    let rest = r#","decoder":null,"pre_tokenizer":{"type":"Sequence","pretokenizers":[
        {"type":"Split","pattern":{"Regex":"x"},"behavior":"Isolated","invert":false},
        {"type":"ByteLevel","use_regex":false}]}"#;
    let vocabulary = json(r#"{"type":"BPE","vocab":{"Ġa":0},"merges":[]}"#, rest).unwrap();
    assert_eq!(tokens(&vocabulary), [b" a"]);
}

#[test]
fn pieces_with_byte_fallback() {
    let model = r#"{"type":"BPE","unk_token":"<unk>","byte_fallback":true,"merges":[],
        "vocab":{"<unk>":0,"<s>":1,"</s>":2,"<0x0A>":3,"▁":4,"▁a▁b":5,"<0xE9>":6,"<0xZZ>":7,"Ġ":8}}"#;
    let added = r#","added_tokens":[
        {"id":1,"content":"<s>","special":true},{"id":2,"content":"</s>","special":true}]"#;
    let vocabulary = json(model, &format!("{added}{LLAMA_2}")).unwrap();
    let expected: [&[u8]; 9] = [
        b"",
        b"",
        b"",
        b"\n",
        b" ",
        b" a b",
        b"\xE9",
        b"<0xZZ>",
        "Ġ".as_bytes(),
    ];
    assert_eq!(tokens(&vocabulary), expected);
    assert_eq!(vocabulary.eos(), [2]);
}

#[test]
fn unigram_with_metaspace() {
    let model = r#"{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0.0],["▁a",-1.5],["</s>",0]]}"#;
    let rest = r#","added_tokens":[{"id":2,"content":"</s>","special":true}],
        "decoder":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"}"#;
    let vocabulary = json(model, rest).unwrap();
    let expected: [&[u8]; 3] = [b"", b" a", b""];
    assert_eq!(tokens(&vocabulary), expected);
    assert_eq!(vocabulary.eos(), [2]);
}

#[test]
fn unigram_with_byte_fallback() {
    let vocab = r#"[["<unk>",0],["▁a",-1.5],["<0xE9>",-9]]"#;
    let rest = r#","decoder":{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Metaspace"}]}"#;
    let of_model =
        format!(r#"{{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":{vocab}}}"#);
    let of_decoder = format!(r#"{{"type":"Unigram","unk_id":0,"vocab":{vocab}}}"#);
    let metaspace = r#","decoder":{"type":"Metaspace"}"#;
    for (model, rest) in [(&of_model, metaspace), (&of_decoder, rest)] {
        let vocabulary = json(model, rest).unwrap();
        assert_eq!(tokens(&vocabulary)[1..], [b" a".to_vec(), b"\xE9".to_vec()]);
    }
    let vocabulary = json(&of_decoder, metaspace).unwrap();
    assert_eq!(tokens(&vocabulary)[2], b"<0xE9>");
}

#[test]
fn a_normalizer_is_inverted_where_there_is_no_decoder() {
    let rest = r#","normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
        {"type":"Replace","pattern":{"String":" "},"content":"▁"}]}"#;
    let vocabulary = json(r#"{"type":"BPE","vocab":{"▁a":0},"merges":[]}"#, rest).unwrap();
    assert_eq!(tokens(&vocabulary), [b" a"]);
}

#[test]
fn what_cannot_be_bytes_is_refused_by_name() {
    let bpe = r#"{"type":"BPE","vocab":{"a":0},"merges":[]}"#;
    let error = |model: &str, rest: &str| json(model, rest).unwrap_err().to_string();
    assert!(error(r#"{"type":"WordPiece","vocab":{"a":0}}"#, "").contains("`WordPiece`"));
    assert!(error(r#"{"type":"WordLevel","vocab":{"a":0}}"#, "").contains("`WordLevel`"));
    assert!(error(r#"{"vocab":{"a":0}}"#, "").contains("WordLevel"));
    assert!(error(bpe, r#","decoder":{"type":"CTC"}"#).contains("`CTC`"));
    assert!(error(bpe, r#","decoder":{"type":"Strip","content":" "}"#).contains("`Strip`"));
    let regex = r#","decoder":{"type":"Replace","pattern":{"Regex":"a+"},"content":" "}"#;
    assert!(error(bpe, regex).contains("a+"));
    let suffix = r#"{"type":"BPE","vocab":{"a":0},"merges":[],"end_of_word_suffix":"</w>"}"#;
    assert!(error(suffix, BYTE_LEVEL).contains("`</w>`"));
}

#[test]
fn bad_json_is_told_with_its_place() {
    let error = |text: &str| {
        Vocabulary::from_bytes(text.as_bytes())
            .unwrap_err()
            .to_string()
    };
    assert!(error("{\n  \"model\": []}").contains("line 2"));
    assert!(error(r#"{"model":{"type":"BPE","vocab":{"a":-1}}}"#).contains("line 1"));
    assert!(error("{}").contains("model"));
    assert!(
        error(r#"{"model":{"type":"BPE","vocab":{"a":0,"b":0},"merges":[]}}"#).contains("id 0")
    );
    assert!(
        error(r#"{"model":{"type":"BPE","vocab":{"a":4194304},"merges":[]}}"#)
            .contains("4194305 ids")
    );
    assert!(error("<html>").contains("HTML"));
    assert!(error("\u{0}\u{1}").contains("binary"));
    assert!(error("version https://git-lfs.github.com/spec/v1\n").contains("Git LFS"));
}

#[test]
fn a_missing_file_is_told_by_its_path() {
    let error = Vocabulary::open("no/such/tokenizer.json").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no/such/tokenizer.json: cannot read")
    );
}

#[test]
#[cfg(not(feature = "tiktoken"))]
fn names_need_the_feature() {
    let error = Vocabulary::named("cl100k_base").unwrap_err();
    assert!(error.to_string().contains("feature `tiktoken`"));
}

#[test]
fn damaged_files_are_refused_or_within_the_limits() {
    let file = format!(
        r#"{{"model":{{"type":"BPE","vocab":{{"▁a":0,"<0x0A>":7}},"merges":[]}}{LLAMA_2},"added_tokens":[
            {{"id":2,"content":"</s>","special":true}}]}}"#
    );
    let mut refused = 0;
    for file in [file.as_bytes(), b"IQ== 0\nIg== 3\n"] {
        for at in 0..file.len() {
            for byte in [b'"', b'9', b'{', b'\n', 0, 0xFF] {
                let mut damaged = file.to_vec();
                damaged[at] = byte;
                for content in [&damaged[..], &damaged[..at]] {
                    match Vocabulary::from_bytes(content) {
                        Ok(vocabulary) => vocabulary.check().unwrap(),
                        Err(error) => refused += usize::from(!error.to_string().is_empty()),
                    }
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// Reads tables as the layout's documentation says.
fn unpack(tables: &[u8]) -> Vec<Vec<u8>> {
    let word = |at: usize| u32::from_le_bytes(tables[4 * at..][..4].try_into().unwrap()) as usize;
    assert_eq!(
        word(layout::MAGIC) as u32,
        maskwright_core::layout::VOCABULARY_MAGIC
    );
    assert_eq!(4 * word(layout::WORDS), tables.len());
    assert_eq!(
        word(layout::CHECKSUM) as u32,
        maskwright_core::crc32(&tables[4 * (layout::CHECKSUM + 1)..])
    );
    let ids = word(layout::VOCAB_SIZE);
    let relative = layout::HEADER_WORDS + ids / layout::BLOCK + 1;
    let bytes = relative + (ids + 1).div_ceil(2);
    let names = bytes + word(layout::BYTES).div_ceil(4);
    let end = match names == word(layout::WORDS) {
        true => names,
        false => {
            let count = word(names);
            names + 1 + 2 * count + word(names + 2 * count).div_ceil(4)
        }
    };
    assert_eq!(end, word(layout::WORDS));
    let start = |id: usize| {
        let offset = word(relative + id / 2) >> (16 * (id % 2)) & 0xFFFF;
        4 * bytes + word(layout::HEADER_WORDS + id / layout::BLOCK) + offset
    };
    (0..ids)
        .map(|id| tables[start(id)..start(id + 1)].to_vec())
        .collect()
}

#[cfg(feature = "tiktoken")]
mod named {
    use super::*;

    #[test]
    fn known_tokens_of_each() {
        // Name, size, an id and its bytes, the end tokens: facts published with the encodings.
        type Fact = (&'static str, u32, u32, &'static [u8], &'static [u32]);
        let facts: [Fact; 6] = [
            ("cl100k_base", 100_277, 15339, b"hello", &[100_257]),
            ("o200k_base", 200_019, 24912, b"hello", &[199_999]),
            (
                "o200k_harmony",
                201_088,
                24912,
                b"hello",
                &[199_999, 200_002, 200_012],
            ),
            ("p50k_base", 50_281, 31373, b"hello", &[50_256]),
            ("p50k_edit", 50_284, 31373, b"hello", &[50_256]),
            ("r50k_base", 50_257, 31373, b"hello", &[50_256]),
        ];
        assert!(facts.iter().map(|fact| fact.0).eq(NAMES.iter().copied()));
        assert_eq!(maskwright_vocabularies::NAMES, NAMES);
        for (name, size, id, bytes, eos) in facts {
            let vocabulary = Vocabulary::named(name).unwrap();
            assert_eq!(vocabulary.size(), size, "{name}");
            assert_eq!(vocabulary.bytes(id), bytes, "{name}");
            assert_eq!(vocabulary.eos(), eos, "{name}");
            let mut single: Vec<u8> = vocabulary
                .iter()
                .filter(|token| token.len() == 1)
                .map(|token| token[0])
                .collect();
            single.sort_unstable();
            assert!(
                single.into_iter().eq(0..=255),
                "{name}: each byte is one token"
            );
            assert_eq!(unpack(&vocabulary.pack().unwrap()).len(), size as usize);
        }
        assert!(Vocabulary::named("cl100k").is_err());
    }
}
