//! Entries that are as good as none.
//!
//! In: their paths, and why. Out: how many there were, and the last of them. What holds: at most some are kept until somebody asks.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most that are kept; the first of more are dropped.
const MOST: usize = 64;

/// A file of a folder of results that was passed over: what it should have held was made anew.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: &'static str,
}

impl fmt::Display for RefusedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(f, "{path} is passed over and made anew: {}", self.why)
    }
}

/// The files that were refused.
#[derive(Debug, Default)]
pub(super) struct RefusedFiles {
    count: AtomicU64,
    last: Mutex<VecDeque<RefusedFile>>,
}

impl RefusedFiles {
    pub(super) fn add(&self, path: PathBuf, why: &'static str) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.len() == MOST {
            last.pop_front();
        }
        last.push_back(RefusedFile { path, why });
    }

    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub(super) fn take(&self) -> Vec<RefusedFile> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *last).into()
    }
}
