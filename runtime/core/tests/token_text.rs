//! The text of tokens as they come is that of their bytes, wherever characters are cut.

use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_core::{StreamPiece, TextStream, Vocabulary as Packed};

/// Numbers that look random.
struct Random(u32);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as usize % most
    }
}

#[test]
fn cuts_change_nothing() {
    let parts: [&[u8]; 9] = [
        b"a",
        "é".as_bytes(),
        "€".as_bytes(),
        "🐢".as_bytes(),
        &[0xe2],
        &[0xe2, 0x82],
        &[0xf0, 0x9f, 0x90],
        &[0xff],
        &[0x80],
    ];
    let mut random = Random(7);
    for _ in 0..5_000 {
        let count = random.below(8);
        let bytes: Vec<u8> = (0..count)
            .flat_map(|_| parts[random.below(parts.len())].to_vec())
            .collect();
        let (mut stream, mut text, mut rest) = (TextStream::default(), String::new(), &bytes[..]);
        while !rest.is_empty() {
            let (token, behind) = rest.split_at(1 + random.below(rest.len().min(5)));
            stream.push_bytes(token, |piece| text.push_str(piece.as_str()));
            rest = behind;
        }
        // What is written is never taken back.
        assert!(String::from_utf8_lossy(&bytes).starts_with(&text));
        stream.finish(|piece| text.push_str(piece.as_str()));
        stream.finish(|_| panic!("nothing waits any more"));
        assert_eq!(text, String::from_utf8_lossy(&bytes), "{bytes:x?}");
    }
}

#[test]
fn control_tokens_have_their_names() {
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    tokens.extend([Vec::new(), Vec::new()]);
    let vocabulary = Vocabulary::from_tokens(tokens, vec![257]);
    let packed = vocabulary.with_special([(256, "<call>".to_owned())]).pack();
    let packed = packed.unwrap();
    let vocabulary = Packed::load(&packed).unwrap();
    let mut stream = TextStream::default();
    let (mut text, mut names) = (String::new(), Vec::new());
    for token in [b'a'.into(), 0xc3, 256, 0xa9, 257, 9_999, b'b'.into()] {
        stream.push(&vocabulary, token, |piece| match piece {
            StreamPiece::Text(piece) => text.push_str(piece),
            StreamPiece::Control(name) => names.push((text.len(), name.to_owned())),
        });
    }
    // The first half of a character ends where a name comes.
    assert_eq!(text, "a\u{fffd}\u{fffd}b");
    assert_eq!(names, [(4, "<call>".to_owned())]);
}
