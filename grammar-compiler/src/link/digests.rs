//! Digests of pieces that have been asked for before.
//!
//! In: the fields of a piece's key. Out: their digest. What holds: a digest is found only by all of
//! its fields, which are kept and compared; so it is that of these fields, and a request whose
//! pieces are known does not wait for a cryptographic hash. What is kept takes at most [`MOST`]
//! bytes.

use std::sync::{PoisonError, RwLock};

use crate::digest::{DIGEST_BYTES, Digest, Digester};
use crate::maps::KeyedMap;

/// The most bytes that are kept. When there are more, all are dropped, and those that are needed
/// are made again.
const MOST: usize = 4 << 20;
/// Bytes of an entry besides its fields, about.
const ENTRY: usize = DIGEST_BYTES + 32;

/// Fields and their digests. The map has std's keyed hash, as the fields are texts of clients.
#[derive(Debug, Default)]
pub(super) struct KnownDigests(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    digests: KeyedMap<Box<[u8]>, Digest>,
    bytes: usize,
}

impl KnownDigests {
    /// The digest of these fields.
    pub(super) fn finish(&self, fields: &Digester) -> Digest {
        let bytes = fields.fields();
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&digest) = known.digests.get(bytes) {
            return digest;
        }
        drop(known);
        let digest = fields.finish();
        let taken = bytes.len() + ENTRY;
        if taken <= MOST / 16 {
            self.keep(bytes, digest, taken);
        }
        digest
    }

    fn keep(&self, fields: &[u8], digest: Digest, taken: usize) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.bytes + taken > MOST {
            *known = Known::default();
        }
        if known.digests.insert(fields.into(), digest).is_none() {
            known.bytes += taken;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(number: u64, length: usize) -> Digester {
        let mut digester = Digester::new("test");
        digester.number(number);
        digester.bytes(&vec![0; length]);
        digester
    }

    #[test]
    fn known_digests_are_those_of_their_fields_and_take_a_bounded_number_of_bytes() {
        let known = KnownDigests::default();
        for number in (0..100).chain(0..100) {
            let fields = fields(number, 100_000);
            assert_eq!(known.finish(&fields), fields.finish());
            assert!(known.0.read().unwrap().bytes <= MOST);
        }
        let count = known.0.read().unwrap().digests.len();
        assert!((1..=MOST / 100_000).contains(&count), "{count}");
    }

    #[test]
    fn what_takes_much_is_not_kept() {
        let known = KnownDigests::default();
        let long = fields(0, MOST / 4);
        assert_eq!(known.finish(&long), long.finish());
        assert_eq!(known.0.read().unwrap().bytes, 0);
    }
}
