//! The deadline of a request: when its time or its work is over.
//!
//! In: [`Limits`]. Out: [`Deadline`], at which all loops over a request's input look.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::{Cancel, Clock, LimitExceeded, Limits};
use crate::clock::Instant;

/// Units of work between two looks of [`Deadline::tick`] at the clock: some tens of microseconds,
/// if a unit is a small step.
const UNITS: u32 = 1 << 12;

/// Units of work that a look at the clock counts as, where a loop looks at each of its steps.
const UNITS_OF_A_LOOK: u32 = 1 << 8;

/// This part of the time is kept for giving back the memory that a request has taken, which it may
/// have done in small pieces until its last moment.
const KEPT_FOR_FREEING: u32 = 10;

/// The moment at which a request must have been read and compiled. Clones have the same moment.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    limit: Duration,
    /// The most units of work.
    work_limit: u64,
    cancel: Cancel,
    clock: Clock,
    shared: Arc<SharedDeadline>,
    /// What takes the time, for the message.
    work: &'static str,
}

/// What the clones of a deadline share.
#[derive(Debug, Default)]
struct SharedDeadline {
    /// Units of work since the last look at the clock. Threads may lose some of each other's.
    units: AtomicU32,
    /// Units of work up to the last look at the clock.
    work: AtomicU64,
    /// Set once the time or the work is over, and never cleared.
    is_over: AtomicBool,
}

impl Deadline {
    /// The deadline of the request that has begun with these limits; if none has, that of one that
    /// starts now.
    pub fn start(limits: &Limits) -> Self {
        if let Some(begun) = &limits.request.0 {
            return begun.clone();
        }
        Deadline {
            end: Instant::now().checked_add(limits.time - limits.time / KEPT_FOR_FREEING),
            limit: limits.time,
            work_limit: limits.work,
            cancel: limits.cancel.clone(),
            clock: limits.clock.clone(),
            shared: Arc::default(),
            work: "compiling",
        }
    }

    /// The same moment, unless this ends the request before.
    pub(super) fn cancelled_by(&self, cancel: &Cancel) -> Self {
        Deadline {
            cancel: cancel.clone(),
            ..self.clone()
        }
    }

    /// No deadline: for what is worked out once for all requests, and for tests.
    pub(crate) fn never() -> Self {
        Deadline::start(&Limits::default().time(Duration::MAX))
    }

    /// Runs a stage that may take this many units of work; `None` if it would take more. What it
    /// has taken counts for the request.
    pub(crate) fn attempt<T>(
        &self,
        work: u64,
        stage: impl FnOnce(&Deadline) -> Result<T, LimitExceeded>,
    ) -> Result<Option<T>, LimitExceeded> {
        let left = (self.work_limit).saturating_sub(self.shared.work.load(Ordering::Relaxed));
        if work >= left {
            return stage(self).map(Some);
        }
        let part = Deadline {
            work_limit: work,
            shared: Arc::default(),
            ..self.clone()
        };
        let result = stage(&part);
        let taken = part.shared.work.load(Ordering::Relaxed);
        self.look(u32::try_from(taken).unwrap_or(u32::MAX), part.work)?;
        // A stage that has stopped may not say so, and what it has made is then not the whole.
        match result {
            _ if part.is_over() => Ok(None),
            result => result.map(Some),
        }
    }

    /// The time that is left for waiting; the whole limit where no clock can say when it ends.
    pub(crate) fn left(&self) -> Duration {
        let left = |end: Instant| end.saturating_duration_since(Instant::now());
        self.end.map_or(self.limit, left)
    }

    /// Whether most of the time is left: what is then not done in it would not be for others.
    pub(crate) fn has_most_left(&self) -> bool {
        self.left() >= self.limit / 3 * 2
    }

    /// The error of a caller that has waited for another thread until its time was over.
    pub(crate) fn waited(&self) -> LimitExceeded {
        LimitExceeded::new(
            "time",
            self.limit.as_millis(),
            format!(
                "another thread did not finish the same work within {:?}",
                self.limit
            ),
        )
    }

