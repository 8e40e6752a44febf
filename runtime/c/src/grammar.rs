//! Grammars: loaded from bytes into the caller's memory.

use core::ptr;

use maskwright_core::{Grammar, LoadError, Vocabulary};

use crate::memory::{buffer, items};
use crate::status::Status;

/// A grammar: a view of its tables. What is in it may change with any version. It may lie anywhere,
/// but must not be moved while matchers of it are in use.
#[repr(C)]
pub struct GrammarMemory {
    opaque: [u64; 50],
}

/// A grammar as it lies in memory.
#[repr(C)]
struct GrammarRecord {
    /// [`MARK`].
    mark: u64,
    grammar: Grammar<'static>,
}

/// Tells a loaded grammar from other memory, most of the time.
const MARK: u64 = 0x4d53_4b47_9d1c_52e7;

const _: () = assert!(size_of::<GrammarRecord>() <= size_of::<GrammarMemory>());
const _: () = assert!(align_of::<GrammarRecord>() <= align_of::<GrammarMemory>());

impl GrammarMemory {
    /// The grammar in the memory.
    ///
    /// # Safety
    ///
    /// The pointer is null, or to memory of this size. If a grammar was loaded there, its tables
    /// still lie where they lay.
    pub(crate) unsafe fn read<'a>(grammar: *const Self) -> Result<&'a Grammar<'static>, Status> {
        let record = grammar.cast::<GrammarRecord>();
        if record.is_null() {
            return Err(Status::NullPointer);
        }
        if !record.is_aligned() {
            return Err(Status::NotAligned);
        }
        // SAFETY: neither null nor misaligned; the memory is large enough. Only the mark is read.
        if unsafe { (&raw const (*record).mark).read() } != MARK {
            return Err(Status::NotAGrammar);
        }
        // SAFETY: the mark says that a grammar was loaded there.
        Ok(unsafe { &(*record).grammar })
    }
}

/// Loads a grammar from `tables`, as the compiler wrote them, with the bytes of the tokens from
/// `vocabulary`. All of both is checked; nothing is copied. Without a vocabulary (null, 0) only
/// bytes can be accepted, not tokens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_grammar_load(
    grammar: *mut GrammarMemory,
    tables: *const u8,
    tables_len: usize,
    vocabulary: *const u8,
    vocabulary_len: usize,
) -> Status {
    // SAFETY: the caller keeps the bytes where they are as long as the grammar is used.
    let bytes = unsafe { (items(tables, tables_len), items(vocabulary, vocabulary_len)) };
    let load = |tables: &'static [u8], vocabulary: &'static [u8]| {
        let grammar = Grammar::load(tables)?;
        if vocabulary.is_empty() {
            return Ok(grammar);
        }
        grammar.with_vocabulary(Vocabulary::load(vocabulary)?)
    };
    let (Ok(tables), Ok(vocabulary)) = bytes else {
        return Status::NullPointer;
    };
    // SAFETY: large enough and aligned for a grammar, or null.
    unsafe { write(grammar, || load(tables, vocabulary)) }
}

/// Loads a grammar from `tables` that were compiled to stand beside those of another grammar, whose
/// token sets they share, and whose vocabulary they take. The other grammar's tables must stay
/// where they are as well.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_grammar_load_beside(
    grammar: *mut GrammarMemory,
    tables: *const u8,
    tables_len: usize,
    other: *const GrammarMemory,
) -> Status {
    // SAFETY: the caller keeps the bytes where they are as long as the grammar is used; a loaded
    // grammar or null.
    let given = unsafe { (items(tables, tables_len), GrammarMemory::read(other)) };
    let (tables, other) = match given {
        (Ok(tables), Ok(other)) => (tables, other),
        (Err(status), _) | (_, Err(status)) => return status,
    };
    // SAFETY: large enough and aligned for a grammar, or null.
    unsafe { write(grammar, || Grammar::load_beside(tables, other)) }
}

