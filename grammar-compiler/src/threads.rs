//! The threads of a compile: the present one, and others that wait for work.
//!
//! In: how many there may be. Out: [`Threads`], on which two computations run at the same time
//! (`join`), or one runs on each thread and takes its items from a `Share` (`share`). What holds
//! after: all that was started has ended, and a panic of another thread is one of the present
//! thread.
//!
//! The others are a pool of rayon's, which a compile keeps until its end: to start a thread takes
//! as long as a whole stage of a small grammar, and each stage would start its own. There is one
//! pool for each compile, so no compile waits for another one's work.
//!
//! Neighbours have most in common, so each thread is given a range of items, which it takes from
//! the front; a thread without items left takes over the second half of the largest range.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// The present thread and others.
#[derive(Debug)]
pub struct Threads {
    /// How many there may be, the present one included.
    most: usize,
    others: Option<ThreadPool>,
}

impl Threads {
    /// The present thread, beside which there may be others: `most` in all. A thread of some pool
    /// of rayon's stays alone. Where it waited for others, it would begin other work of its pool in
    /// the middle of the compile, and that work may ask for what a lock around the compile
    /// protects.
    pub fn up_to(most: usize) -> Self {
        let is_in_a_pool = rayon_core::current_thread_index().is_some();
        Threads {
            most: if is_in_a_pool { 1 } else { most },
            others: None,
        }
    }

    /// Sees to it that there are `count` threads, or as many as there may be. If the system refuses
    /// others, those that are there do all.
    pub fn prepare(&mut self, count: usize) {
        let count = count.min(self.most);
        if count > self.count() {
            let others = ThreadPoolBuilder::new().num_threads(count - 1).build();
            self.others = others.ok().or(self.others.take());
        }
    }

    /// How many there are, the present one included.
    pub fn count(&self) -> usize {
        let others = self.others.as_ref();
        1 + others.map_or(0, ThreadPool::current_num_threads)
    }

    /// Runs both closures, the second on another thread if there is one.
    pub(crate) fn join<A, B: Send>(
        &self,
        first: impl FnOnce() -> A,
        second: impl Fn() -> B + Sync,
    ) -> (A, B) {
        let Some(others) = &self.others else {
            return (first(), second());
        };
        let (mut done, second) = (None, &second);
        let first = others.in_place_scope(|scope| {
            scope.spawn(|_| done = Some(second()));
            first()
        });
        (first, done.unwrap_or_else(second))
    }

    /// Does `work` on at most `most` threads, the present one included. Each is to take items from
    /// its share of `0..count` until none is left. Gives the result of each thread that began
    /// before all items were taken; always that of the present one.
    pub(crate) fn share<T: Send>(
        &self,
        count: usize,
        most: usize,
        work: impl Fn(Share<'_>) -> T + Sync,
    ) -> Vec<T> {
        let threads = self.count().min(most).max(1);
        let ranges = (0..threads).map(|at| at * count / threads..(at + 1) * count / threads);
        let left = Left(Mutex::new(ranges.collect()));
        let (left, work) = (&left, &work);
        let first = || work(Share { left, thread: 0 });
        let Some(pool) = self.others.as_ref().filter(|_| threads > 1) else {
            return vec![first()];
        };
        let mut others: Vec<Option<T>> = (1..threads).map(|_| None).collect();
        let first = pool.in_place_scope(|scope| {
            for (other, thread) in others.iter_mut().zip(1..) {
                scope.spawn(move |_| {
                    *other = (!left.is_empty()).then(|| work(Share { left, thread }));
                });
            }
            first()
        });
        let others = others.into_iter().flatten();
        std::iter::once(first).chain(others).collect()
    }
}

/// The items that are left, a range for each thread.
struct Left(Mutex<Vec<Range<usize>>>);

impl Left {
    fn lock(&self) -> MutexGuard<'_, Vec<Range<usize>>> {
        // The ranges are consistent even if another thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_empty(&self) -> bool {
        self.lock().iter().all(Range::is_empty)
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

#[cfg(test)]
mod tests {
    use super::{Share, ThreadPoolBuilder, Threads};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn threads(count: usize) -> Threads {
        let mut threads = Threads::up_to(count);
        threads.prepare(count);
        threads
    }

    #[test]
    fn both_run() {
        for most in [0, 1, 2, 3] {
            let mut threads = Threads::up_to(most);
            for count in [0, 1, 3, 2] {
                threads.prepare(count);
                let text = "ab".to_owned();
                assert_eq!(threads.join(|| text.len(), || text.as_str()), (2, "ab"));
            }
            assert_eq!(threads.count(), most.max(1));
        }
    }

    #[test]
    fn a_thread_of_a_pool_stays_alone() {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        assert_eq!(pool.install(|| threads(3).count()), 1);
        assert_eq!(threads(3).count(), 3);
    }

    #[test]
    fn a_panic_of_another_thread_is_one_here() {
        let threads = threads(2);
        let join = || threads.join(|| 1, || panic!("in the other thread"));
        let panic = catch_unwind(AssertUnwindSafe(join)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"in the other thread"));
        assert_eq!(threads.join(|| 1, || 2), (1, 2));
    }

    #[test]
    fn all_is_done_once() {
        for (count, on) in [(0, 1), (0, 3), (1, 3), (7, 1), (7, 3), (1_000, 7), (5, 0)] {
            let collect = |share: Share<'_>| share.collect::<Vec<usize>>();
            let mut done = threads(on).share(count, 5, collect).concat();
            done.sort_unstable();
            assert_eq!(done, (0..count).collect::<Vec<_>>(), "{on} threads");
        }
    }

    #[test]
    fn what_comes_before_a_stop_is_done() {
        let done = threads(3).share(100, 3, |mut share| {
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
        let done = threads(1).share(100, 1, |mut share| {
            let first = share.by_ref().take(3).count();
            share.stop();
            first + share.count()
        });
        assert_eq!(done, [3]);
    }
}
