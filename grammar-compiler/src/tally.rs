//! Bytes that are held beside the entries of a store.
//!
//! In: an amount when something is made. Out: [`Tally`], the sum of what is still there. What
//! holds: an amount is in the sum from when it is counted until its [`Counted`] is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A sum of bytes.
#[derive(Debug, Default)]
pub(crate) struct Tally(AtomicUsize);

impl Tally {
    /// The bytes that are counted now.
    pub(crate) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts bytes.
    pub(crate) fn count(self: &Arc<Self>, bytes: usize) -> Counted {
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Counted {
            tally: self.clone(),
            bytes,
        }
    }
}

/// Bytes in a [`Tally`]. A clone counts them again.
#[derive(Debug)]
pub(crate) struct Counted {
    tally: Arc<Tally>,
    bytes: usize,
}

impl Counted {
    /// The bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts this number of bytes in the place of those before.
    pub(crate) fn set(&mut self, bytes: usize) {
        if bytes >= self.bytes {
            (self.tally.0).fetch_add(bytes - self.bytes, Ordering::Relaxed);
        } else {
            (self.tally.0).fetch_sub(self.bytes - bytes, Ordering::Relaxed);
        }
        self.bytes = bytes;
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.tally.count(self.bytes)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.tally.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_as_long_as_they_are_held() {
        let tally = Arc::new(Tally::default());
        let mut first = tally.count(10);
        let second = first.clone();
        first.set(3);
        assert_eq!((tally.bytes(), first.bytes(), second.bytes()), (13, 3, 10));
        drop(second);
        first.set(7);
        assert_eq!(tally.bytes(), 7);
        drop(first);
        assert_eq!(tally.bytes(), 0);
    }
}
