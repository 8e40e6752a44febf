//! Masks that are kept from one token to the next, in memory of the caller's: what pools and
//! buffers have in common.
//!
//! In: words for rows, and memory for what the rows hold. Out: a [`MaskPool`] or a [`MaskBuffer`]
//! at the beginning of that memory, the state of its rows behind it. A mark tells it from other
//! memory, most of the time, and from a copy of it, always.

use maskwright_core::{MaskBuffer, MaskPool, MaskRow, PoolSlot};

use crate::memory::{buffer, items};
use crate::status::Status;

/// Items of the caller's that an object uses from one call to the next. In between the caller may
/// read them: no reference is kept.
#[derive(Debug)]
pub(crate) struct Items<T> {
    start: *mut T,
    len: usize,
}

impl<T> Items<T> {
    /// # Safety
    ///
    /// If the length is not zero, as many items lie there as long as this is in use, and nothing
    /// else uses them while a reference to them is.
    unsafe fn new(start: *mut T, len: usize) -> Self {
        Items { start, len }
    }
}

impl<T> AsRef<[T]> for Items<T> {
    fn as_ref(&self) -> &[T] {
        // SAFETY: as `new` was told.
        unsafe { items(self.start, self.len) }.unwrap_or(&[])
    }
}

impl<T> AsMut<[T]> for Items<T> {
    fn as_mut(&mut self) -> &mut [T] {
        // SAFETY: as `new` was told.
        unsafe { buffer(self.start, self.len) }.unwrap_or(&mut [])
    }
}

/// A pool, whose words and slots are the caller's.
pub(crate) type Pool = MaskPool<Items<u32>, Items<PoolSlot>>;
/// A buffer, whose words and rows are the caller's.
pub(crate) type Buffer = MaskBuffer<Items<u32>, Items<MaskRow>>;

/// A pool or a buffer.
pub(crate) trait Kept: Sized {
    /// Tells it from other memory.
    const MARK: usize;
    /// The state of a row.
    type Row: Clone + Default;
    fn new(words: Items<u32>, rows: Items<Self::Row>, row_words: usize) -> Self;
    /// The words of a row; none if there is no such row.
    fn row(&self, row: usize) -> &[u32];
}

impl Kept for Pool {
    const MARK: usize = 0x4d53_4b50;
    type Row = PoolSlot;

    fn new(words: Items<u32>, rows: Items<Self::Row>, row_words: usize) -> Self {
        MaskPool::new(words, rows, row_words)
    }

    fn row(&self, row: usize) -> &[u32] {
        self.row(row)
    }
}

impl Kept for Buffer {
    const MARK: usize = 0x4d53_4b42;
    type Row = MaskRow;

    fn new(words: Items<u32>, rows: Items<Self::Row>, row_words: usize) -> Self {
        MaskBuffer::new(words, rows, row_words)
    }

    fn row(&self, row: usize) -> &[u32] {
        self.row(row)
    }
}

/// A pool or a buffer as it lies in memory.
#[repr(C, align(8))]
struct KeptRecord<K> {
    /// The kind's mark, mixed with the address.
    mark: usize,
    kept: K,
}

/// What the caller gives for rows of words.
pub(crate) struct Given {
    pub(crate) rows: usize,
    pub(crate) row_words: usize,
    pub(crate) words: *mut u32,
    pub(crate) words_len: usize,
    pub(crate) memory: *mut u8,
    pub(crate) size: usize,
}

/// Bytes of memory for so many rows; `None` if that is more than there can be.
pub(crate) fn bytes<K: Kept>(rows: usize) -> Option<usize> {
    const { assert!(align_of::<K::Row>() <= align_of::<KeptRecord<K>>()) };
    let rows = rows.checked_mul(size_of::<K::Row>())?;
    rows.checked_add(size_of::<KeptRecord<K>>())
}

/// Makes a pool or a buffer in the memory.
///
/// # Safety
///
/// Memory and words are null or as long as is said, and stay there, used by nothing else during
/// calls, as long as what is made is used.
unsafe fn make<K: Kept>(given: &Given) -> Result<(), Status> {
    let memory = given.memory;
    if memory.is_null() {
        return Err(Status::NullPointer);
    }
    if !memory.addr().is_multiple_of(8) {
        return Err(Status::NotAligned);
    }
    let words = given.rows.checked_mul(given.row_words);
    let words = words.filter(|&needed| needed <= given.words_len);
    let bytes = bytes::<K>(given.rows).filter(|&needed| needed <= given.size);
    let (Some(words), Some(_)) = (words, bytes) else {
        return Err(Status::BufferTooSmall);
    };
    if words > 0 && given.words.is_null() {
        return Err(Status::NullPointer);
    }
    let stored = memory.cast::<KeptRecord<K>>();
    // SAFETY: the memory is aligned and has room for so many rows behind what is stored; the caller
    // says the rest.
    unsafe {
        let rows = stored.add(1).cast::<K::Row>();
        for at in 0..given.rows {
            rows.add(at).write(K::Row::default());
        }
        let rows = Items::new(rows, given.rows);
        let kept = K::new(Items::new(given.words, words), rows, given.row_words);
        let mark = K::MARK ^ memory.addr();
        stored.write(KeptRecord { mark, kept });
    }
    Ok(())
}

/// Makes a pool or a buffer in the memory, and says in `*object` where it is.
///
/// # Safety
///
/// As for [`make`]; `object` is null, or where a pointer may be written.
pub(crate) unsafe fn make_at<K: Kept, M>(given: &Given, object: *mut *mut M) -> Status {
    // SAFETY: as the caller says.
    let Some(object) = (unsafe { object.as_mut() }) else {
        return Status::NullPointer;
    };
    // SAFETY: as the caller says.
    match unsafe { make::<K>(given) } {
        Ok(()) => {
            *object = given.memory.cast();
            Status::Ok
        }
        Err(status) => status,
    }
}

/// The pool or the buffer in the memory.
///
/// # Safety
///
/// The pointer is null, not aligned, or to memory as large as a pool or a buffer, which nothing
/// else uses for `'a`.
pub(crate) unsafe fn exclusive<'a, K: Kept>(memory: *mut u8) -> Result<&'a mut K, Status> {
    if memory.is_null() {
        return Err(Status::NullPointer);
    }
    if !memory.addr().is_multiple_of(8) {
        return Err(Status::NotAligned);
    }
    let stored = memory.cast::<KeptRecord<K>>();
    // SAFETY: neither null nor misaligned; all begin with their mark.
    let mark = unsafe { (&raw const (*stored).mark).read() };
    if mark != K::MARK ^ memory.addr() {
        return Err(Status::NotAPool);
    }
    // SAFETY: the mark says that it lies there, and the caller that nothing else uses it.
    Ok(unsafe { &mut (*stored).kept })
}

/// The words of a row of the pool or the buffer in the memory, or null.
///
/// # Safety
///
/// As for [`exclusive`].
pub(crate) unsafe fn row_words<K: Kept>(memory: *const u8, row: usize) -> *const u32 {
    // SAFETY: as the caller says; nothing is changed.
    let words = unsafe { exclusive::<K>(memory.cast_mut()) }.map_or(&[][..], |kept| kept.row(row));
    match words {
        [] => core::ptr::null(),
        words => words.as_ptr(),
    }
}
