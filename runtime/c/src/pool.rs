//! Pools: masks that a whole batch shares, and buffers: a mask for each sequence.

use core::ffi::c_void;

use crate::grammar::{GrammarMemory, write};
use crate::kept::{self, Buffer, Given, Pool, exclusive};
use crate::matcher::MatcherMemory;
use crate::memory::items;
use crate::object::open;
use crate::status::Status;

/// Rows of words for masks that all sequences of a batch share: sequences whose masks are equal are
/// given the same row, and a mask that was met some steps ago is mostly still there. As many rows
/// as there are sequences suffice at any step; for one sequence, 32 to 64 keep nearly all masks of
/// a text. Matchers may be of different grammars.
///
/// What it is made of stays where it is, used by nothing else, as long as the pool is used: its
/// memory, which must be neither moved nor copied, and the words, which may be read between calls.
/// Which mask a row holds is told by what is in the tables, not by where a grammar is: grammars may
/// go while the pool is used, and copies of one grammar share rows. One thread may use it at a
/// time.
///
/// A library that was built without default features has pools and buffers only with the feature
/// `batches`.
pub struct PoolMemory(());

/// Bytes of a digest.
const DIGEST_BYTES: usize = 16;

/// Gives a loaded grammar 16 bytes of a cryptographic digest of its tables, and of those that they
/// stand beside, such as the first bytes of their SHA-256. Rows of pools and buffers know the
/// tables by it from now on. Where tables come from the texts of clients that do not trust one
/// another, each grammar needs one before a pool or a buffer is used: without it rows know tables
/// by hashes that are not cryptographic, so that a client could choose two texts for which one
/// pool has the same masks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_grammar_set_digest(
    grammar: *mut GrammarMemory,
    digest: *const u8,
) -> Status {
    // SAFETY: a loaded grammar that no other thread uses, or null; 16 bytes of the caller, or null.
    let given = unsafe { (GrammarMemory::read(grammar), items(digest, DIGEST_BYTES)) };
    let (loaded, digest) = match given {
        (Ok(loaded), Ok(digest)) => (*loaded, digest),
        (Err(status), _) | (_, Err(status)) => return status,
    };
    let half = |at: usize| {
        let half = digest.get(at..).and_then(|rest| rest.first_chunk());
        half.map_or(0, |half| u64::from_le_bytes(*half))
    };
    let digest = [half(0), half(8)];
    // SAFETY: a grammar lies there.
    unsafe { write(grammar, || Ok(loaded.with_digest(digest))) }
}

/// Bytes of memory that a pool of so many rows takes, without the words; 0 if that is more than
/// there can be.
#[unsafe(no_mangle)]
pub extern "C" fn maskwright_pool_size(rows: usize) -> usize {
    kept::bytes::<Pool>(rows).unwrap_or(0)
}

/// Makes a pool of rows of `row_words` words each, maskwright_mask_words() or more, which lie one
/// after the other in `words`; what is in them does not matter. Its memory has
/// maskwright_pool_size() bytes and is aligned to 8. `*pool` is then the memory's address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_pool_new(
    rows: usize,
    row_words: usize,
    words: *mut u32,
    words_len: usize,
    memory: *mut c_void,
    size: usize,
    pool: *mut *mut PoolMemory,
) -> Status {
    let given = Given {
        rows,
        row_words,
        words,
        words_len,
        memory: memory.cast(),
        size,
    };
    // SAFETY: memory and words of the caller, as long as is said; where a pointer may be written,
    // or null.
    unsafe { kept::make_at::<Pool, _>(&given, pool) }
}

/// Begins a step: rows that were handed out before may be written again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_pool_begin_step(pool: *mut PoolMemory) -> Status {
    // SAFETY: a pool of the caller's, used by no other thread, or null.
    match unsafe { exclusive::<Pool>(pool.cast()) } {
        Ok(pool) => {
            pool.begin_step();
            Status::Ok
        }
        Err(status) => status,
    }
}

