//! Hash maps, of two kinds: by keys that the compiler makes, and by keys that a text brings.
//!
//! A client may choose the names, values and characters of a text so that an unkeyed hash is the
//! same for all of them, and then each look-up takes as long as there are keys. So:
//!
//! - [`IdMap`] and [`IdSet`] hash without a key, as fast as can be. Their keys are numbers that the
//!   compiler gives, and values made of such numbers: [`OwnKey`] says which types these are, and
//!   the compiler refuses the map of any other type.
//! - [`KeyedMap`] and [`KeyedSet`] hash with a random key for each map, which no client knows. They
//!   cannot be iterated over, since the order would differ from run to run and tables must not.
//!
//! What holds: each hash map of this crate is of one of the two kinds. `clippy.toml` disallows the
//! unkeyed types everywhere else; the crates that read Lark grammars use std's maps, which are
//! keyed. The lint `iter_over_hash_type` forbids loops over any of them.

#![expect(clippy::disallowed_types, reason = "both kinds are made here")]

use std::borrow::Borrow;
use std::collections::hash_map::{Entry, RandomState};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Debug, Formatter};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::rc::Rc;

use rustc_hash::FxHasher;

/// Numbers that the compiler gives, and values made of them. No text of a client is in one, and no
/// character, name or number that was written in one.
pub(crate) trait OwnKey: Eq + Hash {}

/// Own keys of which sequences are own keys as well. A byte is none: a sequence of bytes is a text.
pub(crate) trait OwnItem: OwnKey {}

/// Implements [`OwnKey`] and [`OwnItem`] for types that consist of such keys.
macro_rules! own_keys {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::maps::OwnKey for $name {}
        impl $crate::maps::OwnItem for $name {}
    )+};
}
pub(crate) use own_keys;

own_keys!(i16, u16, u32, u64, usize);

impl OwnKey for () {}
impl OwnKey for bool {}
impl OwnKey for u8 {}
/// An address, not the value that lies there.
impl<T> OwnKey for *const T {}
impl<T: OwnKey> OwnKey for Option<T> {}
impl<T: OwnKey + ?Sized> OwnKey for &T {}
impl<T: OwnKey + ?Sized> OwnKey for Rc<T> {}
impl<T: OwnItem> OwnKey for [T] {}
impl<T: OwnItem> OwnKey for Vec<T> {}
impl<T: OwnItem, const N: usize> OwnKey for [T; N] {}
impl<A: OwnKey, B: OwnKey> OwnKey for (A, B) {}
impl<A: OwnKey, B: OwnKey> OwnItem for (A, B) {}
impl<A: OwnKey, B: OwnKey, C: OwnKey> OwnKey for (A, B, C) {}
impl<A: OwnKey, B: OwnKey, C: OwnKey> OwnItem for (A, B, C) {}

/// Hashes own keys without a key: the same value has the same hash in every run.
pub(crate) struct OwnHasher<K: OwnKey + ?Sized>(PhantomData<fn(&K)>);

impl<K: OwnKey + ?Sized> Default for OwnHasher<K> {
    fn default() -> Self {
        OwnHasher(PhantomData)
    }
}

impl<K: OwnKey + ?Sized> Debug for OwnHasher<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("OwnHasher")
    }
}

impl<K: OwnKey + ?Sized> Clone for OwnHasher<K> {
    fn clone(&self) -> Self {
        OwnHasher::default()
    }
}

impl<K: OwnKey + ?Sized> BuildHasher for OwnHasher<K> {
    type Hasher = FxHasher;

    #[inline]
    fn build_hasher(&self) -> FxHasher {
        FxHasher::default()
    }
}

/// A map by keys that the compiler makes.
pub(crate) type IdMap<K, V> = HashMap<K, V, OwnHasher<K>>;

/// A set of keys that the compiler makes.
pub(crate) type IdSet<K> = HashSet<K, OwnHasher<K>>;

/// Hashes what a text brings, with a random key.
pub(crate) type KeyedHasher = RandomState;

/// A map by keys that a text brings. It has no order, and cannot be iterated over.
#[derive(Clone, Debug)]
pub(crate) struct KeyedMap<K, V>(HashMap<K, V>);

impl<K, V> Default for KeyedMap<K, V> {
    fn default() -> Self {
        KeyedMap(HashMap::new())
    }
}

impl<K: Eq + Hash, V> KeyedMap<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys, ascending.
    pub(crate) fn sorted_keys(&self) -> Vec<&K>
    where
        K: Ord,
    {
        let mut keys: Vec<&K> = self.0.keys().collect();
        keys.sort_unstable();
        keys
    }

    pub(crate) fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.0.get(key)
    }

    pub(crate) fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.0.get_mut(key)
    }

    pub(crate) fn contains_key<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.0.contains_key(key)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.0.insert(key, value)
    }

    /// Keeps the entries for which `keep` holds. It must not matter in which order it is asked.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain(keep);
    }

    pub(crate) fn remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.0.remove(key)
    }

    pub(crate) fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        self.0.entry(key)
    }
}

