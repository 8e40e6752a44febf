//! How much the long suites test: all of their cases with `MASKWRIGHT_TESTS=all`, as CI has it, a
//! sample of them otherwise.
//!
//! A sample is the first cases of the same sequence, the same on each run. `PROPTEST_CASES=n`
//! overrules both for the suites whose number of cases is proptest's.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::env;
use std::time::Duration;

/// A sample is one case of so many.
const SAMPLE: u32 = 4;

/// Whether all cases are tested.
pub fn is_full() -> bool {
    env::var_os("MASKWRIGHT_TESTS").is_some_and(|value| value == "all")
}

/// `all`, or a sample of so many cases.
pub fn of(all: u32) -> u32 {
    if is_full() { all } else { all.div_ceil(SAMPLE) }
}

/// Whether what takes minutes, or measures time, is tested too.
pub fn is_long() -> bool {
    env::var_os("MASKWRIGHT_LONG").is_some()
}

/// proptest's own number of cases, or a sample of it.
pub fn cases() -> u32 {
    let cases = Config::default().cases;
    match env::var_os("PROPTEST_CASES") {
        Some(_) => cases,
        None => of(cases),
    }
}

/// A runner of so many cases, the same on each run.
pub fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Draws cases that the variable `PROPTEST_RNG_SEED` chooses: the same on each run, as long as it
/// is not set to another seed.
pub fn seeded() -> TestRng {
    let seed = env::var("PROPTEST_RNG_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(1u64);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

/// The time of the processor that this thread has taken.
pub fn processor() -> Duration {
    let taken = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds = taken.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap())
}
