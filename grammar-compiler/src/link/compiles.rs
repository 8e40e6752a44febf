//! Compiles that run once, on the first thread that needs the result.
//!
//! In: a function that compiles something. Out: [`Once`], which keeps the result for all threads,
//! and [`Compiles`], which counts compiles. What holds: one thread compiles, and holds no lock
//! meanwhile. Others wait for it, each until its own time is over. Reading the result later takes
//! no lock. A compile that was [cancelled](crate::limits::Cancel), or for which a request had only
//! the rest of its time, leaves no result, and the next caller compiles again. A compile that
//! panics leaves an error, so that neither its thread nor a later caller panics. A result is
//! counted before any thread can see it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::clock::Instant;
use crate::error::{Code, Diagnostic, Error};
use crate::limits::{Deadline, Limits};

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
    /// How often something turned out not to be usable: a compile ended in an error, or its result
    /// did not fit.
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

    /// Counts a compile that has this result.
    fn ended<T, E>(&self, result: &Result<T, E>, by: By, time: Duration) {
        self.took(time);
        if result.is_err() {
            self.refused.fetch_add(1, Ordering::Relaxed);
            self.found_unusable();
        }
        let at_once = u64::from(!matches!(by, By::Ahead));
        self.at_once.fetch_add(at_once, Ordering::Relaxed);
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
enum By {
    /// A caller that needs the result at once.
    Needed,
    /// The same, with the rest of the time of a request that has used some.
    Request,
    /// A thread of a registry.
    Ahead,
}

/// Something that is compiled once, from an input that is dropped then.
#[derive(Debug)]
pub(super) struct Once<I, T, E> {
    result: OnceLock<Result<T, E>>,
    /// `None` while it is compiled, and once there is a result.
    input: Mutex<Option<I>>,
    /// A compile has ended.
    ended: Condvar,
}

impl<I, T, E: Clone + From<Error>> Once<I, T, E> {
    /// The result of compiling this.
    pub(super) fn new(input: I) -> Self {
        Once {
            result: OnceLock::new(),
            input: Mutex::new(Some(input)),
            ended: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<I>> {
        self.input.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result, if there is one.
    #[inline]
    pub(super) fn ready(&self) -> Option<&Result<T, E>> {
        self.result.get()
    }

    /// The result, compiled now if there is none. Where a request has begun with these limits and
    /// has used some of its time, what it has no time left for is not refused for others.
    ///
    /// # Errors
    /// That of the compile; that the time of these limits is over, which another thread may have
    /// taken.
    pub(super) fn get(
        &self,
        compiles: &Compiles,
        limits: &Limits,
        compile: impl FnOnce(&I, &Limits) -> Result<T, E>,
    ) -> Result<&T, E> {
        let has_begun = limits.has_begun();
        let limits = limits.begun();
        let deadline = Deadline::start(&limits);
        let mut place = self.lock();
        let from = loop {
            if let Some(result) = self.ready() {
                return result.as_ref().map_err(Clone::clone);
            }
            if let Some(from) = place.take() {
                break from;
            }
            let left = deadline.left();
            if left.is_zero() {
                return Err(Error::from(deadline.waited()).into());
            }
            let waited = self.ended.wait_timeout(place, left);
            place = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(place);
        let by = match has_begun && !deadline.has_most_left() {
            true => By::Request,
            false => By::Needed,
        };
        self.compile(from, compiles, &limits, by, compile);
        match self.ready() {
            Some(result) => result.as_ref().map_err(Clone::clone),
            None => {
                let in_time = deadline.confirm("compiling a part of the request");
                in_time.map_err(Error::from)?;
                Err(failed("it was stopped").into())
            }
        }
    }

    /// Compiles it unless another thread does so already. It may still have no result afterwards.
    pub(super) fn ahead(
        &self,
        compiles: &Compiles,
        limits: &Limits,
        compile: impl FnOnce(&I, &Limits) -> Result<T, E>,
    ) {
        let Some(from) = self.lock().take() else {
            return;
        };
        self.compile(from, compiles, &limits.begun(), By::Ahead, compile);
    }

    /// Keeps a result that was found in another way, unless there is one or a thread is making it.
    pub(super) fn settle(&self, result: Result<T, E>) {
        if self.lock().take().is_some() {
            let _ = self.result.set(result);
            self.ended.notify_all();
        }
    }

    /// Compiles it and wakes those that wait.
    fn compile(
        &self,
        from: I,
        compiles: &Compiles,
        limits: &Limits,
        by: By,
        compile: impl FnOnce(&I, &Limits) -> Result<T, E>,
    ) {
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| compile(&from, limits)));
        let is_over = match by {
            By::Request => Deadline::start(limits).is_over(),
            By::Needed | By::Ahead => false,
        };
        let is_stopped = (is_over || limits.cancel.is_over()) && !matches!(result, Ok(Ok(_)));
        if is_stopped {
            compiles.stopped.fetch_add(1, Ordering::Relaxed);
            *self.lock() = Some(from);
        } else {
            let result = result.unwrap_or_else(|panic| {
                compiles.failed.fetch_add(1, Ordering::Relaxed);
                Err(failed(&message(&*panic)).into())
            });
            compiles.ended(&result, by, start.elapsed());
            let _ = self.result.set(result);
            // A thread that has just found neither a result nor an input waits by now.
            drop(self.lock());
        }
        self.ended.notify_all();
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
    use crate::limits::Cancel;

    type Number = Once<u32, u32, Error>;

    fn limits() -> Limits {
        Limits::default()
    }

    #[test]
    fn a_cancelled_compile_leaves_no_result() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        let limits_of_no_caller = limits().cancelled_by(&Cancel::unless(|| false));
        once.ahead(&compiles, &limits_of_no_caller, |_, limits| {
            Deadline::start(limits).check("testing")?;
            Ok(0)
        });
        assert!(once.ready().is_none());
        assert_eq!(
            once.get(&compiles, &limits(), |&input, _| Ok(input)),
            Ok(&7)
        );
        let counts = compiles.counts();
        assert_eq!((counts.done, counts.stopped, counts.at_once), (1, 1, 1));
    }

    #[test]
    fn a_panic_is_an_error_for_all_who_ask() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        once.ahead(&compiles, &limits(), |_, _| panic!("on purpose"));
        let error = once.get(&compiles, &limits(), |_, _| Ok(1)).unwrap_err();
        assert_eq!(error.message(), "the compiler failed: on purpose");
        let counts = compiles.counts();
        assert_eq!((counts.done, counts.failed, counts.refused), (1, 1, 1));
    }

    #[test]
    fn nobody_waits_to_compile_ahead() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        once.ahead(&compiles, &limits(), |&input, _| {
            once.ahead(&compiles, &limits(), |_, _| Ok(1));
            Ok(input)
        });
        assert_eq!(once.ready(), Some(&Ok(7)));
    }

    /// One thread compiles for longer than the others have time: each of these gets an error when
    /// its own time is over, and whoever has time gets the result.
    #[test]
    fn who_waits_does_so_for_its_own_time() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        let (begun, go_on) = (AtomicU64::new(0), AtomicU64::new(0));
        let short = limits().time(Duration::from_millis(20));
        let wait_for = |flag: &AtomicU64| {
            while flag.load(Ordering::Acquire) == 0 {
                std::thread::yield_now();
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                once.ahead(&compiles, &limits(), |&input, _| {
                    begun.store(1, Ordering::Release);
                    wait_for(&go_on);
                    Ok(input)
                });
            });
            wait_for(&begun);
            let waiting: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| once.get(&compiles, &short, |_, _| Ok(0)).cloned()))
                .collect();
            let patient = scope.spawn(|| once.get(&compiles, &limits(), |_, _| Ok(0)).cloned());
            for waiting in waiting {
                let error = waiting.join().unwrap().unwrap_err();
                assert_eq!(error.code(), Code::LimitExceeded);
                assert!(error.message().contains("another thread"), "{error:?}");
            }
            go_on.store(1, Ordering::Release);
            assert_eq!(patient.join().unwrap(), Ok(7));
        });
        assert_eq!(compiles.counts().done, 1);
    }

    /// A request that has little time left does not have a part refused for others.
    #[test]
    fn what_a_request_has_no_time_for_is_not_refused() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        let time = Duration::from_millis(40);
        let request = limits().time(time).with_clock(|_| true).begun();
        std::thread::sleep(time / 2);
        let checked = |&input: &u32, limits: &Limits| {
            Deadline::start(limits).check("testing")?;
            Ok(input)
        };
        for _ in 0..2 {
            let error = once.get(&compiles, &request, checked).unwrap_err();
            assert_eq!(error.code(), Code::LimitExceeded);
            assert!(once.ready().is_none());
        }
        assert_eq!(once.get(&compiles, &limits(), checked), Ok(&7));
        // Who has all the time that there is, and does not end in it, finds what others would find.
        let once = Number::new(7);
        let short = limits().with_clock(|_| true);
        once.get(&compiles, &short, checked).unwrap_err();
        assert!(once.ready().is_some());
        // So does a request that has just begun.
        let once = Number::new(7);
        once.get(&compiles, &short.begun(), checked).unwrap_err();
        assert!(once.ready().is_some());
    }

    /// A caller that waits for a compile that is cancelled compiles it.
    #[test]
    fn who_waits_for_a_cancelled_compile_compiles() {
        let (once, compiles) = (Number::new(7), Compiles::default());
        let begun = AtomicU64::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let over = limits().cancelled_by(&Cancel::unless(|| false));
                once.ahead(&compiles, &over, |_, limits| {
                    begun.store(1, Ordering::Release);
                    std::thread::sleep(Duration::from_millis(20));
                    Deadline::start(limits).check("testing")?;
                    Ok(0)
                });
            });
            while begun.load(Ordering::Acquire) == 0 {
                std::thread::yield_now();
            }
            assert_eq!(once.get(&compiles, &limits(), |_, _| Ok(1)), Ok(&1));
        });
    }
}
