//! Digests: 32 bytes that stand for everything that a result depends on.
//!
//! In: a kind, and fields in a fixed order. Out: [`Digest`], BLAKE2b of all of them. What holds:
//! whoever finds two different sequences of fields with one digest has broken BLAKE2b, even if he
//! chooses the fields: they carry their lengths, so that no field runs into the next one, and
//! digests of different kinds never meet. So equal digests are as good as equal fields, in memory
//! and on disk.
//!
//! The fields of a type are written by [`DigestFields`], which takes its values apart by name
//! (`let Self { .. } = self`), so that a new field cannot be left out.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

use blake2b_simd::Params;

/// Bytes of a digest.
pub(crate) const DIGEST_BYTES: usize = 32;

/// Most fields of a schema take fewer bytes, so that their list is allocated once.
const ROOM: usize = 1 << 10;
/// What keeps digests of bytes apart from those of fields.
const CONTENT: &[u8] = b"content";

/// What stands for a sequence of fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest([u8; DIGEST_BYTES]);

/// Half of the bytes tell digests apart well enough for a table that compares all of them.
impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.halves().iter().for_each(|&half| state.write_u64(half));
    }
}

impl Digest {
    /// The digest of bytes that are one field, such as a file: they are not copied.
    pub(crate) fn of(kind: &'static str, content: &[u8]) -> Self {
        let mut params = Params::new();
        let mut state = params
            .hash_length(DIGEST_BYTES)
            .personal(CONTENT)
            .to_state();
        state.update(&(kind.len() as u64).to_le_bytes());
        state.update(kind.as_bytes());
        state.update(content);
        Digest::finished(&state)
    }

    fn finished(state: &blake2b_simd::State) -> Self {
        let mut digest = [0; DIGEST_BYTES];
        let hash = state.finalize();
        digest
            .iter_mut()
            .zip(hash.as_bytes())
            .for_each(|(to, from)| *to = *from);
        Digest(digest)
    }

    pub(crate) fn to_bytes(self) -> [u8; DIGEST_BYTES] {
        self.0
    }

    /// Its first 16 bytes: it takes 2^64 tries to find two digests that agree in them.
    pub(crate) fn halves(self) -> [u64; 2] {
        let mut halves = [0; 2];
        let (bytes, _) = self.0.as_chunks::<8>();
        halves
            .iter_mut()
            .zip(bytes)
            .for_each(|(half, bytes)| *half = u64::from_le_bytes(*bytes));
        halves
    }
}

/// Numbers as digests.
#[cfg(test)]
impl Digest {
    pub(crate) fn of_number(number: u128) -> Self {
        let mut digest = [0; DIGEST_BYTES];
        digest[..16].copy_from_slice(&number.to_le_bytes());
        Digest(digest)
    }

    pub(crate) fn number(self) -> u128 {
        let (number, _) = self.0.split_first_chunk().unwrap();
        u128::from_le_bytes(*number)
    }
}

/// As hexadecimal digits: the name of a file.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What rows of a pool know tables by that stand beside no others: for
/// [`OwnedGrammar::with_digest`](maskwright_core::OwnedGrammar::with_digest).
pub fn tables_digest(tables: &[u8]) -> [u64; 2] {
    Digest::of("tables", tables).halves()
}

/// Takes in fields and makes a [`Digest`] of them.
#[derive(Clone, Debug)]
pub(crate) struct Digester {
    /// All fields, with their lengths.
    fields: Vec<u8>,
}

impl Digester {
    /// No field yet, of something of this kind.
    pub(crate) fn new(kind: &'static str) -> Self {
        let mut digester = Digester {
            fields: Vec::with_capacity(ROOM),
        };
        digester.text(kind);
        digester
    }

    /// A number that always takes eight bytes.
    pub(crate) fn number(&mut self, number: u64) {
        self.fields.extend_from_slice(&number.to_le_bytes());
    }

    /// Yes or no, or the number of a variant.
    pub(crate) fn small(&mut self, number: u8) {
        self.fields.push(number);
    }

    /// Yes or no.
    pub(crate) fn flag(&mut self, flag: bool) {
        self.small(flag.into());
    }

    /// Bytes behind their length.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.fields.extend_from_slice(bytes);
    }

    /// A text behind its length.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The fields of a value.
    pub(crate) fn field(&mut self, value: &(impl DigestFields + ?Sized)) {
        value.write_fields(self);
    }

    /// Items behind their number.
    pub(crate) fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| one(self, item));
    }

    /// A digest of other fields.
    pub(crate) fn digest(&mut self, digest: Digest) {
        self.fields.extend_from_slice(&digest.0);
    }

    /// The fields so far, of which [`finish`](Self::finish) makes a digest.
    pub(crate) fn fields(&self) -> &[u8] {
        &self.fields
    }

    /// The digest of all fields.
    pub(crate) fn finish(&self) -> Digest {
        let mut state = Params::new().hash_length(DIGEST_BYTES).to_state();
        state.update(&self.fields);
        Digest::finished(&state)
    }
}

/// A value that results depend on. Values of one type that differ write different fields, none of
/// which is the beginning of the other's.
pub(crate) trait DigestFields {
    /// Writes everything that tells the value from others.
    fn write_fields(&self, to: &mut Digester);
}

impl<T: DigestFields + ?Sized> DigestFields for &T {
    fn write_fields(&self, to: &mut Digester) {
        (**self).write_fields(to);
    }
}

impl<T: DigestFields> DigestFields for Option<T> {
    fn write_fields(&self, to: &mut Digester) {
        to.flag(self.is_some());
        if let Some(value) = self {
            value.write_fields(to);
        }
    }
}

impl<T: DigestFields> DigestFields for [T] {
    fn write_fields(&self, to: &mut Digester) {
        to.list(self, |to, item| item.write_fields(to));
    }
}

impl DigestFields for bool {
    fn write_fields(&self, to: &mut Digester) {
        to.flag(*self);
    }
}

impl DigestFields for u32 {
    fn write_fields(&self, to: &mut Digester) {
        to.number((*self).into());
    }
}

impl DigestFields for char {
    fn write_fields(&self, to: &mut Digester) {
        to.number((*self).into());
    }
}

impl DigestFields for str {
    fn write_fields(&self, to: &mut Digester) {
        to.text(self);
    }
}

impl DigestFields for String {
    fn write_fields(&self, to: &mut Digester) {
        to.text(self);
    }
}

impl DigestFields for Path {
    fn write_fields(&self, to: &mut Digester) {
        to.bytes(self.as_os_str().as_encoded_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(fields: impl FnOnce(&mut Digester)) -> Digest {
        let mut digester = Digester::new("test");
        fields(&mut digester);
        digester.finish()
    }

    #[test]
    fn fields_do_not_run_into_one_another() {
        let all = [
            digest(|_| {}),
            digest(|digester| digester.text("")),
            digest(|digester| digester.text("ab")),
            digest(|digester| {
                digester.text("a");
                digester.text("b");
            }),
            digest(|digester| digester.list(&["a", "b"], |digester, text| digester.text(text))),
            digest(|digester| digester.field(&None::<u32>)),
            digest(|digester| digester.field(&Some(0u32))),
            Digester::new("tes").finish(),
            Digest::of("test", b"ab"),
            Digest::of("tes", b"tab"),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "digest {at}");
        }
    }

    /// The digest is BLAKE2b with 32 bytes, as RFC 7693 has it: of no bytes it is this number.
    #[test]
    fn it_is_blake2b() {
        let none = Digester { fields: Vec::new() }.finish();
        let expected = "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8";
        assert_eq!(none.to_string(), expected);
    }
}
