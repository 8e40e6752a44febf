//! Values as bytes: little-endian numbers, texts and lists behind their lengths.
//!
//! In: values, or bytes that nobody has checked. Out: the other of the two. What holds: a reader
//! never panics, and allocates no more than the bytes hold; it answers `None` where they end too
//! early or are no such value.

/// Bytes that values are appended to.
#[derive(Debug, Default)]
pub(crate) struct ByteWriter(pub(crate) Vec<u8>);

impl ByteWriter {
    /// Eight bytes.
    pub(crate) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// Four bytes.
    pub(crate) fn short(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// A number for the length, then the text.
    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// A number for the length, then the items.
    pub(crate) fn list<T>(&mut self, list: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.number(list.len() as u64);
        list.iter().for_each(|item| one(self, item));
    }
}

/// Bytes that are left to read.
#[derive(Debug)]
pub(crate) struct ByteReader<'b>(pub(crate) &'b [u8]);

impl<'b> ByteReader<'b> {
    /// Eight bytes as a number.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// Four bytes as a number.
    pub(crate) fn short(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    /// A number that counts something in memory.
    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// A number that is 0 or 1.
    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// So many bytes.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// A text behind its length.
    pub(crate) fn text(&mut self) -> Option<String> {
        let length = self.size()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    /// A list behind its length.
    pub(crate) fn list<T>(&mut self, one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        self.items(count, one)
    }

    /// So many items, each of a byte at least.
    pub(crate) fn items<T>(
        &mut self,
        count: u64,
        mut one: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(one(self)?);
        }
        Some(items)
    }
}