/// Writes a grammar into the caller's memory, if it can be loaded.
///
/// # Safety
///
/// The memory is large enough for a grammar, or null.
pub(crate) unsafe fn write(
    grammar: *mut GrammarMemory,
    load: impl FnOnce() -> Result<Grammar<'static>, LoadError>,
) -> Status {
    if grammar.is_null() {
        return Status::NullPointer;
    }
    if !grammar.is_aligned() {
        return Status::NotAligned;
    }
    match load() {
        Ok(loaded) => {
            let record = GrammarRecord {
                mark: MARK,
                grammar: loaded,
            };
            // SAFETY: neither null nor misaligned; large enough for a grammar.
            unsafe { grammar.cast::<GrammarRecord>().write(record) }
        }
        Err(error) => return error.into(),
    }
    Status::Ok
}

/// Number of token ids: the length of a row of logits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_vocab_size(grammar: *const GrammarMemory) -> u32 {
    // SAFETY: a loaded grammar or null.
    unsafe { GrammarMemory::read(grammar) }.map_or(0, |grammar| grammar.vocab_size())
}

/// Number of 32-bit words of a mask: one bit a token id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_mask_words(grammar: *const GrammarMemory) -> usize {
    // SAFETY: a loaded grammar or null.
    unsafe { GrammarMemory::read(grammar) }.map_or(0, |grammar| grammar.mask_words())
}

/// The least depth with which a matcher can finish a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_least_depth(grammar: *const GrammarMemory) -> usize {
    // SAFETY: a loaded grammar or null.
    unsafe { GrammarMemory::read(grammar) }.map_or(0, |grammar| grammar.least_depth())
}

/// The bytes of a token, `*len` of them; none for special tokens and ids that do not exist, and
/// where there is no vocabulary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_token_bytes(
    grammar: *const GrammarMemory,
    id: u32,
    len: *mut usize,
) -> *const u8 {
    // SAFETY: a loaded grammar or null.
    let vocabulary = unsafe { GrammarMemory::read(grammar) }.ok();
    let vocabulary = vocabulary.and_then(|grammar| grammar.vocabulary());
    let bytes = vocabulary.map_or(&[][..], |vocabulary| vocabulary.bytes(id));
    // SAFETY: null, or where a length may be written.
    if let Some(len) = unsafe { len.as_mut() } {
        *len = bytes.len();
        return bytes.as_ptr();
    }
    ptr::null()
}

/// The name of a control token, `*len` bytes of UTF-8: such a token has no bytes. Null for other
/// tokens, for names that the tokenizer's file does not tell, and where there is no vocabulary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_token_name(
    grammar: *const GrammarMemory,
    id: u32,
    len: *mut usize,
) -> *const u8 {
    // SAFETY: a loaded grammar or null.
    let vocabulary = unsafe { GrammarMemory::read(grammar) }.ok();
    let vocabulary = vocabulary.and_then(|grammar| grammar.vocabulary());
    let name = vocabulary.and_then(|vocabulary| vocabulary.token_name(id));
    // SAFETY: null, or where a length may be written.
    match (unsafe { len.as_mut() }, name) {
        (Some(len), Some(name)) => {
            *len = name.len();
            name.as_ptr()
        }
        (Some(len), None) => {
            *len = 0;
            ptr::null()
        }
        (None, _) => ptr::null(),
    }
}

/// Writes the token ids that end a text, ascending, as far as the buffer goes; how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maskwright_eos(
    grammar: *const GrammarMemory,
    ids: *mut u32,
    len: usize,
) -> usize {
    // SAFETY: a loaded grammar or null; a buffer of the caller.
    let (grammar, ids) = unsafe { (GrammarMemory::read(grammar), buffer(ids, len)) };
    let (Ok(grammar), Ok(ids)) = (grammar, ids) else {
        return 0;
    };
    for (to, id) in ids.iter_mut().zip(grammar.eos()) {
        *to = id;
    }
    grammar.eos().len()
}
