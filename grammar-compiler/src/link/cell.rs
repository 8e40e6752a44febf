//! A part that is compiled when it is first needed.
//!
//! In: a way to compile it. Out: [`PartCell`], which gives the part to all that share it, and [`Compiles`], which counts what has been compiled. What holds: a part is compiled once, in the first thread
//! that asks; others wait. Reading it later takes no lock. Whoever sees a part sees it counted.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use maskwright_core::OwnedPart;

use super::NotLinked;

type Compile = Box<dyn FnOnce() -> Result<OwnedPart, NotLinked> + Send>;

/// Counts compiles, in whichever threads they run.
#[derive(Debug, Default)]
pub(super) struct Compiles {
    done: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Compiles {
    /// Counts a compile. It is counted before the result is there for anyone to see.
    pub(super) fn count<T>(&self, compile: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let compiled = compile();
        let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(took, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
        compiled
    }

    /// How many have been done.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The time they took, added up.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

/// A part that is compiled when it is first needed.
pub struct PartCell {
    part: OnceLock<Result<OwnedPart, NotLinked>>,
    /// What makes it; none once it has been made.
    compile: Mutex<Option<Compile>>,
    compiles: Arc<Compiles>,
}

impl PartCell {
    /// A part that `compile` makes.
    pub(crate) fn new(
        compile: impl FnOnce() -> Result<OwnedPart, NotLinked> + Send + 'static,
    ) -> Self {
        PartCell {
            part: OnceLock::new(),
            compile: Mutex::new(Some(Box::new(compile))),
            compiles: Arc::default(),
        }
    }

    /// The same, counted among these compiles.
    pub(super) fn counted(self, compiles: &Arc<Compiles>) -> Self {
        PartCell {
            compiles: compiles.clone(),
            ..self
        }
    }

    /// The part, if it has been compiled.
    pub fn ready(&self) -> Option<&Result<OwnedPart, NotLinked>> {
        self.part.get()
    }

    /// The part, compiled now if it has not been.
    ///
    /// # Errors
    /// If it is refused, or cannot be a part.
    pub fn get(&self) -> Result<&OwnedPart, NotLinked> {
        let make = || {
            let compile = self.compile.lock();
            let compile = compile.unwrap_or_else(PoisonError::into_inner).take();
            match compile {
                Some(compile) => self.compiles.count(compile),
                None => Err(NotLinked::NotAPart("compiling it failed before")),
            }
        };
        self.part.get_or_init(make).as_ref().map_err(Clone::clone)
    }
}

impl fmt::Debug for PartCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartCell").field(&self.part.get()).finish()
    }
}
