//! Hostile files of vocabularies.

use super::{HostileFile, list, nested};

pub(super) const KINDS: &[HostileFile] = &[
    kind("tokenizer.json: tokens", 20_000, |size, seed| {
        tokenizer(&characters(size, seed), "")
    }),
    kind(
        "tokenizer.json: one token many times",
        20_000,
        |size, seed| tokenizer(&list(size, ",", |i| format!("\"t{seed}\": {i}")), ""),
    ),
    kind("tokenizer.json: added tokens", 5_000, |size, seed| {
        let added = list(size, ",", |i| {
            format!(
                r#"{{"id": {}, "content": "<a{seed}-{i}>", "special": {}}}"#,
                300 + i,
                i % 2 == 0
            )
        });
        tokenizer(
            &characters(300, seed),
            &format!(r#""added_tokens": [{added}],"#),
        )
    }),
    kind(
        "tokenizer.json: replacements of a decoder",
        500,
        |size, seed| {
            let steps = list(size, ",", |i| {
                format!(
                    r#"{{"type": "Replace", "pattern": {{"String": "a{i}"}}, "content": "b{seed}"}}"#
                )
            });
            let vocab = list(1_000, ",", |i| format!("\"t{seed}-{i}\": {i}"));
            format!(
            r#"{{"decoder": {{"type": "Sequence", "decoders": [{steps}]}}, "model": {{"type": "BPE", "vocab": {{{vocab}}}, "merges": []}}}}"#
        )
        .into_bytes()
        },
    ),
    kind(
        "tokenizer.json: replacements that double",
        60,
        |size, seed| {
            let step = r#"{"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}"#;
            let steps = list(size, ",", |_| step);
            format!(
            r#"{{"decoder": {{"type": "Sequence", "decoders": [{steps}]}}, "model": {{"type": "BPE", "vocab": {{"a{seed}": 0}}, "merges": []}}}}"#
        )
        .into_bytes()
        },
    ),
    kind("tokenizer.json: merges", 50_000, |size, seed| {
        let merges = list(size, ",", |i| format!("\"a{i} b{seed}\""));
        tokenizer(&characters(300, seed), &format!(r#""merges": [{merges}],"#))
    }),
    kind(
        "tokenizer.json: keys without a meaning",
        50_000,
        |size, seed| {
            tokenizer(
                &characters(300, seed),
                &(list(size, ",", |i| format!("\"k{seed}-{i}\": {i}")) + ","),
            )
        },
    ),
    kind("tokenizer.json: a long token", 30_000, |size, seed| {
        let long = format!("\"{seed}{}\": 300", "a".repeat(size));
        tokenizer(&format!("{}, {long}", characters(300, seed)), "")
    }),
    kind(
        "tokenizer.json: arrays that nest too deep",
        50_000,
        |size, seed| nested(size, "{\"a\": [", &seed.to_string(), "]}").into_bytes(),
    ),
    kind("tiktoken: tokens", 20_000, |size, seed| {
        list(size, "\n", |i| {
            format!("{} {i}", base64(&format!("t{seed}-{i}")))
        })
        .into_bytes()
    }),
    kind("tiktoken: empty lines", 200_000, |size, seed| {
        let lines = "\n".repeat(size);
        format!(
            "{} 0{lines}{} 1\n",
            base64("a"),
            base64(&format!("b{seed}"))
        )
        .into_bytes()
    }),
    kind("tiktoken: ids far apart", 5_000, |size, seed| {
        list(size, "\n", |i| {
            format!("{} {}", base64(&format!("t{seed}-{i}")), i * 800)
        })
        .into_bytes()
    }),
    kind("tekken: tokens", 20_000, |size, seed| {
        let ranks = list(size, ",", |i| {
            let bytes = base64(&format!("t{seed}-{i}"));
            format!(r#"{{"rank": {i}, "token_bytes": "{bytes}", "token_str": "t"}}"#)
        });
        let special = r#"[{"rank": 0, "token_str": "<unk>", "is_control": true}, {"rank": 1, "token_str": "</s>", "is_control": true}]"#;
        format!(
            r#"{{"config": {{"default_vocab_size": {}, "default_num_special_tokens": 2, "version": "v11"}}, "vocab": [{ranks}], "special_tokens": {special}}}"#,
            size + 2
        )
        .into_bytes()
    }),
    kind("tekken: special tokens", 20_000, |size, seed| {
        let special = list(size, ",", |i| {
            format!(r#"{{"rank": {i}, "token_str": "<s{seed}-{i}>"}}"#)
        });
        format!(
            r#"{{"config": {{"default_vocab_size": {}, "default_num_special_tokens": {size}, "version": "v11"}}, "vocab": [{{"rank": 0, "token_bytes": "YQ=="}}], "special_tokens": [{special}]}}"#,
            size + 1
        )
        .into_bytes()
    }),
    kind("vocab.json: tokens", 20_000, |size, seed| {
        // The characters that stand for bytes in byte-level BPE.
        let bytes = [0x21..=0x7e, 0xa1..=0xac, 0xae..=0x143];
        let bytes: Vec<char> = bytes
            .into_iter()
            .flatten()
            .filter_map(char::from_u32)
            .collect();
        let first = bytes.len();
        let bytes = list(first, ",", |i| format!("{:?}: {i}", bytes[i].to_string()));
        let more = list(size, ",", |i| format!("\"t{seed}-{i}\": {}", first + i));
        format!("{{{bytes},{more}}}").into_bytes()
    }),
    kind("SentencePiece: pieces", 20_000, |size, seed| {
        sentencepiece(size, |i| format!("t{seed}-{i}"), 1)
    }),
    kind("SentencePiece: control pieces", 20_000, |size, seed| {
        sentencepiece(size, |i| format!("<c{seed}-{i}>"), 3)
    }),
    kind("GGUF: tokens", 20_000, |size, seed| {
        gguf(0, size, |i| format!("t{seed}-{i}"), 1)
    }),
    kind("GGUF: control tokens", 20_000, |size, seed| {
        gguf(0, size, |i| format!("<|t{seed}-{i}|>"), 3)
    }),
    kind("GGUF: equal tokens", 20_000, |size, seed| {
        gguf(0, size, |_| format!("<|t{seed}|>"), 3)
    }),
    kind("GGUF: keys", 20_000, |size, seed| {
        gguf(size, 10, |i| format!("t{seed}-{i}"), 1)
    }),
];

const fn kind(name: &'static str, size: usize, bytes: fn(usize, u64) -> Vec<u8>) -> HostileFile {
    HostileFile { name, size, bytes }
}

/// Entries of a map from tokens to ids.
fn characters(count: usize, seed: u64) -> String {
    list(count, ",", |i| format!("\"t{seed}-{i}\": {i}"))
}

/// A `tokenizer.json` of byte-level BPE, with more fields before its model.
fn tokenizer(vocab: &str, fields: &str) -> Vec<u8> {
    format!(
        r#"{{"version": "1.0", {fields} "decoder": {{"type": "ByteLevel"}}, "model": {{"type": "BPE", "vocab": {{{vocab}}}, "merges": []}}}}"#
    )
    .into_bytes()
}

/// The text in base64.
fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = (bits >> (18 - 6 * i)) as usize % 64;
            let is_padding = i > chunk.len();
            encoded.push(if is_padding {
                '='
            } else {
                char::from(DIGITS[digit])
            });
        }
    }
    encoded
}

/// A model of pieces of one type, and then what the trainer wrote.
fn sentencepiece(count: usize, text: impl Fn(usize) -> String, kind: u8) -> Vec<u8> {
    let mut model = Vec::new();
    for i in 0..count {
        let text = text(i);
        let mut piece = vec![0x0A, text.len() as u8];
        piece.extend_from_slice(text.as_bytes());
        piece.push(0x15);
        piece.extend_from_slice(&0_f32.to_le_bytes());
        piece.extend_from_slice(&[0x18, kind]);
        model.extend_from_slice(&[0x0A, piece.len() as u8]);
        model.extend_from_slice(&piece);
    }
    model.extend_from_slice(&[0x12, 0]);
    model
}

/// A GGUF with so many keys that mean nothing, and so many tokens of one type.
fn gguf(keys: usize, count: usize, text: impl Fn(usize) -> String, kind: i32) -> Vec<u8> {
    const INT32: u32 = 5;
    const STRING: u32 = 8;
    const ARRAY: u32 = 9;
    let mut file = b"GGUF".to_vec();
    file.extend_from_slice(&3_u32.to_le_bytes());
    file.extend_from_slice(&0_u64.to_le_bytes());
    file.extend_from_slice(&(keys as u64 + 3).to_le_bytes());
    let string = |file: &mut Vec<u8>, text: &str| {
        file.extend_from_slice(&(text.len() as u64).to_le_bytes());
        file.extend_from_slice(text.as_bytes());
    };
    let array = |file: &mut Vec<u8>, name: &str, kind: u32| {
        string(file, name);
        file.extend_from_slice(&ARRAY.to_le_bytes());
        file.extend_from_slice(&kind.to_le_bytes());
        file.extend_from_slice(&(count as u64).to_le_bytes());
    };
    for i in 0..keys {
        string(&mut file, &format!("k{}-{i}", text(0)));
        file.extend_from_slice(&INT32.to_le_bytes());
        file.extend_from_slice(&(i as i32).to_le_bytes());
    }
    string(&mut file, "tokenizer.ggml.model");
    file.extend_from_slice(&STRING.to_le_bytes());
    string(&mut file, "llama");
    array(&mut file, "tokenizer.ggml.tokens", STRING);
    for i in 0..count {
        string(&mut file, &text(i));
    }
    array(&mut file, "tokenizer.ggml.token_type", INT32);
    for _ in 0..count {
        file.extend_from_slice(&kind.to_le_bytes());
    }
    file
}
