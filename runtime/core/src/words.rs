//! Reading little-endian words out of bytes.
//!
//! In: bytes of any alignment. Out: [`Words`], a run of `u32`s that is read in place. Every read is
//! checked, so that no index, from wherever it comes, can make a read panic.

/// A run of little-endian `u32` words in borrowed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words<'t>(&'t [[u8; 4]]);

impl<'t> Words<'t> {
    /// No words.
    pub(crate) const EMPTY: Self = Words(&[]);

    /// The whole words of `bytes`, and the bytes left over.
    pub(crate) const fn split(bytes: &'t [u8]) -> (Self, &'t [u8]) {
        let (words, rest) = bytes.as_chunks::<4>();
        (Words(words), rest)
    }

    /// Number of words.
    pub(crate) const fn len(self) -> usize {
        self.0.len()
    }

    /// The word at `at`.
    #[inline]
    pub(crate) const fn get(self, at: usize) -> Option<u32> {
        if at < self.0.len() {
            Some(u32::from_le_bytes(self.0[at]))
        } else {
            None
        }
    }

    /// The `len` words from `start` on.
    #[inline]
    pub(crate) const fn slice(self, start: usize, len: usize) -> Option<Self> {
        match self.tail(start) {
            Some(tail) => match tail.split_at(len) {
                Some((words, _)) => Some(words),
                None => None,
            },
            None => None,
        }
    }

    /// The first `at` words and the others.
    #[inline]
    pub(crate) const fn split_at(self, at: usize) -> Option<(Self, Self)> {
        match self.0.split_at_checked(at) {
            Some((first, rest)) => Some((Words(first), Words(rest))),
            None => None,
        }
    }

    /// The words from `start` on.
    #[inline]
    pub(crate) const fn tail(self, start: usize) -> Option<Self> {
        match self.split_at(start) {
            Some((_, tail)) => Some(tail),
            None => None,
        }
    }

    /// The first word and the others.
    #[inline]
    pub(crate) const fn split_first(self) -> Option<(u32, Self)> {
        match self.0.split_first() {
            Some((first, rest)) => Some((u32::from_le_bytes(*first), Words(rest))),
            None => None,
        }
    }

    /// The first place of a word for which `is_before` is false; it is true for all words before
    /// and false for all behind.
    #[inline]
    pub(crate) fn partition_point(self, is_before: impl Fn(u32) -> bool) -> usize {
        self.0
            .partition_point(|word| is_before(u32::from_le_bytes(*word)))
    }

    /// The words, in order.
    #[inline]
    pub(crate) fn iter(
        self,
    ) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone + use<'t> {
        self.0.iter().map(|word| u32::from_le_bytes(*word))
    }

    /// The words as records of `N` words; a rest that fills no record is left out.
    #[inline]
    pub(crate) const fn records<const N: usize>(self) -> &'t [[[u8; 4]; N]] {
        self.0.as_chunks::<N>().0
    }

    /// The words as they lie in memory.
    #[inline]
    pub(crate) const fn raw(self) -> &'t [[u8; 4]] {
        self.0
    }

    /// The words as half-words: the low half of each word first.
    #[inline]
    pub(crate) const fn halves(self) -> &'t [[u8; 2]] {
        self.0.as_flattened().as_chunks::<2>().0
    }

    /// The first `count` bytes, and the words after those that they lie in.
    #[inline]
    pub(crate) const fn split_bytes(self, count: usize) -> Option<(&'t [u8], Self)> {
        let Some((words, rest)) = self.0.split_at_checked(count.div_ceil(4)) else {
            return None;
        };
        match words.as_flattened().split_at_checked(count) {
            Some((bytes, _)) => Some((bytes, Words(rest))),
            None => None,
        }
    }

    /// Reads the words as the branches of a look: the first value, then pairs (key, value),
    /// ascending by key, whose value holds from the key on. The value of `key`.
    #[inline]
    pub(crate) fn branch(self, key: u32) -> Option<u32> {
        let pairs = self.tail(1)?.records::<2>();
        let before = pairs.partition_point(|[first, _]| u32::from_le_bytes(*first) <= key);
        self.get(2 * before)
    }
}
