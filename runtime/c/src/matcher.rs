//! Matchers: where a text stands in a grammar, in the caller's memory.

use core::ffi::c_void;

use maskwright_core::Grammar;

use crate::grammar::GrammarMemory;
use crate::memory::{buffer, items};
use crate::object::{Size, open, size_of_matcher, status};
use crate::status::Status;

/// A matcher: where a text stands in a grammar. It is as large as maskwright_matcher_size() says,
/// and has no address in it but that of the grammar, so that a copy of its memory is a fork or a
/// checkpoint. One thread may use it at a time, also in functions that leave it where it is: they
/// try things in its memory.
pub struct MatcherMemory(());

/// Bytes of memory that a matcher of a grammar takes, with stacks of up to `depth` frames and as
/// many stacks as the grammar needs, of which nearly all need one; 0 if `depth` is above 65,535.
/// Where no number of stacks is proved to be enough, they are a graph in the memory of 64 stacks,
/// and `depth` is at most 1,024.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_matcher_size(
    grammar: *const GrammarMemory,
    depth: usize,
) -> usize {
    // SAFETY: a loaded grammar or null.
    let Ok(grammar) = (unsafe { GrammarMemory::read(grammar) }) else {
        return 0;
    };
    let size = Size::find(grammar, depth);
    size.and_then(Size::bytes).unwrap_or(0)
}

/// Makes a matcher at the beginning of a text, in memory of maskwright_matcher_size() bytes that is
/// aligned to 8. `*matcher` is then the memory's address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_matcher_new(
    grammar: *const GrammarMemory,
    depth: usize,
    memory: *mut c_void,
    size: usize,
    matcher: *mut *mut MatcherMemory,
) -> Status {
    // SAFETY: a loaded grammar or null; where a pointer may be written, or null.
    let (grammar, matcher) = unsafe { (GrammarMemory::read(grammar), matcher.as_mut()) };
    let (grammar, matcher) = match (grammar, matcher) {
        (Ok(grammar), Some(matcher)) => (grammar, matcher),
        (Err(status), _) => return status,
        (_, None) => return Status::NullPointer,
    };
    // SAFETY: memory of the caller, as long as is said.
    match unsafe { new(grammar, depth, memory.cast(), size) } {
        Ok(()) => {
            *matcher = memory.cast();
            Status::Ok
        }
        Err(status) => status,
    }
}

/// # Safety
///
/// The memory is null or `len` bytes long.
unsafe fn new(
    grammar: &'static Grammar<'static>,
    depth: usize,
    memory: *mut u8,
    len: usize,
) -> Result<(), Status> {
    let size = Size::find(grammar, depth).ok_or(Status::DepthTooLarge)?;
    let bytes = size.bytes().ok_or(Status::DepthTooLarge)?;
    if memory.is_null() {
        return Err(Status::NullPointer);
    }
    if !memory.addr().is_multiple_of(8) {
        return Err(Status::NotAligned);
    }
    if len < bytes {
        return Err(Status::BufferTooSmall);
    }
    // SAFETY: it is aligned and long enough.
    Ok(unsafe { size.make(memory, grammar) }?)
}

/// What a function does with a matcher, or says if it is none.
macro_rules! with {
    ($matcher:expr, or $otherwise:expr, |$name:ident| $body:expr) => {
        with!($matcher, else |_| $otherwise, |$name| $body)
    };
    ($matcher:expr, |$name:ident| $body:expr) => {
        with!($matcher, else |status| status, |$name| $body)
    };
    ($matcher:expr, else |$error:pat_param| $otherwise:expr, |$name:ident| $body:expr) => {
        // SAFETY: a matcher of the caller's, used by no other thread, or null.
        match unsafe { open($matcher.cast()) } {
            Ok(mut opened) => {
                let $name = &mut opened.matcher;
                let result = $body;
                opened.close();
                result
            }
            Err($error) => $otherwise,
        }
    };
}

