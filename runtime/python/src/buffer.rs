//! Rows of 32-bit words in an object's own memory, by Python's buffer protocol.
//!
//! Python may write that memory whenever the interpreter's lock is free, so that a reference to it
//! may exist only while the lock is held. Without the lock a row is written through a pointer, from
//! words that were made elsewhere.
//!
//! In: an object, such as an array of numpy. Out: its words, for as long as a closure runs, or for
//! as long as [`HeldRows`] lives. What holds then: the object is held, its memory is writable, in C
//! order and aligned, and its items are integers of 32 bits; anything else is an error that names
//! the property.
//!
//! The stable interface of Python has the protocol since 3.11. The functions and the structure are
//! the same in 3.9 and 3.10, where the interpreter exports them too, so that they are declared
//! here.

mod numbers;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::{ptr, slice};

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::intern;
use pyo3::prelude::*;

pub(crate) use numbers::with_numbers;

/// `Py_buffer` of Python's headers.
#[repr(C)]
struct View {
    start: *mut c_void,
    owner: *mut PyObject,
    bytes: Py_ssize_t,
    item_bytes: Py_ssize_t,
    is_readonly: c_int,
    dimensions: c_int,
    format: *mut c_char,
    shape: *mut Py_ssize_t,
    strides: *mut Py_ssize_t,
    suboffsets: *mut Py_ssize_t,
    internal: *mut c_void,
}

/// `PyBUF_RECORDS_RO`: shape, strides and format are asked for. Whether it is writable and in C
/// order is told by them, and refused here, so that errors are the same for all objects.
const WITH_STRIDES_AND_FORMAT: c_int = 0x1c;
/// Marks of formats whose items are in the order of this machine.
const NATIVE: &[u8] = if cfg!(target_endian = "little") {
    b"@=<"
} else {
    b"@=>!"
};
/// The most dimensions: rows and words.
const MOST_DIMENSIONS: usize = 2;

unsafe extern "C" {
    fn PyObject_GetBuffer(object: *mut PyObject, view: *mut View, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut View);
    fn PyObject_CheckBuffer(object: *mut PyObject) -> c_int;
}

/// A view that is given back when it is dropped. The view stays where it is, since its shape may
/// point into it.
struct Held<'a>(&'a mut View);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: the view was filled by `PyObject_GetBuffer` and has not been moved since.
        unsafe { PyBuffer_Release(self.0) }
    }
}

/// Rows of words, one after the other, for as long as their view is held.
pub(crate) struct Rows<'a> {
    start: *mut u32,
    /// Number of words.
    len: usize,
    /// Words of a row.
    width: usize,
    /// Number of rows.
    count: usize,
    view: PhantomData<&'a View>,
}

/// A row of words.
pub(crate) struct Row<'a> {
    start: *mut u32,
    len: usize,
    view: PhantomData<&'a View>,
}

// SAFETY: the memory belongs to no thread, and is held while the view lives.
unsafe impl Send for Rows<'_> {}
// SAFETY: as above; a shared reference gives rows, which are written through pointers.
unsafe impl Sync for Rows<'_> {}

impl Rows<'_> {
    /// A row; `None` if there are fewer rows.
    pub(crate) fn row(&self, row: usize) -> Option<Row<'_>> {
        let start = row.checked_mul(self.width)?;
        let end = start.checked_add(self.width)?;
        (row < self.count && end <= self.len).then(|| Row {
            // SAFETY: the row ends within the words.
            start: unsafe { self.start.add(start) },
            len: self.width,
            view: PhantomData,
        })
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Words of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }
}

impl Row<'_> {
    /// Copies words to the front of the row, and zeros behind them. The interpreter's lock need not
    /// be held: there is no reference to the row.
    pub(crate) fn write(&self, words: &[u32]) {
        let copied = words.len().min(self.len);
        // SAFETY: as many words as are copied, and as are zeroed, lie in the row, which is held and
        // writable. The words are no part of it, since no reference to it exists.
        unsafe {
            ptr::copy_nonoverlapping(words.as_ptr(), self.start, copied);
            ptr::write_bytes(self.start.add(copied), 0, self.len - copied);
        }
    }
}

