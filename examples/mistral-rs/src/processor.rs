//! A custom logits processor: `RequestBuilder::add_logits_processor` of mistral.rs, or
//! `NormalRequest::logits_processors`.
//!
//! In: a row of logits, and all tokens of the sequence, prompt and answer. Out: the row, with minus
//! infinity for what may not come next. What holds: the first call is made with the prompt; later
//! ones may come again for the same tokens, for fewer, or for another answer to the same prompt,
//! since a request with several choices has one processor.

use std::sync::{Mutex, PoisonError};

use candle_core::{DType, Error, Result, Tensor};
use maskwright_compiler::link::registry::{Handle, ServedMatcher};

/// How far the answer has been followed.
struct Followed {
    /// Length of the prompt; none before the first call.
    prompt: Option<usize>,
    matcher: ServedMatcher,
    /// The tokens that the matcher has taken.
    taken: Vec<u32>,
    /// The mask.
    words: Vec<u32>,
}

/// A processor for one request. mistral.rs has its trait `CustomLogitsProcessor` for every function
/// of this type, so this crate need not depend on mistral.rs.
///
/// `vocabulary` is the number of ids of the grammar. mistral.rs ends the sequence at the model's
/// end tokens, which should be those of the vocabulary.
///
/// # Errors
/// If the grammar is refused.
pub fn processor(
    handle: &Handle,
    vocabulary: u32,
) -> std::result::Result<
    impl Fn(&Tensor, &[u32]) -> Result<Tensor> + Send + Sync + use<>,
    maskwright_compiler::Error,
> {
    let start = handle.matcher()?;
    let followed = Mutex::new(Followed {
        prompt: None,
        matcher: start.clone(),
        taken: Vec::new(),
        words: vec![0; vocabulary.div_ceil(32) as usize],
    });
    Ok(move |logits: &Tensor, context: &[u32]| {
        let mut followed = followed.lock().unwrap_or_else(PoisonError::into_inner);
        followed.apply(&start, logits, context)
    })
}

impl Followed {
    fn apply(&mut self, start: &ServedMatcher, logits: &Tensor, context: &[u32]) -> Result<Tensor> {
        let prompt = *self.prompt.get_or_insert(context.len());
        let answer = context.get(prompt..).unwrap_or(&[]);
        self.follow(start, answer)?;
        let mut row: Vec<f32> = logits.to_dtype(DType::F32)?.to_vec1()?;
        if self.matcher.is_finished() {
            // What comes after the end is not asked of the grammar.
            return Ok(logits.clone());
        }
        self.matcher.fill(&mut self.words).map_err(Error::wrap)?;
        for (id, logit) in row.iter_mut().enumerate() {
            let word = self.words.get(id / 32).copied().unwrap_or(0);
            if word >> (id % 32) & 1 == 0 {
                *logit = f32::NEG_INFINITY;
            }
        }
        let len = row.len();
        Tensor::from_vec(row, len, logits.device())
    }

    /// Goes to where an answer stands: on from the last one if it is longer, else from the
    /// beginning.
    fn follow(&mut self, start: &ServedMatcher, answer: &[u32]) -> Result<()> {
        if !answer.starts_with(&self.taken) {
            self.matcher = start.clone();
            self.taken.clear();
        }
        for &token in answer.get(self.taken.len()..).unwrap_or(&[]) {
            self.matcher.accept_token(token).map_err(Error::wrap)?;
            self.taken.push(token);
        }
        Ok(())
    }
}