impl<K: Eq + Hash, V> Extend<(K, V)> for KeyedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.0.extend(entries);
    }
}

impl<K: Eq + Hash, V> FromIterator<(K, V)> for KeyedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        KeyedMap(entries.into_iter().collect())
    }
}

/// A set of keys that a text brings. It has no order, and cannot be iterated over.
#[derive(Clone, Debug)]
pub(crate) struct KeyedSet<K>(HashSet<K>);

impl<K> Default for KeyedSet<K> {
    fn default() -> Self {
        KeyedSet(HashSet::new())
    }
}

impl<K: Eq + Hash> KeyedSet<K> {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn contains<Q>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.0.contains(key)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes in the keys of another set.
    pub(crate) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether the key is new.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        self.0.insert(key)
    }
}

impl<K: Eq + Hash> Extend<K> for KeyedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        self.0.extend(keys);
    }
}

impl<K: Eq + Hash> FromIterator<K> for KeyedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        KeyedSet(keys.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Expr, RuleId};

    /// Says `IS_OWN` of each type: the constant of the type itself goes before that of the trait.
    struct Probe<T: ?Sized>(PhantomData<T>);

    impl<T: OwnKey + ?Sized> Probe<T> {
        const IS_OWN: bool = true;
    }

    trait Otherwise {
        const IS_OWN: bool = false;
    }

    impl<T: ?Sized> Otherwise for Probe<T> {}

    #[test]
    fn what_a_text_can_hold_is_no_own_key() {
        let texts = [
            Probe::<str>::IS_OWN,
            Probe::<String>::IS_OWN,
            Probe::<&str>::IS_OWN,
            Probe::<char>::IS_OWN,
            Probe::<(RuleId, char)>::IS_OWN,
            Probe::<[u8]>::IS_OWN,
            Probe::<Vec<u8>>::IS_OWN,
            Probe::<&[u8]>::IS_OWN,
            Probe::<[u8; 16]>::IS_OWN,
            Probe::<u128>::IS_OWN,
            Probe::<Expr>::IS_OWN,
            Probe::<Vec<(char, char, u32)>>::IS_OWN,
        ];
        assert_eq!(texts, [false; 12]);
        let own = [
            Probe::<u32>::IS_OWN,
            Probe::<RuleId>::IS_OWN,
            Probe::<Vec<(RuleId, u8)>>::IS_OWN,
            Probe::<*const Expr>::IS_OWN,
        ];
        assert_eq!(own, [true; 4]);
    }

    /// Names of which every two have the same unkeyed hash: a block of sixteen bytes is folded by a
    /// multiplication, and one factor is 0 where its text equals what was folded two blocks before.
    fn names_of_one_hash(count: u64) -> Vec<String> {
        /// The first seed of rustc-hash, and what it mixes into the second factor.
        const SEED1: u64 = 0x243f_6a88_85a3_08d3;
        const MIXED: u64 = 0xa409_3822_299f_31d0;
        let fold = |one: u64, other: u64| {
            let product = u128::from(one) * u128::from(other);
            product as u64 ^ (product >> 64) as u64
        };
        let digits = |number: u64| format!("{number:08}");
        let word = |text: &str| {
            text.as_bytes()
                .first_chunk()
                .map(|bytes| u64::from_le_bytes(*bytes))
        };
        let folded = |first: &str| {
            let (left, right) = (word(&first[..8])?, word(&first[8..])?);
            let bytes = fold(SEED1 ^ left, MIXED ^ right).to_le_bytes();
            String::from_utf8(bytes.to_vec())
                .ok()
                .filter(|text| text.is_ascii())
        };
        let mut firsts = (0..).map(|at| digits(at) + &digits(at));
        let (first, zero) = firsts
            .find_map(|first| folded(&first).map(|zero| (first, zero)))
            .expect("one of 256 is ASCII");
        let middle = "-".repeat(16);
        let name = |at| format!("{first}{middle}{zero}{}{middle}", digits(at));
        (0..count).map(name).collect()
    }

    #[test]
    fn names_of_one_unkeyed_hash_have_many_keyed_ones() {
        let names = names_of_one_hash(1000);
        let distinct = |hash: &dyn Fn(&str) -> u64| {
            let mut hashes: Vec<u64> = names.iter().map(|name| hash(name)).collect();
            hashes.sort_unstable();
            hashes.dedup();
            hashes.len()
        };
        let unkeyed = OwnHasher::<u32>::default();
        assert_eq!(
            distinct(&|name| unkeyed.hash_one(name)),
            1,
            "the names are chosen well"
        );
        let (one, other) = (KeyedHasher::default(), KeyedHasher::default());
        assert_eq!(distinct(&|name| one.hash_one(name)), names.len());
        assert_ne!(one.hash_one("a"), other.hash_one("a"), "each map has a key");
    }
}
