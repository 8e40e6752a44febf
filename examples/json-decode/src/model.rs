//! A model that knows how often tokens occur, and nothing else.
//!
//! In: the position in the text. Out: a row of logits. Low ids, which byte-pair encoding gives to
//! frequent tokens, score higher; the rest is noise. As the text grows, the model tires: tokens
//! that end things, in whatever language, score higher and higher. What is valid JSON it does not
//! know.

/// Noise values; a power of two.
const NOISE: usize = 1 << 16;

/// How the score falls with the rank of a token.
const STEEPNESS: f32 = 1.3;

/// Scores tokens.
pub struct Model {
    seed: u64,
    /// How long a text the model likes, in tokens.
    length: usize,
    /// Without the noise.
    prior: Vec<f32>,
    /// The ids whose tokens end things.
    endings: Vec<usize>,
    /// Gumbel noise: the best of `logit + noise` is a sample of the softmax.
    noise: Vec<f32>,
}

impl Model {
    /// A model over `tokens`, of which those in `eos` end the text.
    pub fn new<'t>(
        seed: u64,
        length: usize,
        tokens: impl Iterator<Item = &'t [u8]>,
        eos: &[u32],
    ) -> Self {
        let is_ending = |token: &[u8]| {
            !token.is_empty() && token.iter().all(|byte| b"\"'.!?)]}".contains(byte))
        };
        let mut prior = Vec::new();
        let mut endings: Vec<usize> = eos.iter().map(|&id| id as usize).collect();
        for (id, token) in tokens.enumerate() {
            prior.push(-STEEPNESS * (id as f32 + 60.0).ln());
            if is_ending(token) {
                endings.push(id);
            }
        }
        let gumbel = |i: usize| -(-uniform(hash(i as u64)).ln()).ln();
        Model {
            seed,
            length,
            prior,
            endings,
            noise: (0..NOISE).map(gumbel).collect(),
        }
    }

    /// Writes the logits of the token at `position`.
    pub fn score(&self, position: usize, logits: &mut [f32]) {
        let offset = hash(self.seed ^ (position as u64) << 32) as usize;
        for (id, (logit, prior)) in logits.iter_mut().zip(&self.prior).enumerate() {
            *logit = prior + self.noise[(id.wrapping_mul(0x9e37) ^ offset) % NOISE];
        }
        let tired = (position as f32 - self.length as f32) * 0.1;
        self.endings.iter().for_each(|&id| logits[id] += tired);
    }
}

/// A number above 0 and below 1.
fn uniform(hash: u64) -> f32 {
    ((hash >> 41) as f32 + 0.5) / (1u64 << 23) as f32
}

/// Spreads the bits of a number (the finalizer of splitmix64).
fn hash(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
