//! One output of the model, and where its time goes.
//!
//! In: a prompt, a constraint and a seed. Out: an [`Output`]. What holds: every way of holding an
//! output to its form runs through the same loop, with the same sampling.

use crate::constraint::{Constraint, Jump};
use crate::prompts::{self, Setting};
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use std::error::Error;
use std::time::{Duration, Instant};

/// The most tokens of an output.
const MAX_TOKENS: usize = 128;

/// Forced bytes are taken as tokens if there are as many: fewer save no pass of the model.
const MIN_BYTES: usize = 4;

/// What one output took, and what it is.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub text: Vec<u8>,
    /// Tokens of the output, with the one that ends it.
    pub tokens: usize,
    /// How many of them the model was not asked for.
    pub forced: usize,
    /// Passes of the model.
    pub steps: usize,
    pub times: Times,
}

/// Where the time went, from the last token of the prompt on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub model: Duration,
    /// Candidates from logits, and the choice among those that are left.
    pub sampling: Duration,
    /// Refusing candidates, taking the token, and finding what is forced.
    pub mask: Duration,
    pub all: Duration,
}

/// A model that decodes one sequence at a time.
pub struct Decoder<'m> {
    model: &'m LlamaModel,
    context: LlamaContext<'m>,
    batch: LlamaBatch<'static>,
    candidates: LlamaTokenDataArray,
    /// The tokens that all prompts of a task begin with, which stay in the context.
    begin: Vec<LlamaToken>,
}

impl<'m> Decoder<'m> {
    pub fn new(model: &'m LlamaModel, context: LlamaContext<'m>) -> Self {
        Decoder {
            model,
            batch: LlamaBatch::new(context.n_batch() as usize, 1),
            context,
            candidates: LlamaTokenDataArray::new(Vec::new(), false),
            begin: Vec::new(),
        }
    }

    /// Decodes what the model answers; `write` is given each piece as it comes.
    pub fn decode(
        &mut self,
        (setting, user): (&Setting, &str),
        mut constraint: Constraint,
        jump: Jump,
        seed: u32,
        write: &mut dyn FnMut(&[u8]),
    ) -> Result<Output, Box<dyn Error>> {
        let (mut position, last) = self.prompt(setting, user)?;
        let mut chain = chain(seed);
        let mut output = Output::default();
        let (begin, mut pending) = (Instant::now(), vec![last]);
        loop {
            let time = Instant::now();
            let forced = self.forced(&mut constraint, jump, &output)?;
            if jump == Jump::Tokens {
                // A draw for each token, as if it were chosen: later draws then choose the same.
                for token in &forced {
                    let one = vec![LlamaTokenData::new(*token, 0.0, 0.0)];
                    LlamaTokenDataArray::new(one, false).apply_sampler(&mut chain);
                }
            }
            output.times.mask += time.elapsed();
            output.forced += forced.len();
            for token in &forced {
                if self.end(*token, &mut output, write) {
                    output.times.all = begin.elapsed();
                    return Ok(output);
                }
            }
            pending.extend(forced);

            let time = Instant::now();
            self.pass(&pending, position)?;
            position += pending.len();
            output.steps += 1;
            output.times.model += time.elapsed();

            let token = self.choose(&mut constraint, &mut chain, &mut output.times)?;
            pending = vec![token];
            if self.end(token, &mut output, write) || output.tokens >= MAX_TOKENS {
                output.times.all = begin.elapsed();
                return Ok(output);
            }
        }
    }

    /// Takes in a prompt, but for its last token; the position of that, and itself.
    fn prompt(
        &mut self,
        setting: &Setting,
        user: &str,
    ) -> Result<(usize, LlamaToken), Box<dyn Error>> {
        let (begin, rest) = prompts::chat_ml(setting, user);
        let tokens = |text: &str| self.model.vocab().tokenize(text.as_bytes(), false, true);
        let (begin, mut rest) = (tokens(&begin), tokens(&rest));
        if begin != self.begin {
            self.context.clear_kv_cache();
            self.pass(&begin, 0)?;
            self.begin = begin;
        }
        let position = self.begin.len();
        self.context
            .clear_kv_cache_seq(Some(0), Some(position as u32), None)?;
        let last = rest.pop().ok_or("the prompt is empty")?;
        self.pass(&rest, position)?;
        Ok((position + rest.len(), last))
    }

