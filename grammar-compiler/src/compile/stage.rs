//! The time of each stage.

use std::time::Duration;

use crate::clock::Instant;

/// Time of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stage {
    /// Its name.
    pub name: &'static str,
    /// Wall-clock time.
    pub time: Duration,
}

/// Runs a stage and notes how long it took.
pub(super) fn timed<T>(stages: &mut Vec<Stage>, name: &'static str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = run();
    stages.push(Stage {
        name,
        time: start.elapsed(),
    });
    out
}
