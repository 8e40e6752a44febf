//! The decoding loop, always taking the best token that the mask allows, and two ways to do less in
//! it.
//!
//! - *Rows.* Where few tokens may come next, only their rows of the output layer are computed.
//! - *Prefill.* A token that is the only one of its mask needs no pass to be chosen. It waits for
//!   the next pass, which takes all that wait at once: a pass over ten tokens reads the weights as
//!   often as one over a single token.
//!
//! Neither changes what comes out. *Spelling* does: bytes that must come next are taken in the
//! longest tokens, where the model could have chosen shorter ones for the same bytes.

use std::iter::Sum;
use std::time::{Duration, Instant};

use maskwright::Grammar;

use crate::model::{Cache, Model};
use crate::spell::Speller;
use crate::{CallMatcher, output};

pub type Error = Box<dyn std::error::Error>;

/// How deep a call may nest.
const DEPTH: usize = 16;

/// The most rows that are gathered, as a part of the vocabulary: they are copied before they are
/// multiplied.
const FEW: usize = 16;

/// What is done to compute less.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways {
    pub rows: bool,
    pub prefill: bool,
    pub spell: bool,
}

/// What decoding took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    pub tokens: usize,
    pub bytes: usize,
    /// Tokens that were given: the only one possible, or spelled.
    pub given: usize,
    pub passes: usize,
    /// Passes after which all rows of the output layer were computed.
    pub whole: usize,
    /// The rows after the others.
    pub rows: usize,
    pub layers: Duration,
    pub output: Duration,
    /// Masks, forced tokens, and the best token.
    pub mask: Duration,
    pub total: Duration,
}

/// A model under a grammar.
pub struct Decoder<'a> {
    pub grammar: &'static Grammar<'static>,
    pub model: &'a Model,
    pub speller: &'a Speller,
}

impl Decoder<'_> {
    /// Decodes a call; its tokens, with the one that ends the text.
    pub fn decode(&self, prompt: &[u32], ways: Ways) -> Result<(Vec<u32>, Costs), Error> {
        let start = Instant::now();
        let (mut text, mut costs) = (Vec::new(), Costs::default());
        let mut matcher = CallMatcher::<DEPTH>::new(self.grammar)?;
        let mut cache = Cache::default();
        let mut waiting = prompt.to_vec();
        while !matcher.is_finished() {
            let given = timed(&mut costs.mask, || self.given(&matcher, ways));
            costs.given += usize::from(given.is_some());
            let token = match given {
                Some(token) if ways.prefill => token,
                _ => {
                    let pass = || self.model.forward(&waiting, &mut cache);
                    let state = timed(&mut costs.layers, pass)?;
                    costs.passes += 1;
                    waiting.clear();
                    let best = self.choose(&matcher, &state, ways, &mut costs)?;
                    given.unwrap_or(best)
                }
            };
            timed(&mut costs.mask, || matcher.accept_token(token))?;
            waiting.push(token);
            text.push(token);
        }
        costs.count(self, &text, start);
        Ok((text, costs))
    }

    /// The token that must come next, if there is one.
    fn given(&self, matcher: &CallMatcher<DEPTH>, ways: Ways) -> Option<u32> {
        let mut bytes = [0; 64];
        let known = if ways.spell {
            matcher.forced_bytes(&mut bytes)
        } else {
            0
        };
        let spelled = self.speller.first(&bytes[..known]);
        let mut sole = [0];
        let is_sole = matcher.forced_tokens(&mut sole) == 1;
        spelled.map(|(id, _)| id).or(is_sole.then_some(sole[0]))
    }

    /// The best token of the mask.
    fn choose(
        &self,
        matcher: &CallMatcher<DEPTH>,
        state: &candle_core::Tensor,
        ways: Ways,
        costs: &mut Costs,
    ) -> Result<u32, Error> {
        let (mask, matrix) = (matcher.mask(), &self.model.embedding);
        let few = self.grammar.vocab_size() as usize / FEW;
        let few = if ways.rows { few } else { 0 };
        let ids: Vec<u32> = timed(&mut costs.mask, || mask.iter().take(few + 1).collect());
        let best = if ids.len() <= few {
            costs.rows += ids.len();
            let logits = timed(&mut costs.output, || output::some(matrix, state, &ids))?;
            best(&ids, &logits)
        } else {
            costs.whole += 1;
            let logits = timed(&mut costs.output, || output::all(matrix, state))?;
            timed(&mut costs.mask, || mask.argmax(&logits))
        };
        best.ok_or_else(|| "the mask is empty before the end".into())
    }

    /// Decodes `len` tokens without a grammar.
    pub fn free(&self, prompt: &[u32], len: usize) -> Result<(Vec<u32>, Costs), Error> {
        let start = Instant::now();
        let (mut text, mut costs) = (Vec::new(), Costs::default());
        let (mut cache, mut waiting) = (Cache::default(), prompt.to_vec());
        let all: Vec<u32> = (0..self.grammar.vocab_size()).collect();
        while text.len() < len {
            let pass = || self.model.forward(&waiting, &mut cache);
            let state = timed(&mut costs.layers, pass)?;
            let full = || output::all(&self.model.embedding, &state);
            let logits = timed(&mut costs.output, full)?;
            let token = timed(&mut costs.mask, || best(&all, &logits)).ok_or("no logits")?;
            (costs.passes, costs.whole) = (costs.passes + 1, costs.whole + 1);
            waiting = vec![token];
            text.push(token);
        }
        costs.count(self, &text, start);
        Ok((text, costs))
    }
}

impl Costs {
    fn count(&mut self, decoder: &Decoder, text: &[u32], start: Instant) {
        self.total = start.elapsed();
        self.tokens = text.len();
        let vocabulary = decoder.grammar.vocabulary();
        let bytes = text
            .iter()
            .filter_map(|&id| Some(vocabulary?.bytes(id).len()));
        self.bytes = bytes.sum();
    }
}

impl Sum for Costs {
    fn sum<I: Iterator<Item = Costs>>(costs: I) -> Costs {
        costs.fold(Costs::default(), |a, b| Costs {
            tokens: a.tokens + b.tokens,
            bytes: a.bytes + b.bytes,
            given: a.given + b.given,
            passes: a.passes + b.passes,
            whole: a.whole + b.whole,
            rows: a.rows + b.rows,
            layers: a.layers + b.layers,
            output: a.output + b.output,
            mask: a.mask + b.mask,
            total: a.total + b.total,
        })
    }
}

/// The id of the highest logit; of equal ones the first.
fn best(ids: &[u32], logits: &[f32]) -> Option<u32> {
    let first = (*ids.first()?, *logits.first()?);
    let pairs = ids.iter().copied().zip(logits.iter().copied());
    let best = pairs.fold(
        first,
        |best, next| if next.1 > best.1 { next } else { best },
    );
    Some(best.0)
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}
