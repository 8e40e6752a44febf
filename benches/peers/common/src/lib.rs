//! What the engines have in common: the trait that each one stands behind, the task they are given,
//! and the walk that measures them. A program measures one engine on one grammar and one
//! vocabulary, then ends.
//!
//! In: `TASK.json VOCABULARY.bin MASKS.bin` as arguments. Out: [`Measured`] as JSON on the standard
//! output, and the masks of each step of the first valid texts as bitmaps in `MASKS.bin`.

pub mod measure;
pub mod memory;
pub mod task;

pub use measure::run;
pub use task::{
    Measured, SingleTool, Source, Steps, Task, Text, TextResult, Tools, Vocabulary, Written,
};

/// An engine with its vocabulary made ready.
pub trait Engine: Sized {
    /// What it makes of a grammar.
    type Compiled;

    /// Makes the vocabulary ready: once a process, before any grammar.
    fn new(vocabulary: &Vocabulary) -> Result<Self, String>;

    /// Forgets what earlier grammars left behind. Before every compile, not timed.
    fn forget(&mut self) {}

    /// Compiles a grammar as far as the engine does before the first mask.
    fn compile(&mut self, source: &Source) -> Result<Self::Compiled, String>;

    /// A walker at the beginning of a text.
    fn walker<'a>(
        &'a self,
        compiled: &'a mut Self::Compiled,
    ) -> Result<Box<dyn Walker + 'a>, String>;

    /// Bytes of what can be kept of a compiled grammar, if anything can.
    fn artifact(&self, compiled: &Self::Compiled) -> Option<usize>;

    /// Other figures, by name, over the tokens of valid texts.
    fn extras(&self, _compiled: &mut Self::Compiled, _texts: &[&[u32]]) -> Vec<(String, f64)> {
        Vec::new()
    }
}

/// One text being decoded.
pub trait Walker {
    /// Goes back to the beginning, keeping what the engine keeps between texts.
    fn reset(&mut self);

    /// Works the mask out, into a bitmap or whatever else the engine gives its callers. Timed.
    fn mask(&mut self) -> Result<(), String>;

    /// The last mask as a bitmap. Not timed.
    fn read(&self, words: &mut [u32]);

    /// Takes a token; false if the engine refuses it. Timed.
    fn accept(&mut self, token: u32) -> bool;

    /// Whether the text may end here.
    fn is_complete(&mut self) -> bool;
}
