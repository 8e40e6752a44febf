//! The queue of compiles.
//!
//! In: pieces and grammars of requests. Out: the next one to compile. What holds: each is queued
//! once, and none is lost; a compile is not begun if only the store still holds it.
//!
//! The queue has three lines:
//!
//! 1. pieces that a matcher needs or is about to need, because its text is inside their names;
//! 2. other pieces, in turn from each request, so that a request with few tools does not wait for
//!    one with many;
//! 3. whole grammars, which the first tier serves meanwhile: short texts first.
//!
//! Of eight compiles one is the grammar that has waited longest, and one comes from the second
//! line, so that no line waits forever.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

use crate::digest::Digest;
use crate::limits::Cancel;

/// Something to compile.
pub(super) trait Work: Send + Sync {
    /// Compiles it, unless somebody does so already.
    fn run(&self, cancel: &Cancel);
    fn is_done(&self) -> bool;
    /// What the store calls it.
    fn key(&self) -> Digest;
    /// Bytes of its text.
    fn text(&self) -> usize;
    /// In which line it waits; only the queue writes it.
    fn mark(&self) -> &AtomicU8;
}

/// Marks of work: it does not wait, it waits, it waits in the first line.
const NOWHERE: u8 = 0;
const WAITS: u8 = 1;
const FIRST: u8 = 2;

/// Those who hold a piece of work that nobody waits for: the store, and the thread that compiles
/// it.
const UNWANTED: usize = 2;

/// Whether somebody waits for it, who is neither the store nor the thread that asks. What is not
/// compiled stays in the store as long as anybody holds it.
pub(super) fn is_wanted(work: &Weak<dyn Work>) -> bool {
    work.strong_count() > UNWANTED
}

/// How much may wait at least before what is not waited for any more is looked for.
const SWEPT: usize = 1_024;

/// Work that waits.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

/// The line in which work waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Piece,
    Whole,
}

#[derive(Default)]
struct QueueState {
    first: VecDeque<Weak<dyn Work>>,
    /// The pieces of each request.
    pieces: VecDeque<VecDeque<Weak<dyn Work>>>,
    /// By the bytes of their texts, then in the order in which they came.
    wholes: BTreeMap<(usize, u64), Weak<dyn Work>>,
    waiting: usize,
    /// Counts what came.
    came: u64,
    /// Counts what was taken out.
    taken: u64,
    /// What waited when the queue was last swept.
    kept: usize,
    is_closed: bool,
    cancelled: u64,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what does not wait yet: work of one request.
    pub(super) fn push(&self, line: Line, works: impl IntoIterator<Item = Arc<dyn Work>>) {
        let mut state = self.lock();
        let mut is_new = |work: &Arc<dyn Work>| {
            let is_new = !work.is_done() && work.mark().load(Ordering::Relaxed) == NOWHERE;
            if is_new {
                work.mark().store(WAITS, Ordering::Relaxed);
            }
            is_new
        };
        let works: Vec<Arc<dyn Work>> = works.into_iter().filter(&mut is_new).collect();
        let new = works.len();
        state.waiting += new;
        match line {
            Line::Piece if new > 0 => {
                let works = works.iter().map(Arc::downgrade);
                state.pieces.push_back(works.collect());
            }
            Line::Piece => {}
            Line::Whole => works.iter().for_each(|work| {
                state.came += 1;
                let place = (work.text(), state.came);
                state.wholes.insert(place, Arc::downgrade(work));
            }),
        }
        state.sweep_if_long();
        drop(state);
        match new {
            0 => {}
            1 => self.changed.notify_one(),
            _ => self.changed.notify_all(),
        }
    }

    /// Puts work into the first line, unless somebody else changes the queue just now: whoever asks
    /// does not wait.
    pub(super) fn prioritize(&self, work: &Arc<dyn Work>) {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(state)) => state.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        if work.mark().swap(FIRST, Ordering::Relaxed) != FIRST {
            state.waiting += 1;
            state.first.push_back(Arc::downgrade(work));
            drop(state);
            self.changed.notify_one();
        }
    }

    /// The next work that somebody waits for; `None` when the queue is closed.
    pub(super) fn next(&self) -> Option<(Line, Arc<dyn Work>)> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            let Some((line, next)) = state.take() else {
                state = (self.changed.wait(state)).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            if let Some(work) = state.wanted(&next) {
                return Some((line, work));
            }
        }
    }

    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// How much waits, and how much was not begun since nobody waited for it.
    pub(super) fn counts(&self) -> (u64, u64) {
        let state = self.lock();
        (state.waiting as u64, state.cancelled)
    }
}

impl QueueState {
    /// Takes out the next work.
    fn take(&mut self) -> Option<(Line, Weak<dyn Work>)> {
        let turn = self.taken % 8;
        let next = match turn {
            3 => self.take_piece().or_else(|| self.take_first()),
            7 => self.take_whole(true).or_else(|| self.take_first()),
            _ => self.take_first().or_else(|| self.take_piece()),
        };
        let next = next.or_else(|| self.take_piece());
        let next = next.or_else(|| self.take_whole(false));
        if next.is_some() {
            self.taken += 1;
            self.waiting -= 1;
        }
        next
    }

    fn take_first(&mut self) -> Option<(Line, Weak<dyn Work>)> {
        Some((Line::Piece, self.first.pop_front()?))
    }

    /// The next piece of the request whose turn it is.
    fn take_piece(&mut self) -> Option<(Line, Weak<dyn Work>)> {
        let mut request = self.pieces.pop_front()?;
        let next = request.pop_front();
        if !request.is_empty() {
            self.pieces.push_back(request);
        }
        Some((Line::Piece, next?))
    }

    fn take_whole(&mut self, oldest: bool) -> Option<(Line, Weak<dyn Work>)> {
        let (_, next) = match oldest {
            false => self.wholes.pop_first()?,
            true => {
                let oldest = *self.wholes.keys().min_by_key(|place| place.1)?;
                self.wholes.remove_entry(&oldest)?
            }
        };
        Some((Line::Whole, next))
    }

    /// What was taken out, if it has to be done.
    fn wanted(&mut self, next: &Weak<dyn Work>) -> Option<Arc<dyn Work>> {
        let Some(work) = next.upgrade() else {
            self.cancelled += 1;
            return None;
        };
        // Whoever asks for it from now on adds it again; whoever asked before is counted among its
        // holders.
        work.mark().store(NOWHERE, Ordering::Relaxed);
        if work.is_done() {
            return None;
        }
        let is_wanted = is_wanted(next);
        self.cancelled += u64::from(!is_wanted);
        is_wanted.then_some(work)
    }

    /// Drops what nobody waits for, if much more waits than when that was last done.
    fn sweep_if_long(&mut self) {
        if self.waiting < SWEPT + 2 * self.kept {
            return;
        }
        let mut dropped = 0;
        let mut is_kept = |next: &Weak<dyn Work>| {
            let work = next.upgrade();
            let is_kept = work
                .as_ref()
                .is_some_and(|work| !work.is_done() && is_wanted(next));
            if let (false, Some(work)) = (is_kept, work) {
                work.mark().store(NOWHERE, Ordering::Relaxed);
            }
            dropped += u64::from(!is_kept);
            is_kept
        };
        self.first.retain(&mut is_kept);
        for request in &mut self.pieces {
            request.retain(&mut is_kept);
        }
        self.wholes.retain(|_, next| is_kept(next));
        self.pieces.retain(|request| !request.is_empty());
        self.cancelled += dropped;
        self.waiting -= dropped as usize;
        self.kept = self.waiting;
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue")
            .field("waiting", &self.lock().waiting)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
