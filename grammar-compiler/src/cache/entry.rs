//! An entry of the folder: what it is the result of, and the result.
//!
//! In: a key and a content, or bytes that nobody has checked and the key that was asked for. Out:
//! the other of the two. What holds: an entry that was cut off or changed, has another key, or is a
//! result of another kind, has no content. The digest of the content is no signature: whoever can
//! write an entry can write its digest.
//!
//! ```text
//! magic      "MSKC"
//! kind       u32: what the result is
//! key        32 bytes: the digest of everything that the result depends on
//! content    32 bytes: the digest of the content
//! …          the content
//! ```

use super::key::Key;
use crate::digest::{DIGEST_BYTES, Digest};

const MAGIC: [u8; 4] = *b"MSKC";
const KEY: usize = 4 + 4;
const CONTENT: usize = KEY + DIGEST_BYTES;
/// Bytes before the content.
pub(super) const HEADER: usize = CONTENT + DIGEST_BYTES;

/// What stands before a content.
pub(super) fn header(key: Key, content: &[u8]) -> [u8; HEADER] {
    let Key { kind, digest } = key;
    let mut header = [0; HEADER];
    header[..4].copy_from_slice(&MAGIC);
    header[4..KEY].copy_from_slice(&(kind as u32).to_le_bytes());
    header[KEY..CONTENT].copy_from_slice(&digest.to_bytes());
    header[CONTENT..].copy_from_slice(&Digest::of("entry", content).to_bytes());
    header
}

/// The content of an entry of this key.
pub(super) fn content(mut entry: Vec<u8>, key: Key) -> Option<Vec<u8>> {
    let content = entry.get(HEADER..)?;
    let is_whole = entry.starts_with(&header(key, content));
    is_whole.then(|| entry.split_off(HEADER))
}
