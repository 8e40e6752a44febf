//! Limits on what a compile may cost, the error when one is passed, and what trades one cost for
//! another.

use crate::setters::setters;
use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

mod deadline;

#[doc(hidden)]
pub use deadline::Deadline;

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
    /// States of the finite automaton of each rule; states of the texts of a schema's strings,
    /// which are counted before they stand in a rule. Default 400,000.
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
    /// `SECURITY.md` says how soon. Its last tenth is kept for giving back the memory that the
    /// request has taken: work stops before. What is not counted: reading files, and waiting for
    /// other threads. Default one minute.
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
        let begun = self.request.0.as_ref();
        let deadline = begun.map(|begun| begun.cancelled_by(cancel));
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
    #[doc(hidden)]
    #[must_use]
    pub fn begun(&self) -> Self {
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

/// [`Tuning::together`], unless told otherwise: up to half a second. Ten times what the schemas of
/// MaskBench take.
const TOGETHER: u64 = 10_000_000;

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
    /// stack; more are given for each position in a rule. Where a grammar takes more, or has more
    /// than some hundred branches for each position, or no number of stacks is proved, readings
    /// share no stack: states are no more than positions then, and a matcher keeps its stacks as a
    /// graph. 0 to do so with every grammar, [`u64::MAX`] with none. Default 10,000,000.
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
            together: TOGETHER,
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
    /// The name of the rule that takes most of it, where that is known.
    pub rule: Option<String>,
}

impl LimitExceeded {
    /// The error of a limit that has this value.
    pub(crate) fn new(
        limit: &'static str,
        value: impl TryInto<u64>,
        what: impl Into<String>,
    ) -> Self {
        LimitExceeded {
            limit,
            value: value.try_into().unwrap_or(u64::MAX),
            what: what.into(),
            rule: None,
        }
    }

    /// The same where this rule takes most of it, unless one is known.
    pub(crate) fn in_rule(mut self, name: &str) -> Self {
        self.rule.get_or_insert_with(|| name.to_owned());
        self
    }
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (limit `{}` = {})", self.what, self.limit, self.value)
    }
}

impl std::error::Error for LimitExceeded {}
