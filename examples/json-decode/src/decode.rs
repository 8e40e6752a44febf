//! The decoding loop: score, mask, pick, accept.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use maskwright::Grammar;

use crate::JsonMatcher;
use crate::model::Model;

/// How deep the text may nest.
const DEPTH: usize = 32;

/// Tokens after which to give up; the model tires long before.
const MAX_TOKENS: usize = 4000;

/// A decoded text and what it took.
#[derive(Debug, Default)]
pub struct Decoded {
    /// The text.
    pub text: Vec<u8>,
    /// For each token the share of the vocabulary that was masked.
    pub masked: Vec<f64>,
    /// For each token the nanoseconds that filling its mask took.
    pub mask_ns: Vec<u64>,
    /// For each token the nanoseconds that accepting it took.
    pub accept_ns: Vec<u64>,
}

/// Decodes one text, writing each token to `out` as it comes.
pub fn decode(
    grammar: &'static Grammar<'static>,
    model: &Model,
    out: &mut impl Write,
) -> Result<Decoded, Box<dyn Error>> {
    let vocabulary = grammar
        .vocabulary()
        .ok_or("the grammar has no vocabulary")?;
    let mut matcher = JsonMatcher::<DEPTH>::new(grammar)?;
    let mut words = vec![0u32; grammar.mask_words()];
    let mut logits = vec![0f32; grammar.vocab_size() as usize];
    let mut decoded = Decoded::default();
    while !matcher.is_finished() {
        if decoded.masked.len() == MAX_TOKENS {
            return Err("the text does not end".into());
        }
        model.score(decoded.masked.len(), &mut logits);
        // An application needs one of these: the words for a GPU, the logits masked in place, or
        // the best token.
        let start = Instant::now();
        matcher.mask().fill(&mut words)?;
        decoded.mask_ns.push(start.elapsed().as_nanos() as u64);
        let allowed: u32 = words.iter().map(|word| word.count_ones()).sum();
        decoded
            .masked
            .push(1.0 - allowed as f64 / grammar.vocab_size() as f64);
        let token = matcher
            .mask()
            .argmax(&logits)
            .ok_or("the mask is empty before the end")?;
        let start = Instant::now();
        matcher.accept_token(token)?;
        decoded.accept_ns.push(start.elapsed().as_nanos() as u64);
        out.write_all(vocabulary.bytes(token))?;
        out.flush()?;
        decoded.text.extend_from_slice(vocabulary.bytes(token));
    }
    Ok(decoded)
}
