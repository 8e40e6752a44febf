//! The least time of several compiles, in whatever profile this is built with. Build scripts and
//! proc macros are unoptimised unless `profile.*.build-override` says otherwise; what that costs:
//!
//! ```sh
//! cargo run -p maskwright-benches --example compile_times -- [GRAMMAR] [RUNS]
//! ```

use maskwright_benches::{VOCABULARIES, grammar, vocabulary};
use maskwright_compiler::Compiler;
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "json".to_owned());
    let runs: u32 = arguments.next().map_or(Ok(10), |runs| runs.parse())?;
    let grammar = grammar(&name);
    for vocabulary_name in VOCABULARIES {
        let vocabulary = vocabulary(vocabulary_name);
        let begin = Instant::now();
        let compiler = Compiler::new(&vocabulary)?;
        let preparing = begin.elapsed();
        let mut least = Duration::MAX;
        for _ in 0..runs.max(1) {
            let begin = Instant::now();
            compiler.compile(&grammar)?;
            least = least.min(begin.elapsed());
        }
        println!(
            "{name}, {vocabulary_name}: {least:?} at least of {runs}; preparing the vocabulary {preparing:?}"
        );
    }
    Ok(())
}
