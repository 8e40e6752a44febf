//! The identity of tables: by their content, not by their address.
//!
//! In: the header of tables. Out: [`TablesId`]. What is assumed: tables are equal if their lengths,
//! checksums (CRC-32), hashes of the grammar with its options (64 bits) and hashes of the
//! vocabulary (64 bits) are equal. The hashes are not cryptographic: whoever forges tables, or
//! chooses the texts of two grammars, can make two that have one id. Where such tables share a
//! pool, its rows know them by a cryptographic digest instead, which `with_digest` of a grammar
//! takes.

/// The identity of compiled tables: equal for copies of the same tables, wherever they lie.
///
/// It consists of what the header holds: length, checksum, the hash of the grammar and its options,
/// the hash of the vocabulary, and for tables that stand beside others a hash of the id of those.
/// Two different grammars have equal ids with a chance of about 2⁻⁹⁶. The hashes are no protection
/// against forged tables, nor against grammars that were chosen to have one hash.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs")); }
/// # let (tables, _) = example::tables();
/// use maskwright_core::Grammar;
///
/// let copy = tables.clone();
/// assert_eq!(Grammar::load(&tables)?.id(), Grammar::load(&copy)?.id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TablesId {
    pub(crate) grammar: u64,
    pub(crate) vocabulary: u64,
    /// A hash of the id of the tables that these stand beside; 0 if they stand alone.
    pub(crate) beside: u64,
    pub(crate) checksum: u32,
    /// Length in words.
    pub(crate) words: u32,
}

impl TablesId {
    /// Bytes of an id that is written.
    pub(crate) const BYTES: usize = 32;

    /// The identity of linked parts: 16 bytes of a digest of the parts, the hash of their
    /// vocabulary, and the depth for which they were linked.
    #[doc(hidden)]
    #[cfg(feature = "link")]
    pub const fn of_parts(parts: [u64; 2], vocabulary: u64, depth: usize) -> Self {
        let [grammar, beside] = parts;
        TablesId {
            grammar,
            vocabulary,
            beside,
            checksum: depth as u32,
            words: 0,
        }
    }

    /// The same with 16 bytes of a digest in the place of the hashes of the grammar and of what it
    /// stands beside.
    #[cfg(feature = "digest")]
    pub(crate) const fn with_digest(self, digest: [u64; 2]) -> Self {
        let [grammar, beside] = digest;
        TablesId {
            grammar,
            beside,
            ..self
        }
    }

    /// What stands for an id where the caller numbers its grammars. No tables have this length.
    pub(crate) const fn of_owner(owner: u64) -> Self {
        TablesId {
            grammar: owner,
            vocabulary: 0,
            beside: 0,
            checksum: 0,
            words: u32::MAX,
        }
    }

    /// One number of it, for the ids of tables that stand beside these.
    pub(crate) const fn mixed(&self) -> u64 {
        let own = (self.checksum as u64 | (self.words as u64) << 32) ^ self.beside.rotate_left(17);
        let mixed = (own ^ self.grammar.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Not 0, which is for tables that stand alone.
        (mixed ^ mixed >> 29) | 1
    }

    /// The id as bytes, each part with its low byte first.
    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let own = self.checksum as u64 | (self.words as u64) << 32;
        let mut bytes = [0; Self::BYTES];
        let parts = [own, self.grammar, self.vocabulary, self.beside];
        for (to, part) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(parts) {
            *to = part.to_le_bytes();
        }
        bytes
    }
}
