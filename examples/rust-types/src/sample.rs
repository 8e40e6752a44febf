//! Texts by random choice among the tokens that the masks allow: a model that knows nothing.

use maskwright::{Grammar, Mask};
use std::error::Error;

/// How deep a text may nest.
const DEPTH: usize = 32;

/// Tokens after which to give up; the choice tires long before.
const MAX_TOKENS: usize = 2000;

/// Tokens after which a text tends to its end.
const LENGTH: usize = 60;

/// Chooses tokens at random, and with the length of the text more and more often such as end
/// things.
struct Model {
    random: u64,
    vocab_size: u32,
    /// The tokens that end things.
    endings: Vec<u32>,
}

impl Model {
    fn new(grammar: &Grammar<'_>, seed: u64) -> Result<Self, Box<dyn Error>> {
        let vocabulary = grammar
            .vocabulary()
            .ok_or("the grammar has no vocabulary")?;
        let vocab_size = grammar.vocab_size();
        let is_ending = |&id: &u32| (vocabulary.bytes(id).iter()).all(|b| b"\"}],".contains(b));
        Ok(Model {
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            vocab_size,
            endings: (0..vocab_size).filter(is_ending).collect(),
        })
    }

    /// A number below `bound` (xorshift).
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 32) as usize % bound.max(1)
    }

    fn one_of(&mut self, ids: &[u32]) -> Option<u32> {
        let at = self.below(ids.len());
        ids.get(at).copied()
    }

    /// A token that the mask allows.
    fn choose(&mut self, mask: &Mask<'_>, position: usize) -> Option<u32> {
        if self.below(LENGTH) < position {
            let allowed = self.endings.iter().copied();
            let allowed: Vec<u32> = allowed.filter(|&id| mask.contains(id)).collect();
            if let Some(id) = self.one_of(&allowed) {
                return Some(id);
            }
        }
        // Where much is allowed, a few tries do.
        for _ in 0..64 {
            let id = self.below(self.vocab_size as usize) as u32;
            if mask.contains(id) {
                return Some(id);
            }
        }
        let allowed: Vec<u32> = mask.iter().collect();
        self.one_of(&allowed)
    }
}

/// A text.
pub fn decode(grammar: &'static Grammar<'static>, seed: u64) -> Result<String, Box<dyn Error>> {
    let mut model = Model::new(grammar, seed)?;
    let vocabulary = grammar
        .vocabulary()
        .ok_or("the grammar has no vocabulary")?;
    let mut matcher = crate::BookingMatcher::<DEPTH>::new(grammar)?;
    let mut text = Vec::new();
    for position in 0..MAX_TOKENS {
        let token = model
            .choose(&matcher.mask(), position)
            .ok_or("no token is allowed")?;
        matcher.accept_token(token)?;
        text.extend_from_slice(vocabulary.bytes(token));
        if matcher.is_finished() {
            return Ok(String::from_utf8(text)?);
        }
    }
    Err("the text does not end".into())
}
