//! The memory that the matchers of a vocabulary take together.
//!
//! In: what each matcher holds. Out: [`Room`], which says how much that may be. What holds: each
//! matcher is counted from when it is made until it is dropped. While all of them take more than
//! there is room for, none that is used keeps more than its share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::tally::{Counted, Tally};

/// A share is at least this: what the grammar of a request and the walks of its masks need.
const LEAST_SHARE: usize = 256 << 10;

/// Changes of fewer bytes are not counted.
const GRAIN: usize = 4 << 10;

/// The room of all matchers.
#[derive(Debug)]
pub(super) struct Room {
    tally: Arc<Tally>,
    matchers: AtomicUsize,
    most: usize,
}

impl Room {
    /// Room for this many bytes.
    pub(super) fn of(most: usize) -> Arc<Self> {
        Arc::new(Room {
            tally: Arc::default(),
            matchers: AtomicUsize::new(0),
            most,
        })
    }

    /// The bytes of all matchers.
    pub(super) fn bytes(&self) -> usize {
        self.tally.bytes()
    }

    /// The number of matchers.
    pub(super) fn matchers(&self) -> usize {
        self.matchers.load(Ordering::Relaxed)
    }
}

/// The part of the room that a matcher takes. A clone takes as much again.
#[derive(Debug)]
pub(super) struct Held {
    room: Arc<Room>,
    counted: Counted,
}

impl Held {
    /// That of a new matcher.
    pub(super) fn new(room: &Arc<Room>) -> Self {
        room.matchers.fetch_add(1, Ordering::Relaxed);
        Held {
            counted: room.tally.count(0),
            room: room.clone(),
        }
    }

    /// Counts the bytes that the matcher holds now.
    pub(super) fn set(&mut self, bytes: usize) {
        if bytes.abs_diff(self.counted.bytes()) >= GRAIN {
            self.counted.set(bytes);
        }
    }

    /// The bytes that the matcher may hold, if there is too little room.
    pub(super) fn share(&self) -> Option<usize> {
        let is_full = self.room.bytes() > self.room.most;
        is_full.then(|| (self.room.most / self.room.matchers().max(1)).max(LEAST_SHARE))
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        let mut held = Held::new(&self.room);
        held.counted.set(self.counted.bytes());
        held
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.matchers.fetch_sub(1, Ordering::Relaxed);
    }
}
