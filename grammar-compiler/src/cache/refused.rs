//! What is wrong with a folder of results.
//!
//! In: entries that are as good as none, and folders that others can write to; each with why. Out:
//! the number of these entries, and the last of all. What holds: at most [`MOST`] are kept until
//! they are asked for.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most that are kept; the first of more are dropped.
const MOST: usize = 64;

/// A file of a folder of results that was passed over: what it should have held was made anew. Or
/// the folder itself, or the one above it, if others can write to it: what lies in it is used all
/// the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedFile {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: &'static str,
    /// Whether it is used all the same: a folder that others can write to.
    pub is_used: bool,
}

impl RefusedFile {
    /// A file that was passed over.
    pub(super) fn entry(path: PathBuf, why: &'static str) -> Self {
        RefusedFile {
            path,
            why,
            is_used: false,
        }
    }

    /// A folder that is used.
    pub(super) fn folder(path: PathBuf, why: &'static str) -> Self {
        RefusedFile {
            path,
            why,
            is_used: true,
        }
    }
}

impl fmt::Display for RefusedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.is_used {
            true => write!(f, "{path} is not safe to keep results in: {}", self.why),
            false => write!(f, "{path} is passed over and made anew: {}", self.why),
        }
    }
}

/// The files that were refused.
#[derive(Debug, Default)]
pub(super) struct RefusedFiles {
    /// Of those that were passed over.
    count: AtomicU64,
    last: Mutex<VecDeque<RefusedFile>>,
}

impl RefusedFiles {
    pub(super) fn add(&self, refused: RefusedFile) {
        self.count
            .fetch_add((!refused.is_used).into(), Ordering::Relaxed);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.len() == MOST {
            last.pop_front();
        }
        last.push_back(refused);
    }

    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub(super) fn take(&self) -> Vec<RefusedFile> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *last).into()
    }
}