    /// The deadline of a file of a vocabulary that is read from now on.
    pub(crate) fn of_vocabulary(limits: &Limits) -> Self {
        Deadline {
            work: "reading the vocabulary",
            ..Deadline::start(limits)
        }
    }

    /// A look at the clock. Fails if the time is over or nobody waits for the result; `doing` says
    /// what was being done.
    pub fn check(&self, doing: &str) -> Result<(), LimitExceeded> {
        self.look(UNITS_OF_A_LOOK, doing)
    }

    /// A look at the clock after these units of work.
    fn look(&self, units: u32, doing: &str) -> Result<(), LimitExceeded> {
        let before = (self.shared.work).fetch_add(u64::from(units), Ordering::Relaxed);
        let has_worked = before.saturating_add(u64::from(units)) > self.work_limit;
        match has_worked || self.cancel.ends() || self.has_passed(doing) || self.is_over() {
            true => {
                self.shared.is_over.store(true, Ordering::Relaxed);
                Err(self.over(doing))
            }
            false => Ok(()),
        }
    }

    /// The error once the time or the work is over.
    fn over(&self, doing: &str) -> LimitExceeded {
        let (work, time) = (self.work, self.limit.as_millis());
        if self.shared.work.load(Ordering::Relaxed) > self.work_limit {
            let why = format!("{work} took more units of work, while {doing}");
            return LimitExceeded::new("work", self.work_limit, why);
        }
        if self.cancel.ends() {
            let why = format!("nobody waits for the result any more, while {doing}");
            return LimitExceeded::new("time", time, why);
        }
        let why = format!("{work} took longer than {:?}, while {doing}", self.limit);
        LimitExceeded::new("time", time, why)
    }

    /// One unit of work, such as a step of a loop over a text. Looks at the clock once in some
    /// thousand units, so it may stand in inner loops.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    #[inline]
    pub fn tick(&self, doing: &str) -> Result<(), LimitExceeded> {
        self.ticks(1, doing)
    }

    /// So many units of work at once: the length of what was copied, searched or compared.
    ///
    /// # Errors
    /// As [`check`](Self::check); and always once a look has failed.
    #[inline]
    pub fn ticks(&self, units: usize, doing: &str) -> Result<(), LimitExceeded> {
        if self.is_over() {
            return Err(self.over(doing));
        }
        let before = self.shared.units.load(Ordering::Relaxed);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let after = before.saturating_add(units);
        if after < UNITS {
            self.shared.units.store(after, Ordering::Relaxed);
            return Ok(());
        }
        self.shared.units.store(0, Ordering::Relaxed);
        self.look(after, doing)
    }

    /// As [`tick`](Self::tick), for loops that have no error: whether they shall stop. What they
    /// have made is then not the whole, and must not be used: the next [`check`](Self::check)
    /// fails.
    #[inline]
    pub fn stops(&self, doing: &str) -> bool {
        self.stops_after(1, doing)
    }

    /// As [`stops`](Self::stops), after several units of work at once.
    #[inline]
    pub fn stops_after(&self, units: usize, doing: &str) -> bool {
        self.is_over() || self.ticks(units, doing).is_err()
    }

    /// Fails if a look has found that the time is over. Does not look: for the end of loops that
    /// have [stopped](Self::stops).
    ///
    /// # Errors
    /// As [`check`](Self::check).
    #[inline]
    pub fn confirm(&self, doing: &str) -> Result<(), LimitExceeded> {
        match self.is_over() {
            true => self.check(doing),
            false => Ok(()),
        }
    }

