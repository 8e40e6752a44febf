//! Inputs: random ones, and changed copies of good ones. The same seed gives the same inputs.

use crate::Target;

/// The longest input, in bytes.
const MAX_LENGTH: usize = 4096;
/// The most changes to one input.
const MAX_CHANGES: u64 = 12;

/// A small generator of pseudo-random numbers (SplitMix64).
pub struct Random(u64);

impl Random {
    /// The generator that begins at `seed`.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound.max(1) as u64) as usize
    }
}

/// A new input for `target`.
pub fn input(target: &Target, random: &mut Random) -> Vec<u8> {
    let mut input = match random.below(8) {
        0 => (0..random.below(64))
            .map(|_| random.number() as u8)
            .collect(),
        1 | 2 => Vec::new(),
        _ => target.seeds[random.below(target.seeds.len())]
            .as_bytes()
            .to_vec(),
    };
    let changes = if input.is_empty() {
        3 * MAX_CHANGES
    } else {
        MAX_CHANGES
    };
    for _ in 0..=random.number() % changes {
        change(&mut input, target, random);
    }
    input.truncate(MAX_LENGTH);
    input
}

/// Changes one place.
fn change(input: &mut Vec<u8>, target: &Target, random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(16)).min(input.len());
    match random.below(8) {
        0 => drop(input.drain(at..end)),
        1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        2 => {
            let copy = input[at..end].to_vec();
            let to = random.below(input.len() + 1);
            input.splice(to..to, copy);
        }
        3 => {
            let copy = input[at..end].repeat(1 + random.below(40));
            input.splice(at..at, copy);
        }
        _ => {
            let word = target.words[random.below(target.words.len())];
            input.splice(at..at, word.bytes());
        }
    }
}
