//! Parts and grammars by key.
//!
//! In: keys, and functions that make missing entries. Out: shared parts and grammars. What holds: after each request and each compile, the entries that no handle uses take at most the given number of
//! bytes. An entry that has not been compiled is kept as long as a handle uses it, and then dropped.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Metrics;
use super::queue::{Line, Queue, Work};
use super::whole::Whole;
use crate::digest::Digest;
use crate::limits::Cancel;
use crate::link::cell::Ahead;
use crate::link::compiles::{Compiles, Once};
use crate::link::{NotLinked, OuterPart, PartCell, PartStore};

#[derive(Debug)]
pub(super) struct Store {
    kept: Mutex<Kept>,
    queue: Arc<Queue>,
    compiles: Arc<Compiles>,
    most: usize,
}

/// What an entry takes besides tables and texts, about.
const ENTRY: usize = 512;

/// What is looked at for each item that is asked for, to find those that nobody uses any more.
const SWEPT: usize = 3;

/// What is looked at besides to find what can be dropped.
const SHRUNK: usize = 64;

/// What is kept, and what has become of requests.
#[derive(Debug, Default)]
struct Kept {
    items: HashMap<Digest, Item>,
    /// The keys, in the order in which they were used.
    by_use: BTreeMap<u64, Digest>,
    /// The keys of what had not been compiled when it was last looked at.
    open: VecDeque<Digest>,
    /// Counts what was used.
    now: u64,
    bytes: usize,
    /// Those of what is not compiled.
    open_bytes: usize,
    metrics: Metrics,
}

#[derive(Debug)]
struct Item {
    what: What,
    used: u64,
    /// Bytes as they were last counted.
    bytes: usize,
    /// Whether it had been compiled then.
    is_done: bool,
}

/// The outer part of a format, made by the first who asks.
type OuterCell = Once<(), Arc<OuterPart>, NotLinked>;

#[derive(Clone, Debug)]
enum What {
    Outer(Arc<OuterCell>),
    Piece(Arc<PartCell>),
    Whole(Arc<Whole>),
}

impl What {
    fn is_done(&self) -> bool {
        match self {
            What::Outer(cell) => cell.ready().is_some(),
            What::Piece(cell) => cell.is_done(),
            What::Whole(whole) => whole.is_done(),
        }
    }

    /// Whether anybody but the store has it.
    fn is_held(&self) -> bool {
        match self {
            What::Outer(cell) => {
                let part = cell.ready().and_then(|part| part.as_ref().ok());
                Arc::strong_count(cell) > 1 || part.is_some_and(|part| Arc::strong_count(part) > 1)
            }
            What::Piece(cell) => Arc::strong_count(cell) > 1,
            What::Whole(whole) => Arc::strong_count(whole) > 1,
        }
    }

    /// About how many bytes it takes.
    fn memory(&self) -> usize {
        let bytes = match self {
            What::Outer(cell) => match cell.ready() {
                Some(Ok(outer)) => outer.memory(),
                Some(Err(error)) => error.memory(),
                None => 0,
            },
            What::Piece(cell) => cell.memory(),
            What::Whole(whole) => whole.memory(),
        };
        bytes + ENTRY
    }
}

impl Work for PartCell {
    fn run(&self, cancel: &Cancel) {
        self.compile_ahead(cancel);
    }

    fn is_done(&self) -> bool {
        self.ready().is_some()
    }

    fn key(&self) -> Digest {
        self.key
    }

    fn text(&self) -> usize {
        self.memory()
    }

    fn mark(&self) -> &AtomicU8 {
        &self.mark
    }
}

impl Ahead for Queue {
    fn hurry(&self, cell: &Arc<PartCell>) {
        Queue::hurry(self, &(cell.clone() as Arc<dyn Work>));
    }
}

impl Store {
    pub(super) fn new(most: usize, queue: &Arc<Queue>) -> Self {
        Store {
            kept: Mutex::default(),
            queue: queue.clone(),
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
        key: Digest,
        make: impl FnOnce(&Arc<Compiles>) -> Whole,
    ) -> Arc<Whole> {
        let mut kept = self.lock();
        let whole = match kept.find(key) {
            Some(What::Whole(whole)) => whole,
            _ => {
                let whole = Arc::new(make(&self.compiles));
                kept.put(key, What::Whole(whole.clone()));
                whole
            }
        };
        kept.shrink(1, self.most);
        drop(kept);
        if !whole.is_done() {
            self.queue
                .push(Line::Whole, [whole.clone() as Arc<dyn Work>]);
        }
        whole
    }

    /// Counts the bytes of what has been compiled under this key.
    pub(super) fn settle(&self, key: Digest) {
        let mut kept = self.lock();
        kept.count(key);
        kept.shrink(1, self.most);
    }

    pub(super) fn metrics(&self) -> Metrics {
        let counts = self.compiles.counts();
        let (queued, cancelled) = self.queue.counts();
        let mut kept = self.lock();
        // Those that a matcher has compiled are counted now.
        kept.sweep(usize::MAX);
        Metrics {
            compiled: counts.done,
            refused: counts.refused,
            failed: counts.failed,
            at_once: counts.at_once,
            compile_time: counts.time,
            longest_compile: counts.longest,
            stopped: counts.stopped,
            first_tier_masks: counts.first_tier_masks,
            cancelled,
            queued,
            entries: kept.items.len() as u64,
            bytes: kept.bytes as u64,
            bytes_not_compiled: kept.open_bytes as u64,
            ..kept.metrics
        }
    }
}

impl Kept {
    /// What has this key.
    fn find(&mut self, key: Digest) -> Option<What> {
        let found = self.touch(key);
        match found {
            Some(_) => self.metrics.hits += 1,
            None => self.metrics.misses += 1,
        }
        found
    }

