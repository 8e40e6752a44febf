//! How much the long suites test: all of their cases with `MASKWRIGHT_TESTS=all`, as CI has it, a sample of them otherwise.
//!
//! A sample is the first cases of the same sequence, the same on each run. `PROPTEST_CASES=n` overrules both for the suites whose number
//! of cases is proptest's.

use proptest::test_runner::Config;
use std::env;

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

/// proptest's own number of cases, or a sample of it.
pub fn cases() -> u32 {
    let cases = Config::default().cases;
    match env::var_os("PROPTEST_CASES") {
        Some(_) => cases,
        None => of(cases),
    }
}
