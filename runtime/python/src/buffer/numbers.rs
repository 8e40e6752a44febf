//! Rows of numbers with a point in an object's own memory, such as logits.
//!
//! In: an object, and rows of words. Out: minus infinity where a bit is 0. What holds: the object
//! is held, its memory is writable, in C order and aligned, and its items have 2, 4 or 8 bytes.
//! Nothing here has a reference to that memory, so the interpreter's lock need not be held.

use std::ffi::CStr;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;

use super::{Held, Row, View, fill, shape, with_buffer};

/// The bits of minus infinity in each kind of number.
#[derive(Clone, Copy)]
enum Infinity {
    Two(u16),
    Four(u32),
    Eight(u64),
}

impl Infinity {
    /// That of items of this format of Python's `struct`. Integers of two bytes are numbers in
    /// bfloat16, for which there is no format.
    fn of(item: u8) -> Option<Self> {
        match item {
            b'e' => Some(Infinity::Two(0xfc00)),
            b'h' | b'H' => Some(Infinity::Two(0xff80)),
            b'f' => Some(Infinity::Four(f32::NEG_INFINITY.to_bits())),
            b'd' => Some(Infinity::Eight(f64::NEG_INFINITY.to_bits())),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Infinity::Two(_) => 2,
            Infinity::Four(_) => 4,
            Infinity::Eight(_) => 8,
        }
    }
}

/// Rows of numbers, one after the other, for as long as their view is held.
pub(crate) struct Numbers<'a> {
    start: *mut u8,
    infinity: Infinity,
    /// Numbers of a row.
    width: usize,
    /// Number of rows.
    count: usize,
    view: PhantomData<&'a View>,
}

// SAFETY: the memory belongs to no thread, and is held while the view lives.
unsafe impl Send for Numbers<'_> {}
// SAFETY: as above; numbers are written through pointers.
unsafe impl Sync for Numbers<'_> {}

impl Numbers<'_> {
    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Numbers of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Sets each of the first `size` numbers of a row to minus infinity whose bit in the words is
    /// 0. Nothing happens past the end of the row, of the words, or of the rows.
    pub(crate) fn apply(&self, row: usize, words: &Row<'_>, size: usize) {
        let size = size.min(self.width).min(words.len.saturating_mul(32));
        if row >= self.count {
            return;
        }
        // SAFETY: as many rows are held, of `width` numbers of this many bytes, so that the row and
        // its first `size` numbers lie there; they are writable and aligned. The words have a bit
        // for each of these numbers.
        unsafe {
            let start = self.start.add(row * self.width * self.infinity.bytes());
            match self.infinity {
                Infinity::Two(bits) => refuse(start.cast(), words.start, size, bits),
                Infinity::Four(bits) => refuse(start.cast(), words.start, size, bits),
                Infinity::Eight(bits) => refuse(start.cast(), words.start, size, bits),
            }
        }
    }
}

/// Writes a value to each of `size` places whose bit in the words is 0.
///
/// # Safety
///
/// The places are writable and aligned, and there is a word for each 32 of them.
unsafe fn refuse<T: Copy>(places: *mut T, words: *const u32, size: usize, value: T) {
    for first in (0..size).step_by(32) {
        // SAFETY: the word is there, as the caller says.
        let word = unsafe { words.add(first / 32).read() };
        let count = (size - first).min(32);
        if word == 0 {
            for at in first..first + count {
                // SAFETY: the place is one of `size`.
                unsafe { places.add(at).write(value) }
            }
            continue;
        }
        let mut refused = !word & u32::MAX.checked_shr(32 - count as u32).unwrap_or(0);
        while refused != 0 {
            // SAFETY: the bit is one of `count`, so that the place is one of `size`.
            unsafe {
                places
                    .add(first + refused.trailing_zeros() as usize)
                    .write(value)
            }
            refused &= refused - 1;
        }
    }
}

/// Calls `then` with the rows of an object: one row if it has one dimension, else those of its
/// first dimension.
///
/// # Errors
///
/// `TypeError` if it has no buffer, `BufferError` if its items are no numbers with a point, if it
/// is read-only, not in C order or not aligned, or has no or more than two dimensions; those of
/// `then`.
pub(crate) fn with_numbers<R>(
    object: &Bound<'_, PyAny>,
    then: impl FnOnce(Numbers<'_>) -> PyResult<R>,
) -> PyResult<R> {
    let object = with_buffer(object)?;
    let mut view = MaybeUninit::<View>::zeroed();
    let held = Held(fill(&mut view, &object)?);
    then(numbers(held.0)?)
}

/// The numbers of a view, which stays held for as long as they live.
fn numbers(view: &mut View) -> PyResult<Numbers<'_>> {
    let infinity = infinity(view)?;
    let (dimensions, shape) = shape(view)?;
    let (count, width) = match dimensions {
        1 => (1, shape[0]),
        _ => (shape[0], shape[1]),
    };
    let is_empty = count == 0 || width == 0 || view.start.is_null();
    if !is_empty && !(view.start as usize).is_multiple_of(infinity.bytes()) {
        let message = "the buffer is not aligned to its items";
        return Err(PyBufferError::new_err(message));
    }
    Ok(Numbers {
        start: view.start.cast(),
        infinity,
        width,
        count: if is_empty { 0 } else { count },
        view: PhantomData,
    })
}

/// Refuses items that are no numbers with a point in the order of this machine, and memory that is
/// read-only.
fn infinity(view: &View) -> PyResult<Infinity> {
    let format = match view.format.is_null() {
        true => c"B",
        // SAFETY: a format is a C string that lives as long as the view.
        false => unsafe { CStr::from_ptr(view.format) },
    };
    let item = match format.to_bytes() {
        [order, item] if super::NATIVE.contains(order) => Some(*item),
        [item] => Some(*item),
        _ => None,
    };
    let infinity = item.and_then(Infinity::of);
    let fits = |infinity: &Infinity| isize::try_from(infinity.bytes()) == Ok(view.item_bytes);
    let Some(infinity) = infinity.filter(fits) else {
        return Err(PyBufferError::new_err(format!(
            "the buffer's items have to be numbers with a point; their format is {:?}, of {} bytes",
            format.to_string_lossy(),
            view.item_bytes
        )));
    };
    if view.is_readonly != 0 {
        return Err(PyBufferError::new_err("the buffer is read-only"));
    }
    Ok(infinity)
}
