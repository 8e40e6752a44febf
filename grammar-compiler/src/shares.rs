//! Numbers shared out among threads.
//!
//! In: the number of items and of threads. Out: for each thread a [`Share`], which gives it one item after the other. Neighbours have most in
//! common, so each thread is given a range, which it takes from the front; a thread without items left takes over the second half of the
//! largest range.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// What is left for each thread.
struct Left(Mutex<Vec<Range<usize>>>);

impl Left {
    fn lock(&self) -> MutexGuard<'_, Vec<Range<usize>>> {
        // The ranges are consistent even if another thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The items of one thread.
pub(crate) struct Share<'a> {
    left: &'a Left,
    thread: usize,
}

impl Share<'_> {
    /// Drops the items that are left, for all threads.
    pub(crate) fn stop(&self) {
        self.stop_before(0);
    }

    /// Drops those of them that are not before `item`.
    pub(crate) fn stop_before(&self, item: usize) {
        for range in self.left.lock().iter_mut() {
            range.end = range.end.min(item).max(range.start);
        }
    }
}

impl Iterator for Share<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let mut left = self.left.lock();
        if left[self.thread].is_empty() {
            let largest = left.iter_mut().max_by_key(|range| range.len())?;
            let middle = largest.start + largest.len() / 2;
            let end = std::mem::replace(&mut largest.end, middle);
            left[self.thread] = middle..end;
        }
        left[self.thread].next()
    }
}

/// Does `work` on `threads` threads, the present one included. Each is to take items from its share of `0..count` until none is
/// left. Gives the result of each.
pub(crate) fn on_threads<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(Share<'_>) -> T + Sync,
) -> Vec<T> {
    let threads = threads.max(1);
    let ranges = (0..threads).map(|at| at * count / threads..(at + 1) * count / threads);
    let left = Left(Mutex::new(ranges.collect()));
    let (left, work) = (&left, &work);
    std::thread::scope(|scope| {
        // The items of a thread that cannot be spawned are left to the others.
        let spawn = |thread| {
            let work = move || work(Share { left, thread });
            Builder::new().spawn_scoped(scope, work).ok()
        };
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let first = work(Share { left, thread: 0 });
        let others = others.into_iter().map(|other| {
            let done = other.join();
            done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        std::iter::once(first).chain(others).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::on_threads;

    #[test]
    fn all_is_done_once() {
        for (count, threads) in [(0, 1), (0, 3), (1, 3), (7, 1), (7, 3), (1_000, 7), (5, 0)] {
            let done = on_threads(count, threads, |share| share.collect::<Vec<usize>>());
            assert_eq!(done.len(), threads.max(1));
            let mut done = done.concat();
            done.sort_unstable();
            assert_eq!(done, (0..count).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn what_comes_before_a_stop_is_done() {
        let done = on_threads(100, 3, |mut share| {
            let mut done = Vec::new();
            while let Some(item) = share.next() {
                done.push(item);
                if item % 40 == 39 {
                    share.stop_before(item);
                }
            }
            done
        });
        let mut done = done.concat();
        done.sort_unstable();
        assert!(done.starts_with(&Vec::from_iter(0..40)), "{done:?}");
    }

    #[test]
    fn nothing_is_done_after_a_stop() {
        let done = on_threads(100, 1, |mut share| {
            let first = share.by_ref().take(3).count();
            share.stop();
            first + share.count()
        });
        assert_eq!(done, [3]);
    }
}