    /// Whether a look has found that the time is over. Does not look.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Relaxed)
    }

    /// Whether the time is over by the clock.
    fn has_passed(&self, doing: &str) -> bool {
        match &self.clock.0 {
            Some(is_over) => is_over(doing),
            None => self.end.is_some_and(|end| Instant::now() > end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// Limits whose clock says that the time is over at the look with this number, and the number
    /// of looks.
    fn ends_at(look: usize) -> (Limits, Arc<AtomicUsize>) {
        let looks = Arc::new(AtomicUsize::new(0));
        let seen = looks.clone();
        let is_over = move |_: &str| seen.fetch_add(1, Ordering::Relaxed) >= look;
        (Limits::default().with_clock(is_over), looks)
    }

    #[test]
    fn the_clock_is_asked_once_in_some_thousand_units() {
        let (limits, looks) = ends_at(usize::MAX);
        let deadline = Deadline::start(&limits);
        for _ in 0..10 * UNITS {
            deadline.tick("counting").unwrap();
        }
        assert_eq!(looks.load(Ordering::Relaxed), 10);
        deadline.ticks(usize::MAX, "copying").unwrap();
        assert_eq!(looks.load(Ordering::Relaxed), 11);
    }

    #[test]
    fn what_is_over_stays_over() {
        let (limits, _) = ends_at(2);
        let deadline = Deadline::start(&limits);
        let steps = (0..).take_while(|_| !deadline.stops("counting")).count();
        assert_eq!(steps, 3 * UNITS as usize - 1);
        assert!(deadline.is_over());
        let error = deadline.check("checking").unwrap_err();
        assert_eq!(error.limit, "time");
        assert!(error.what.ends_with("while checking"), "{error}");
    }

    #[test]
    fn work_has_a_limit_of_its_own() {
        let limits = Limits::default().time(Duration::MAX).work(10_000);
        let deadline = Deadline::start(&limits);
        // It is counted at each look at the clock.
        let steps = (0..).take_while(|_| deadline.tick("counting").is_ok());
        assert_eq!(steps.count(), 3 * UNITS as usize - 1);
        let error = deadline.check("checking").unwrap_err();
        assert_eq!((error.limit, error.value), ("work", 10_000));
        assert!(deadline.is_over());
        // A clone goes on where the deadline is; other requests begin anew.
        deadline.clone().check("checking").unwrap_err();
        let looks = 10_000 / UNITS_OF_A_LOOK as usize;
        let deadline = Deadline::start(&limits);
        let checks = (0..).take_while(|_| deadline.check("checking").is_ok());
        assert_eq!(checks.count(), looks);
    }

    #[test]
    fn an_attempt_ends_with_its_work_or_with_the_request() {
        let limits = Limits::default().time(Duration::MAX).work(10_000);
        let counted = |part: &Deadline| -> Result<(), _> {
            loop {
                part.check("counting")?;
            }
        };
        let deadline = Deadline::start(&limits);
        assert_eq!(deadline.attempt(1_000, counted), Ok(None));
        assert!(!deadline.is_over());
        assert_eq!(deadline.attempt(1_000, |_| Ok(1)), Ok(Some(1)));
        let stopped = |part: &Deadline| -> Result<_, _> {
            while !part.stops("counting") {}
            Ok("a part of the whole")
        };
        assert_eq!(deadline.attempt(1_000, stopped), Ok(None));
        // What the first has taken is not left for others.
        let error = deadline.attempt(9_000, counted).unwrap_err();
        assert_eq!((error.limit, error.value), ("work", 10_000));
        assert!(deadline.is_over());
    }

    #[test]
    fn all_that_a_request_does_has_one_deadline() {
        let (limits, looks) = ends_at(1);
        let begun = limits.begun();
        assert!(begun.has_begun() && !limits.has_begun());
        Deadline::start(&begun).check("reading").unwrap();
        let again = begun.begun().cancelled_by(&Cancel::default());
        Deadline::start(&again).check("compiling").unwrap_err();
        assert!(Deadline::start(&begun).is_over());
        assert_eq!(looks.load(Ordering::Relaxed), 2);
        // The limits themselves are for any number of requests.
        assert!(!Deadline::start(&limits).is_over());
        assert_eq!(begun, limits);
    }
}
