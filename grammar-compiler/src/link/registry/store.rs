//! Parts and grammars by key.
//!
//! In: keys, and functions that make missing entries. Out: shared parts and grammars, each with a
//! [`Lease`]. What holds: an entry is used until the last of its leases ends. Whenever no call is
//! under way, either all bytes that are counted are within the limit, or each entry is used. An
//! entry that has not been compiled is dropped as soon as it is not used.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Metrics;
use super::queue::{Line, Queue, Work};
use super::whole::{LentWhole, Whole};
use crate::digest::Digest;
use crate::limits::{Cancel, Limits};
use crate::link::base::{BaseCell, Bases, bytes_of};
use crate::link::cell::Prioritize;
use crate::link::compiles::{Compiles, Once};
use crate::link::target::{Lease, MakeOuter};
use crate::link::{NotLinked, OuterPart, PartCell, PartStore};
use crate::maps::{IdMap, KeyedMap};

#[derive(Debug)]
pub(super) struct Store {
    kept: Mutex<Kept>,
    queue: Arc<Queue>,
    compiles: Arc<Compiles>,
    /// Kept beside the entries, and counted with them.
    bases: Arc<Bases>,
    most: usize,
    /// Itself, for leases.
    this: Weak<Store>,
}

/// What an entry takes besides tables and texts, about.
const ENTRY: usize = 512;

/// The entries that were not compiled and that are counted again for each one that is asked for.
const COUNTED: usize = 3;

/// What is kept, and what has become of requests.
#[derive(Debug, Default)]
struct Kept {
    items: KeyedMap<Digest, Item>,
    /// The keys of what is not used, in the order in which their last uses ended.
    idle: BTreeMap<u64, Digest>,
    /// The keys of what had not been compiled when it was last looked at.
    open: VecDeque<Digest>,
    /// Counts items that came and uses that ended.
    now: u64,
    bytes: usize,
    /// Those of what is not compiled.
    open_bytes: usize,
    /// The bases of the pieces that are kept, by where they lie in memory.
    bases: IdMap<usize, BaseUse>,
    /// Their bytes.
    base_bytes: usize,
    metrics: Metrics,
    /// What was dropped since the lock was taken.
    dropped: Vec<What>,
    dropped_bases: Vec<Arc<BaseCell>>,
}

/// A base that pieces stand beside.
#[derive(Debug)]
struct BaseUse {
    cell: Arc<BaseCell>,
    /// The pieces that are kept.
    pieces: usize,
    /// Bytes as they were last counted.
    bytes: usize,
}

#[derive(Debug)]
struct Item {
    what: What,
    /// Tells items apart that have the same key, one after the other.
    serial: u64,
    /// The leases that have not ended.
    leases: usize,
    /// The place in [`Kept::idle`] if there are none.
    idle_since: u64,
    /// Bytes as they were last counted.
    bytes: usize,
    /// Whether it had been compiled then.
    is_done: bool,
}

