//! Limits on what a compile may cost, the error when one is passed, and what trades one cost for
//! another.

use crate::setters::setters;
use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bounds on a compile. Each has a default that real grammars stay far below.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of grammar text. Default 16 MiB.
    pub grammar_bytes: usize,
    /// How deep groups and repetitions may nest in the text. Default 200.
    pub nesting: usize,
    /// The largest bound of a counted repetition. Default 100,000.
    pub repetition: u32,
    /// States of the finite automata of all rules together. Default 400,000.
    pub automaton_states: usize,
    /// States of the pushdown automaton. Default 100,000.
    pub states: usize,
    /// Branches of the decision trees of its edges, while it is built: how often what an edge does
    /// depends on the frames under the top. Each takes about half a kilobyte. Default 1,000,000.
    pub branches: usize,
    /// Bytes of the packed tables. Default 256 MiB.
    pub table_bytes: usize,
    /// Time for one request: for reading its text, all that the text embeds, and for compiling it.
    /// Loops whose length a text decides look at the clock, so a request ends soon after its time;
    /// `SECURITY.md` says how soon. What is not counted: reading files, and waiting for other
    /// threads. Default one minute.
    pub time: Duration,
    /// Units of work for one request, in place of its time: a unit is a small step, so that a
    /// second has some ten million. With one thread a request takes the same number on every
    /// machine, however busy it is: processes that have to decide alike set this limit, and a time
    /// that is never over. Default: no bound.
    pub work: u64,
    /// What ends a compile before its time. Default: nothing.
    pub(crate) cancel: Cancel,
    /// What is asked for the time. Default: the system's clock.
    pub(crate) clock: Clock,
    /// The deadline of the request that is being read or compiled with these limits.
    pub(crate) request: RequestDeadline,
}

setters!(Limits {
    grammar_bytes: usize,
    nesting: usize,
    repetition: u32,
    automaton_states: usize,
    states: usize,
    branches: usize,
    table_bytes: usize,
    time: Duration,
    work: u64,
});

impl Default for Limits {
    fn default() -> Self {
        Limits {
            grammar_bytes: 16 << 20,
            nesting: 200,
            repetition: 100_000,
            automaton_states: 400_000,
            states: 100_000,
            branches: 1_000_000,
            table_bytes: 256 << 20,
            time: Duration::from_secs(60),
            work: u64::MAX,
            cancel: Cancel::default(),
            clock: Clock::default(),
            request: RequestDeadline::default(),
        }
    }
}

impl Limits {
    /// The same for a compile that this may end. If a request has begun, its time goes on.
    pub(crate) fn cancelled_by(&self, cancel: &Cancel) -> Self {
        let deadline = self.request.0.as_ref().map(|begun| Deadline {
            cancel: cancel.clone(),
            ..begun.clone()
        });
        Limits {
            cancel: cancel.clone(),
            request: RequestDeadline(deadline),
            ..self.clone()
        }
    }

    /// The same bounds for the request that has begun with `other`, and that ends with it.
    pub(crate) fn within(&self, other: &Limits) -> Self {
        Limits {
            cancel: other.cancel.clone(),
            request: other.request.clone(),
            ..self.clone()
        }
    }

    /// The same bounds for other requests: none has begun.
    pub(crate) fn not_begun(&self) -> Self {
        Limits {
            cancel: Cancel::default(),
            request: RequestDeadline::default(),
            ..self.clone()
        }
    }

    /// The same for a request that begins now, unless one has begun: all that is read and compiled
    /// with these limits shares one deadline.
    pub(crate) fn begun(&self) -> Self {
        Limits {
            request: RequestDeadline(Some(Deadline::start(self))),
            ..self.clone()
        }
    }

    /// Whether a request has begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.request.0.is_some()
    }

    /// The same with a clock that says whether the time is over, in place of the system's. It is
    /// asked at each look, and told what is being done.
    #[doc(hidden)]
    #[must_use]
    pub fn with_clock(self, is_over: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Limits {
            clock: Clock(Some(Arc::new(is_over))),
            ..self
        }
    }
}

/// What says that the time is over, in place of the system's clock. All values are equal, since no
/// result depends on it.
#[derive(Clone, Default)]
pub(crate) struct Clock(Option<Arc<AskClock>>);

/// Whether the time is over, while this is being done.
type AskClock = dyn Fn(&str) -> bool + Send + Sync;

impl PartialEq for Clock {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Clock {}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clock").field(&self.0.is_some()).finish()
    }
}

/// The deadline of a request, once it has begun. All values are equal, since no result depends on
/// it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestDeadline(Option<Deadline>);

impl PartialEq for RequestDeadline {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RequestDeadline {}

/// A way to end a compile whose result nobody waits for any more. It is checked wherever the
/// deadline is. All values are equal, since no result depends on it.
#[derive(Clone, Default)]
pub(crate) struct Cancel(Option<Arc<Wanted>>);

struct Wanted {
    is_wanted: Box<dyn Fn() -> bool + Send + Sync>,
    /// Set once the compile shall end, and never cleared.
    is_over: AtomicBool,
}

impl Cancel {
    /// Ends a compile once `is_wanted` says no.
    pub(crate) fn unless(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Cancel(Some(Arc::new(Wanted {
            is_wanted: Box::new(is_wanted),
            is_over: AtomicBool::new(false),
        })))
    }

