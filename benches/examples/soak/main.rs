//! A server for some time: requests with tools come and go, at a fixed limit of memory. Reads
//! MaskBench line by line from the input.
//!
//! ```sh
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example soak -- [SECONDS [RATE [BYTES [HOSTILE [KIND]]]]]
//! zcat ../shared/data/maskbench.jsonl.gz | cargo run --release -p maskwright-benches --example soak -- burst [REQUESTS [TOOLS]]
//! ```
//!
//! Requests arrive at random (exponential times between them, RATE a second), each with 1 to 128
//! tools (small sets more often); a tool is chosen with a probability that falls as one over its
//! rank (Zipf). One thread decodes up to 64 of them side by side, a token each every 10 ms, as a
//! model would; the registry has one more and keeps BYTES of tables. Each text is free text and a
//! call of one of the tools. Arguments that the tool's schema does not allow must not be accepted
//! to the end. Those that it allows are written with their keys sorted; where the schema asks for
//! another order they are refused, and printed.
//!
//! HOSTILE is the share of all requests that are made to take long, a fifth unless told otherwise;
//! other threads send those: see [`hostile`]. Each compile has two seconds then. With KIND they are
//! those in whose name it stands.
//!
//! A request that arrives while 64 are decoded waits; the time to its first mask is told from when
//! it arrived, too.
//!
//! `burst` measures what compiling costs those who decode: see [`burst`]. With
//! `fair [SLOW [THREADS]]` in its place it measures what the slow requests of one client cost
//! others: see [`fair`].

mod burst;
mod calls;
mod fair;
mod figures;
mod hostile;

use calls::{Call, Ranks, calls};
use figures::{memory, peak, print};
use hostile::{CLIENTS, Due, Hostile};
use maskwright::{MaskPool, PoolSlot};
use maskwright_benches::random::Random;
use maskwright_benches::tools::{Tool, request, tools};
use maskwright_benches::vocabulary;
use maskwright_compiler::Compiler;
use maskwright_compiler::link::registry::{Registry, RegistryOptions, ServedMatcher};
use std::collections::VecDeque;
use std::error::Error;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const VOCABULARY: &str = "cl100k_base";
/// Sequences that are decoded side by side.
const SLOTS: usize = 64;
/// The time of a model's step.
const STEP: Duration = Duration::from_millis(10);
/// The time of a compile, and of reading a request.
const TIME: Duration = Duration::from_secs(2);
/// Tools of a request, at most.
const MOST_TOOLS: f64 = 128.0;

/// A sequence that is decoded.
struct Sequence<'c> {
    matcher: ServedMatcher,
    call: &'c Call,
    at: usize,
}

/// What is counted, and times in microseconds.
#[derive(Default)]
struct Figures {
    /// From when a request was taken up to its first mask.
    first: Vec<f64>,
    /// From when it arrived.
    arrived: Vec<f64>,
    steps: Vec<f64>,
    /// Steps in which a decoding thread compiled a piece.
    compiled: Vec<f64>,
    /// The most requests that waited.
    waited: usize,
    /// Memory of the process in MB after each minute.
    memory: Vec<f64>,
    refused: u64,
    /// Requests whose time was over by the clock before they had a mask, as where other programs
    /// have the processors.
    late: u64,
    /// Masks that were an error, as where a piece that was needed was not compiled in its time.
    no_mask: u64,
    wrong: u64,
    other_order: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let is_burst = arguments.next_if_eq("burst").is_some();
    let is_fair = arguments.next_if_eq("fair").is_some();
    let kind = std::env::args().nth(5);
    let kinds = hostile::kinds(&kind.unwrap_or_default());
    let mut numbers = arguments.take(4).map(|number| number.parse::<f64>());
    let mut number =
        |usual: f64| Ok::<_, Box<dyn Error>>(numbers.next().transpose()?.unwrap_or(usual));
    let mut tools = tools(std::io::stdin().lock())?;
    tools.retain(|tool| !tool.valid.is_empty());
    if is_burst {
        let (requests, count) = (number(64.0)? as usize, number(64.0)? as usize);
        return burst::run(&tools, requests, count);
    }
    if is_fair {
        let (slow, threads) = (number(100.0)? as usize, number(64.0)? as usize);
        return fair::run(&tools, slow, threads);
    }
    let (seconds, rate, bytes) = (number(3600.0)?, number(20.0)?, number(2e6)?);
    let share = number(0.2)?.clamp(0.0, 0.9);
    let calls = calls(&tools)?;
    let compiler = Compiler::new(&vocabulary(VOCABULARY))?;
    let options = RegistryOptions::default().threads(1).time(TIME);
    let registry = Registry::new(&compiler, options.bytes(bytes as usize))?;
    registry.get(&request(&tools[..1]))?.wait()?;
    println!(
        "memory of the process before the first request, MB: {:.1}",
        memory()
    );