    /// What has this key, which is used now.
    fn touch(&mut self, key: Digest) -> Option<What> {
        let item = self.items.get_mut(&key)?;
        self.now += 1;
        self.by_use.remove(&item.used);
        self.by_use.insert(self.now, key);
        item.used = self.now;
        Some(item.what.clone())
    }

    /// Keeps something new.
    fn put(&mut self, key: Digest, what: What) {
        self.drop_item(key);
        self.now += 1;
        self.by_use.insert(self.now, key);
        let item = Item {
            bytes: what.memory(),
            is_done: false,
            what,
            used: self.now,
        };
        self.bytes += item.bytes;
        self.open_bytes += item.bytes;
        self.items.insert(key, item);
        self.open.push_back(key);
    }

    fn drop_item(&mut self, key: Digest) {
        let Some(item) = self.items.remove(&key) else {
            return;
        };
        self.by_use.remove(&item.used);
        self.bytes -= item.bytes;
        if !item.is_done {
            self.open_bytes -= item.bytes;
        }
    }

    /// Counts the bytes of an item anew; whether it has been compiled. One that has not been and that nobody uses is dropped.
    fn count(&mut self, key: Digest) -> bool {
        let Some(item) = self.items.get_mut(&key) else {
            return true;
        };
        if item.is_done {
            return true;
        }
        let is_done = item.what.is_done();
        if !is_done && !item.what.is_held() {
            self.drop_item(key);
            return true;
        }
        let bytes = item.what.memory();
        self.bytes = self.bytes - item.bytes + bytes;
        self.open_bytes = self.open_bytes - item.bytes + if is_done { 0 } else { bytes };
        (item.bytes, item.is_done) = (bytes, is_done);
        is_done
    }

    /// Looks at so many of the items that were not compiled.
    fn sweep(&mut self, items: usize) {
        for _ in 0..items.min(self.open.len()) {
            if let Some(key) = self.open.pop_front()
                && !self.count(key)
            {
                self.open.push_back(key);
            }
        }
    }

    /// Drops what nobody uses and was not used for the longest time if there is too much, after so many items were asked for.
    fn shrink(&mut self, asked: usize, most: usize) {
        self.sweep(SWEPT * (asked + 1));
        let last = self.now;
        for _ in 0..SHRUNK + SWEPT * asked {
            if self.bytes <= most {
                break;
            }
            let first = self.by_use.first_key_value();
            let Some((_, &key)) = first.filter(|(used, _)| **used <= last) else {
                break;
            };
            let is_held = |item: &Item| item.what.is_held();
            if self.items.get(&key).is_some_and(is_held) {
                // What is used stays. This moves it behind all others.
                self.touch(key);
            } else {
                self.drop_item(key);
                self.metrics.evictions += 1;
            }
        }
    }
}

impl PartStore for Store {
    fn outer(
        &self,
        key: Digest,
        make: &dyn Fn() -> Result<OuterPart, NotLinked>,
    ) -> Result<Arc<OuterPart>, NotLinked> {
        let mut kept = self.lock();
        let cell = match kept.find(key) {
            Some(What::Outer(cell)) => cell,
            _ => {
                let cell = Arc::new(OuterCell::new(()));
                kept.put(key, What::Outer(cell.clone()));
                cell
            }
        };
        drop(kept);
        if let Some(known) = cell.ready() {
            return known.clone();
        }
        // One makes it, others wait. It is no piece: it is counted nowhere.
        let uncounted = Compiles::default();
        let made = cell.get(&uncounted, |(), _| make().map(Arc::new)).clone();
        let mut kept = self.lock();
        match &made {
            // What is refused may be refused for the request's own sake.
            Err(NotLinked::Refused(_)) => kept.drop_item(key),
            _ => {
                kept.count(key);
            }
        }
        made
    }

    fn pieces(&self, keys: &[Digest], make: &dyn Fn(usize) -> PartCell) -> Vec<Arc<PartCell>> {
        let ahead: Weak<dyn Ahead> = Arc::downgrade(&(self.queue.clone() as Arc<dyn Ahead>));
        let mut kept = self.lock();
        let piece = |(at, &key): (usize, &Digest)| {
            if let Some(What::Piece(cell)) = kept.find(key) {
                return cell;
            }
            let cell = make(at).shared(&self.compiles, Some(ahead.clone()));
            let cell = Arc::new(cell);
            kept.put(key, What::Piece(cell.clone()));
            cell
        };
        let pieces: Vec<Arc<PartCell>> = keys.iter().enumerate().map(piece).collect();
        kept.shrink(keys.len(), self.most);
        drop(kept);
        // Of those that were there, some may wait: the request that asked first may have been dropped before they were compiled.
        let waited_for = pieces.iter().filter(|cell| !cell.is_done());
        let waited_for = waited_for.map(|cell| cell.clone() as Arc<dyn Work>);
        self.queue.push(Line::Piece, waited_for);
        pieces
    }
}
