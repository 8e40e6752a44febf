//! What compiling real schemas costs, and what comes out: percentiles over a sample of MaskBench,
//! which is read line by line from the input.
//!
//! ```sh
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example maskbench -- [EVERY]
//! ```
//!
//! Takes every 12th schema, or as many as `EVERY` says. Each is compiled five times on one thread,
//! and the least processor time counts. Masks are filled at each token of the first two valid
//! instances of a schema, as far as they are sentences; the least time of four rounds of eight
//! counts. The hash is that of all tables.

use maskwright::{Grammar, Matcher, Vocabulary};
use maskwright_benches::percentiles::Percentiles;
use maskwright_benches::{tokenize, vocabulary};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{Compiler, Options};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::error::Error;
use std::hint::black_box;
use std::io::BufRead;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

const VOCABULARY: &str = "cl100k_base";
/// Frames of a stack: how deep an instance may nest.
const DEPTH: usize = 48;
/// Compiles of each schema.
const COMPILES: usize = 5;
/// Valid instances of each schema along which masks are filled.
const INSTANCES: usize = 2;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    schema: &'a RawValue,
    #[serde(borrow)]
    tests: Vec<Test<'a>>,
}

#[derive(Deserialize)]
struct Test<'a> {
    valid: bool,
    #[serde(borrow)]
    data: &'a RawValue,
}

fn main() -> Result<(), Box<dyn Error>> {
    let every: usize = std::env::args()
        .nth(1)
        .map_or(Ok(12), |every| every.parse())?;
    let vocabulary = vocabulary(VOCABULARY);
    let compiler = Compiler::new(&vocabulary)?;
    let packed = vocabulary.pack()?;
    let mut figures = Figures::default();
    for line in std::io::stdin().lock().lines().step_by(every.max(1)) {
        figures.add(&line?, &compiler, &packed)?;
    }
    figures.print();
    Ok(())
}

#[derive(Default)]
struct Figures {
    /// Milliseconds.
    compiles: Vec<f64>,
    bytes: Vec<f64>,
    /// Nanoseconds.
    fills: Vec<f64>,
    skipped: usize,
    hash: Xxh3,
}

impl Figures {
    fn add(
        &mut self,
        line: &str,
        compiler: &Compiler,
        packed: &[u8],
    ) -> Result<(), Box<dyn Error>> {
        let line: Line = serde_json::from_str(line)?;
        let options = Options::default().threads(1);
        let source = Source::new("schema.json", line.schema.get());
        let Ok(grammar) = json_schema::parse(&source, &Default::default()) else {
            self.skipped += 1;
            return Ok(());
        };
        let mut least = Duration::MAX;
        let mut tables = Vec::new();
        for _ in 0..COMPILES {
            let start = processor_time()?;
            let Ok(compiled) = compiler
                .with_options(options.clone())
                .compile(&grammar.grammar)
            else {
                self.skipped += 1;
                return Ok(());
            };
            least = least.min(processor_time()? - start);
            tables = compiled.into_tables();
        }
        self.compiles.push(least.as_secs_f64() * 1e3);
        self.bytes.push(tables.len() as f64);
        self.hash.update(&tables);
        let valid = line.tests.iter().filter(|test| test.valid);
        let texts = valid.take(INSTANCES).map(|test| test.data.get());
        let texts: Vec<Vec<u32>> = texts.map(|text| tokenize(VOCABULARY, text)).collect();
        let grammar = Grammar::load(&tables)?.with_vocabulary(Vocabulary::load(packed)?)?;
        match grammar.max_stacks() {
            ..=1 => self.fill::<1>(&grammar, &texts),
            2 => self.fill::<2>(&grammar, &texts),
            _ => self.fill::<64>(&grammar, &texts),
        }
    }

    fn fill<const STACKS: usize>(
        &mut self,
        grammar: &Grammar<'_>,
        texts: &[Vec<u32>],
    ) -> Result<(), Box<dyn Error>> {
        let mut words = vec![0; grammar.mask_words()];
        let start = Matcher::<DEPTH, STACKS>::new(grammar)?;
        for text in texts {
            let mut matcher = start;
            for &token in text {
                self.fills.push(least_fill(&matcher, &mut words)?);
                if matcher.accept_token(token).is_err() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn print(self) {
        let count = self.compiles.len();
        println!("{count} schemas, {} not compiled", self.skipped);
        let Percentiles { p50, p90, p99, max } = Percentiles::of(self.compiles.clone());
        let sum: f64 = self.compiles.iter().sum();
        println!(
            "compile, ms  p50 {p50:.2}  p90 {p90:.2}  p99 {p99:.2}  max {max:.2}  sum {sum:.1}"
        );
        let Percentiles { p50, p90, p99, max } = Percentiles::of(self.bytes);
        println!("tables, bytes  p50 {p50}  p90 {p90}  p99 {p99}  max {max}");
        let Percentiles { p50, p90, p99, .. } = Percentiles::of(self.fills);
        println!("mask, ns  p50 {p50:.0}  p90 {p90:.0}  p99 {p99:.0}");
        println!("hash {:016x}", self.hash.digest());
    }
}

/// The least time of a mask, in nanoseconds.
fn least_fill<const STACKS: usize>(
    matcher: &Matcher<'_, DEPTH, STACKS>,
    words: &mut [u32],
) -> Result<f64, Box<dyn Error>> {
    let mut least = f64::MAX;
    for _ in 0..4 {
        let start = Instant::now();
        for _ in 0..8 {
            black_box(matcher).mask().fill(black_box(words))?;
        }
        least = least.min(start.elapsed().as_nanos() as f64 / 8.0);
    }
    Ok(least)
}

/// The time that all threads of this process have run.
fn processor_time() -> Result<Duration, Box<dyn Error>> {
    Ok(Duration::try_from(clock_gettime(ClockId::ProcessCPUTime))?)
}
