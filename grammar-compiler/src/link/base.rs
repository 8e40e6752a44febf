//! The part that the pieces of a format stand beside.
//!
//! In: a part with values of every kind, compiled once for a format. Out: [`PieceBase`], whose
//! token sets and endings the pieces of the format share, and [`Bases`], which keeps those of some
//! formats.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use maskwright_core::link::OwnedPart;

use super::NotLinked;
use super::compiles::Once;
use crate::digest::Digest;
use crate::maps::KeyedMap;
use crate::pack::Beside;
use crate::parts::Prefix;

/// A part that pieces stand beside: they do not store the token sets that it has.
#[derive(Debug)]
pub(super) struct PieceBase {
    pub(super) part: OwnedPart,
    /// The digest of its tables.
    pub(super) digest: Digest,
    pub(super) beside: Beside,
    /// The endings of the part: pieces have them too, so that all of them are compiled with one
    /// trie.
    pub(super) endings: Vec<Prefix>,
    /// About how many bytes all these take.
    pub(super) bytes: usize,
}

/// The base of a format, once a piece has needed it; `None` in it if there is none.
pub(super) type BaseCell = Once<(), Option<PieceBase>, NotLinked>;

/// About how many bytes a base takes, as far as it has been compiled.
pub(super) fn bytes_of(cell: &BaseCell) -> usize {
    let base = cell.ready().and_then(|base| base.as_ref().ok()?.as_ref());
    base.map_or(0, |base| base.bytes)
}

/// The most bases that are listed before those are taken out that are gone.
const LISTED: usize = 64;

/// The bases of formats, by their keys. A base is there as long as a piece or a request uses it;
/// the one that was asked for last is kept besides.
#[derive(Debug, Default)]
pub(super) struct Bases {
    listed: Mutex<ListedBases>,
}

#[derive(Debug, Default)]
struct ListedBases {
    by_key: KeyedMap<Digest, Weak<BaseCell>>,
    last: Option<Arc<BaseCell>>,
}

impl Bases {
    fn lock(&self) -> MutexGuard<'_, ListedBases> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of the base with this key.
    pub(super) fn cell(&self, key: Digest) -> Arc<BaseCell> {
        let mut listed = self.lock();
        let known = listed.by_key.get(&key).and_then(Weak::upgrade);
        let cell = known.unwrap_or_else(|| {
            if listed.by_key.len() >= LISTED {
                listed.by_key.retain(|_, cell| cell.strong_count() > 0);
            }
            let cell = Arc::new(BaseCell::new(()));
            listed.by_key.insert(key, Arc::downgrade(&cell));
            cell
        });
        let before = listed.last.replace(cell.clone());
        drop(listed);
        // It is dropped outside of the lock.
        drop(before);
        cell
    }

    /// The one that is kept though nothing may use it.
    pub(super) fn last(&self) -> Option<Arc<BaseCell>> {
        self.lock().last.clone()
    }

    /// Keeps none that is not used. Returns the one that was kept.
    pub(super) fn keep_none(&self) -> Option<Arc<BaseCell>> {
        self.lock().last.take()
    }
}
