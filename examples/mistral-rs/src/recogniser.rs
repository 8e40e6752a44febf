//! What mistral.rs asks of a recogniser, `SequenceRecognizer::Llguidance` so far.
//!
//! In: tokens that were sampled. Out: whether they are allowed, and what to add to logits. What
//! holds: an error leaves the recogniser as it was; after the end of the text only end tokens are
//! allowed.

use maskwright_compiler::lazy::{MaskError, OrRefused};
use maskwright_compiler::link::registry::{Handle, ServedMatcher};

use maskwright::{AcceptError, RollbackError};

/// The recogniser of a sequence. Its methods have the names of those that mistral.rs calls.
#[derive(Clone)]
pub struct Recogniser {
    matcher: ServedMatcher,
    end: Vec<u32>,
    /// The mask.
    words: Vec<u32>,
}

impl Recogniser {
    /// For a request; `vocabulary` is the number of ids, `end` are those that end a sequence.
    ///
    /// # Errors
    /// If the grammar is refused.
    pub fn new(
        handle: &Handle,
        vocabulary: u32,
        end: &[u32],
    ) -> Result<Self, maskwright_compiler::Error> {
        Ok(Recogniser {
            matcher: handle.matcher()?,
            end: end.to_vec(),
            words: vec![0; vocabulary.div_ceil(32) as usize],
        })
    }

    /// Whether the text has ended.
    pub fn is_stopped(&self) -> bool {
        self.matcher.is_finished()
    }

    /// How many of these tokens, from the first, may come next.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn validate_tokens(&self, tokens: &[u32]) -> Result<usize, maskwright_compiler::Error> {
        self.matcher.clone().accept_draft(tokens)
    }

    /// What to add to a row of logits: 0 for what may come next, minus infinity for the rest. Only
    /// end tokens may come after the end.
    ///
    /// # Errors
    /// If the grammar is refused, and the text has come to where it cannot be followed.
    pub fn bias_or_eos(&mut self, len: usize) -> Result<Vec<f32>, MaskError> {
        let mut bias = vec![f32::NEG_INFINITY; len];
        if self.is_stopped() {
            for &id in &self.end {
                if let Some(bias) = bias.get_mut(id as usize) {
                    *bias = 0.0;
                }
            }
            return Ok(bias);
        }
        self.matcher.fill(&mut self.words)?;
        for (id, bias) in bias.iter_mut().enumerate() {
            let word = self.words.get(id / 32).copied().unwrap_or(0);
            if word >> (id % 32) & 1 == 1 {
                *bias = 0.0;
            }
        }
        Ok(bias)
    }

    /// Takes a token; none is taken after the end.
    ///
    /// # Errors
    /// If it is not allowed, or the request is refused.
    pub fn consume_token(&mut self, token: u32) -> Result<(), OrRefused<AcceptError>> {
        match self.is_stopped() {
            true => Ok(()),
            false => self.matcher.accept_token(token),
        }
    }

    /// Takes so many tokens back, at most 256: those of a draft, before the model's own choices are
    /// sampled.
    ///
    /// # Errors
    /// If fewer have been taken, or the request is refused.
    pub fn rollback(&mut self, tokens: usize) -> Result<(), OrRefused<RollbackError>> {
        self.matcher.rollback(tokens)
    }
}
