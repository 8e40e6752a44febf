//! A real model in llama.cpp that answers ten prompts with calls of tools and four with JSON, under
//! masks that were compiled ahead of time.
//!
//! `llama-cpp MODEL.gguf` prints answers as they come and does what the calls say;
//! `llama-cpp MODEL.gguf measure` compares ways to hold the model to a form, and writes
//! `RESULTS.md`.

mod act;
mod constraint;
mod decode;
mod measure;
mod prompts;
mod sampler;

use constraint::{Grammars, Jump, Task, Way};
use decode::Decoder;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::{LogOptions, send_logs_to_tracing};
use maskwright::calls::Part;
use sampler::Refused;
use std::env;
use std::error::Error;
use std::io::{Write, stdout};
use std::num::NonZeroU32;

// `TOOLS`, `TOOLS_FORMAT` and `PERSON`.
include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let path = arguments
        .first()
        .ok_or("usage: llama-cpp MODEL.gguf [measure]")?;
    let threads: i32 = env::var("THREADS").map_or(Ok(1), |text| text.parse())?;

    send_logs_to_tracing(LogOptions::default().with_logs_enabled(false));
    let backend = LlamaBackend::init()?;
    let model = LlamaModel::load_from_file(&backend, path, &LlamaModelParams::default())?;
    let parameters = LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(2048))
        .with_n_batch(1024)
        .with_n_threads(threads)
        .with_n_threads_batch(threads);
    let context = model.new_context(&backend, parameters)?;
    if model.n_vocab() as u32 != TOOLS.vocab_size() {
        return Err(
            "the grammars were compiled for another model: set MODEL and build again".into(),
        );
    }
    let mut decoder = Decoder::new(&model, context);
    let grammars = Grammars::new(&model)?;
    match arguments.get(1).map(String::as_str) {
        None => answer(&mut decoder, &grammars),
        Some("measure") => measure::measure(&mut decoder, &grammars, threads),
        Some(other) => Err(format!("what is `{other}`? There is `measure`").into()),
    }
}

/// The way to take in a program: what the grammar decides, the model is not asked.
const BEST: Way = Way::Maskwright {
    refused: Refused::Drop,
    pool: true,
    jump: Jump::Bytes,
};

/// Prints the answers to all prompts as they come, and does what they say.
fn answer(decoder: &mut Decoder<'_>, grammars: &Grammars) -> Result<(), Box<dyn Error>> {
    let mut write = |piece: &[u8]| {
        // A closed pipe is no matter of the model's.
        let _ = stdout().write_all(piece).and_then(|()| stdout().flush());
    };
    let mut seed = 0;
    let mut ask = |task, setting, user: &str| {
        println!("\n> {user}");
        seed += 1;
        let constraint = grammars.begin(task, BEST)?;
        let output = decoder.decode((setting, user), constraint, Jump::Bytes, seed, &mut write)?;
        println!();
        Ok::<_, Box<dyn Error>>(String::from_utf8(output.text)?)
    };
    for (user, _) in prompts::TOOLS {
        let text = ask(Task::Tools, &prompts::TOOLS_SETTING, user)?;
        for part in TOOLS_FORMAT.parts(&text) {
            match part {
                Part::Call(call) => {
                    let arguments = TOOLS_FORMAT.to_json(&call)?;
                    println!("  => {}", act::act(call.name(), &arguments)?);
                }
                other => return Err(format!("no call: {other:?}").into()),
            }
        }
    }
    for user in prompts::PEOPLE {
        let text = ask(Task::Person, &prompts::PERSON_SETTING, user)?;
        println!("  => {}", act::judge_person(&text)?);
    }
    Ok(())
}
