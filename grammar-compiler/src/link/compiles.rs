//! Compiles that run once, on the first thread that needs the result.
//!
//! In: a function that compiles something. Out: [`Once`], which keeps the result for all threads, and [`Compiles`], which counts compiles. What holds: one thread compiles while others wait for it;
//! reading the result later takes no lock. A compile that was [cancelled](Cancel) leaves no result, and the next caller compiles again. A compile that panics leaves an error, so that neither its thread
//! nor a later caller panics. A result is counted before any thread can see it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crate::error::{Code, Diagnostic, Error};
use crate::limits::Cancel;

/// Counts compiles, in whichever threads they run.
#[derive(Debug, Default)]
pub(super) struct Compiles {
    done: AtomicU64,
    nanoseconds: AtomicU64,
    longest: AtomicU64,
    /// Those that ended in an error.
    refused: AtomicU64,
    /// Those that panicked.
    failed: AtomicU64,
    /// Those that were not done by a thread of the registry.
    at_once: AtomicU64,
    /// Those that ended early, since nobody waited for them any more.
    stopped: AtomicU64,
    /// How often something turned out not to be usable: a compile ended in an error, or its result did not fit.
    unusable: AtomicU64,
    /// Masks that came from the first tier, for want of a piece that is not compiled yet.
    first_tier_masks: AtomicU64,
}

/// [`Compiles`] as plain numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CompileCounts {
    pub(super) done: u64,
    pub(super) time: Duration,
    pub(super) longest: Duration,
    pub(super) refused: u64,
    pub(super) failed: u64,
    pub(super) at_once: u64,
    pub(super) stopped: u64,
    pub(super) first_tier_masks: u64,
}

