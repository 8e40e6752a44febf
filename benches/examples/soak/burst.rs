//! A burst of requests beside threads that decode.
//!
//! In: tools. Out: the times of steps while the registry has nothing to do, while it compiles the
//! tools of many requests that come at once, and afterwards, for some numbers of its threads. Two
//! threads decode 32 sequences each, all of whose tools are compiled. A step of a sequence is its
//! mask and its token. A round is a step of all sequences of a thread, from the moment for which it
//! was set: if the thread is kept from running, the round is late.

use super::calls::{Call, calls};
use super::figures::print;
use super::{STEP, VOCABULARY, new_pool};
use maskwright_benches::tools::{Tool, request};
use maskwright_benches::vocabulary;
use maskwright_compiler::Compiler;
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions};
use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Threads that decode, and the sequences of each.
const DECODING: usize = 2;
const SEQUENCES: usize = 32;
/// How long the registry has nothing to do, before and after.
const IDLE: Duration = Duration::from_secs(5);
/// How long a burst may take.
const BUSY: Duration = Duration::from_secs(60);

/// Before, during and after the burst.
const PHASES: [&str; 3] = ["idle", "busy", "idle again"];

/// Times in microseconds, by phase. A step that failed has no time.
#[derive(Default)]
struct Times {
    steps: [Vec<f64>; 3],
    rounds: [Vec<f64>; 3],
    failed: usize,
}

/// Measures bursts of so many requests with so many tools each.
pub fn run(tools: &[Tool], requests: usize, count: usize) -> Result<(), Box<dyn Error>> {
    let calls = calls(tools)?;
    let cores = std::thread::available_parallelism()?;
    println!("{cores} processors, {DECODING} threads decode {SEQUENCES} sequences each");
    let compiler = Compiler::new(&vocabulary(VOCABULARY))?;
    for threads in [1, 2, 4] {
        let options = RegistryOptions::default().threads(threads);
        let registry = Registry::new(&compiler, options)?;
        let handle = registry.get(&request(&tools[..SEQUENCES]))?;
        handle.wait()?;
        let took = burst(&registry, &handle, (tools, &calls), (requests, count))?;
        println!("threads of the registry: {threads}; {took}");
    }
    Ok(())
}

/// One burst; what became of it.
fn burst(
    registry: &Registry,
    handle: &Handle,
    (tools, calls): (&[Tool], &[Vec<Call>]),
    (requests, count): (usize, usize),
) -> Result<String, Box<dyn Error>> {
    let (phase, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let times = Mutex::new(Times::default());
    let before = registry.metrics();
    let words = registry.vocabulary().view().size().div_ceil(32) as usize;
    let took = std::thread::scope(|scope| -> Result<_, Box<dyn Error>> {
        for thread in 0..DECODING {
            let (phase, is_over, times) = (&phase, &is_over, &times);
            scope.spawn(move || {
                let own = decode((handle, words), &calls[..SEQUENCES], thread, phase, is_over);
                let mut times = times.lock().unwrap_or_else(|error| error.into_inner());
                for at in 0..PHASES.len() {
                    times.steps[at].extend(&own.steps[at]);
                    times.rounds[at].extend(&own.rounds[at]);
                }
                times.failed += own.failed;
            });
        }
        std::thread::sleep(IDLE);
        phase.store(1, Ordering::Relaxed);
        let start = Instant::now();
        let asked = ask(registry, tools, requests, count)
            .inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
        let got = start.elapsed();
        while asked.iter().any(|handle| !handle.is_ready()) && start.elapsed() < BUSY {
            std::thread::sleep(Duration::from_millis(5));
        }
        let all = start.elapsed();
        phase.store(2, Ordering::Relaxed);
        drop(asked);
        std::thread::sleep(IDLE);
        is_over.store(true, Ordering::Relaxed);
        Ok((got, all))
    })?;
    let times = times
        .into_inner()
        .unwrap_or_else(|error| error.into_inner());
    for (of, all) in [
        ("a sequence's step", times.steps),
        ("a round", times.rounds),
    ] {
        for (name, values) in PHASES.iter().zip(all) {
            print(&format!("{of}, registry {name}, µs"), values);
        }
    }
    let compiled = registry.metrics().compiled - before.compiled;
    let (failed, (got, all)) = (times.failed, took);
    Ok(format!(
        "{requests} requests taken in {got:.1?}, {compiled} pieces compiled in {all:.1?}; steps that failed: {failed}"
    ))
}

/// Asks for tools that no request has had, and makes the first mask of each request.
fn ask(
    registry: &Registry,
    tools: &[Tool],
    requests: usize,
    count: usize,
) -> Result<Vec<Handle>, Box<dyn Error>> {
    let mut row = vec![0; registry.vocabulary().view().size().div_ceil(32) as usize];
    let get = |at: usize| {
        let set = (0..count).map(|tool| tools[(at * count + tool) % tools.len()].of_request(at));
        let handle = registry.get(&request(&set.collect::<Vec<_>>()))?;
        handle.matcher()?.fill(&mut row)?;
        Ok(handle)
    };
    (0..requests).map(get).collect()
}

/// Decodes calls over and over until it is told to stop.
fn decode(
    (handle, words): (&Handle, usize),
    calls: &[Vec<Call>],
    thread: usize,
    phase: &AtomicUsize,
    is_over: &AtomicBool,
) -> Times {
    let valid = |calls: &'_ Vec<Call>| calls.iter().position(|call| call.is_valid);
    let calls = calls.iter().filter_map(|of| of.get(valid(of)?));
    let calls: Vec<&Call> = calls.collect();
    let mut pool = new_pool(SEQUENCES, words);
    let mut live: Vec<_> = (0..SEQUENCES)
        .map(|at| (handle.matcher().ok(), (thread + at) % calls.len(), 0))
        .collect();
    let mut times = Times::default();
    let mut due = Instant::now();
    while !is_over.load(Ordering::Relaxed) {
        let at = phase.load(Ordering::Relaxed);
        pool.begin_step();
        for (matcher, call, token) in &mut live {
            let Some(&id) = calls[*call].tokens.get(*token) else {
                (*matcher, *call, *token) = (handle.matcher().ok(), (*call + 1) % calls.len(), 0);
                continue;
            };
            let start = Instant::now();
            let taken = matcher.as_mut().is_some_and(|matcher| {
                matcher.row_of(&mut pool).is_ok() && matcher.accept_token(id).is_ok()
            });
            let took = start.elapsed().as_secs_f64() * 1e6;
            if taken {
                times.steps[at].push(took);
                *token += 1;
            } else {
                // The sequence goes on with the next call.
                times.failed += 1;
                *token = usize::MAX;
            }
        }
        times.rounds[at].push(due.elapsed().as_secs_f64() * 1e6);
        due += STEP;
        match due.checked_duration_since(Instant::now()) {
            Some(rest) => std::thread::sleep(rest),
            // Rounds that were missed are not made up for.
            None => due = Instant::now(),
        }
    }
    times
}