    let mut figures = Figures::default();
    let (due, hostile) = (Due::default(), Mutex::new(Hostile::default()));
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (registry, kinds, due, hostile) = (&registry, &kinds, &due, &hostile);
            scope.spawn(move || hostile::client((registry, kinds), client as u64, due, hostile));
        }
        let hostile_rate = rate * share / (1.0 - share);
        let times = (seconds, rate, hostile_rate);
        let served = serve(&registry, (&tools, &calls), times, &due, &mut figures);
        due.close();
        served
    })?;
    println!(
        "{} requests of {} tools in {seconds} s, {rate} a second; at most {bytes:.0} bytes of tables",
        figures.first.len(),
        tools.len()
    );
    figures.print();
    println!(
        "hostile requests that were not sent for want of a client: {}",
        due.waiting()
    );
    let hostile = hostile
        .into_inner()
        .unwrap_or_else(|error| error.into_inner());
    hostile.print(TIME);
    let metrics = registry.metrics();
    println!("{metrics:?}");
    println!(
        "the longest compile, by the clock, past the limit, ms: {:.1}",
        metrics.longest_compile.saturating_sub(TIME).as_secs_f64() * 1e3
    );
    println!(
        "memory of the process, MB: at most {:.1}, now {:.1}",
        peak(),
        memory()
    );
    drop(registry);
    println!("memory without the registry, MB: {:.1}", memory());
    drop(compiler);
    println!("memory without the vocabulary, MB: {:.1}", memory());
    Ok(())
}

impl Figures {
    fn print(self) {
        let (refused, other_order) = (self.refused, self.other_order);
        println!(
            "calls refused: {refused}, {other_order} of them for the order of their keys; wrong: {}",
            self.wrong
        );
        println!(
            "requests whose time was over by the clock: {}; masks that were an error: {}",
            self.late, self.no_mask
        );
        print("from asking to the first mask, µs", self.first);
        print("from arrival to the first mask, µs", self.arrived);
        println!("requests that waited, at most: {}", self.waited);
        print("a sequence's step, µs", self.steps);
        print("those of them that compiled, µs", self.compiled);
        println!("memory of the process each minute, MB: {:.1?}", self.memory);
    }
}