/// Calls `then` with the rows of an object: one row if it has one dimension, else those of its
/// first dimension.
///
/// # Errors
///
/// `TypeError` if it has no buffer, `BufferError` if its items are not integers of 32 bits, if it
/// is read-only, not in C order or not aligned, or has no or more than two dimensions; those of
/// `then`.
pub(crate) fn with_rows<R>(
    object: &Bound<'_, PyAny>,
    then: impl FnOnce(Rows<'_>) -> PyResult<R>,
) -> PyResult<R> {
    let object = with_buffer(object)?;
    let mut view = MaybeUninit::<View>::zeroed();
    let held = Held(fill(&mut view, &object)?);
    then(rows(held.0)?)
}

/// The object itself; for a tensor of torch, which has no buffer, the array of numpy that shares
/// its memory.
fn with_buffer<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the pointer is that of an object, which is held.
    let has_buffer = unsafe { PyObject_CheckBuffer(object.as_ptr()) } != 0;
    if has_buffer || !object.hasattr(intern!(object.py(), "__dlpack__"))? {
        return Ok(object.clone());
    }
    match object.getattr_opt(intern!(object.py(), "numpy"))? {
        Some(numpy) => numpy.call0(),
        None => Ok(object.clone()),
    }
}

/// Fills a view, of zeros, with the buffer of an object, which holds the object until it is
/// released.
fn fill<'v>(view: &'v mut MaybeUninit<View>, object: &Bound<'_, PyAny>) -> PyResult<&'v mut View> {
    // SAFETY: both pointers are valid; the thread is attached to the interpreter, as `object`
    // proves.
    let result =
        unsafe { PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), WITH_STRIDES_AND_FORMAT) };
    match result {
        // SAFETY: all zeros is a view, and the call has filled it.
        0 => Ok(unsafe { view.assume_init_mut() }),
        _ => Err(no_buffer(object)),
    }
}

/// Rows of an object's memory, which is held until this is dropped. In between others may read and
/// write it: no reference is kept. It is read and written only while the interpreter's lock is
/// held.
pub(crate) struct HeldRows {
    /// Stays where it is, since its shape may point into it.
    view: Box<MaybeUninit<View>>,
    start: *mut u32,
    /// Number of words.
    len: usize,
    width: usize,
    count: usize,
}

// SAFETY: the memory belongs to no thread. It is used through references to this value only, and
// the object is released by the drop of a Python object, for which the thread is attached to the
// interpreter.
unsafe impl Send for HeldRows {}
// SAFETY: as above; a shared reference only reads.
unsafe impl Sync for HeldRows {}

impl HeldRows {
    /// Holds the rows of an object.
    ///
    /// # Errors
    ///
    /// As for [`with_rows`].
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let object = with_buffer(object)?;
        let mut view = Box::new(MaybeUninit::<View>::zeroed());
        let held = Held(fill(&mut view, &object)?);
        let rows = rows(held.0)?;
        let (width, count) = (rows.width, rows.count);
        let (start, len) = (rows.start, rows.len);
        // It is released when `HeldRows` is dropped.
        std::mem::forget(held);
        Ok(HeldRows {
            view,
            start,
            len,
            width,
            count,
        })
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Words of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }
}