impl Compiles {
    fn took(&self, time: Duration) {
        let took = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(took, Ordering::Relaxed);
        self.longest.fetch_max(took, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// How often something turned out not to be usable. Whoever sees a result sees it counted.
    pub(super) fn unusable(&self) -> u64 {
        self.unusable.load(Ordering::Acquire)
    }

    /// Counts something that turned out not to be usable.
    pub(super) fn found_unusable(&self) {
        self.unusable.fetch_add(1, Ordering::Release);
    }

    /// Counts a mask that came from the first tier, for want of a piece that is not compiled yet.
    pub(super) fn first_tier_mask(&self) {
        self.first_tier_masks.fetch_add(1, Ordering::Relaxed);
    }

    /// The numbers so far.
    pub(super) fn counts(&self) -> CompileCounts {
        let number = |count: &AtomicU64| count.load(Ordering::Relaxed);
        CompileCounts {
            done: number(&self.done),
            time: Duration::from_nanos(number(&self.nanoseconds)),
            longest: Duration::from_nanos(number(&self.longest)),
            refused: number(&self.refused),
            failed: number(&self.failed),
            at_once: number(&self.at_once),
            stopped: number(&self.stopped),
            first_tier_masks: number(&self.first_tier_masks),
        }
    }
}

/// Who compiles.
#[derive(Clone, Copy, Debug)]
enum By<'a> {
    /// Somebody who needs the result at once.
    Needed,
    /// A thread of a registry, which this may tell to stop.
    Ahead(&'a Cancel),
}

/// Something that is compiled once, from an input that is dropped then.
#[derive(Debug)]
pub(super) struct Once<I, T, E> {
    result: OnceLock<Result<T, E>>,
    /// Held while it is compiled. `None` once there is a result.
    input: Mutex<Option<I>>,
}

impl<I, T, E: From<Error>> Once<I, T, E> {
    /// What is compiled from this.
    pub(super) fn new(input: I) -> Self {
        Once {
            result: OnceLock::new(),
            input: Mutex::new(Some(input)),
        }
    }

    /// The result, if there is one.
    #[inline]
    pub(super) fn ready(&self) -> Option<&Result<T, E>> {
        self.result.get()
    }

    /// The result, compiled now if there is none.
    pub(super) fn get(
        &self,
        compiles: &Compiles,
        compile: impl FnOnce(&I, &Cancel) -> Result<T, E>,
    ) -> &Result<T, E> {
        if let Some(result) = self.ready() {
            return result;
        }
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        self.compile(&mut input, compiles, By::Needed, compile);
        drop(input);
        // Compiles that cannot be stopped leave a result.
        let lost = || Err(failed("it was stopped").into());
        self.result.get_or_init(lost)
    }

    /// Compiles it unless somebody does so already. It may still have no result afterwards.
    pub(super) fn ahead(
        &self,
        compiles: &Compiles,
        cancel: &Cancel,
        compile: impl FnOnce(&I, &Cancel) -> Result<T, E>,
    ) {
        let mut input = match self.input.try_lock() {
            Ok(input) => input,
            Err(TryLockError::Poisoned(input)) => input.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        self.compile(&mut input, compiles, By::Ahead(cancel), compile);
    }

    fn compile(
        &self,
        input: &mut Option<I>,
        compiles: &Compiles,
        by: By<'_>,
        compile: impl FnOnce(&I, &Cancel) -> Result<T, E>,
    ) {
        let Some(from) = input else { return };
        let (never, start) = (Cancel::default(), Instant::now());
        let cancel = match by {
            By::Needed => &never,
            By::Ahead(cancel) => cancel,
        };
        let result = catch_unwind(AssertUnwindSafe(|| compile(from, cancel)));
        if cancel.is_over() && !matches!(result, Ok(Ok(_))) {
            compiles.stopped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let result = result.unwrap_or_else(|panic| {
            compiles.failed.fetch_add(1, Ordering::Relaxed);
            Err(failed(&message(&*panic)).into())
        });
        compiles.took(start.elapsed());
        let refused = u64::from(result.is_err());
        compiles.refused.fetch_add(refused, Ordering::Relaxed);
        if result.is_err() {
            compiles.found_unusable();
        }
        let at_once = u64::from(matches!(by, By::Needed));
        compiles.at_once.fetch_add(at_once, Ordering::Relaxed);
        let _ = self.result.set(result);
        *input = None;
    }
}

fn failed(why: &str) -> Error {
    let message = format!("the compiler failed: {why}");
    Diagnostic::error(Code::Build, message)
        .help("this is a mistake of the compiler: please report it with the grammar")
        .into()
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Number = Once<u32, u32, Error>;

    #[test]
    fn a_cancelled_compile_leaves_no_result() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        let cancel = Cancel::unless(|| false);
        let limits = crate::limits::Limits::default().cancelled_by(&cancel);
        once.ahead(&compiles, &cancel, |_, _| {
            crate::limits::Deadline::start(&limits).check("testing")?;
            Ok(0)
        });
        assert!(once.ready().is_none());
        assert_eq!(once.get(&compiles, |&input, _| Ok(input)), &Ok(7));
        let counts = compiles.counts();
        assert_eq!((counts.done, counts.stopped, counts.at_once), (1, 1, 1));
    }

    #[test]
    fn a_panic_is_an_error_for_all_who_ask() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        once.ahead(&compiles, &Cancel::default(), |_, _| panic!("on purpose"));
        let error = once.get(&compiles, |_, _| Ok(1)).clone().unwrap_err();
        assert_eq!(error.message(), "the compiler failed: on purpose");
        let counts = compiles.counts();
        assert_eq!((counts.done, counts.failed, counts.refused), (1, 1, 1));
    }

    #[test]
    fn nobody_waits_to_compile_ahead() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        once.ahead(&compiles, &Cancel::default(), |&input, _| {
            once.ahead(&compiles, &Cancel::default(), |_, _| Ok(1));
            Ok(input)
        });
        assert_eq!(once.ready(), Some(&Ok(7)));
    }
}
