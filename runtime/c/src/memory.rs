//! Pointers of the caller, made into references.

use core::slice;

use crate::status::Status;

/// The `len` items from `start` on.
///
/// # Safety
///
/// If neither is null or zero, as many items lie there, and stay unchanged for `'a`.
pub(crate) unsafe fn items<'a, T>(start: *const T, len: usize) -> Result<&'a [T], Status> {
    if len == 0 {
        return Ok(&[]);
    }
    if start.is_null() {
        return Err(Status::NullPointer);
    }
    // SAFETY: not null; the caller says the rest.
    Ok(unsafe { slice::from_raw_parts(start, len) })
}

/// The buffer of `len` items from `start` on.
///
/// # Safety
///
/// If neither is null or zero, as many items lie there, which nothing else uses for `'a`.
pub(crate) unsafe fn buffer<'a, T>(start: *mut T, len: usize) -> Result<&'a mut [T], Status> {
    if len == 0 {
        return Ok(&mut []);
    }
    if start.is_null() {
        return Err(Status::NullPointer);
    }
    // SAFETY: not null; the caller says the rest.
    Ok(unsafe { slice::from_raw_parts_mut(start, len) })
}
