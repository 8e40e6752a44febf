//! Progress on standard error, for what takes over a second.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Does `work`; says on standard error that it is under way, after a second and then every five.
pub fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    counted(what, 0, |_| work())
}

/// As [`during`], for `total` pieces of work; `work` counts those that are done.
pub fn counted<T>(what: &str, total: usize, work: impl FnOnce(&AtomicUsize) -> T) -> T {
    let done = AtomicUsize::new(0);
    let (stop, stopped) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| watch(what, total, &done, stopped));
        // Dropped at the end of the closure, or in unwinding: both end the watch.
        let _stop = stop;
        work(&done)
    })
}

fn watch(what: &str, total: usize, done: &AtomicUsize, stopped: mpsc::Receiver<()>) {
    let start = Instant::now();
    let mut wait = Duration::from_secs(1);
    while stopped.recv_timeout(wait) == Err(mpsc::RecvTimeoutError::Timeout) {
        let seconds = start.elapsed().as_secs();
        match total {
            0 => eprintln!("{what}: {seconds} s"),
            _ => eprintln!(
                "{what}: {} of {total}, {seconds} s",
                done.load(Ordering::Relaxed)
            ),
        }
        wait = Duration::from_secs(5);
    }
}
