//! Both adapters, called as mistral.rs 0.8.1 calls them. mistral.rs itself takes too long to build
//! for a test, and `engine` is only checked: what it calls is written here after its sources
//! (`sampler.rs`, `pipeline/sampling.rs`).

use std::error::Error;
use std::sync::Arc;

use candle_core::{Device, Result as CandleResult, Tensor};
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions};
use maskwright_compiler::{Compiler, GrammarText, vocabulary::Vocabulary};
use mistral_rs_adapter::processor::processor;
use mistral_rs_adapter::recogniser::Recogniser;
use serde_json::Value;

const SCHEMA: &str = r#"{"type": "object", "properties": {"name": {"type": "string", "maxLength": 9},
    "ages": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 130}, "maxItems": 3}},
    "required": ["name", "ages"], "additionalProperties": false}"#;
/// Rows of logits are longer than the vocabulary.
const PADDING: usize = 5;

/// As `mistralrs_core::CustomLogitsProcessor`, with which functions are processors there.
trait CustomLogitsProcessor: Send + Sync {
    fn apply(&self, logits: &Tensor, context: &[u32]) -> CandleResult<Tensor>;
}

impl<T: Fn(&Tensor, &[u32]) -> CandleResult<Tensor> + Send + Sync> CustomLogitsProcessor for T {
    fn apply(&self, logits: &Tensor, context: &[u32]) -> CandleResult<Tensor> {
        self(logits, context)
    }
}

fn vocabulary() -> Vocabulary {
    let words = ["name", "\": \"", "{\"", "ages", "12", "], \"", "}"];
    let words = words.map(|word| word.as_bytes().to_vec());
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).chain(words).collect();
    let eos = tokens.len() as u32;
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![eos])
}

fn handle(vocabulary: &Vocabulary) -> Result<Handle, Box<dyn Error>> {
    let compiler = Compiler::new(vocabulary)?;
    let registry = Registry::new(&compiler, RegistryOptions::default().threads(1))?;
    Ok(registry.get(&GrammarText::schema(SCHEMA))?)
}

/// Logits that differ from step to step.
struct Model(u64);

impl Model {
    fn logits(&mut self, len: usize) -> CandleResult<Tensor> {
        let row: Vec<f32> = (0..len).map(|_| self.number()).collect();
        Tensor::from_vec(row, len, &Device::Cpu)
    }

    fn number(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32
    }
}

fn best(logits: &Tensor) -> CandleResult<u32> {
    logits.argmax(0)?.to_scalar()
}

fn text(vocabulary: &Vocabulary, tokens: &[u32]) -> Vec<u8> {
    tokens
        .iter()
        .flat_map(|&token| vocabulary.bytes(token).to_vec())
        .collect()
}

fn check(vocabulary: &Vocabulary, tokens: &[u32]) -> Result<(), Box<dyn Error>> {
    let value: Value = serde_json::from_slice(&text(vocabulary, tokens))?;
    assert!(value["name"].is_string() && value["ages"].is_array());
    Ok(())
}

/// `Sampler::sample`: each processor is given the logits and all tokens, then a token is chosen.
#[test]
fn a_processor() -> Result<(), Box<dyn Error>> {
    let vocabulary = vocabulary();
    let eos = vocabulary.eos()[0];
    let len = vocabulary.size() as usize + PADDING;
    let handle = handle(&vocabulary)?;
    let processors: Vec<Arc<dyn CustomLogitsProcessor>> =
        vec![Arc::new(processor(&handle, vocabulary.size())?)];
    let prompt = b"a prompt".map(u32::from);
    // A request for two choices: their steps take turns.
    let mut sequences = [prompt.to_vec(), prompt.to_vec()];
    let mut models = [Model(1), Model(2)];
    for _ in 0..300 {
        for (sequence, model) in sequences.iter_mut().zip(&mut models) {
            if sequence.last() == Some(&eos) {
                continue;
            }
            let mut logits = model.logits(len)?;
            for processor in &processors {
                logits = processor.apply(&logits, sequence)?;
            }
            sequence.push(best(&logits)?);
        }
    }
    assert_ne!(sequences[0], sequences[1]);
    for sequence in &sequences {
        assert_eq!(sequence.last(), Some(&eos));
        check(&vocabulary, &sequence[prompt.len()..])?;
    }
    Ok(())
}

/// `sample_sequence`: a token is sampled freely and kept if it is allowed, else sampled again from
/// the logits with the bias.
fn sample(recogniser: &mut Recogniser, logits: &Tensor) -> Result<u32, Box<dyn Error>> {
    let first = best(logits)?;
    let is_allowed = !recogniser.is_stopped() && recogniser.validate_tokens(&[first])? == 1;
    let token = if is_allowed {
        first
    } else {
        let bias = recogniser.bias_or_eos(logits.dims1()?)?;
        let bias = Tensor::from_slice(&bias, bias.len(), logits.device())?;
        best(&(logits + bias)?)?
    };
    recogniser.consume_token(token)?;
    Ok(token)
}

#[test]
fn a_recogniser() -> Result<(), Box<dyn Error>> {
    let vocabulary = vocabulary();
    let (size, end) = (vocabulary.size(), vocabulary.eos());
    let handle = handle(&vocabulary)?;
    for seed in 0..8 {
        let mut recogniser = Recogniser::new(&handle, size, end)?;
        let (mut model, mut tokens) = (Model(seed), Vec::new());
        while !recogniser.is_stopped() {
            // A draft, all of which is taken back before the target samples for itself:
            // `sample_target_sequence_speculative`.
            let before = recogniser.clone();
            let mut drafted = 0;
            while drafted < 3 && !recogniser.is_stopped() {
                sample(&mut recogniser, &model.logits(size as usize + PADDING)?)?;
                drafted += 1;
            }
            recogniser.rollback(drafted)?;
            let logits = model.logits(size as usize + PADDING)?;
            let expected = sample(&mut before.clone(), &logits)?;
            let token = sample(&mut recogniser, &logits)?;
            assert_eq!(token, expected);
            tokens.push(token);
            assert!(tokens.len() < 200);
        }
        // After the end only the end token comes, and nothing is taken.
        assert_eq!(
            sample(&mut recogniser, &model.logits(size as usize)?)?,
            end[0]
        );
        check(&vocabulary, &tokens)?;
    }
    Ok(())
}
