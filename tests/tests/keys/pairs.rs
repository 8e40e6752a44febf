//! Texts that differ and have one XXH3, whether 64 or 128 bits of it.
//!
//! XXH3 without a secret of its own reads a text of more than 240 bytes in stripes of eight words
//! (lanes), sixteen stripes a block, with secret words that are published. Lane `i` of a stripe
//! adds to two accumulators:
//!
//! ```text
//! acc[i]     += low32(word ^ secret) * high32(word ^ secret)
//! acc[i ^ 1] += word
//! ```
//!
//! A bit that moves between two words of one lane leaves the sum of the words as it is. If it moves
//! between their upper halves and the lower halves, with the secret, are equal, then one product
//! grows by what the other one loses: nothing is left that tells the texts apart. The same holds
//! with the halves the other way round.

/// The secret that all implementations have.
const SECRET: [u8; 192] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
];
const WORD: usize = 8;
const STRIPE: usize = 64;
const STRIPES: usize = 16;
const BLOCK: usize = STRIPE * STRIPES;
/// Letters in the middle of a text: some of its blocks have many stripes of them, wherever the text
/// begins.
const LETTERS: usize = 1_200;
/// What stands in front of the end of a text, as the last stripe is read twice.
const END: usize = STRIPE;

/// Two texts of letters and digits between `head` and `tail`, which have one XXH3 if so many bytes,
/// whichever they are, are hashed before them and any number behind them.
pub fn pair(before: usize, head: &str, tail: &str) -> [String; 2] {
    let from = before + head.len();
    let first = from.next_multiple_of(WORD);
    let words = (first..from + LETTERS - WORD).step_by(WORD);
    let mut letters = vec![b'a'; LETTERS + END];
    for one in words.clone() {
        let alike = |&other: &usize| {
            other > one && other / BLOCK == one / BLOCK && (other - one) % STRIPE == 0
        };
        for other in words.clone().filter(alike) {
            let Some(moved) = fill(&mut letters, from, [one, other]) else {
                continue;
            };
            let mut other_letters = letters.clone();
            moved.iter().for_each(|&(at, bit)| other_letters[at] ^= bit);
            return [letters, other_letters].map(|letters| {
                let letters = String::from_utf8(letters).expect("letters are ASCII");
                format!("{head}{letters}{tail}")
            });
        }
    }
    panic!("there is no pair behind {before} bytes");
}

/// The byte of the secret for a byte of what is hashed.
fn secret(at: usize) -> u8 {
    let (stripe, within) = (at % BLOCK / STRIPE, at % STRIPE);
    SECRET[WORD * stripe + within]
}

/// Writes two words of one lane such that a bit can move from the second to the first; the places
/// of the two letters, and the bit. The letters begin `from` bytes into what is hashed.
fn fill(letters: &mut [u8], from: usize, [one, other]: [usize; 2]) -> Option<[(usize, u8); 2]> {
    [[0, 4], [4, 0]].into_iter().find_map(|[equal, moved]| {
        // One half of both words is equal, with the secret.
        let half: Option<Vec<[u8; 2]>> = (equal..equal + 4)
            .map(|at| letter_pair(secret(one + at) ^ secret(other + at)))
            .collect();
        // In the other half a bit moves at which the secrets are equal: then one word with its
        // secret grows, and the other one gets less.
        let (at, bit) = (moved..moved + 4)
            .flat_map(|at| [1, 2, 4].map(|bit| (at, bit)))
            .find(|&(at, bit)| (secret(one + at) ^ secret(other + at)) & bit == 0)?;
        for (at, pair) in (equal..).zip(half?) {
            letters[one + at - from] = pair[0];
            letters[other + at - from] = pair[1];
        }
        // `h` has none of the three bits.
        letters[one + at - from] = b'h';
        letters[other + at - from] = b'h' | bit;
        Some([(one + at - from, bit), (other + at - from, bit)])
    })
}

/// Two letters or digits that differ in these bits.
fn letter_pair(bits: u8) -> Option<[u8; 2]> {
    let is_letter = |letter: &u8| letter.is_ascii_alphanumeric();
    let mut letters = (b'0'..=b'z').filter(is_letter);
    let one = letters.find(|one| is_letter(&(one ^ bits)))?;
    Some([one, one ^ bits])
}
