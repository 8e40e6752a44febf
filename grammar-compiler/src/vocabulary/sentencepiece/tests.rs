//! SentencePiece models that are written here, good and bad.

use super::super::Vocabulary;
use super::*;

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend(bytes);
}

fn piece(text: &[u8], kind: u64) -> Vec<u8> {
    let mut out = Vec::new();
    bytes(&mut out, 1, text);
    out.push(2 << 3 | 5);
    out.extend((-1.5_f32).to_le_bytes());
    if kind != kind::NORMAL {
        varint(&mut out, 3 << 3);
        varint(&mut out, kind);
    }
    out
}

/// A model with these pieces; `eos` is the name of the end piece, if the trainer wrote one.
fn model(pieces: &[(&[u8], u64)], eos: Option<&str>) -> Vec<u8> {
    let mut out = Vec::new();
    for (text, kind) in pieces {
        bytes(&mut out, 1, &piece(text, *kind));
    }
    let mut trainer = Vec::new();
    varint(&mut trainer, 3 << 3);
    varint(&mut trainer, 1);
    if let Some(name) = eos {
        bytes(&mut trainer, 47, name.as_bytes());
    }
    bytes(&mut out, 2, &trainer);
    bytes(&mut out, 3, b"\x0A\x04nmt_");
    out
}

fn error(content: &[u8]) -> String {
    Vocabulary::from_bytes(content).unwrap_err().to_string()
}

fn good() -> Vec<u8> {
    let pieces: [(&[u8], u64); 8] = [
        (b"<unk>", kind::UNKNOWN),
        (b"<s>", kind::CONTROL),
        (b"</s>", kind::CONTROL),
        (b"<0x0A>", kind::BYTE),
        ("▁a▁b".as_bytes(), kind::NORMAL),
        ("[▁tool]".as_bytes(), kind::USER_DEFINED),
        (b"later", kind::UNUSED),
        (b"<0x0A>", kind::NORMAL),
    ];
    model(&pieces, None)
}

#[test]
fn pieces_by_type() {
    let vocabulary = Vocabulary::from_bytes(&good()).unwrap();
    let tokens: Vec<&[u8]> = vocabulary.iter().collect();
    let expected: [&[u8]; 8] = [b"", b"", b"", b"\n", b" a b", b"[ tool]", b"", b"<0x0A>"];
    assert_eq!(tokens, expected);
    assert_eq!(vocabulary.eos(), [2]);
    let special: Vec<_> = vocabulary.special().collect();
    assert_eq!(special, [(1, "<s>"), (2, "</s>")]);
    assert_eq!(vocabulary.added().collect::<Vec<_>>(), [(5, "[▁tool]")]);
}

#[test]
fn the_trainer_names_the_end() {
    let pieces: [(&[u8], u64); 4] = [
        (b"<unk>", kind::UNKNOWN),
        (b"a", kind::NORMAL),
        (b"[STOP]", kind::CONTROL),
        (b"</s>", kind::NORMAL),
    ];
    let vocabulary = Vocabulary::from_bytes(&model(&pieces, Some("[STOP]"))).unwrap();
    assert_eq!(vocabulary.eos(), [2]);
    assert_eq!(vocabulary.bytes(3), b"</s>", "a piece that is text is none");
}

#[test]
fn what_is_wrong_is_told() {
    let of = |text: &[u8], kind| error(&model(&[(b"a", 1), (text, kind)], None));
    assert!(of(b"\xFF", 1).contains("piece 1 is not UTF-8"));
    assert!(of(b"x", kind::BYTE).contains("piece 1 is a byte"));
    assert!(of(b"x", 9).contains("the type 9"));
    let mut changed = good();
    bytes(&mut changed, 5, b"\x12\x02ab");
    assert!(
        error(&changed).contains("denormalizer"),
        "{}",
        error(&changed)
    );
    let mut plain = good();
    bytes(&mut plain, 5, b"\x12\x00");
    assert!(
        Vocabulary::from_bytes(&plain).is_ok(),
        "an empty one changes nothing"
    );
}

#[test]
fn cut_off_at_every_length() {
    let content = good();
    let whole = content.len() - 8;
    for length in 0..content.len() {
        // Without what the normalizer wrote the vocabulary is the same.
        let read = Vocabulary::from_bytes(&content[..length]);
        assert_eq!(read.is_ok(), length == whole, "{length}");
    }
}

#[test]
fn lying_lengths_are_errors_within_the_limits() {
    let content = good();
    let mut refused = 0;
    for at in 0..content.len() {
        for lie in [
            &[0xFF; 10][..],
            &[0xFF, 0xFF, 0xFF, 0xFF, 0x07],
            &[0x00],
            &[0x80],
        ] {
            let mut lying = content[..at].to_vec();
            lying.extend(lie);
            lying.extend(&content[at..]);
            match Vocabulary::from_bytes(&lying) {
                Ok(vocabulary) => vocabulary.check().unwrap(),
                Err(error) => refused += usize::from(!error.to_string().is_empty()),
            }
        }
    }
    assert!(refused > 400, "{refused}");
}
