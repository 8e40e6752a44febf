//! A server for some time: requests with tools come and go, at a fixed limit of memory. Reads MaskBench line by line from the input.
//!
//! ```sh
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example soak -- [SECONDS [RATE [BYTES]]]
//! ```
//!
//! Requests arrive at random (exponential times between them, RATE a second), each with 1 to 128 tools (small sets more often); a tool is chosen with a probability that falls as one over its rank
//! (Zipf). One thread decodes up to 64 of them side by side, a token each every 10 ms, as a model would; the registry has one more and keeps BYTES of tables. Each text is free text and a call
//! of one of the tools. Arguments that the tool's schema does not allow must not be accepted to the end. Those that it allows are written with their keys sorted; where the schema asks for another
//! order they are refused, and printed.

use maskwright::{MaskPool, PoolSlot};
use maskwright_benches::random::Random;
use maskwright_benches::tools::{Tool, request, tools};
use maskwright_benches::vocabulary;
use maskwright_compiler::Compiler;
use maskwright_compiler::link::registry::{Registry, RegistryOptions, ServedMatcher};
use std::error::Error;
use std::time::{Duration, Instant};

const VOCABULARY: &str = "cl100k_base";
/// Sequences that are decoded side by side.
const SLOTS: usize = 64;
/// The time of a model's step.
const STEP: Duration = Duration::from_millis(10);
/// Tools of a request, at most.
const MOST_TOOLS: f64 = 128.0;

/// A call, and whether the tool's schema allows its arguments.
struct Call {
    text: String,
    tokens: Vec<u32>,
    is_valid: bool,
}

/// A sequence that is decoded.
struct Sequence<'c> {
    matcher: ServedMatcher,
    call: &'c Call,
    at: usize,
}

/// What is counted, and times in microseconds.
#[derive(Default)]
struct Figures {
    first: Vec<f64>,
    steps: Vec<f64>,
    refused: u64,
    wrong: u64,
    other_order: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<f64>());
    let seconds = numbers.next().transpose()?.unwrap_or(3600.0);
    let rate = numbers.next().transpose()?.unwrap_or(20.0);
    let bytes = numbers.next().transpose()?.unwrap_or(2e6);
    let mut tools = tools(std::io::stdin().lock())?;
    tools.retain(|tool| !tool.valid.is_empty());
    let calls = calls(&tools)?;
    let compiler = Compiler::new(&vocabulary(VOCABULARY))?;
    let options = RegistryOptions::default().threads(1).bytes(bytes as usize);
    let registry = Registry::new(&compiler, options)?;
    registry.get(&request(&tools[..1]))?.wait()?;

    let mut figures = Figures::default();
    let (before, after) = serve(&registry, (&tools, &calls), (seconds, rate), &mut figures)?;
    let metrics = registry.metrics();
    println!(
        "{} requests of {} tools in {seconds} s, {rate} a second; at most {bytes:.0} bytes of tables",
        figures.first.len(),
        tools.len()
    );
    println!(
        "calls refused: {}, {} of them for the order of their keys; wrong: {}",
        figures.refused, figures.other_order, figures.wrong
    );
    print("time to the first mask, µs", figures.first);
    print("a sequence's step, µs", figures.steps);
    println!(
        "memory of the process, MB: {before:.1} after a tenth of the time, {after:.1} at the end"
    );
    println!("{metrics:?}");
    Ok(())
}

/// Serves for some seconds; the memory of the process in MB, after a tenth of the time and at the end.
fn serve(
    registry: &Registry,
    (tools, calls): (&[Tool], &[Vec<Call>]),
    (seconds, rate): (f64, f64),
    figures: &mut Figures,
) -> Result<(f64, f64), Box<dyn Error>> {
    let words = registry.vocabulary().view().size().div_ceil(32) as usize;
    let mut pool = MaskPool::new(
        vec![0; SLOTS * words],
        vec![PoolSlot::default(); SLOTS],
        words,
    );
    let ranks = Ranks::new(tools.len());
    let mut random = Random(1);
    let mut live: Vec<Sequence> = Vec::new();
    let (start, end) = (Instant::now(), Duration::from_secs_f64(seconds));
    let (mut next, mut before) = (Duration::ZERO, None);
    while start.elapsed() < end {
        let step = Instant::now();
        while next < start.elapsed() && live.len() < SLOTS {
            next += Duration::from_secs_f64(-(1.0 - random.unit()).ln() / rate);
            live.push(begin(
                registry,
                (tools, calls),
                &ranks,
                &mut random,
                figures,
            )?);
        }
        pool.begin_step();
        live.retain_mut(|sequence| sequence.step(&mut pool, figures));
        if start.elapsed() > end / 10 {
            before.get_or_insert_with(memory);
        }
        std::thread::sleep(STEP.saturating_sub(step.elapsed()));
    }
    Ok((before.unwrap_or_default(), memory()))
}

