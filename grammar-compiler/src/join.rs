//! Join: two computations on two threads.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Runs both closures, the second on a thread of its own; if no thread can be had, one after the other.
pub(crate) fn join<A, B: Send>(first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, &second);
        let first = first();
        let second = match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => second(),
        };
        (first, second)
    })
}