/// Where a base lies in memory. No other one lies there as long as it is held.
fn place(base: &Arc<BaseCell>) -> usize {
    Arc::as_ptr(base).addr()
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
    /// Whether its bytes may change after it has been compiled.
    fn grows(&self) -> bool {
        match self {
            // Tokens that cross its boundaries are found later, and texts may be read again.
            What::Outer(_) | What::Whole(_) => true,
            What::Piece(_) => false,
        }
    }

    fn is_done(&self) -> bool {
        match self {
            What::Outer(cell) => cell.ready().is_some(),
            What::Piece(cell) => cell.is_done(),
            What::Whole(whole) => whole.is_done(),
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

impl Prioritize for Queue {
    fn prioritize(&self, cell: &Arc<PartCell>) {
        Queue::prioritize(self, &(cell.clone() as Arc<dyn Work>));
    }
}

impl Store {
    pub(super) fn new(most: usize, queue: &Arc<Queue>, bases: &Arc<Bases>) -> Arc<Self> {
        Arc::new_cyclic(|this| Store {
            kept: Mutex::default(),
            queue: queue.clone(),
            compiles: Arc::default(),
            bases: bases.clone(),
            most,
            this: this.clone(),
        })
    }

    /// Works on what is kept, and drops what is not to be kept once the lock is given back.
    fn with<R>(&self, work: impl FnOnce(&mut Kept) -> R) -> R {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let result = work(&mut kept);
        kept.evict(self.most, &self.bases);
        let dropped = std::mem::take(&mut kept.dropped);
        let dropped_bases = std::mem::take(&mut kept.dropped_bases);
        drop(kept);
        drop((dropped, dropped_bases));
        result
    }

    /// A use of items that ends with the lease.
    fn lease(&self, items: Vec<(Digest, u64)>) -> Lease {
        let store = self.this.clone();
        Lease::new(move || {
            if let Some(store) = store.upgrade() {
                store.with(|kept| items.iter().for_each(|&item| kept.release(item)));
            }
        })
    }

    /// The grammar with this key; `make` does not compile.
    pub(super) fn whole(
        &self,
        key: Digest,
        make: impl FnOnce(&Arc<Compiles>) -> Whole,
    ) -> Arc<LentWhole> {
        let (whole, serial) = self.with(|kept| {
            let (whole, serial) = match kept.find(key) {
                Some((What::Whole(whole), serial)) => (whole, serial),
                _ => {
                    let whole = Arc::new(make(&self.compiles));
                    let serial = kept.put(key, What::Whole(whole.clone()));
                    (whole, serial)
                }
            };
            kept.count_open(COUNTED);
            (whole, serial)
        });
        let lent = LentWhole::new(whole, self.lease(vec![(key, serial)]));
        if !lent.is_done() {
            let work = lent.whole().clone() as Arc<dyn Work>;
            self.queue.push(Line::Whole, [work]);
        }
        lent.into()
    }

    /// Counts the bytes of what has been compiled under this key.
    pub(super) fn settle(&self, key: Digest) {
        self.with(|kept| kept.count(key));
    }

    pub(super) fn metrics(&self) -> Metrics {
        let counts = self.compiles.counts();
        let (queued, cancelled) = self.queue.counts();
        // Those that a matcher has compiled are counted now.
        self.with(|kept| kept.count_open(usize::MAX));
        self.with(|kept| Metrics {
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
            bytes: kept.all_bytes(&self.bases) as u64,
            bytes_not_compiled: kept.open_bytes as u64,
            ..kept.metrics
        })
    }
}

impl Kept {
    /// What has this key, which is used once more.
    fn find(&mut self, key: Digest) -> Option<(What, u64)> {
        let Some(item) = self.items.get_mut(&key) else {
            self.metrics.misses += 1;
            return None;
        };
        self.metrics.hits += 1;
        if item.leases == 0 {
            self.idle.remove(&item.idle_since);
        }
        item.leases += 1;
        Some((item.what.clone(), item.serial))
    }

    /// Keeps something new, which is used once. Returns its serial number.
    fn put(&mut self, key: Digest, what: What) -> u64 {
        self.drop_item(key);
        self.now += 1;
        let item = Item {
            bytes: what.memory(),
            is_done: false,
            what,
            serial: self.now,
            leases: 1,
            idle_since: 0,
        };
        self.bytes += item.bytes;
        self.open_bytes += item.bytes;
        if let What::Piece(piece) = &item.what {
            let new = || BaseUse {
                cell: piece.base.clone(),
                pieces: 0,
                bytes: 0,
            };
            let used = self.bases.entry(place(&piece.base)).or_insert_with(new);
            used.pieces += 1;
        }
        self.items.insert(key, item);
        self.open.push_back(key);
        self.now
    }

    /// Ends a use of an item, if it is still there.
    fn release(&mut self, (key, serial): (Digest, u64)) {
        // What has been compiled meanwhile is counted before it may be dropped.
        self.count(key);
        let Some(item) = self.items.get_mut(&key) else {
            return;
        };
        if item.serial != serial {
            return;
        }
        item.leases = item.leases.saturating_sub(1);
        if item.leases > 0 {
            return;
        }
        match item.is_done {
            true => {
                self.now += 1;
                item.idle_since = self.now;
                self.idle.insert(self.now, key);
            }
            false => self.drop_item(key),
        }
    }

    /// Drops an item, used or not, unless another one has its key by now.
    fn forget(&mut self, (key, serial): (Digest, u64)) {
        if (self.items.get(&key)).is_some_and(|item| item.serial == serial) {
            self.drop_item(key);
        }
    }

    fn drop_item(&mut self, key: Digest) {
        let Some(item) = self.items.remove(&key) else {
            return;
        };
        if item.leases == 0 {
            self.idle.remove(&item.idle_since);
        }
        self.bytes -= item.bytes;
        if !item.is_done {
            self.open_bytes -= item.bytes;
        }
        if let What::Piece(piece) = &item.what {
            self.release_base(&piece.base);
        }
        self.dropped.push(item.what);
    }

    /// A piece that stands beside a base is dropped.
    fn release_base(&mut self, base: &Arc<BaseCell>) {
        let at = place(base);
        let Some(used) = self.bases.get_mut(&at) else {
            return;
        };
        used.pieces -= 1;
        if used.pieces > 0 {
            return;
        }
        if let Some(used) = self.bases.remove(&at) {
            self.base_bytes -= used.bytes;
            self.dropped_bases.push(used.cell);
        }
    }

    /// Counts the bytes of a base anew.
    fn count_base(&mut self, base: &Arc<BaseCell>) {
        if let Some(used) = self.bases.get_mut(&place(base)) {
            let bytes = bytes_of(base);
            self.base_bytes = self.base_bytes - used.bytes + bytes;
            used.bytes = bytes;
        }
    }

    /// The bytes of all items and their bases, and of the base that is kept besides.
    fn all_bytes(&self, bases: &Bases) -> usize {
        let last = bases.last();
        let last = last.filter(|last| !self.bases.contains_key(&place(last)));
        self.bytes + self.base_bytes + last.map_or(0, |last| bytes_of(&last))
    }

    /// Counts the bytes of an item anew. Returns whether it has been compiled, or is not there.
    fn count(&mut self, key: Digest) -> bool {
        let Some(item) = self.items.get_mut(&key) else {
            return true;
        };
        if item.is_done && !item.what.grows() {
            return true;
        }
        let is_done = item.what.is_done();
        let bytes = item.what.memory();
        self.bytes = self.bytes - item.bytes + bytes;
        if !item.is_done {
            self.open_bytes = self.open_bytes - item.bytes + if is_done { 0 } else { bytes };
        }
        (item.bytes, item.is_done) = (bytes, is_done);
        if let What::Piece(piece) = &item.what {
            let base = piece.base.clone();
            self.count_base(&base);
        }
        is_done
    }

    /// Counts again this many of the items that were not compiled.
    fn count_open(&mut self, items: usize) {
        for _ in 0..items.min(self.open.len()) {
            if let Some(key) = self.open.pop_front()
                && !self.count(key)
            {
                self.open.push_back(key);
            }
        }
    }

    /// Drops what has not been used for the longest time while there is too much.
    fn evict(&mut self, most: usize, bases: &Bases) {
        while self.all_bytes(bases) > most {
            let Some((_, key)) = self.idle.pop_first() else {
                self.dropped_bases.extend(bases.keep_none());
                return;
            };
            self.drop_item(key);
            self.metrics.evictions += 1;
        }
    }
}

impl PartStore for Store {
    fn outer(
        &self,
        key: Digest,
        limits: &Limits,
        make: &MakeOuter<'_>,
    ) -> Result<(Arc<OuterPart>, Lease), NotLinked> {
        let (cell, serial) = self.with(|kept| match kept.find(key) {
            Some((What::Outer(cell), serial)) => (cell, serial),
            _ => {
                let cell = Arc::new(OuterCell::new(()));
                let serial = kept.put(key, What::Outer(cell.clone()));
                (cell, serial)
            }
        });
        let lease = self.lease(vec![(key, serial)]);
        // One makes it, others wait. It is no piece: it is counted nowhere.
        let mut is_own = false;
        let made = cell.get(&Compiles::default(), limits, |(), limits| {
            is_own = true;
            make(limits).map(Arc::new)
        });
        if let Err(NotLinked::Refused(_)) = &made {
            // It may be refused for the request's own sake: for the time that it had left, or in
            // words that show its text.
            self.with(|kept| kept.forget((key, serial)));
            if !is_own && cell.ready().is_some() {
                return Ok((make(limits)?.into(), lease));
            }
        }
        let made = made.cloned();
        self.settle(key);
        Ok((made?, lease))
    }

    fn pieces(
        &self,
        keys: &[Digest],
        make: &dyn Fn(usize) -> PartCell,
    ) -> (Vec<Arc<PartCell>>, Lease) {
        let ahead: Weak<dyn Prioritize> =
            Arc::downgrade(&(self.queue.clone() as Arc<dyn Prioritize>));
        let (pieces, items): (Vec<Arc<PartCell>>, Vec<_>) = self.with(|kept| {
            let piece = |(at, &key): (usize, &Digest)| {
                if let Some((What::Piece(cell), serial)) = kept.find(key) {
                    return (cell, (key, serial));
                }
                let cell = make(at).shared(&self.compiles, Some(ahead.clone()));
                let cell = Arc::new(cell);
                let serial = kept.put(key, What::Piece(cell.clone()));
                (cell, (key, serial))
            };
            let pieces = keys.iter().enumerate().map(piece).unzip();
            kept.count_open(COUNTED * keys.len());
            pieces
        });
        // Of those that were there, some may wait: the request that asked first may have been
        // dropped before they were compiled.
        let waited_for = pieces.iter().filter(|cell| !cell.is_done());
        let waited_for = waited_for.map(|cell| cell.clone() as Arc<dyn Work>);
        self.queue.push(Line::Piece, waited_for);
        let lease = self.lease(items);
        (pieces, lease)
    }
}
