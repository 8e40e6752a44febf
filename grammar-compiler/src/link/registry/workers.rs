//! The threads of a registry.
//!
//! In: work, with the newest last. Out: the work done, oldest first. What holds: at most the given number of compiles waits; what nobody but the store holds any more is not begun.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;

use super::Metrics;

/// Something to compile.
pub(super) trait Work: Send + Sync {
    fn run(&self);
    fn is_done(&self) -> bool;
}

/// Those who hold a piece of work that is waited for: the store and a request at least.
const WAITED_FOR: usize = 2;

/// Work that waits.
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Weak<dyn Work>>,
    is_closed: bool,
    cancelled: u64,
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds work, unless too much waits already: then it is done when it is needed.
    pub(super) fn push(&self, works: impl IntoIterator<Item = Arc<dyn Work>>) {
        let mut state = self.lock();
        let room = self.most.saturating_sub(state.waiting.len());
        let works = works.into_iter().take(room);
        let works = works.map(|work| Arc::downgrade(&work));
        let before = state.waiting.len();
        state.waiting.extend(works);
        match state.waiting.len() - before {
            0 => {}
            1 => self.changed.notify_one(),
            _ => self.changed.notify_all(),
        }
    }

    /// The next work that somebody waits for; `None` when the queue is closed.
    fn next(&self) -> Option<Arc<dyn Work>> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            let Some(next) = state.waiting.pop_front() else {
                state = (self.changed.wait(state)).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            match next.upgrade() {
                // This thread holds it now, too.
                Some(work) if Arc::strong_count(&work) > WAITED_FOR && !work.is_done() => {
                    return Some(work);
                }
                Some(work) if work.is_done() => {}
                _ => state.cancelled += 1,
            }
        }
    }

    fn run(&self) {
        while let Some(work) = self.next() {
            work.run();
        }
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue")
            .field("waiting", &self.lock().waiting.len())
            .finish_non_exhaustive()
    }
}

/// Threads that work a queue off.
#[derive(Debug)]
pub(super) struct Workers {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts so many threads, fewer if the system gives no more.
    pub(super) fn start(threads: usize, most: usize) -> Self {
        let queue = Arc::new(Queue {
            state: Mutex::default(),
            changed: Condvar::new(),
            most,
        });
        let threads = (0..threads.clamp(1, 256)).filter_map(|at| {
            let queue = queue.clone();
            let thread = std::thread::Builder::new().name(format!("maskwright-{at}"));
            thread.spawn(move || queue.run()).ok()
        });
        Workers {
            threads: threads.collect(),
            queue,
        }
    }

    pub(super) fn queue(&self) -> Arc<Queue> {
        self.queue.clone()
    }

    pub(super) fn add_to(&self, metrics: &mut Metrics) {
        let state = self.queue.lock();
        metrics.queued = state.waiting.len() as u64;
        metrics.cancelled = state.cancelled;
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.queue.lock().is_closed = true;
        self.queue.changed.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