/// Takes a request, and makes its first mask.
fn begin<'c>(
    registry: &Registry,
    (tools, calls): (&[Tool], &'c [Vec<Call>]),
    ranks: &Ranks,
    random: &mut Random,
    figures: &mut Figures,
) -> Result<Sequence<'c>, Box<dyn Error>> {
    let count = MOST_TOOLS.powf(random.unit()).round() as usize;
    let mut chosen: Vec<usize> = (0..count).map(|_| ranks.pick(random.unit())).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let set: Vec<Tool> = chosen.iter().map(|&at| tools[at].clone()).collect();
    let called = &calls[chosen[random.below(chosen.len())]];
    let request = request(&set);
    let mut row = vec![0; registry.vocabulary().view().size().div_ceil(32) as usize];
    let asked = Instant::now();
    let mut matcher = registry.get(&request)?.matcher()?;
    matcher.fill(&mut row)?;
    figures.first.push(asked.elapsed().as_secs_f64() * 1e6);
    let call = &called[random.below(called.len())];
    let at = 0;
    Ok(Sequence { matcher, call, at })
}

impl Sequence<'_> {
    /// Makes the mask and takes the next token; whether there is more to come.
    fn step(
        &mut self,
        pool: &mut MaskPool<Vec<u32>, Vec<PoolSlot>>,
        figures: &mut Figures,
    ) -> bool {
        let start = Instant::now();
        let token = self.call.tokens[self.at];
        let is_masked = match self.matcher.row_of(pool) {
            Ok(found) => pool.row(found.row)[token as usize / 32] >> (token % 32) & 1 == 0,
            Err(_) => true,
        };
        let is_taken = self.matcher.accept_token(token).is_ok();
        figures.steps.push(start.elapsed().as_secs_f64() * 1e6);
        self.at += 1;
        let is_over = !is_taken || self.at == self.call.tokens.len();
        if is_masked == is_taken || is_over && is_taken && !self.call.is_valid {
            figures.wrong += 1;
            println!("wrong at token {} of {}", self.at, self.call.text);
        }
        if !is_taken && self.call.is_valid {
            figures.other_order += 1;
            println!("in another order: {}", self.call.text);
        }
        figures.refused += u64::from(!is_taken);
        !is_over
    }
}

/// The calls of each tool. A tool without arguments is called with none.
fn calls(tools: &[Tool]) -> Result<Vec<Vec<Call>>, Box<dyn Error>> {
    let encoder = tiktoken_rs::cl100k_base()?;
    let of = |tool: &Tool| {
        let write = |arguments: &String, is_valid| {
            let text = format!(
                "I look it up.\n<tool_call>\n{{\"name\": \"{}\", \"arguments\": {arguments}}}\n</tool_call>",
                tool.name
            );
            let tokens = encoder.encode_ordinary(&text);
            Call {
                text,
                tokens,
                is_valid,
            }
        };
        let valid = tool.valid.iter().map(|arguments| write(arguments, true));
        let invalid = tool.invalid.iter().map(|arguments| write(arguments, false));
        valid.chain(invalid).collect()
    };
    Ok(tools.iter().map(of).collect())
}

/// Picks ranks with probabilities that fall as one over the rank.
struct Ranks {
    sums: Vec<f64>,
}

impl Ranks {
    fn new(count: usize) -> Self {
        let mut sum = 0.0;
        let sums = (1..=count).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Ranks {
            sums: sums.collect(),
        }
    }

    fn pick(&self, unit: f64) -> usize {
        let total = self.sums.last().copied().unwrap_or_default();
        let at = self.sums.partition_point(|&sum| sum <= unit * total);
        at.min(self.sums.len().saturating_sub(1))
    }
}

/// The resident memory of the process in MB, where the system tells.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1e3
}

fn print(name: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = values.len().saturating_sub(1) as f64;
        values
            .get((last * share).round() as usize)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{name}: p50 {:.1}  p99 {:.1}  p99.9 {:.1}  max {:.1}, of {}",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        values.len()
    );
}
