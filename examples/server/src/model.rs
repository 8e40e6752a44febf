//! A model that knows nothing: noise for each token, and a wish to come to an end that grows with
//! the text.
//!
//! In: the seed of a request and the length of its text. Out: a row of logits, as long as a padded
//! output layer's. The tokens of the padding have the highest logits of all, so that a mask that
//! let them through would show.

use maskwright::Vocabulary;

/// Rows are slices of the noise that begin at one of so many places.
const PLACES: usize = 4_096;

/// The model.
#[derive(Debug)]
pub struct Model {
    noise: Vec<f32>,
    /// How much each token helps to come to an end; for the padding, how much more than everything
    /// else it scores.
    closing: Vec<f32>,
}

impl Model {
    /// A model of a vocabulary and the tokens that end its texts. Rows of logits are padded to a
    /// multiple of 128 above its size.
    pub fn new(vocabulary: &Vocabulary<'_>, eos: &[u32]) -> Self {
        let size = vocabulary.size() as usize;
        let padded = (size + 1).next_multiple_of(128);
        let noise = (0..padded + PLACES).map(|at| unit(at as u64));
        let mut closing = vec![1e6; padded];
        for (id, weight) in (0..).zip(&mut closing[..size]) {
            *weight = match vocabulary.bytes(id) {
                [b'}' | b']', ..] => 1.0,
                [b'"', ..] => 0.8,
                [b',' | b':', ..] => 0.3,
                _ => 0.0,
            };
        }
        eos.iter().for_each(|&id| closing[id as usize] = 1.0);
        Model {
            noise: noise.collect(),
            closing,
        }
    }

    /// Length of a row of logits.
    pub fn padded(&self) -> usize {
        self.closing.len()
    }

    /// The logits after a text of so many bytes.
    pub fn logits(&self, seed: u64, len: usize, row: &mut Vec<f32>) {
        let place = (mix(seed ^ (len as u64) << 32) % PLACES as u64) as usize;
        let wish = (len as f32 / 150.0).powi(2);
        row.clear();
        let noise = self.noise.iter().skip(place);
        row.extend(
            noise
                .zip(&self.closing)
                .map(|(noise, closing)| noise + wish * closing),
        );
    }
}

/// The token of the highest logit among those of a mask's words; of equal ones the first.
pub fn pick(mask: &[u32], logits: &[f32]) -> Option<u32> {
    let mut best: Option<(u32, f32)> = None;
    for (word, logits) in mask
        .iter()
        .zip(logits.chunks(32))
        .enumerate()
        .map(|(at, (&word, logits))| ((at, word), logits))
    {
        let (at, mut rest) = word;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let Some(&logit) = logits.get(bit as usize) else {
                break;
            };
            if best.is_none_or(|(_, highest)| logit > highest) {
                best = Some((32 * at as u32 + bit, logit));
            }
        }
    }
    best.map(|(id, _)| id)
}

/// A number whose bits are mixed (splitmix64).
pub fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

/// A number from 0 to 1.
fn unit(value: u64) -> f32 {
    (mix(value) >> 40) as f32 / (1u64 << 24) as f32
}
