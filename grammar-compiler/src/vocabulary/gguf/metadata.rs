//! The metadata of a GGUF: keys and values, which stand before everything else.
//!
//! In: the beginning of a file, as much of it as was read. Out: the place of each value. Arrays are
//! decoded only when they are used, so the lengths that a file announces allocate nothing. No
//! tensor is looked at.

use crate::limits::Deadline;
use crate::maps::KeyedMap;

use super::super::{FileKind, VocabularyError};

/// Arrays within arrays that are skipped.
const MAX_NESTING: u32 = 4;
/// The longest key that the format allows.
const MAX_KEY_BYTES: u64 = (1 << 16) - 1;

/// Why metadata could not be read.
#[derive(Debug)]
pub(super) enum MetadataStop {
    /// The bytes end within it; there may be more in the file.
    CutOff {
        /// Where what is cut off begins.
        at: u64,
    },
    /// It is none.
    Bad(VocabularyError),
}

/// A value: a number, a text, or an array.
#[derive(Clone, Copy, Debug)]
pub(super) enum MetadataValue<'f> {
    Integer(i64),
    Text(&'f [u8]),
    Array(Array<'f>),
    /// A number with a fraction, or a truth value.
    Other,
}

/// An array, not yet decoded: all its elements lie within `bytes`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array<'f> {
    kind: u32,
    count: u64,
    bytes: &'f [u8],
    /// Where `bytes` begin in the file.
    at: u64,
}

/// The values by their keys.
#[derive(Debug)]
pub(super) struct Metadata<'f> {
    values: KeyedMap<&'f [u8], MetadataValue<'f>>,
    /// Where the metadata ends.
    pub(super) end: u64,
}

const STRING: u32 = 8;
const ARRAY: u32 = 9;

/// The bytes of a value of a type that has a fixed length.
fn width(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

/// Reads all metadata. `whole` is the length of the file, of which `content` is the beginning.
pub(super) fn read<'f>(
    content: &'f [u8],
    whole: u64,
    deadline: &Deadline,
) -> Result<Metadata<'f>, MetadataStop> {
    let mut cursor = Cursor {
        content,
        at: 0,
        whole,
        deadline,
    };
    cursor.take(4)?;
    check_version(cursor.u32()?)?;
    let _tensors = cursor.u64()?;
    let count = cursor.u64()?;
    let mut values = KeyedMap::default();
    // Each takes bytes of the file, so the loop ends where they do.
    for _ in 0..count {
        let at = cursor.at;
        let length = cursor.u64()?;
        if length == 0 || length > MAX_KEY_BYTES {
            return Err(bad(at, format!("a key of {length} bytes")));
        }
        let key = cursor.take(length)?;
        let kind = cursor.u32()?;
        let value = cursor.value(kind)?;
        if values.insert(key, value).is_some() {
            let key = String::from_utf8_lossy(key);
            return Err(bad(at, format!("the key `{key}` stands there twice")));
        }
    }
    Ok(Metadata {
        values,
        end: cursor.at,
    })
}

fn check_version(version: u32) -> Result<(), MetadataStop> {
    let what = match version {
        2 | 3 => return Ok(()),
        0 => "version 0, which is none".to_owned(),
        1 => "version 1, of 2023, whose lengths are other numbers: convert the model again".to_owned(),
        // The version's low bytes are where the high ones should be.
        big if big.trailing_zeros() >= 16 => {
            "its numbers are big-endian: convert it to little-endian, with `gguf_convert_endian` of the Python package `gguf`".to_owned()
        }
        other => format!("version {other}; versions 2 and 3 are read"),
    };
    Err(bad(4, what))
}

fn bad(at: u64, what: String) -> MetadataStop {
    MetadataStop::Bad(VocabularyError::Malformed {
        kind: FileKind::Gguf,
        at: Some(at),
        what,
    })
}

/// Where the reading is.
struct Cursor<'f, 'd> {
    content: &'f [u8],
    at: u64,
    whole: u64,
    deadline: &'d Deadline,
}

