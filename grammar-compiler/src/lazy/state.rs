//! The state of a matcher in the first tier as bytes: the text itself.
//!
//! In: the tokens and bytes that a matcher has taken. Out: the state as bytes, and the same tokens
//! and bytes read back from a state. What holds: a state is not trusted. Reading it takes time and
//! memory that grow with its length, and a matcher takes its tokens one by one, so the matcher
//! never stands where no text leads.
//!
//! The form: [`MAGIC`], a version, the hash of the vocabulary, then what was taken, piece by piece,
//! then a hash of all that, which shows bytes that were altered by accident and protects from
//! nobody. A piece is a number, seven bits a byte: twice the id of a token, or twice the length of
//! some bytes and one, and the bytes.

use maskwright_core::{LogitsMask, StateError, crc32};
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes. States of tables begin with others.
const MAGIC: &[u8; 4] = b"MSKT";
const VERSION: u16 = 1;
/// The first bytes of states of tables.
const TABLES_MAGIC: &[u8; 4] = b"MSKS";
/// The bytes of a hash.
const HASH: usize = 8;

/// A token, or bytes that were taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Token(u32),
    Bytes(Box<[u8]>),
}

impl Taken {
    /// Hands it to a matcher.
    ///
    /// # Errors
    /// What the matcher says.
    #[inline]
    pub(crate) fn take_by<M: LogitsMask>(&self, matcher: &mut M) -> Result<(), M::NotTaken> {
        match self {
            Taken::Token(id) => matcher.accept_token(*id),
            Taken::Bytes(bytes) => matcher.accept_bytes(bytes),
        }
    }
}

/// Whether bytes are a state of the first tier.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Whether bytes may be a state of tables: they begin as one and end with their checksum.
pub(crate) fn is_of_tables(bytes: &[u8]) -> bool {
    let parts = bytes.split_last_chunk::<4>();
    parts.is_some_and(|(body, sum)| {
        body.starts_with(TABLES_MAGIC) && crc32(body) == u32::from_le_bytes(*sum)
    })
}

/// Writes what a matcher has taken as bytes.
pub(crate) fn write(vocabulary: u64, taken: &[Taken]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&vocabulary.to_le_bytes());
    for taken in taken {
        match taken {
            Taken::Token(id) => write_number(&mut bytes, u64::from(*id) * 2),
            Taken::Bytes(text) => {
                write_number(&mut bytes, text.len() as u64 * 2 + 1);
                bytes.extend_from_slice(text);
            }
        }
    }
    let hash = xxh3_64(&bytes);
    bytes.extend_from_slice(&hash.to_le_bytes());
    bytes
}

/// Reads what a matcher had taken from bytes.
///
/// # Errors
/// If the bytes are no state of the first tier, or one for another vocabulary.
pub(crate) fn read(vocabulary: u64, bytes: &[u8]) -> Result<Vec<Taken>, StateError> {
    let after_magic = bytes.strip_prefix(MAGIC).ok_or(StateError::Foreign)?;
    let short = StateError::Corrupt("it is cut off");
    let (version, _) = after_magic.split_first_chunk().ok_or(short)?;
    match u16::from_le_bytes(*version) {
        VERSION => {}
        found => return Err(StateError::Version { found }),
    }
    let (content, hash) = bytes.split_last_chunk::<HASH>().ok_or(short)?;
    if xxh3_64(content) != u64::from_le_bytes(*hash) {
        return Err(StateError::Corrupt("its hash is another"));
    }
    let head = content.get(MAGIC.len() + 2..).ok_or(short)?;
    let (of, mut rest) = head.split_first_chunk::<HASH>().ok_or(short)?;
    if u64::from_le_bytes(*of) != vocabulary {
        return Err(StateError::OtherGrammar);
    }
    let mut taken = Vec::new();
    while !rest.is_empty() {
        let number = read_number(&mut rest).ok_or(short)?;
        let value = number / 2;
        taken.push(match number % 2 {
            0 => Taken::Token(u32::try_from(value).map_err(|_| short)?),
            _ => {
                let length = usize::try_from(value).map_err(|_| short)?;
                let (text, behind) = rest.split_at_checked(length).ok_or(short)?;
                rest = behind;
                Taken::Bytes(text.into())
            }
        });
    }
    Ok(taken)
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, behind) = bytes.split_first()?;
        *bytes = behind;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_is_read_back() {
        let taken = [
            Taken::Token(0),
            Taken::Token(u32::MAX),
            Taken::Bytes([b'a'; 300].into()),
            Taken::Bytes([].into()),
            Taken::Token(128),
        ];
        for count in 0..=taken.len() {
            let bytes = write(7, &taken[..count]);
            assert!(is_text(&bytes));
            assert_eq!(read(7, &bytes).as_deref(), Ok(&taken[..count]));
            assert_eq!(read(8, &bytes), Err(StateError::OtherGrammar));
        }
    }

    /// Bytes that were changed or cut off are refused; so are those whose hash is right and whose
    /// content is not.
    #[test]
    fn damaged_states_are_refused() {
        let bytes = write(7, &[Taken::Token(300), Taken::Bytes(b"abc"[..].into())]);
        for at in 0..bytes.len() {
            assert!(read(7, &bytes[..at]).is_err());
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert!(read(7, &changed).is_err());
        }
        let content = &bytes[..bytes.len() - HASH];
        for cut in [2, 3, 5] {
            let mut cut = content[..content.len() - cut].to_vec();
            cut.extend_from_slice(&xxh3_64(&cut).to_le_bytes());
            assert_eq!(read(7, &cut), Err(StateError::Corrupt("it is cut off")));
        }
    }
}
