//! How grammars are compiled.
//!
//! One type has every option that the result of a compile, or its cost, depends on. Keys of the
//! cache take all of its fields.

use std::sync::LazyLock;

use crate::limits::{Limits, Tuning};
use crate::setters::setters;

/// How to compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Bounds on what the compile may cost.
    pub limits: Limits,
    /// How counted repetitions and rules that are used in several places are compiled.
    pub tuning: Tuning,
    /// Threads to use; 0 for as many as there are cores. A thread of a pool of rayon's compiles
    /// alone, and so does a compiler without the cargo feature `threads`. The tables do not depend
    /// on it.
    pub threads: usize,
    /// Refuse grammars for which a matcher would need more than one stack. Default `false`, on
    /// every target: a second stack costs `DEPTH` frames of two bytes, and is known at compile
    /// time.
    pub deterministic: bool,
}

setters!(Options {
    limits: Limits,
    tuning: Tuning,
    threads: usize,
    deterministic: bool,
});

impl Options {
    /// The number of threads to use.
    pub(crate) fn thread_count(&self) -> usize {
        /// Asked for once: on Linux the answer is read from files, which takes as long as a whole
        /// stage of a small grammar.
        static CORES: LazyLock<usize> =
            LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        match self.threads {
            0 => *CORES,
            count => count,
        }
    }
}
