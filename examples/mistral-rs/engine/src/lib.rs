//! The processor, as mistral.rs itself takes it.
//!
//! In: a handle of a registry. Out: what a request of mistral.rs takes as its logits processors.
//! What holds: this compiles, so that the adapter's types, and the version of candle that it has
//! its tensors from, are those of mistral.rs. `cargo check` is enough for that.

use std::sync::Arc;

use maskwright_compiler::Error;
use maskwright_compiler::link::registry::Handle;
use mistral_rs_adapter::processor::processor;
use mistralrs_core::CustomLogitsProcessor;

/// The processors of a request whose answer is to follow a grammar.
///
/// # Errors
///
/// If the grammar was refused.
pub fn processors(
    handle: &Handle,
    vocabulary: u32,
) -> Result<Vec<Arc<dyn CustomLogitsProcessor>>, Error> {
    Ok(vec![Arc::new(processor(handle, vocabulary)?)])
}
