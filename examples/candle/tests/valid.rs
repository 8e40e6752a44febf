//! Whatever a model says, and however it is sampled: each token is allowed, and the text is one of
//! the schema.

use std::error::Error;

use candle_core::{DType, Device, Tensor};
use candle_example::Constrained;
use candle_nn::{VarBuilder, VarMap};
use candle_transformers::generation::{LogitsProcessor, Sampling};
use candle_transformers::models::llama::{Cache, Config, Llama};
use maskwright::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_compiler::{Compiler, GrammarText, vocabulary::Vocabulary};
use serde_json::Value;

const PADDING: usize = 7;

/// Single bytes, some words and an end token.
fn vocabulary() -> Vocabulary {
    let words = [
        "\"name\"", "\": \"", "true", "false", "English", "12", "{\"", "], \"",
    ];
    let words = words.map(|word| word.as_bytes().to_vec());
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).chain(words).collect();
    let eos = tokens.len() as u32;
    tokens.push(Vec::new());
    Vocabulary::from_tokens(tokens, vec![eos])
}

fn grammar(vocabulary: &Vocabulary) -> Result<OwnedGrammar, Box<dyn Error>> {
    let schema = GrammarText::schema(include_str!("../person.json"));
    let tables = Compiler::new(vocabulary)?
        .compile_text(&schema)?
        .into_tables();
    let packed = OwnedVocabulary::load(vocabulary.pack()?)?;
    Ok(OwnedGrammar::load(tables)?.with_vocabulary(&packed)?)
}

/// Llama of candle-transformers with random weights, and rows of logits that are longer than the
/// vocabulary.
fn model(size: usize) -> Result<(Llama, Cache), Box<dyn Error>> {
    let config = Config {
        hidden_size: 32,
        intermediate_size: 64,
        vocab_size: size + PADDING,
        num_hidden_layers: 2,
        num_attention_heads: 4,
        num_key_value_heads: 2,
        use_flash_attn: false,
        rms_norm_eps: 1e-5,
        rope_theta: 10_000.0,
        bos_token_id: None,
        eos_token_id: None,
        rope_scaling: None,
        max_position_embeddings: 1_024,
        tie_word_embeddings: false,
    };
    let weights = VarMap::new();
    let builder = VarBuilder::from_varmap(&weights, DType::F32, &Device::Cpu);
    let cache = Cache::new(true, DType::F32, &config, &Device::Cpu)?;
    Ok((Llama::load(builder, &config)?, cache))
}

#[test]
fn every_text_is_one_of_the_schema() -> Result<(), Box<dyn Error>> {
    let temperature = 1.5;
    let ways = [
        Sampling::ArgMax,
        Sampling::All { temperature },
        Sampling::TopK { k: 3, temperature },
        Sampling::TopP {
            p: 0.8,
            temperature,
        },
        Sampling::TopKThenTopP {
            k: 20,
            p: 0.5,
            temperature,
        },
        Sampling::GumbelSoftmax { temperature },
    ];
    let vocabulary = vocabulary();
    let grammar = grammar(&vocabulary)?;
    for (seed, sampling) in ways.into_iter().enumerate() {
        for jump in [false, true] {
            let (model, mut cache) = model(vocabulary.size() as usize)?;
            let processor = LogitsProcessor::from_sampling(seed as u64, sampling.clone());
            let mut constrained = Constrained::new(processor, OwnedMatcher::new(&grammar, 8)?);
            let mut judge = OwnedMatcher::new(&grammar, 8)?;
            let (mut waiting, mut seen, mut text) = (vec![0u32], 0, Vec::new());
            while !constrained.is_finished() {
                let input = Tensor::new(waiting.as_slice(), &Device::Cpu)?.unsqueeze(0)?;
                let logits = model.forward(&input, seen, &mut cache)?.squeeze(0)?;
                seen += waiting.len();
                waiting = vec![constrained.sample(&logits)?];
                if jump {
                    waiting.extend(constrained.forced(8)?);
                }
                for &token in &waiting {
                    judge.accept_token(token)?;
                    text.extend_from_slice(vocabulary.bytes(token));
                }
                // The schema bounds its texts.
                assert!(text.len() < 900, "{sampling:?}");
            }
            assert!(judge.is_finished());
            let person: Value = serde_json::from_slice(&text)?;
            assert!(
                person["age"].as_u64().is_some_and(|age| age <= 130),
                "{sampling:?}"
            );
            assert!(
                constrained
                    .sample(&Tensor::zeros(3, DType::F32, &Device::Cpu)?)
                    .is_err()
            );
        }
    }
    Ok(())
}