/// The frames that a matcher's stacks may have: the depth that was asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_depth(matcher: *const MatcherMemory) -> usize {
    // SAFETY: a matcher of the caller's or null.
    unsafe { size_of_matcher(matcher.cast()) }.map_or(0, |(size, _)| size.depth.into())
}

/// Goes back to a checkpoint: a copy of the matcher, or of one of the same grammar and depth.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_rollback(
    matcher: *mut MatcherMemory,
    checkpoint: *const MatcherMemory,
) -> Status {
    // SAFETY: matchers of the caller's or null.
    let sizes = unsafe {
        (
            size_of_matcher(matcher.cast()),
            size_of_matcher(checkpoint.cast()),
        )
    };
    let ((size, grammar), other) = match sizes {
        (Ok(size), Ok(other)) => (size, other),
        (Err(status), _) | (_, Err(status)) => return status,
    };
    if size != other.0 || !core::ptr::eq(grammar, other.1) {
        return Status::NotAMatcher;
    }
    let bytes = size.bytes().unwrap_or(0);
    // SAFETY: both are as long as their size says.
    unsafe { core::ptr::copy(checkpoint.cast::<u8>(), matcher.cast::<u8>(), bytes) };
    Status::Ok
}

/// Goes back to the beginning of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_reset(matcher: *mut MatcherMemory) -> Status {
    with!(matcher, |matcher| {
        matcher.reset();
        Status::Ok
    })
}

/// Writes the mask: bit id % 32 of word id / 32 says whether token id may come next. Words past
/// maskwright_mask_words() are set to 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_fill(
    matcher: *const MatcherMemory,
    words: *mut u32,
    len: usize,
) -> Status {
    // SAFETY: a buffer of the caller.
    let words = unsafe { buffer(words, len) };
    with!(matcher, |matcher| match words {
        Ok(words) => matcher.mask().fill(words).into(),
        Err(status) => status,
    })
}

/// Sets the logits of all tokens that may not come next to minus infinity; that of token id lies at
/// index id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_apply(
    matcher: *const MatcherMemory,
    logits: *mut f32,
    len: usize,
) -> Status {
    // SAFETY: a buffer of the caller.
    let logits = unsafe { buffer(logits, len) };
    with!(matcher, |matcher| match logits {
        Ok(logits) => {
            matcher.mask().apply(logits);
            Status::Ok
        }
        Err(status) => status,
    })
}

/// The token of the highest logit among those that may come next, in `*id`; of equal ones the
/// first. MASKWRIGHT_STATUS_NOT_ALLOWED if no token that may come next has a logit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_argmax(
    matcher: *const MatcherMemory,
    logits: *const f32,
    len: usize,
    id: *mut u32,
) -> Status {
    // SAFETY: logits of the caller, and where an id may be written.
    let (Ok(logits), Some(id)) = (unsafe { (items(logits, len), id.as_mut()) }) else {
        return Status::NullPointer;
    };
    with!(matcher, |matcher| match matcher.mask().argmax(logits) {
        Some(best) => {
            *id = best;
            Status::Ok
        }
        None => Status::NotAllowed,
    })
}

/// Whether a token may come next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_allows(matcher: *const MatcherMemory, id: u32) -> bool {
    with!(matcher, or false, |matcher| matcher.mask().contains(id))
}

/// How many tokens may come next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_count(matcher: *const MatcherMemory) -> usize {
    with!(matcher, or 0, |matcher| matcher.mask().count())
}

/// Takes a token: one that is in the mask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_accept_token(matcher: *mut MatcherMemory, id: u32) -> Status {
    with!(matcher, |matcher| status(matcher.accept_token(id)))
}

