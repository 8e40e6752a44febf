//! Limits on what a compile may cost, the error when one is passed, and what trades one cost for another.

use crate::setters::setters;
use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// Branches of the decision trees of its edges, while it is built: how often what an edge does depends on the frames under the top. Each
    /// takes about half a kilobyte. Default 1,000,000.
    pub branches: usize,
    /// Bytes of the packed tables. Default 256 MiB.
    pub table_bytes: usize,
    /// Stacks that a matcher may carry where the automaton splits and no bound can be proved. Default 8.
    pub stacks: usize,
    /// Time for one compile. Default one minute.
    pub time: Duration,
    /// What ends a compile before its time. Default: nothing.
    pub(crate) cancel: Cancel,
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
    stacks: usize,
    time: Duration,
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
            stacks: 8,
            time: Duration::from_secs(60),
            cancel: Cancel::default(),
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

    /// The same for a request that begins now, unless one has begun: all that is read and compiled with these limits shares one deadline.
    pub(crate) fn begun(&self) -> Self {
        Limits {
            request: RequestDeadline(Some(Deadline::start(self))),
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
}

/// The deadline of a request, once it has begun. All values are equal, since no result depends on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestDeadline(Option<Deadline>);

impl PartialEq for RequestDeadline {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RequestDeadline {}

/// A way to end a compile whose result nobody waits for any more. It is checked wherever the deadline is. All values are equal, since no result depends on it.
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

/// How counted repetitions such as `x{3,400}` and rules that are used in several places are compiled: what saves states costs frames. Nothing is
/// refused for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// States that a counted repetition may take when it is written out; a longer one is counted in blocks, which costs
    /// frames instead. Default 200.
    pub expansion: u64,
    /// Iterations in a block of a counted repetition; 0 to write all out. Default 16.
    pub block: u32,
    /// Whether quoted texts, and rules of some size, are compiled once although they are used in several places. Each use costs a frame then. Where the
    /// automaton would be large otherwise, some rules are compiled once in any case. Default `true`.
    pub share: bool,
}

setters!(Tuning {
    expansion: u64,
    block: u32,
    share: bool,
});

impl Default for Tuning {
    fn default() -> Self {
        Tuning {
            expansion: 200,
            block: 16,
            share: true,
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

/// The moment at which a compile must have ended.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    limit: Duration,
    cancel: Cancel,
}

impl Deadline {
    /// The deadline of the request that has begun with these limits; if none has, that of one that starts now.
    pub fn start(limits: &Limits) -> Self {
        if let Some(begun) = &limits.request.0 {
            return begun.clone();
        }
        Deadline {
            end: Instant::now().checked_add(limits.time),
            limit: limits.time,
            cancel: limits.cancel.clone(),
        }
    }

    /// The time that is left for waiting; the whole limit where no clock can say when it ends.
    pub(crate) fn left(&self) -> Duration {
        let left = |end: Instant| end.saturating_duration_since(Instant::now());
        self.end.map_or(self.limit, left)
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

    /// Fails if the time is over or nobody waits for the result; `doing` says what was being done.
    pub fn check(&self, doing: &str) -> Result<(), LimitExceeded> {
        if self.cancel.ends() {
            return Err(LimitExceeded {
                limit: "time",
                value: self.limit.as_millis() as u64,
                what: format!("nobody waits for the result any more, while {doing}"),
            });
        }
        match self.end {
            Some(end) if Instant::now() > end => Err(LimitExceeded {
                limit: "time",
                value: self.limit.as_millis() as u64,
                what: format!("compiling took longer than {:?}, while {doing}", self.limit),
            }),
            _ => Ok(()),
        }
    }
}
