//! docs/engines.md. The engines take minutes to build: `examples/candle` and `examples/mistral-rs`
//! are compiled with them, here their types are stand-ins with the methods that the blocks call.

use std::error::Error;

use crate::decoding::owned;
use maskwright::OwnedMatcher;
use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::vocabulary::Vocabulary;
use maskwright_compiler::{Compiler, GrammarText};

/// A row of logits.
struct Tensor(Vec<f32>);

enum Device {
    Cpu,
}

impl Tensor {
    fn new(row: Vec<f32>, _: &Device) -> Result<Tensor, Box<dyn Error>> {
        Ok(Tensor(row))
    }

    fn to_vec1(&self) -> Result<Vec<f32>, Box<dyn Error>> {
        Ok(self.0.clone())
    }
}

/// Chooses the first token that is not masked.
struct LogitsProcessor;

impl LogitsProcessor {
    fn sample(&mut self, logits: &Tensor) -> Result<u32, Box<dyn Error>> {
        let token = logits.0.iter().position(|logit| logit.is_finite());
        Ok(token.ok_or("every token is masked")? as u32)
    }
}

#[test]
fn candle() -> Result<(), Box<dyn Error>> {
    let mut matcher = OwnedMatcher::new(&owned("b+a?")?, 4)?;
    let (mut processor, logits) = (LogitsProcessor, Tensor(vec![0.0; 258]));
    for _ in 0..2 {
        block!("engines.candle");
    }
    assert!(matcher.is_complete());
    Ok(())
}

mod mistral_rs {
    use super::*;
    use maskwright_compiler::link::registry::Handle;
    use std::sync::Arc;

    type Processor = Box<dyn Fn(&[f32]) -> Vec<f32> + Send + Sync>;

    /// The signature of `examples/mistral-rs/src/processor.rs`.
    fn processor(handle: &Handle, _: u32) -> Result<Processor, maskwright_compiler::Error> {
        handle.matcher()?;
        Ok(Box::new(<[f32]>::to_vec))
    }

    /// A request, which keeps nothing.
    struct RequestBuilder;

    impl RequestBuilder {
        fn new() -> Self {
            RequestBuilder
        }

        fn add_message(self, _: &str, _: &str) -> Self {
            self
        }

        fn add_logits_processor(self, processor: Arc<Processor>) -> Self {
            assert_eq!(processor(&[1.0]), [1.0]);
            self
        }
    }

    #[test]
    #[allow(unused_variables)]
    fn a_processor() -> Result<(), Box<dyn Error>> {
        let vocabulary = Vocabulary::open("tokenizer.json")?;
        let registry = Registry::new(&Compiler::new(&vocabulary)?, RegistryOptions::default())?;
        let (schema, role, text) = (r#"{"type": "boolean"}"#, "user", "Is it?");
        block!("engines.mistral-rs");
        Ok(())
    }
}
