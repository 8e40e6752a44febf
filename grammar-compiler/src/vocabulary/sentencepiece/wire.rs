//! Messages of Protocol Buffers, as far as a SentencePiece model needs them.
//!
//! In: the bytes of one message. Out: its fields in order, each a number or bytes within the
//! message; nothing is allocated.

/// A field: its number and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field<'m> {
    pub(super) number: u64,
    pub(super) value: WireValue<'m>,
    /// Where the field begins in the message.
    pub(super) at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireValue<'m> {
    Number(u64),
    /// A text, or a message.
    Bytes(&'m [u8]),
    /// Four or eight bytes: a number that is not needed here.
    Fixed,
}

/// The fields of a message; after an error there are no more.
pub(super) struct Fields<'m> {
    message: &'m [u8],
    at: usize,
}

/// Where a message is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) at: usize,
}

/// The fields of `message`.
pub(super) fn fields(message: &[u8]) -> Fields<'_> {
    Fields { message, at: 0 }
}

impl<'m> Iterator for Fields<'m> {
    type Item = Result<Field<'m>, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.message.len() {
            return None;
        }
        let at = self.at;
        let field = self.field();
        if field.is_none() {
            self.at = self.message.len();
        }
        Some(field.ok_or(Broken { at }))
    }
}

impl<'m> Fields<'m> {
    fn field(&mut self) -> Option<Field<'m>> {
        let at = self.at;
        let tag = self.varint()?;
        let number = tag >> 3;
        let value = match tag & 7 {
            0 => WireValue::Number(self.varint()?),
            1 => self.take(8).map(|_| WireValue::Fixed)?,
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                WireValue::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| WireValue::Fixed)?,
            // Groups, which are no longer written, and what is no type.
            _ => return None,
        };
        (number > 0).then_some(Field { number, value, at })
    }

    fn take(&mut self, length: usize) -> Option<&'m [u8]> {
        let end = self.at.checked_add(length)?;
        let bytes = self.message.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    /// Seven bits a byte, the lowest first.
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}
