//! A small decoder-only transformer in the manner of Llama: root-mean-square norms, rotary
//! positions, gated feed-forward layers, a cache of keys and values. The output layer shares the
//! embedding's matrix, as in most small models.
//!
//! In: tokens and the cache of those before. Out: what the last of them says about the next one,
//! for [`crate::output`]. The weights come from a seed: it costs as much as a trained model and
//! knows nothing.

use candle_core::{Device, Result, Tensor};
use candle_nn::{ops, rotary_emb};

/// Sizes of a model.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub vocabulary: usize,
    pub hidden: usize,
    pub layers: usize,
    pub heads: usize,
    pub feed_forward: usize,
    /// The longest text.
    pub positions: usize,
    pub seed: u64,
}

pub struct Model {
    /// One row a token.
    pub embedding: Tensor,
    layers: Vec<Layer>,
    norm: Tensor,
    /// Cosines and sines by position.
    rotation: (Tensor, Tensor),
    config: Config,
}

struct Layer {
    norms: [Tensor; 2],
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attended: Tensor,
    gate: Tensor,
    up: Tensor,
    down: Tensor,
}

/// Keys and values of the tokens so far, by layer.
#[derive(Clone, Default)]
pub struct Cache {
    layers: Vec<(Tensor, Tensor)>,
    len: usize,
}

impl Model {
    pub fn new(config: Config) -> Result<Self> {
        let Config {
            hidden,
            feed_forward,
            ..
        } = config;
        let mut seed = config.seed;
        // A matrix that keeps the scale of what it is applied to.
        let mut matrix = |rows: usize, columns: usize| {
            seed += 1;
            random(rows, columns, (3.0 / columns as f32).sqrt(), seed)
        };
        let embedding = matrix(config.vocabulary, hidden)?;
        let ones = || Tensor::ones(hidden, candle_core::DType::F32, &Device::Cpu);
        let layers = (0..config.layers).map(|_| {
            Ok(Layer {
                norms: [ones()?, ones()?],
                query: matrix(hidden, hidden)?,
                key: matrix(hidden, hidden)?,
                value: matrix(hidden, hidden)?,
                attended: matrix(hidden, hidden)?,
                gate: matrix(feed_forward, hidden)?,
                up: matrix(feed_forward, hidden)?,
                down: matrix(hidden, feed_forward)?,
            })
        });
        Ok(Model {
            embedding,
            layers: layers.collect::<Result<_>>()?,
            norm: ones()?,
            rotation: rotation(config.positions, hidden / config.heads)?,
            config,
        })
    }

    /// Takes tokens; what the last of them says about the next, as one row.
    pub fn forward(&self, tokens: &[u32], cache: &mut Cache) -> Result<Tensor> {
        match tokens {
            // Two at once take candle longer than one after the other.
            [first, last] => {
                self.pass(&[*first], cache)?;
                self.pass(&[*last], cache)
            }
            _ => self.pass(tokens, cache),
        }
    }

    /// All layers, for all tokens at once.
    fn pass(&self, tokens: &[u32], cache: &mut Cache) -> Result<Tensor> {
        let ids = Tensor::new(tokens, &Device::Cpu)?;
        let mut state = self.embedding.index_select(&ids, 0)?;
        for (at, layer) in self.layers.iter().enumerate() {
            let normal = ops::rms_norm(&state, &layer.norms[0], 1e-5)?;
            state = (&state + self.attend(at, layer, &normal, cache)?)?;
            let normal = ops::rms_norm(&state, &layer.norms[1], 1e-5)?;
            let gate = ops::silu(&apply(&layer.gate, &normal)?)?;
            let up = apply(&layer.up, &normal)?;
            state = (&state + apply(&layer.down, &(gate * up)?)?)?;
        }
        cache.len += tokens.len();
        let last = state.narrow(0, tokens.len() - 1, 1)?;
        ops::rms_norm(&last.contiguous()?, &self.norm, 1e-5)
    }

    /// Attention of the new tokens to all before them and to themselves.
    fn attend(
        &self,
        at: usize,
        layer: &Layer,
        state: &Tensor,
        cache: &mut Cache,
    ) -> Result<Tensor> {
        let (len, hidden) = state.dims2()?;
        let size = hidden / self.config.heads;
        let split = |weights: &Tensor| {
            let heads = apply(weights, state)?;
            let heads = heads.reshape((1, len, self.config.heads, size))?;
            heads.transpose(1, 2)?.contiguous()
        };
        let (cos, sin) = &self.rotation;
        let (cos, sin) = (
            cos.narrow(0, cache.len, len)?,
            sin.narrow(0, cache.len, len)?,
        );
        let query = rotary_emb::rope(&split(&layer.query)?, &cos, &sin)?;
        let mut key = rotary_emb::rope(&split(&layer.key)?, &cos, &sin)?;
        let mut value = split(&layer.value)?;
        match cache.layers.get_mut(at) {
            Some((keys, values)) => {
                key = Tensor::cat(&[&*keys, &key], 2)?;
                value = Tensor::cat(&[&*values, &value], 2)?;
                (*keys, *values) = (key.clone(), value.clone());
            }
            None => cache.layers.push((key.clone(), value.clone())),
        }
        let mut scores = (query.matmul(&key.t()?)? / (size as f64).sqrt())?;
        if len > 1 {
            scores = scores.broadcast_add(&causal(cache.len, len)?)?;
        }
        let mixed = ops::softmax_last_dim(&scores)?.matmul(&value)?;
        let mixed = mixed.transpose(1, 2)?.reshape((len, hidden))?;
        apply(&layer.attended, &mixed)
    }
}

/// Minus infinity where a token would look at a later one.
fn causal(before: usize, len: usize) -> Result<Tensor> {
    let scores = (0..len * (before + len)).map(|at| {
        let (from, to) = (at / (before + len), at % (before + len));
        if to > before + from {
            f32::NEG_INFINITY
        } else {
            0.0
        }
    });
    Tensor::from_iter(scores, &Device::Cpu)?.reshape((len, before + len))
}

/// Cosines and sines for each position and pair of dimensions.
fn rotation(positions: usize, size: usize) -> Result<(Tensor, Tensor)> {
    let angles = (0..positions * size / 2).map(|at| {
        let (position, pair) = (at / (size / 2), at % (size / 2));
        position as f32 * 10_000f32.powf(-2.0 * pair as f32 / size as f32)
    });
    let angles = Tensor::from_iter(angles, &Device::Cpu)?.reshape((positions, size / 2))?;
    Ok((angles.cos()?, angles.sin()?))
}

/// A matrix of numbers between `-most` and `most`, by a counter put through the finalizer of
/// splitmix64.
fn random(rows: usize, columns: usize, most: f32, seed: u64) -> Result<Tensor> {
    let numbers = (0..(rows * columns) as u64).map(|at| {
        let mut mixed = (seed << 40 | at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        most * ((mixed >> 40) as f32 / (1 << 23) as f32 - 1.0)
    });
    Tensor::from_vec(numbers.collect(), (rows, columns), &Device::Cpu)
}

/// A matrix applied to each row.
fn apply(weights: &Tensor, rows: &Tensor) -> Result<Tensor> {
    weights.matmul(&rows.t()?)?.t()?.contiguous()
}
