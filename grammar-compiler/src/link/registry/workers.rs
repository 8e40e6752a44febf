//! The threads of a registry.
//!
//! In: a queue. Out: its compiles, done. What holds: a compile ends early when no handle needs it
//! any more; all compiles do when the registry is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::queue::{Queue, is_wanted};
use super::store::Store;
use crate::limits::Cancel;

/// Threads that work a queue off.
#[derive(Debug)]
pub(super) struct Workers {
    queue: Arc<Queue>,
    /// The registry has been dropped.
    is_closed: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts so many threads, fewer if the system gives no more; none is fine.
    pub(super) fn start(threads: usize, queue: &Arc<Queue>, store: &Arc<Store>) -> Self {
        let is_closed = Arc::new(AtomicBool::new(false));
        let threads = (0..threads.min(256)).filter_map(|at| {
            let (queue, store, is_closed) = (queue.clone(), store.clone(), is_closed.clone());
            let thread = std::thread::Builder::new().name(format!("maskwright-{at}"));
            thread
                .spawn(move || work_off(&queue, &store, &is_closed))
                .ok()
        });
        Workers {
            threads: threads.collect(),
            queue: queue.clone(),
            is_closed,
        }
    }
}

/// Works a queue off until it is closed.
fn work_off(queue: &Queue, store: &Store, is_closed: &Arc<AtomicBool>) {
    while let Some((line, work)) = queue.next() {
        let (held, closed) = (Arc::downgrade(&work), is_closed.clone());
        let cancel = Cancel::unless(move || !closed.load(Ordering::Relaxed) && is_wanted(&held));
        work.run(&cancel);
        if work.is_done() {
            store.settle(work.key());
        } else if cancel.is_over() && is_wanted(&Arc::downgrade(&work)) {
            // Somebody has asked for it again just as it ended.
            queue.push(line, [work]);
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.queue.close();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
