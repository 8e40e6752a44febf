//! What the stages of a compile have in common: their time, and who builds item sets.

use std::time::Duration;

use crate::automata::{Delimiters, Network};
use crate::clock::Instant;
use crate::error::Error;
use crate::grammar::Grammar;
use crate::lr::{Built, Guards};

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

/// Builds the item sets of a grammar.
pub(super) type BuildItemSets<'b> = dyn FnMut(
        &Grammar,
        Delimiters<'_>,
        Guards<'_>,
        &mut Vec<Stage>,
    ) -> Result<Option<(Network, Built)>, Error>
    + 'b;
