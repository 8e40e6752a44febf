//! candle's sampling under a grammar.
//!
//! In: rows of logits, from any model. Out: tokens that candle's own `LogitsProcessor` has chosen
//! among those that the grammar allows. What holds: a text that has ended satisfies the grammar,
//! whatever the model says and however it is sampled.

use std::error::Error;

use candle_core::{DType, Device, Tensor};
use candle_transformers::generation::LogitsProcessor;
use maskwright::OwnedMatcher;

/// A `LogitsProcessor` for one text under a grammar.
pub struct Constrained {
    processor: LogitsProcessor,
    matcher: OwnedMatcher,
    /// The logits of a step.
    row: Vec<f32>,
}

impl Constrained {
    pub fn new(processor: LogitsProcessor, matcher: OwnedMatcher) -> Self {
        Constrained {
            processor,
            matcher,
            row: Vec::new(),
        }
    }

    /// The next token; it is accepted. `logits` has one dimension, with a place for each id, on any
    /// device.
    ///
    /// Logits are masked, not probabilities: top-k and top-p then choose among tokens that may come
    /// next, and the best token is one of them.
    ///
    /// # Errors
    /// If the text has ended; if candle cannot read or sample the logits, such as those that are
    /// not numbers.
    pub fn sample(&mut self, logits: &Tensor) -> Result<u32, Box<dyn Error>> {
        if self.is_finished() {
            return Err("the text has ended".into());
        }
        self.row = logits.to_dtype(DType::F32)?.to_vec1()?;
        self.matcher.with_mask(|mask| mask.apply(&mut self.row));
        let masked = Tensor::from_slice(&self.row, self.row.len(), &Device::Cpu)?;
        let token = self.processor.sample(&masked)?;
        self.matcher.accept_token(token)?;
        Ok(token)
    }

    /// The tokens that come next without a choice, at most `most`. They are accepted: the model
    /// takes them in one pass with the token before, and is not asked.
    ///
    /// # Errors
    /// If one is not allowed, which does not happen.
    pub fn forced(&mut self, most: usize) -> Result<Vec<u32>, Box<dyn Error>> {
        let mut tokens = vec![0; most];
        let count = self.matcher.forced_tokens(&mut tokens);
        tokens.truncate(count);
        for &token in &tokens {
            self.matcher.accept_token(token)?;
        }
        Ok(tokens)
    }

    /// Whether an end token has been taken.
    pub fn is_finished(&self) -> bool {
        self.matcher.is_finished()
    }
}
