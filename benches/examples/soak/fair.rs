//! What the slow requests of one client cost others.
//!
//! In: tools. Out: the times from a request to its first mask, with and without another client
//! whose requests wait to be compiled. Each request has one tool that no request has had.

use super::figures::print;
use super::hostile;
use super::{TIME, VOCABULARY};
use maskwright_benches::random::Random;
use maskwright_benches::tools::{Tool, request};
use maskwright_benches::vocabulary;
use maskwright_compiler::Compiler;
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions};
use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Requests of all threads together.
const REQUESTS: usize = 2_048;

/// Measures first masks beside `slow` slow requests, in one thread and in `threads`.
pub fn run(tools: &[Tool], slow: usize, threads: usize) -> Result<(), Box<dyn Error>> {
    let cores = std::thread::available_parallelism()?;
    println!("{cores} processors, {REQUESTS} requests");
    let compiler = Compiler::new(&vocabulary(VOCABULARY))?;
    let next = AtomicUsize::new(0);
    for threads in [1, threads] {
        for slow in [0, slow] {
            let options = RegistryOptions::default().threads(1).time(TIME);
            let registry = Registry::new(&compiler, options)?;
            let others = send_slow(&registry, slow);
            let waiting = |handles: &[Handle]| handles.iter().filter(|of| !of.is_ready()).count();
            let before = waiting(&others);
            let times = Mutex::new(Vec::new());
            let end = next.load(Ordering::Relaxed) + REQUESTS;
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        let own = first_masks(&registry, tools, &next, end);
                        let mut times = times.lock().unwrap_or_else(|error| error.into_inner());
                        times.extend(own);
                    });
                }
            });
            next.store(end, Ordering::Relaxed);
            let left = waiting(&others);
            let times = times
                .into_inner()
                .unwrap_or_else(|error| error.into_inner());
            print(
                &format!(
                    "threads {threads}, slow requests of another client {before}, {left} of them \
                     still at the end: request to first mask, µs"
                ),
                times,
            );
        }
    }
    Ok(())
}

/// Sends requests that take long to compile, none twice.
fn send_slow(registry: &Registry, count: usize) -> Vec<Handle> {
    let kinds = hostile::kinds("ebnf");
    let mut random = Random(7);
    let mut handles = Vec::new();
    let most = 64 * count;
    for at in 0..most {
        if handles.len() == count {
            break;
        }
        let kind = &kinds[at % kinds.len()];
        let size = kind.size + random.below(kind.size);
        // What is refused when it is read is not slow.
        let handle = registry.get(&(kind.text)(size, at as u64)).ok();
        handles.extend(handle.filter(|handle| !handle.is_ready()));
    }
    handles
}

/// The times of the first masks of requests up to number `end`; one that fails has none.
fn first_masks(registry: &Registry, tools: &[Tool], next: &AtomicUsize, end: usize) -> Vec<f64> {
    let mut row = vec![0; registry.vocabulary().view().size().div_ceil(32) as usize];
    let mut times = Vec::new();
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        if at >= end {
            return times;
        }
        let request = request(&[tools[at % tools.len()].of_request(at)]);
        let start = Instant::now();
        let filled = registry
            .get(&request)
            .and_then(|handle| handle.matcher())
            .is_ok_and(|mut matcher| matcher.fill(&mut row).is_ok());
        if filled {
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
}