    /// One pass of the model.
    fn pass(&mut self, tokens: &[LlamaToken], position: usize) -> Result<(), Box<dyn Error>> {
        self.batch.clear();
        for (at, token) in tokens.iter().enumerate() {
            let is_last = at + 1 == tokens.len();
            self.batch
                .add(*token, (position + at) as i32, &[0], is_last)?;
        }
        self.context.decode(&mut self.batch)?;
        self.context.synchronize();
        Ok(())
    }

    /// Chooses the next token and takes it.
    fn choose(
        &mut self,
        constraint: &mut Constraint,
        chain: &mut LlamaSampler,
        times: &mut Times,
    ) -> Result<LlamaToken, Box<dyn Error>> {
        let begin = Instant::now();
        let logits = self.context.get_logits_ith(self.batch.n_tokens() - 1);
        let candidates = &mut self.candidates;
        candidates.data.clear();
        candidates.data.extend(
            (0..)
                .zip(logits)
                .map(|(id, logit)| LlamaTokenData::new(LlamaToken(id), *logit, 0.0)),
        );
        (candidates.selected, candidates.sorted) = (None, false);

        let before = Instant::now();
        constraint.apply(candidates);
        let applied = Instant::now();

        candidates.apply_sampler(chain);
        let token = candidates.selected_token().ok_or("no candidate is left")?;
        chain.accept(token);
        let chosen = Instant::now();

        // An end is taken by none of the others.
        if !self.model.vocab().is_eog(token) || matches!(constraint, Constraint::Maskwright(_)) {
            constraint.accept(token)?;
        }
        times.mask += (applied - before) + chosen.elapsed();
        times.sampling += (before - begin) + (chosen - applied);
        Ok(token)
    }

    /// Tokens that are taken without asking the model.
    fn forced(
        &self,
        constraint: &mut Constraint,
        jump: Jump,
        output: &Output,
    ) -> Result<Vec<LlamaToken>, Box<dyn Error>> {
        let Constraint::Maskwright(sampler) = constraint else {
            return Ok(Vec::new());
        };
        let mut tokens = match jump {
            Jump::No => return Ok(Vec::new()),
            Jump::Tokens => sampler.forced_tokens(),
            Jump::Bytes => {
                let bytes = sampler.forced_bytes();
                if bytes.len() < MIN_BYTES {
                    return Ok(Vec::new());
                }
                let mut tokens = self.model.vocab().tokenize(&bytes, false, false);
                // The model may want a longer one in its place.
                tokens.pop();
                tokens.truncate(sampler.check(&tokens));
                tokens
            }
        };
        tokens.truncate(MAX_TOKENS.saturating_sub(output.tokens + 1));
        for token in &tokens {
            sampler.accept(*token)?;
        }
        Ok(tokens)
    }

    /// Writes a token; whether it ends the output.
    fn end(&self, token: LlamaToken, output: &mut Output, write: &mut dyn FnMut(&[u8])) -> bool {
        output.tokens += 1;
        if self.model.vocab().is_eog(token) {
            return true;
        }
        let piece = self.model.vocab().token_to_piece(token, true, None);
        write(&piece);
        output.text.extend(piece);
        false
    }
}

/// How a token is chosen from what is left. Draws are the same for the same seed.
fn chain(seed: u32) -> LlamaSampler {
    LlamaSampler::chain_simple([
        LlamaSampler::top_k(40),
        LlamaSampler::temp(0.5),
        LlamaSampler::dist(seed),
    ])
}