/// The row that holds the mask of a matcher, and zeros after it, in `*row`: one that already does,
/// or one that is written now. It stays as it is until the next step. `*is_new`, unless it is null,
/// says which: only rows that were written have to be copied to a device again.
/// MASKWRIGHT_STATUS_POOL_FULL if all rows were handed out at this step,
/// MASKWRIGHT_STATUS_BUFFER_TOO_SMALL if rows are too short for the mask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_pool_row(
    pool: *mut PoolMemory,
    matcher: *const MatcherMemory,
    row: *mut usize,
    is_new: *mut bool,
) -> Status {
    // SAFETY: a pool and a matcher of the caller's, used by no other thread, or null; where a row
    // and an answer may be written, or null.
    let given = unsafe { (exclusive::<Pool>(pool.cast()), open(matcher.cast())) };
    // SAFETY: as above.
    let (row, is_new) = unsafe { (row.as_mut(), is_new.as_mut()) };
    let (pool, matcher, row) = match (given, row) {
        ((Ok(pool), Ok(matcher)), Some(row)) => (pool, matcher, row),
        ((Err(status), _) | (_, Err(status)), _) => return status,
        (_, None) => return Status::NullPointer,
    };
    match pool.row_of_mask(matcher.matcher.mask()) {
        Ok(found) => {
            *row = found.row;
            if let Some(is_new) = is_new {
                *is_new = found.is_new;
            }
            Status::Ok
        }
        Err(error) => error.into(),
    }
}

/// The words of a row: bit id % 32 of word id / 32 is token id. Null if there is no such row. All
/// rows are one after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_pool_words(pool: *const PoolMemory, row: usize) -> *const u32 {
    // SAFETY: a pool of the caller's, used by no other thread, or null.
    unsafe { kept::row_words::<Pool>(pool.cast(), row) }
}

/// Rows of words for masks, one for each sequence of a batch, that know which mask they hold: only
/// what differs from a row's last mask is written. What holds for the memory, the words and the
/// grammars of a pool holds for those of a buffer.
pub struct BufferMemory(());

/// Bytes of memory that a buffer of so many rows takes, without the words; 0 if that is more than
/// there can be.
#[unsafe(no_mangle)]
pub extern "C" fn maskwright_buffer_size(rows: usize) -> usize {
    kept::bytes::<Buffer>(rows).unwrap_or(0)
}

/// Makes a buffer of rows of `row_words` words each, as maskwright_pool_new() makes a pool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_buffer_new(
    rows: usize,
    row_words: usize,
    words: *mut u32,
    words_len: usize,
    memory: *mut c_void,
    size: usize,
    buffer: *mut *mut BufferMemory,
) -> Status {
    let given = Given {
        rows,
        row_words,
        words,
        words_len,
        memory: memory.cast(),
        size,
    };
    // SAFETY: memory and words of the caller, as long as is said; where a pointer may be written,
    // or null.
    unsafe { kept::make_at::<Buffer, _>(&given, buffer) }
}

/// Makes a row hold the mask of a matcher, and zeros after it. `*changed`, unless it is null, says
/// whether the row may have changed. MASKWRIGHT_STATUS_BUFFER_TOO_SMALL if there is no such row, or
/// rows are too short; nothing is written then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_buffer_update(
    buffer: *mut BufferMemory,
    row: usize,
    matcher: *const MatcherMemory,
    changed: *mut bool,
) -> Status {
    // SAFETY: a buffer and a matcher of the caller's, used by no other thread, or null.
    let given = unsafe { (exclusive::<Buffer>(buffer.cast()), open(matcher.cast())) };
    let (buffer, matcher) = match given {
        (Ok(buffer), Ok(matcher)) => (buffer, matcher),
        (Err(status), _) | (_, Err(status)) => return status,
    };
    match buffer.update_with(row, matcher.matcher.mask()) {
        Ok(may_differ) => {
            // SAFETY: where an answer may be written, or null.
            if let Some(changed) = unsafe { changed.as_mut() } {
                *changed = may_differ;
            }
            Status::Ok
        }
        Err(error) => error.into(),
    }
}

/// The words of a row: bit id % 32 of word id / 32 is token id. Null if there is no such row. All
/// rows are one after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_buffer_words(
    buffer: *const BufferMemory,
    row: usize,
) -> *const u32 {
    // SAFETY: a buffer of the caller's, used by no other thread, or null.
    unsafe { kept::row_words::<Buffer>(buffer.cast(), row) }
}
