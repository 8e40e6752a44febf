//! What the loaders make of files, good and bad.

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
    // GLM stops with the token that begins the next message; other models with a token of that name do not.
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
fn size_and_end_tokens() {
    let small = || Vocabulary::from_tokens(vec![b"a".to_vec(), b"b".to_vec()], vec![]);
    assert!(matches!(
        small().with_eos([2]),
        Err(VocabularyError::EosOutOfRange { id: 2, size: 2 })
    ));
    assert!(matches!(
        small().with_size(1),
        Err(VocabularyError::SizeTooSmall { size: 1, ids: 2 })
    ));
    assert!(small().with_size(u32::MAX).is_err());
    let padded = small().with_size(5).unwrap().with_eos([4, 0, 4]).unwrap();
    assert_eq!(padded.size(), 5);
    assert_eq!(padded.eos(), [0, 4]);
    assert_eq!(padded.bytes(0), b"", "an end token never matches text");
    assert_eq!(padded.bytes(1), b"b");
    assert_eq!(padded.bytes(u32::MAX), b"");
    assert!(Vocabulary::from_tokens(vec![], vec![0]).check().is_err());
    let long = Vocabulary::from_tokens(vec![vec![0; MAX_TOKEN_BYTES + 1]], vec![]);
    assert!(matches!(
        long.check(),
        Err(VocabularyError::TokenTooLong { id: 0, .. })
    ));
}

#[test]
fn the_hash_depends_on_everything_and_on_nothing_else() {
    let make = |tokens: [&str; 2], eos| {
        Vocabulary::from_tokens(tokens.map(|token| token.into()).to_vec(), eos)
    };
    let base = make(["ab", "c"], vec![]);
    assert_eq!(base.hash(), make(["ab", "c"], vec![]).hash());
    assert_ne!(base.hash(), make(["a", "bc"], vec![]).hash());
    assert_ne!(base.hash(), make(["ab", "d"], vec![]).hash());
    assert_ne!(base.hash(), base.clone().with_size(3).unwrap().hash());
    assert_ne!(
        make(["ab", ""], vec![]).hash(),
        make(["ab", ""], vec![1]).hash()
    );
    // Files made on one machine are read on others: the value must never change by itself.
    assert_eq!(base.hash(), 5_235_841_188_164_388_852);
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
    assert_eq!(bytes + word(layout::BYTES).div_ceil(4), word(layout::WORDS));
    let start = |id: usize| {
        let offset = word(relative + id / 2) >> (16 * (id % 2)) & 0xFFFF;
        4 * bytes + word(layout::HEADER_WORDS + id / layout::BLOCK) + offset
    };
    (0..ids)
        .map(|id| tables[start(id)..start(id + 1)].to_vec())
        .collect()
}

#[test]
fn packed_tables_hold_the_bytes_of_each_id() {
    for ids in [0, 1, 63, 64, 65, 200] {
        let tokens: Vec<Vec<u8>> = (0..ids).map(|id| vec![id as u8; id % 7]).collect();
        let vocabulary = Vocabulary::from_tokens(tokens.clone(), vec![]);
        let tables = vocabulary.pack().unwrap();
        assert_eq!(unpack(&tables), tokens);
        assert_eq!(
            Vocabulary::from_tables(&tables, vec![]).unwrap(),
            vocabulary
        );
    }
    let long = Vocabulary::from_tokens(vec![vec![0; MAX_TOKEN_BYTES]; 70], vec![]);
    assert!(matches!(
        long.pack(),
        Err(VocabularyError::BlockTooLong { first_id: 0, .. })
    ));
}

#[test]
fn what_passes_the_check_can_be_packed() {
    let mut refused = 0;
    for (ids, bytes) in [
        (64, 1040),
        (64, 1041),
        (65, 1040),
        (63, 1041),
        (128, 1041),
        (3, 21_846),
    ] {
        let vocabulary = Vocabulary::from_tokens(vec![vec![b'a'; bytes]; ids], vec![]);
        assert_eq!(
            vocabulary.check().err(),
            vocabulary.pack().err(),
            "{ids} of {bytes}"
        );
        refused += usize::from(vocabulary.check().is_err());
    }
    assert!((1..6).contains(&refused), "{refused}");
}

#[test]
fn a_vocabulary_without_an_end_token_says_what_to_give() {
    let said = |vocabulary: Vocabulary| {
        vocabulary
            .no_end_token()
            .map(|warning| warning.way_out().unwrap().to_owned())
    };
    let plain = Vocabulary::from_tiktoken(b"IQ== 0\nIg== 1\n").unwrap();
    let help = said(plain.clone()).unwrap();
    assert!(
        ["--eos ID", "below 2", "--vocab-size", "--special FILE"]
            .iter()
            .all(|part| help.contains(part)),
        "{help}"
    );
    assert_eq!(
        said(plain.with_size(3).unwrap().with_eos([2]).unwrap()),
        None
    );

    let file = |specials: &str| {
        let text = format!(
            r#"{{"model":{{"type":"BPE","vocab":{{"a":0}},"merges":[]}},"added_tokens":[{specials}]}}"#
        );
        Vocabulary::from_hugging_face(text.as_bytes()).unwrap()
    };
    let eot = r#"{"id":1,"content":"<EOT>","special":true}"#;
    let pad = r#"{"id":2,"content":"<pad>","special":true}"#;
    let vocabulary = file(&format!("{pad},{eot}"));
    assert_eq!(
        vocabulary.special().collect::<Vec<_>>(),
        [(1, "<EOT>"), (2, "<pad>")]
    );
    let help = said(vocabulary).unwrap();
    assert!(
        help.contains("it may be `<EOT>`, which is 1") && !help.contains("pad"),
        "{help}"
    );
    assert!(
        said(file(pad))
            .unwrap()
            .contains("it may be `<pad>`, which is 2")
    );
    assert_eq!(
        said(file(r#"{"id":1,"content":"</s>","special":true}"#)),
        None
    );
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