    /// Whether the compile shall end. Its error then says nothing about the grammar.
    pub(crate) fn is_over(&self) -> bool {
        let is_over = |wanted: &Arc<Wanted>| wanted.is_over.load(Ordering::Acquire);
        self.0.as_ref().is_some_and(is_over)
    }

    /// Whether a compile has to end now.
    fn ends(&self) -> bool {
        let Some(wanted) = &self.0 else { return false };
        if !(wanted.is_wanted)() {
            wanted.is_over.store(true, Ordering::Release);
        }
        wanted.is_over.load(Ordering::Acquire)
    }
}

impl PartialEq for Cancel {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Cancel {}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.0.is_some()).finish()
    }
}

/// How counted repetitions such as `x{3,400}` and rules that are used in several places are
/// compiled: what saves states costs frames. Nothing is refused for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// States that a counted repetition may take when it is written out; a longer one is counted in
    /// blocks, which costs frames instead. Default 200.
    pub expansion: u64,
    /// Iterations in a block of a counted repetition; 0 to write all out. Default 16.
    pub block: u32,
    /// Whether quoted texts, and rules of some size, are compiled once although they are used in
    /// several places. Each use costs a frame then. Where the automaton would be large otherwise,
    /// some rules are compiled once in any case. Default `true`.
    pub share: bool,
    /// Units of work ([`Limits::work`]) for finding states in which readings of a text share a
    /// stack; 500 more are given for each position in a rule. Where a grammar takes more, or no
    /// number of stacks is proved, readings share no stack: states are no more than positions then.
    /// 0 to do so with every grammar. Default: no bound, so that readings share stacks always.
    pub together: u64,
}

setters!(Tuning {
    expansion: u64,
    block: u32,
    share: bool,
    together: u64,
});

impl Default for Tuning {
    fn default() -> Self {
        Tuning {
            expansion: 200,
            block: 16,
            share: true,
            together: u64::MAX,
        }
    }
}

/// A limit that a compile would have passed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// The field of [`Limits`].
    pub limit: &'static str,
    /// Its value.
    pub value: u64,
    /// What passed it, in the grammar's terms.
    pub what: String,
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (limit `{}` = {})", self.what, self.limit, self.value)
    }
}

impl std::error::Error for LimitExceeded {}

/// Units of work between two looks of [`Deadline::tick`] at the clock: some tens of microseconds,
/// if a unit is a small step.
const UNITS: u32 = 1 << 12;

/// Units of work that a look at the clock counts as, where a loop looks at each of its steps.
const UNITS_OF_A_LOOK: u32 = 1 << 8;

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
            end: Instant::now().checked_add(limits.time),
            limit: limits.time,
            work_limit: limits.work,
            cancel: limits.cancel.clone(),
            clock: limits.clock.clone(),
            shared: Arc::default(),
            work: "compiling",
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
        let part = Deadline {
            work_limit: work,
            shared: Arc::default(),
            ..self.clone()
        };
        let result = stage(&part);
        let taken = part.shared.work.load(Ordering::Relaxed);
        self.look(u32::try_from(taken).unwrap_or(u32::MAX), part.work)?;
        match result {
            Err(_) if taken > work => Ok(None),
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
        self.left() >= self.limit / 4 * 3
    }

    /// The error of a caller that has waited for another thread until its time was over.
    pub(crate) fn waited(&self) -> LimitExceeded {
        LimitExceeded {
            limit: "time",
            value: self.limit.as_millis() as u64,
            what: format!(
                "another thread did not finish the same work within {:?}",
                self.limit
            ),
        }
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
        if before.saturating_add(u64::from(units)) > self.work_limit {
            self.shared.is_over.store(true, Ordering::Relaxed);
            return Err(LimitExceeded {
                limit: "work",
                value: self.work_limit,
                what: format!("{} took more units of work, while {doing}", self.work),
            });
        }
        if self.cancel.ends() {
            self.shared.is_over.store(true, Ordering::Relaxed);
            return Err(LimitExceeded {
                limit: "time",
                value: self.limit.as_millis() as u64,
                what: format!("nobody waits for the result any more, while {doing}"),
            });
        }
        match self.has_passed(doing) || self.is_over() {
            true => {
                self.shared.is_over.store(true, Ordering::Relaxed);
                Err(LimitExceeded {
                    limit: "time",
                    value: self.limit.as_millis() as u64,
                    what: format!(
                        "{} took longer than {:?}, while {doing}",
                        self.work, self.limit
                    ),
                })
            }
            false => Ok(()),
        }
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
    /// As [`check`](Self::check).
    #[inline]
    pub fn ticks(&self, units: usize, doing: &str) -> Result<(), LimitExceeded> {
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
        self.is_over() || self.tick(doing).is_err()
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