/// Takes bytes, whatever tokens they may come from: all of them or, with another status, none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_accept_bytes(
    matcher: *mut MatcherMemory,
    bytes: *const u8,
    len: usize,
) -> Status {
    // SAFETY: bytes of the caller.
    let bytes = unsafe { items(bytes, len) };
    with!(matcher, |matcher| match bytes {
        Ok(bytes) => status(matcher.accept_bytes(bytes)),
        Err(status) => status,
    })
}

/// Takes the tokens of a draft up to the first that is refused; how many were taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_accept_draft(
    matcher: *mut MatcherMemory,
    ids: *const u32,
    len: usize,
) -> usize {
    // SAFETY: ids of the caller.
    let ids = unsafe { items(ids, len) }.unwrap_or(&[]);
    with!(matcher, or 0, |matcher| matcher.accept_draft(ids))
}

/// How many tokens of a draft, from its first, would be accepted one after the other. The matcher
/// stays where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_check_draft(
    matcher: *mut MatcherMemory,
    ids: *const u32,
    len: usize,
) -> usize {
    // SAFETY: ids of the caller.
    let ids = unsafe { items(ids, len) }.unwrap_or(&[]);
    with!(matcher, or 0, |matcher| matcher.check_draft(ids))
}

/// Bytes that maskwright_state_write() writes; 0 if this is not a matcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_state_size(matcher: *const MatcherMemory) -> usize {
    with!(matcher, or 0, |matcher| matcher.byte_len())
}

/// Writes where the text stands, as bytes for maskwright_state_read() on any machine, by a matcher
/// of the same tables, of any depth.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_state_write(
    matcher: *const MatcherMemory,
    bytes: *mut u8,
    len: usize,
) -> Status {
    // SAFETY: a buffer of the caller.
    match unsafe { buffer(bytes, len) } {
        Ok(bytes) => with!(matcher, |matcher| {
            matcher
                .write_to(bytes)
                .map_or_else(Status::from, |_| Status::Ok)
        }),
        Err(status) => status,
    }
}

/// Goes to where the matcher stood that wrote these bytes. They are not trusted: the text can be
/// finished within the matcher's depth from there. MASKWRIGHT_STATUS_NOT_A_STATE if they are damaged, of
/// another version or of other tables, MASKWRIGHT_STATUS_TOO_DEEP if a deeper matcher is needed;
/// the matcher is then as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_state_read(
    matcher: *mut MatcherMemory,
    bytes: *const u8,
    len: usize,
) -> Status {
    // SAFETY: bytes of the caller.
    match unsafe { items(bytes, len) } {
        Ok(bytes) => with!(matcher, |matcher| {
            matcher
                .read_from(bytes)
                .map_or_else(Status::from, |()| Status::Ok)
        }),
        Err(status) => status,
    }
}

/// Whether the text may end here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_is_complete(matcher: *const MatcherMemory) -> bool {
    with!(matcher, or false, |matcher| matcher.is_complete())
}

/// Whether the text has ended: a token that ends it was accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_is_finished(matcher: *const MatcherMemory) -> bool {
    with!(matcher, or false, |matcher| matcher.is_finished())
}

/// Writes the bytes that must come next, as far as the buffer goes; how many were written. The
/// matcher stays where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_forced_bytes(
    matcher: *mut MatcherMemory,
    bytes: *mut u8,
    len: usize,
) -> usize {
    // SAFETY: a buffer of the caller.
    let bytes = unsafe { buffer(bytes, len) }.unwrap_or(&mut []);
    with!(matcher, or 0, |matcher| matcher.forced_bytes(bytes))
}

/// Writes the tokens that come next while the mask holds exactly one, as far as the buffer goes;
/// how many were written. The matcher stays where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_forced_tokens(
    matcher: *mut MatcherMemory,
    ids: *mut u32,
    len: usize,
) -> usize {
    // SAFETY: a buffer of the caller.
    let ids = unsafe { buffer(ids, len) }.unwrap_or(&mut []);
    with!(matcher, or 0, |matcher| matcher.forced_tokens(ids))
}
