//! What stands for `threads` in a compiler without the feature `threads`: the present thread does
//! all, in the same order.

use std::cell::Cell;

/// The present thread.
#[derive(Debug)]
pub struct Threads;

impl Threads {
    /// The present thread, whatever there may be.
    pub fn up_to(_most: usize) -> Self {
        Threads
    }

    /// Does nothing.
    pub fn prepare(&mut self, _count: usize) {}

    /// One.
    pub fn count(&self) -> usize {
        1
    }

    /// Runs both closures.
    pub(crate) fn join<A, B: Send>(
        &self,
        first: impl FnOnce() -> A,
        second: impl Fn() -> B + Sync,
    ) -> (A, B) {
        (first(), second())
    }

    /// Does `work`, which is to take all items.
    pub(crate) fn share<T: Send>(
        &self,
        count: usize,
        _most: usize,
        work: impl Fn(Share) -> T + Sync,
    ) -> Vec<T> {
        vec![work(Share {
            next: 0,
            end: Cell::new(count),
        })]
    }
}

/// The items that are left.
pub(crate) struct Share {
    next: usize,
    end: Cell<usize>,
}

impl Share {
    /// Drops the items that are left.
    pub(crate) fn stop(&self) {
        self.stop_before(0);
    }

    /// Drops those of them that are not before `item`.
    pub(crate) fn stop_before(&self, item: usize) {
        self.end.set(self.end.get().min(item));
    }
}

impl Iterator for Share {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let item = self.next;
        self.next += usize::from(item < self.end.get());
        (item < self.end.get()).then_some(item)
    }
}