impl<'f> Cursor<'f, '_> {
    /// The next bytes.
    fn take(&mut self, length: u64) -> Result<&'f [u8], MetadataStop> {
        let in_time = self.deadline.ticks(4, "reading metadata");
        in_time.map_err(|limit| MetadataStop::Bad(limit.into()))?;
        let end = self.at.checked_add(length);
        let Some(end) = end.filter(|&end| end <= self.whole) else {
            let left = self.whole.saturating_sub(self.at);
            let what = format!("{length} bytes are announced, of which there are {left}");
            return Err(bad(self.at, what));
        };
        let range = usize::try_from(self.at).ok().zip(usize::try_from(end).ok());
        let bytes = range.and_then(|(from, to)| self.content.get(from..to));
        let bytes = bytes.ok_or(MetadataStop::CutOff { at: self.at })?;
        self.at = end;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, MetadataStop> {
        Ok(self
            .take(4)?
            .first_chunk()
            .map_or(0, |b| u32::from_le_bytes(*b)))
    }

    fn u64(&mut self) -> Result<u64, MetadataStop> {
        Ok(self
            .take(8)?
            .first_chunk()
            .map_or(0, |b| u64::from_le_bytes(*b)))
    }

    fn value(&mut self, kind: u32) -> Result<MetadataValue<'f>, MetadataStop> {
        if kind == ARRAY {
            return Ok(MetadataValue::Array(self.array(0)?));
        }
        if kind == STRING {
            let length = self.u64()?;
            return Ok(MetadataValue::Text(self.take(length)?));
        }
        let at = self.at;
        let width = width(kind)
            .ok_or_else(|| bad(at, format!("a value of the type {kind}, which is none")))?;
        Ok(integer(kind, self.take(width)?).map_or(MetadataValue::Other, MetadataValue::Integer))
    }

    fn array(&mut self, nesting: u32) -> Result<Array<'f>, MetadataStop> {
        let (start, kind) = (self.at, self.u32()?);
        let (count, at) = (self.u64()?, self.at);
        match (width(kind), kind) {
            (Some(width), _) => {
                let length = count.checked_mul(width);
                let length =
                    length.ok_or_else(|| bad(start, format!("an array of {count} values")))?;
                self.take(length)?;
            }
            (None, STRING) => {
                for _ in 0..count {
                    let length = self.u64()?;
                    self.take(length)?;
                }
            }
            (None, ARRAY) if nesting < MAX_NESTING => {
                for _ in 0..count {
                    self.array(nesting + 1)?;
                }
            }
            (None, ARRAY) => return Err(bad(start, "arrays within arrays, too deep".to_owned())),
            (None, other) => {
                return Err(bad(
                    start,
                    format!("an array of the type {other}, which is none"),
                ));
            }
        }
        let range = usize::try_from(at).ok().zip(usize::try_from(self.at).ok());
        let bytes = range.and_then(|(from, to)| self.content.get(from..to));
        Ok(Array {
            kind,
            count,
            bytes: bytes.unwrap_or_default(),
            at,
        })
    }
}

/// An integer of this type; none if the type has fractions or truth values.
fn integer(kind: u32, bytes: &[u8]) -> Option<i64> {
    let number = |length: usize| {
        let mut eight = [0; 8];
        eight
            .get_mut(..length)?
            .copy_from_slice(bytes.get(..length)?);
        Some(u64::from_le_bytes(eight))
    };
    Some(match kind {
        0 => i64::from(number(1)? as u8),
        1 => i64::from(number(1)? as i8),
        2 => i64::from(number(2)? as u16),
        3 => i64::from(number(2)? as i16),
        4 => i64::from(number(4)? as u32),
        5 => i64::from(number(4)? as i32),
        10 => i64::try_from(number(8)?).unwrap_or(i64::MAX),
        11 => number(8)? as i64,
        _ => return None,
    })
}

impl<'f> Metadata<'f> {
    /// An integer; none if the key is not there.
    pub(super) fn integer(&self, key: &str) -> Result<Option<i64>, VocabularyError> {
        match self.values.get(key.as_bytes()) {
            None => Ok(None),
            Some(MetadataValue::Integer(number)) => Ok(Some(*number)),
            Some(_) => Err(wrong(key, "an integer")),
        }
    }

    /// A text; none if the key is not there.
    pub(super) fn text(&self, key: &str) -> Result<Option<&'f str>, VocabularyError> {
        match self.values.get(key.as_bytes()) {
            None => Ok(None),
            Some(MetadataValue::Text(text)) => {
                let text = core::str::from_utf8(text);
                text.map(Some).map_err(|_| wrong(key, "text in UTF-8"))
            }
            Some(_) => Err(wrong(key, "a text")),
        }
    }

    /// An array; none if the key is not there.
    pub(super) fn array(&self, key: &str) -> Result<Option<Array<'f>>, VocabularyError> {
        match self.values.get(key.as_bytes()) {
            None => Ok(None),
            Some(MetadataValue::Array(array)) => Ok(Some(*array)),
            Some(_) => Err(wrong(key, "an array")),
        }
    }
}

fn wrong(key: &str, expected: &str) -> VocabularyError {
    VocabularyError::Malformed {
        kind: FileKind::Gguf,
        at: None,
        what: format!("`{key}` is not {expected}"),
    }
}

impl<'f> Array<'f> {
    /// Number of elements.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Where its elements begin in the file.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// The texts, one after the other; none if it holds something else.
    pub(super) fn texts(self) -> Option<impl Iterator<Item = &'f [u8]>> {
        let mut rest = self.bytes;
        let next = move || {
            let (length, after) = rest.split_first_chunk::<8>()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let (text, after) = after.split_at_checked(length)?;
            rest = after;
            Some(text)
        };
        (self.kind == STRING).then(|| core::iter::from_fn(next))
    }

    /// The integers, one after the other; none if it holds something else.
    pub(super) fn integers(self) -> Option<impl Iterator<Item = i64>> {
        let kind = self.kind;
        let width = width(kind).filter(|_| !matches!(kind, 6 | 7 | 12))?;
        let values = self.bytes.chunks_exact(usize::try_from(width).ok()?);
        Some(values.map(move |bytes| integer(kind, bytes).unwrap_or_default()))
    }
}
