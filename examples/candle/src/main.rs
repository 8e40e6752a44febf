//! Asks a model for a person, as JSON by a schema. The vocabulary, the tokenizer and the weights
//! are all in the GGUF.

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};

use candle_core::quantized::gguf_file::Content;
use candle_core::quantized::tokenizer::TokenizerFromGguf;
use candle_core::{Device, Tensor};
use candle_example::Constrained;
use candle_transformers::generation::{LogitsProcessor, Sampling};
use candle_transformers::models::quantized_llama::ModelWeights;
use maskwright::{OwnedGrammar, OwnedMatcher, OwnedVocabulary};
use maskwright_compiler::syntax::json_schema::{SchemaOptions, Whitespace};
use maskwright_compiler::vocabulary::VocabularyFile;
use maskwright_compiler::{Compiler, GrammarText};
use tokenizers::Tokenizer;

/// How deep the text may nest.
const DEPTH: usize = 16;
/// The longest text, in tokens.
const MOST: usize = 200;
/// The most tokens that are taken at once without asking the model.
const MOST_FORCED: usize = 32;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("give the path of a GGUF, of the architecture of Llama")?;
    let question = arguments.next();
    let question = question
        .as_deref()
        .unwrap_or("Invent a person who bakes bread.");

    let grammar = grammar(&path)?;
    let mut file = File::open(&path)?;
    let content = Content::read(&mut file)?;
    let tokenizer = Tokenizer::from_gguf(&content)?;
    let mut model = ModelWeights::from_gguf(content, &mut file, &Device::Cpu)?;

    let sampling = Sampling::TopP {
        p: 0.9,
        temperature: 0.7,
    };
    let processor = LogitsProcessor::from_sampling(7, sampling);
    let mut constrained = Constrained::new(processor, OwnedMatcher::new(&grammar, DEPTH)?);

    let prompt =
        format!("<|im_start|>user\n{question} Answer in JSON.<|im_end|>\n<|im_start|>assistant\n");
    let prompt = (tokenizer.encode(prompt, false)).map_err(|error| error.to_string())?;
    // Tokens that the model has not seen yet, and how many it has.
    let (mut waiting, mut seen) = (prompt.get_ids().to_vec(), 0);
    let vocabulary = grammar
        .vocabulary()
        .ok_or("the grammar has no vocabulary")?;
    let (mut chosen, mut forced, mut in_model) = (0, 0, Duration::ZERO);
    let start = Instant::now();
    while !constrained.is_finished() && chosen + forced < MOST {
        let before = Instant::now();
        let input = Tensor::new(waiting.as_slice(), &Device::Cpu)?.unsqueeze(0)?;
        let logits = model.forward(&input, seen)?.squeeze(0)?;
        in_model += before.elapsed();
        seen += waiting.len();
        waiting = vec![constrained.sample(&logits)?];
        chosen += 1;
        let given = constrained.forced(MOST_FORCED)?;
        forced += given.len();
        waiting.extend(given);
        for &token in &waiting {
            std::io::stdout().write_all(vocabulary.view().bytes(token))?;
        }
        std::io::stdout().flush()?;
    }
    println!();
    let rest = start.elapsed().saturating_sub(in_model);
    eprintln!(
        "{chosen} tokens chosen, {forced} given; {in_model:.1?} in the model, {rest:.1?} in masks, sampling and printing"
    );
    Ok(())
}

/// The schema of a person for the vocabulary of the model.
fn grammar(model: &str) -> Result<OwnedGrammar, Box<dyn Error>> {
    let vocabulary = VocabularyFile::read(model)?.vocabulary()?;
    let options = SchemaOptions::default().whitespace(Whitespace::Spaced);
    let schema = GrammarText::schema(include_str!("../person.json")).schema_options(options);
    let compiled = Compiler::new(&vocabulary)?.compile_text(&schema)?;
    let packed = OwnedVocabulary::load(vocabulary.pack()?)?;
    Ok(OwnedGrammar::load(compiled.into_tables())?.with_vocabulary(&packed)?)
}