impl AsRef<[u32]> for HeldRows {
    fn as_ref(&self) -> &[u32] {
        // SAFETY: the words are those of the view, which is held. The interpreter's lock is held
        // for as long as the reference lives, so that Python does not write them meanwhile.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }
}

impl AsMut<[u32]> for HeldRows {
    fn as_mut(&mut self) -> &mut [u32] {
        // SAFETY: as above; they are writable.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for HeldRows {
    fn drop(&mut self) {
        // SAFETY: the view was filled by `PyObject_GetBuffer` and has not been moved since.
        unsafe { PyBuffer_Release(self.view.as_mut_ptr()) }
    }
}

/// The error that was raised, or what to do instead.
fn no_buffer(object: &Bound<'_, PyAny>) -> PyErr {
    let raised = PyErr::fetch(object.py());
    if !raised.is_instance_of::<PyTypeError>(object.py()) {
        return raised;
    }
    let name = object.get_type().name();
    let name = name.map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "expected a buffer of 32-bit integers, such as a numpy array of dtype int32 or a torch tensor on the CPU, got {name}"
    ))
}

/// The rows of a view, which stays held for as long as they live.
fn rows(view: &mut View) -> PyResult<Rows<'_>> {
    check_items(view)?;
    let (dimensions, shape) = shape(view)?;
    let (count, width) = match dimensions {
        1 => (1, shape[0]),
        _ => (shape[0], shape[1]),
    };
    let len = usize::try_from(view.bytes).unwrap_or(0) / size_of::<u32>();
    if len == 0 || view.start.is_null() {
        return Ok(Rows {
            start: ptr::NonNull::dangling().as_ptr(),
            len: 0,
            width,
            count: if width == 0 { 0 } else { count },
            view: PhantomData,
        });
    }
    let start = view.start.cast::<u32>();
    if !start.is_aligned() {
        return Err(PyBufferError::new_err(
            "the buffer is not aligned to four bytes",
        ));
    }
    // The view says that as many words are there and writable, in C order; the exporter keeps them
    // until the view is released.
    Ok(Rows {
        start,
        len,
        width,
        count,
        view: PhantomData,
    })
}

/// Refuses items that are not integers of 32 bits in the order of this machine, and what is
/// read-only.
fn check_items(view: &View) -> PyResult<()> {
    let format = match view.format.is_null() {
        true => c"B",
        // SAFETY: a format is a C string that lives as long as the view.
        false => unsafe { CStr::from_ptr(view.format) },
    };
    let item = match format.to_bytes() {
        [order, item] if NATIVE.contains(order) => Some(item),
        [item] => Some(item),
        _ => None,
    };
    if !item.is_some_and(|item| b"iIlL".contains(item)) || view.item_bytes != 4 {
        return Err(PyBufferError::new_err(format!(
            "the buffer's items have to be 32-bit integers; their format is {:?}, of {} bytes",
            format.to_string_lossy(),
            view.item_bytes
        )));
    }
    if view.is_readonly != 0 {
        return Err(PyBufferError::new_err("the buffer is read-only"));
    }
    Ok(())
}

/// The number of dimensions, one or two, and their lengths, of a view in C order.
fn shape(view: &View) -> PyResult<(usize, [usize; MOST_DIMENSIONS])> {
    let dimensions = usize::try_from(view.dimensions).unwrap_or(0);
    if !(1..=MOST_DIMENSIONS).contains(&dimensions) || view.shape.is_null() {
        return Err(PyBufferError::new_err(format!(
            "the buffer has {dimensions} dimensions; expected one, words, or two, rows and words"
        )));
    }
    let mut shape = [0; MOST_DIMENSIONS];
    let mut stride = view.item_bytes;
    let mut in_order = view.suboffsets.is_null();
    for at in (0..dimensions).rev() {
        // SAFETY: the shape, and the strides where there are any, have as many entries as there are
        // dimensions.
        let (len, step) = unsafe {
            let step = (!view.strides.is_null()).then(|| *view.strides.add(at));
            (*view.shape.add(at), step)
        };
        // The step of a dimension of one is never taken.
        in_order &= len <= 1 || step.is_none_or(|step| step == stride);
        stride = stride.saturating_mul(len);
        shape[at] = usize::try_from(len).unwrap_or(0);
    }
    if !in_order && view.bytes > 0 {
        return Err(PyBufferError::new_err(
            "the buffer is not contiguous in C order",
        ));
    }
    Ok((dimensions, shape))
}
