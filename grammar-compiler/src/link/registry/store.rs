//! Parts and grammars by key.
//!
//! In: keys, and ways to make what is missing. Out: parts and grammars, shared. What holds: what is kept takes about the given number of bytes at most, once it is compiled.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Metrics;
use super::handle::Whole;
use super::workers::{Queue, Work};
use crate::lazy::Tables;
use crate::link::cell::Compiles;
use crate::link::{NotLinked, OuterPart, PartCell, PartStore};
use crate::source::Source;
use crate::syntax::GrammarText;
use xxhash_rust::xxh3::xxh3_128;

#[derive(Debug)]
pub(super) struct Store {
    kept: Arc<Mutex<Kept>>,
    queue: Arc<Queue>,
    compiles: Arc<Compiles>,
    most: usize,
}

/// Bytes are counted when one in so many items is new, or has been asked for while some were still to be compiled.
const COUNTED: usize = 16;

/// What is kept, and what has become of requests.
#[derive(Debug, Default)]
struct Kept {
    /// Outer parts, and why those of some formats cannot be linked.
    outer: HashMap<u128, Result<Arc<OuterPart>, NotLinked>>,
    items: HashMap<u128, Item>,
    /// Counts requests, to know what was used last.
    now: u64,
    /// What was added or asked for since the bytes were counted.
    asked: usize,
    /// Whether something had not been compiled when the bytes were counted.
    is_open: bool,
    metrics: Metrics,
}

#[derive(Debug)]
struct Item {
    what: What,
    used: u64,
}

#[derive(Clone, Debug)]
enum What {
    Piece(Arc<PartCell>),
    Whole(Arc<Whole>),
}

impl What {
    /// Bytes of its tables, once it is compiled.
    fn bytes(&self) -> Option<usize> {
        match self {
            What::Piece(cell) => {
                let part = cell.ready()?.as_ref();
                Some(part.map_or(0, maskwright_core::OwnedPart::memory))
            }
            What::Whole(whole) => {
                let grammar = whole.ready()?.as_ref();
                Some(grammar.map_or(0, |grammar| grammar.tables().len()))
            }
        }
    }
}

impl Work for PartCell {
    fn run(&self) {
        let _ = self.get();
    }

    fn is_done(&self) -> bool {
        self.ready().is_some()
    }
}

impl Work for Whole {
    fn run(&self) {
        let _ = self.get();
    }

    fn is_done(&self) -> bool {
        self.ready().is_some()
    }
}

impl std::fmt::Debug for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Whole")
            .field(&self.ready().is_some())
            .finish()
    }
}

/// The key of a request that is compiled as a whole.
pub(super) fn whole_key(request: &GrammarText, source: &Source) -> u128 {
    xxh3_128(format!("{request:?} {}", source.text()).as_bytes())
}

impl Store {
    pub(super) fn new(most: usize, queue: Arc<Queue>) -> Self {
        Store {
            kept: Arc::default(),
            queue,
            compiles: Arc::default(),
            most,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The grammar with this key; `make` does not compile.
    pub(super) fn whole(
        &self,
        key: u128,
        make: impl FnOnce(&Arc<Compiles>) -> Whole,
    ) -> Arc<Whole> {
        let mut kept = self.lock();
        let found = kept.find(key);
        kept.shrink(1, self.most);
        if let Some(What::Whole(whole)) = found {
            drop(kept);
            if !whole.is_done() {
                self.queue.push([whole.clone() as Arc<dyn Work>]);
            }
            return whole;
        }
        let whole = Arc::new(make(&self.compiles));
        kept.put(key, What::Whole(whole.clone()));
        drop(kept);
        self.queue.push([whole.clone() as Arc<dyn Work>]);
        whole
    }

    pub(super) fn metrics(&self) -> Metrics {
        let kept = self.lock();
        let sizes = kept.items.values().filter_map(|item| item.what.bytes());
        Metrics {
            bytes: sizes.sum::<usize>() as u64,
            compiled: self.compiles.done(),
            compile_time: self.compiles.time(),
            ..kept.metrics
        }
    }
}

impl Kept {
    /// What has this key.
    fn find(&mut self, key: u128) -> Option<What> {
        self.now += 1;
        match self.items.get_mut(&key) {
            Some(item) => {
                item.used = self.now;
                self.metrics.hits += 1;
                Some(item.what.clone())
            }
            None => {
                self.metrics.misses += 1;
                None
            }
        }
    }

    /// Keeps something new.
    fn put(&mut self, key: u128, what: What) {
        let used = self.now;
        self.items.insert(key, Item { what, used });
        self.is_open = true;
    }

    /// Drops what was not used for the longest time if there is too much, after so many items were asked for.
    fn shrink(&mut self, asked: usize, most: usize) {
        self.asked += asked;
        // Counting takes time for each item, so it is done once in a while. What has been counted when all was compiled stays the same.
        if !self.is_open || self.asked * COUNTED < self.items.len() {
            return;
        }
        self.asked = 0;
        let sizes = self.items.iter();
        let sizes = sizes.filter_map(|(&key, item)| Some((item.used, key, item.what.bytes()?)));
        let mut sizes: Vec<(u64, u128, usize)> = sizes.collect();
        self.is_open = sizes.len() < self.items.len();
        let mut total: usize = sizes.iter().map(|size| size.2).sum();
        if total <= most {
            return;
        }
        sizes.sort_unstable();
        for (_, key, bytes) in sizes {
            if total <= most {
                break;
            }
            self.items.remove(&key);
            self.metrics.evictions += 1;
            total -= bytes;
        }
    }
}

impl PartStore for Store {
    fn outer(
        &self,
        key: u128,
        make: &dyn Fn() -> Result<OuterPart, NotLinked>,
    ) -> Result<Arc<OuterPart>, NotLinked> {
        if let Some(known) = self.lock().known_outer(key) {
            return known;
        }
        // Several threads may make it at once; the first stays.
        let made = make().map(Arc::new);
        match &made {
            // What is refused may be refused for the request's own sake.
            Err(NotLinked::Refused(_)) => made,
            _ => self.lock().outer.entry(key).or_insert(made).clone(),
        }
    }

    fn pieces(&self, keys: &[u128], make: &dyn Fn(usize) -> PartCell) -> Vec<Arc<PartCell>> {
        let mut kept = self.lock();
        let piece = |(at, &key): (usize, &u128)| {
            if let Some(What::Piece(cell)) = kept.find(key) {
                return cell;
            }
            let cell = Arc::new(make(at).counted(&self.compiles));
            kept.put(key, What::Piece(cell.clone()));
            cell
        };
        let pieces: Vec<Arc<PartCell>> = keys.iter().enumerate().map(piece).collect();
        kept.shrink(keys.len(), self.most);
        drop(kept);
        // Of those that were there, some may wait: the request that asked first may have been dropped before they were compiled.
        let waited_for = pieces.iter().filter(|cell| !cell.is_done());
        self.queue
            .push(waited_for.map(|cell| cell.clone() as Arc<dyn Work>));
        pieces
    }
}

impl Kept {
    fn known_outer(&mut self, key: u128) -> Option<Result<Arc<OuterPart>, NotLinked>> {
        let known = self.outer.get(&key).cloned();
        match known {
            Some(_) => self.metrics.hits += 1,
            None => self.metrics.misses += 1,
        }
        known
    }
}
