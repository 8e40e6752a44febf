//! GGUF files that are written here, good and bad.

use super::super::Vocabulary;
use super::*;
use crate::limits::Limits;

fn head_of(content: &[u8], whole: u64) -> Result<Option<u64>, VocabularyError> {
    head(content, whole, &Deadline::of_vocabulary(&Limits::default()))
}

/// A value of the metadata.
enum Of<'v> {
    U32(u32),
    Text(&'v str),
    Texts(&'v [&'v str]),
    Types(&'v [i32]),
    /// The type and the bytes of anything else.
    Raw(u32, &'v [u8]),
}

fn sized(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}

/// A file with these keys and values, and some bytes that stand for tensors.
fn file(values: &[(&str, Of<'_>)]) -> Vec<u8> {
    let mut out = b"GGUF\x03\0\0\0".to_vec();
    out.extend(7_u64.to_le_bytes());
    out.extend((values.len() as u64).to_le_bytes());
    for (key, value) in values {
        sized(&mut out, key.as_bytes());
        let kind: u32 = match value {
            Of::U32(_) => 4,
            Of::Text(_) => 8,
            Of::Texts(_) | Of::Types(_) => 9,
            Of::Raw(kind, _) => *kind,
        };
        out.extend(kind.to_le_bytes());
        match value {
            Of::U32(number) => out.extend(number.to_le_bytes()),
            Of::Text(text) => sized(&mut out, text.as_bytes()),
            Of::Texts(texts) => {
                out.extend(8_u32.to_le_bytes());
                out.extend((texts.len() as u64).to_le_bytes());
                texts
                    .iter()
                    .for_each(|text| sized(&mut out, text.as_bytes()));
            }
            Of::Types(types) => {
                out.extend(5_u32.to_le_bytes());
                out.extend((types.len() as u64).to_le_bytes());
                types.iter().for_each(|kind| out.extend(kind.to_le_bytes()));
            }
            Of::Raw(_, bytes) => out.extend(*bytes),
        }
    }
    out.extend([0xA5; 40]);
    out
}

const MODEL: &str = "tokenizer.ggml.model";
const TOKENS: &str = "tokenizer.ggml.tokens";
const TYPES: &str = "tokenizer.ggml.token_type";
const EOS: &str = "tokenizer.ggml.eos_token_id";

fn read(values: &[(&str, Of<'_>)]) -> Result<Vocabulary, VocabularyError> {
    Vocabulary::from_bytes(&file(values))
}

fn error(values: &[(&str, Of<'_>)]) -> String {
    read(values).unwrap_err().to_string()
}

fn tokens(vocabulary: &Vocabulary) -> Vec<&[u8]> {
    vocabulary.iter().collect()
}

fn special(vocabulary: &Vocabulary) -> Vec<(u32, &str)> {
    vocabulary.special().collect()
}

#[test]
fn byte_level_tokens_by_type() {
    let texts = [
        "Ġa",
        "<|im_start|>",
        "<|im_end|>",
        " é",
        "Ã©",
        "unk",
        "pad",
        "",
        "日",
    ];
    let vocabulary = read(&[
        ("general.architecture", Of::Text("llama")),
        (
            "of.many",
            Of::Raw(9, &[0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]),
        ),
        ("of.other", Of::Raw(7, &[1])),
        (MODEL, Of::Text("gpt2")),
        (TOKENS, Of::Texts(&texts)),
        (TYPES, Of::Types(&[1, 3, 3, 4, 1, 2, 5, 1, 1])),
        (EOS, Of::U32(1)),
    ])
    .unwrap();
    let expected: [&[u8]; 9] = [
        b" a",
        b"",
        b"",
        " é".as_bytes(),
        "é".as_bytes(),
        b"",
        b"",
        b"",
        b"",
    ];
    assert_eq!(tokens(&vocabulary), expected);
    assert_eq!(vocabulary.eos(), [1, 2], "the named one, and the turn's");
    assert_eq!(
        special(&vocabulary),
        [(1, "<|im_start|>"), (2, "<|im_end|>")]
    );
    assert_eq!(vocabulary.added().collect::<Vec<_>>(), [(3, " é")]);
}

#[test]
fn pieces_by_type() {
    let texts = ["<unk>", "<s>", "</s>", "<0x0A>", "▁a▁", "▁▁", "<0x0A>"];
    for model in ["llama", "t5", "gemma4"] {
        let vocabulary = read(&[
            (MODEL, Of::Text(model)),
            (TOKENS, Of::Texts(&texts)),
            (TYPES, Of::Types(&[2, 3, 3, 6, 1, 4, 1])),
        ])
        .unwrap();
        let expected: [&[u8]; 7] = [b"", b"", b"", b"\n", b" a ", "▁▁".as_bytes(), b"<0x0A>"];
        assert_eq!(tokens(&vocabulary), expected, "{model}");
        // T5's usual end token is 1, a control token here.
        let eos: &[u32] = if model == "t5" { &[1, 2] } else { &[2] };
        assert_eq!(vocabulary.eos(), eos, "{model}");
    }
    let vocabulary = read(&[
        (MODEL, Of::Text("gpt2")),
        ("tokenizer.ggml.pre", Of::Text("gemma4")),
        (TOKENS, Of::Texts(&["▁a", "Ġ"])),
    ])
    .unwrap();
    assert_eq!(tokens(&vocabulary), [&b" a"[..], "Ġ".as_bytes()]);
}

#[test]
fn what_ends_a_sequence() {
    let ends = |texts: &[&str], more: &[(&'static str, u32)]| {
        let mut values = vec![(MODEL, Of::Text("gpt2")), (TOKENS, Of::Texts(texts))];
        values.extend(more.iter().map(|&(key, id)| (key, Of::U32(id))));
        read(&values).unwrap()
    };
    let harmony = ["a", "<|end|>", "<|return|>", "<|call|>"];
    let vocabulary = ends(&harmony, &[]);
    assert_eq!(vocabulary.eos(), [2, 3]);
    assert_eq!(
        vocabulary.bytes(1),
        b"",
        "it ends a message, and is no text"
    );
    assert_eq!(ends(&["a", "<|end|>", "<|call|>"], &[]).eos(), [1, 2]);

    let gemma = ends(&["a", "</s>", "<|tool_response>", "<eos>"], &[]);
    assert_eq!(gemma.eos(), [2, 3]);
    assert_eq!(gemma.bytes(1), b"</s>");

    let fill = [
        "a",
        "<|fim_prefix|>",
        "<|fim_pad|>",
        "<|file_sep|>",
        "[PAD]",
    ];
    let vocabulary = ends(&fill, &[]);
    assert_eq!(vocabulary.eos(), [2, 3]);
    assert_eq!(vocabulary.bytes(1), b"");
    assert_eq!(vocabulary.bytes(4), b"[PAD]", "another token fills up");
    let key = "tokenizer.ggml.fim_pad_token_id";
    assert_eq!(ends(&fill, &[(key, 4)]).eos(), [3, 4]);

    assert_eq!(ends(&["a", "b"], &[(EOS, u32::MAX)]).eos(), [0_u32; 0]);
    let key = "tokenizer.ggml.eot_token_id";
    assert_eq!(ends(&["a", "b", "c"], &[(EOS, 1), (key, 2)]).eos(), [1, 2]);
}

#[test]
fn what_cannot_be_read_is_refused_by_name() {
    let with = |model| error(&[(MODEL, Of::Text(model)), (TOKENS, Of::Texts(&["a"]))]);
    assert!(with("bert").contains("WordPiece"), "{}", with("bert"));
    assert!(with("rwkv").contains("`rwkv`"));
    assert!(with("none").contains("no vocabulary"));
    assert!(error(&[(TOKENS, Of::Texts(&["a"]))]).contains(MODEL));
    assert!(error(&[(MODEL, Of::Text("gpt2"))]).contains(TOKENS));
    let tokens = |value| error(&[(MODEL, Of::Text("gpt2")), (TOKENS, value)]);
    assert!(tokens(Of::U32(1)).contains("not an array"));
    assert!(tokens(Of::Types(&[1])).contains("no texts"));
    assert!(tokens(Of::Texts(&[])).contains("no token with text"));
    let types = |kinds: &[i32]| {
        error(&[
            (MODEL, Of::Text("llama")),
            (TOKENS, Of::Texts(&["a", "b"])),
            (TYPES, Of::Types(kinds)),
        ])
    };
    assert!(types(&[1]).contains("2 tokens, and types of 1"));
    assert!(types(&[1, 6]).contains("token 1 is a byte"));
    let eos = error(&[
        (MODEL, Of::Text("gpt2")),
        (TOKENS, Of::Texts(&["a"])),
        (EOS, Of::U32(1)),
    ]);
    assert!(eos.contains("no id of its 1 tokens"), "{eos}");
    let twice = error(&[(EOS, Of::U32(1)), (EOS, Of::U32(1))]);
    assert!(twice.contains("twice"), "{twice}");
    let utf8 = [
        8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFF,
    ];
    let utf8 = tokens(Of::Raw(9, &utf8));
    assert!(utf8.contains("token 0 is not UTF-8"), "{utf8}");
}

#[test]
fn versions_and_byte_order() {
    let version = |bytes: [u8; 4]| {
        let mut content = file(&[]);
        content[4..8].copy_from_slice(&bytes);
        Vocabulary::from_bytes(&content).unwrap_err().to_string()
    };
    assert!(version([0, 0, 0, 3]).contains("big-endian"));
    assert!(version([1, 0, 0, 0]).contains("version 1"));
    assert!(version([4, 0, 0, 0]).contains("versions 2 and 3 are read"));
    assert!(version([2, 0, 0, 0]).contains(MODEL), "version 2 is read");
}

fn small() -> Vec<u8> {
    let nested = [
        9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0,
    ];
    file(&[
        ("nested", Of::Raw(9, &nested)),
        (MODEL, Of::Text("llama")),
        (TOKENS, Of::Texts(&["<unk>", "▁a", "<0x0A>"])),
        (TYPES, Of::Types(&[2, 1, 6])),
    ])
}

#[test]
fn cut_off_at_every_length() {
    let content = small();
    let end = head_of(&content, content.len() as u64).unwrap().unwrap() as usize;
    assert_eq!(end, content.len() - 40);
    for length in 0..content.len() {
        let cut = &content[..length];
        let read = Vocabulary::from_bytes(cut);
        assert_eq!(read.is_ok(), length >= end, "{length}");
        // The file may go on: then more of it is needed, which is no error.
        if length >= 4 && length < end {
            assert_eq!(
                head_of(cut, content.len() as u64).unwrap(),
                None,
                "{length}"
            );
            let error = read.unwrap_err().to_string();
            assert!(error.contains("announced"), "{length}: {error}");
        }
    }
}

#[test]
fn lying_numbers_are_errors_within_the_limits() {
    let content = small();
    let mut refused = 0;
    for at in 4..content.len() - 48 {
        for lie in [1_u64 << 31, 1 << 32, u64::MAX, 1 << 62, 0] {
            let mut lying = content.clone();
            lying[at..at + 8].copy_from_slice(&lie.to_le_bytes());
            // Of a file of a terabyte, too.
            for whole in [lying.len() as u64, 1 << 40] {
                let _ = head_of(&lying, whole);
            }
            match Vocabulary::from_bytes(&lying) {
                Ok(vocabulary) => vocabulary.check().unwrap(),
                Err(error) => refused += usize::from(!error.to_string().is_empty()),
            }
        }
    }
    assert!(refused > 500, "{refused}");
    let count = error(&[
        (MODEL, Of::Text("gpt2")),
        (TOKENS, Of::Raw(9, &[8, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0])),
    ]);
    assert!(count.contains("announced"), "{count}");
}

#[test]
fn arrays_within_arrays_end_somewhere() {
    let mut deep = Vec::new();
    for _ in 0..1000 {
        deep.extend([9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    }
    let error = error(&[("deep", Of::Raw(9, &deep))]);
    assert!(error.contains("too deep"), "{error}");
}

/// A map of a whole file is as good as its metadata alone.
#[test]
fn what_follows_the_metadata_is_not_looked_at() {
    let whole = file(&[
        (MODEL, Of::Text("gpt2")),
        (TOKENS, Of::Texts(&["Ġa", "b", "<|im_end|>"])),
        (TYPES, Of::Types(&[1, 1, 3])),
        (EOS, Of::U32(2)),
    ]);
    let metadata = &whole[..whole.len() - 40];
    let alone = Vocabulary::from_gguf(metadata).unwrap();
    for junk in [vec![0xFF; 1 << 20], vec![0; 1 << 20], whole.clone()] {
        let mapped = Vocabulary::from_gguf(&[metadata, &junk].concat()).unwrap();
        assert_eq!(tokens(&mapped), tokens(&alone));
        assert_eq!(special(&mapped), special(&alone));
        assert_eq!((mapped.eos(), mapped.hash()), (alone.eos(), alone.hash()));
    }
    let cut = Vocabulary::from_gguf(&metadata[..metadata.len() - 1]);
    assert!(matches!(cut, Err(VocabularyError::Malformed { .. })));
}