/// Serves for some seconds.
fn serve(
    registry: &Registry,
    (tools, calls): (&[Tool], &[Vec<Call>]),
    (seconds, rate, hostile): (f64, f64, f64),
    due: &Due,
    figures: &mut Figures,
) -> Result<(), Box<dyn Error>> {
    let words = registry.vocabulary().view().size().div_ceil(32) as usize;
    let mut pool = new_pool(SLOTS, words);
    let ranks = Ranks::new(tools.len());
    let mut random = Random(1);
    let mut live: Vec<Sequence> = Vec::new();
    let mut waiting: VecDeque<Duration> = VecDeque::new();
    let (start, end) = (Instant::now(), Duration::from_secs_f64(seconds));
    let (mut next, mut next_hostile) = (Duration::ZERO, Duration::ZERO);
    while start.elapsed() < end {
        let step = Instant::now();
        while hostile > 0.0 && next_hostile < start.elapsed() {
            due.add();
            next_hostile += Duration::from_secs_f64(-(1.0 - random.unit()).ln() / hostile);
        }
        while next < start.elapsed() {
            waiting.push_back(next);
            next += Duration::from_secs_f64(-(1.0 - random.unit()).ln() / rate);
        }
        figures.waited = figures.waited.max(waiting.len());
        while live.len() < SLOTS
            && let Some(arrived) = waiting.pop_front()
        {
            let of = (tools, calls);
            live.extend(begin(registry, of, &ranks, &mut random, figures)?);
            let took = start.elapsed().saturating_sub(arrived);
            figures.arrived.push(took.as_secs_f64() * 1e6);
        }
        pool.begin_step();
        live.retain_mut(|sequence| sequence.step(registry, &mut pool, figures));
        if start.elapsed() > Duration::from_secs(60) * figures.memory.len() as u32 {
            figures.memory.push(memory());
        }
        std::thread::sleep(STEP.saturating_sub(step.elapsed()));
    }
    figures.memory.push(memory());
    Ok(())
}

/// A pool of so many rows.
fn new_pool(rows: usize, words: usize) -> MaskPool<Vec<u32>, Vec<PoolSlot>> {
    MaskPool::new(
        vec![0; rows * words],
        vec![PoolSlot::default(); rows],
        words,
    )
}

/// Takes a request, and makes its first mask; none if its time is over before that.
fn begin<'c>(
    registry: &Registry,
    (tools, calls): (&[Tool], &'c [Vec<Call>]),
    ranks: &Ranks,
    random: &mut Random,
    figures: &mut Figures,
) -> Result<Option<Sequence<'c>>, Box<dyn Error>> {
    let count = MOST_TOOLS.powf(random.unit()).round() as usize;
    let mut chosen: Vec<usize> = (0..count).map(|_| ranks.pick(random.unit())).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let set: Vec<Tool> = chosen.iter().map(|&at| tools[at].clone()).collect();
    let called = &calls[chosen[random.below(chosen.len())]];
    let request = request(&set);
    let mut row = vec![0; registry.vocabulary().view().size().div_ceil(32) as usize];
    let asked = Instant::now();
    let matcher = registry.get(&request).and_then(|handle| handle.matcher());
    let mut matcher = match matcher {
        Err(error) if error.message().contains("limit `time`") => {
            figures.late += 1;
            return Ok(None);
        }
        matcher => matcher?,
    };
    matcher.fill(&mut row)?;
    figures.first.push(asked.elapsed().as_secs_f64() * 1e6);
    let call = &called[random.below(called.len())];
    let at = 0;
    Ok(Some(Sequence { matcher, call, at }))
}

impl Sequence<'_> {
    /// Makes the mask and takes the next token; whether there is more to come.
    fn step(
        &mut self,
        registry: &Registry,
        pool: &mut MaskPool<Vec<u32>, Vec<PoolSlot>>,
        figures: &mut Figures,
    ) -> bool {
        let before = registry.metrics().at_once;
        let start = Instant::now();
        let token = self.call.tokens[self.at];
        let is_masked = match self.matcher.row_of(pool) {
            Ok(found) => Some(pool.row(found.row)[token as usize / 32] >> (token % 32) & 1 == 0),
            Err(error) => {
                figures.no_mask += 1;
                println!("no mask at token {}: {error}", self.at + 1);
                None
            }
        };
        let is_taken = self.matcher.accept_token(token).is_ok();
        let took = start.elapsed().as_secs_f64() * 1e6;
        figures.steps.push(took);
        if registry.metrics().at_once > before {
            figures.compiled.push(took);
        }
        self.at += 1;
        let is_over = !is_taken || self.at == self.call.tokens.len();
        if is_masked == Some(is_taken) || is_over && is_taken && !self.call.is_valid {
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
