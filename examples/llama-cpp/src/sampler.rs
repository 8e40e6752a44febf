//! The sampler of `runtime/c/llama`, behind safe functions.
//!
//! In: grammars that stay for the whole program. Out: candidates that they allow. What holds: a
//! sampler, its grammar and its pool are used by one thread; the words of a pool stay where they
//! are.

use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_sys_2::{
    llama_sampler, llama_sampler_accept, llama_sampler_apply, llama_sampler_free, llama_token_data,
    llama_token_data_array,
};
use maskwright_c::grammar::{GrammarMemory, maskwright_grammar_load, maskwright_mask_words};
use maskwright_c::matcher::{
    MatcherMemory, maskwright_check_draft, maskwright_forced_bytes, maskwright_forced_tokens,
};
use maskwright_c::pool::{PoolMemory, maskwright_pool_new, maskwright_pool_size};
use maskwright_c::status::Status;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

// They are opaque: only pointers to them are handed on.
#[allow(improper_ctypes)]
unsafe extern "C" {
    fn maskwright_llama_init(
        grammar: *const GrammarMemory,
        depth: usize,
        refused: u32,
    ) -> *mut llama_sampler;
    fn maskwright_llama_set_pool(sampler: *mut llama_sampler, pool: *mut PoolMemory) -> bool;
    fn maskwright_llama_matcher(sampler: *mut llama_sampler) -> *mut MatcherMemory;
    fn maskwright_llama_status(sampler: *const llama_sampler) -> Status;
}

// Candidates are handed to the sampler as the crate has them.
const _: () = assert!(size_of::<LlamaTokenData>() == size_of::<llama_token_data>());
const _: () = assert!(align_of::<LlamaTokenData>() == align_of::<llama_token_data>());

/// Frames of a matcher: these grammars nest no deeper.
const DEPTH: usize = 16;

/// A grammar as the C library has it. It is never freed.
#[derive(Clone, Copy)]
pub struct Grammar(&'static GrammarMemory);

/// What becomes of candidates that are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Their logit becomes minus infinity.
    Mask = 0,
    /// They are taken out.
    Drop = 1,
}

impl Grammar {
    /// The C library's view of a grammar's tables.
    pub fn new(grammar: &maskwright::Grammar<'static>) -> Result<Self, String> {
        let tables = grammar.as_bytes();
        let vocabulary = grammar.vocabulary().ok_or("no vocabulary")?.as_bytes();
        let memory = Box::leak(Box::new(MaybeUninit::<GrammarMemory>::uninit()));
        // SAFETY: the memory is a grammar's; all of it stays for the whole program.
        let status = unsafe {
            maskwright_grammar_load(
                memory.as_mut_ptr(),
                tables.as_ptr(),
                tables.len(),
                vocabulary.as_ptr(),
                vocabulary.len(),
            )
        };
        match status {
            // SAFETY: the function has written it.
            Status::Ok => Ok(Grammar(unsafe { memory.assume_init_ref() })),
            status => Err(format!("the tables cannot be loaded: {status:?}")),
        }
    }
}

/// Rows that masks share. It is never freed, since samplers point at it.
#[derive(Clone, Copy)]
pub struct Pool(NonNull<PoolMemory>);

impl Pool {
    /// A pool of so many rows for masks of this grammar's vocabulary.
    pub fn new(grammar: Grammar, rows: usize) -> Result<Self, String> {
        // SAFETY: a loaded grammar.
        let row_words = unsafe { maskwright_mask_words(grammar.0) };
        let words = Box::leak(vec![0_u32; rows * row_words].into_boxed_slice());
        let size = maskwright_pool_size(rows);
        let memory = Box::leak(vec![0_u64; size.div_ceil(8)].into_boxed_slice());
        let mut pool = ptr::null_mut();
        // SAFETY: memory and words are the pool's alone from here on, as long as they say, and
        // aligned.
        let status = unsafe {
            maskwright_pool_new(
                rows,
                row_words,
                words.as_mut_ptr(),
                words.len(),
                memory.as_mut_ptr().cast(),
                size,
                &mut pool,
            )
        };
        let pool = NonNull::new(pool).filter(|_| status == Status::Ok);
        Ok(Pool(pool.ok_or("no pool of this size")?))
    }
}

/// A sampler that allows what a grammar allows.
pub struct Sampler(NonNull<llama_sampler>);

impl Sampler {
    /// A sampler at the beginning of a text, which takes its masks from a pool if there is one.
    pub fn new(grammar: Grammar, refused: Refused, pool: Option<Pool>) -> Result<Self, String> {
        // SAFETY: a loaded grammar, which stays.
        let sampler = unsafe { maskwright_llama_init(grammar.0, DEPTH, refused as u32) };
        let sampler = Sampler(NonNull::new(sampler).ok_or("no sampler of this depth")?);
        if let Some(Pool(pool)) = pool {
            // SAFETY: both stay; one thread uses them.
            unsafe { maskwright_llama_set_pool(sampler.0.as_ptr(), pool.as_ptr()) };
        }
        Ok(sampler)
    }

    /// Leaves the candidates that are allowed.
    pub fn apply(&mut self, candidates: &mut Vec<LlamaTokenData>) {
        let mut array = llama_token_data_array {
            data: candidates.as_mut_ptr().cast(),
            size: candidates.len(),
            selected: -1,
            sorted: false,
        };
        // SAFETY: as many candidates lie there, of the same layout; the sampler makes them fewer at
        // most.
        unsafe { llama_sampler_apply(self.0.as_ptr(), &mut array) };
        candidates.truncate(array.size);
    }

    /// Takes a token.
    pub fn accept(&mut self, token: LlamaToken) -> Result<(), String> {
        // SAFETY: a sampler.
        let status = unsafe {
            llama_sampler_accept(self.0.as_ptr(), token.0);
            maskwright_llama_status(self.0.as_ptr())
        };
        match status {
            Status::Ok => Ok(()),
            status => Err(format!("token {}: {status:?}", token.0)),
        }
    }

    /// The tokens that come next while there is only one that may.
    pub fn forced_tokens(&mut self) -> Vec<LlamaToken> {
        let mut ids = [0; 64];
        // SAFETY: a sampler's matcher; a buffer.
        let len = unsafe { maskwright_forced_tokens(self.matcher(), ids.as_mut_ptr(), ids.len()) };
        ids[..len].iter().map(|id| LlamaToken(*id as i32)).collect()
    }

    /// The bytes that come next, whatever tokens spell them.
    pub fn forced_bytes(&mut self) -> Vec<u8> {
        let mut bytes = [0; 256];
        // SAFETY: a sampler's matcher; a buffer.
        let len =
            unsafe { maskwright_forced_bytes(self.matcher(), bytes.as_mut_ptr(), bytes.len()) };
        bytes[..len].to_vec()
    }

    /// How many of these tokens may come next, one after the other.
    pub fn check(&self, tokens: &[LlamaToken]) -> usize {
        let ids: Vec<u32> = tokens.iter().map(|token| token.0 as u32).collect();
        // SAFETY: a sampler's matcher; tokens.
        unsafe { maskwright_check_draft(self.matcher(), ids.as_ptr(), ids.len()) }
    }

    fn matcher(&self) -> *mut MatcherMemory {
        // SAFETY: a sampler. It is behind a pointer, so that nothing refers to its memory
        // meanwhile.
        unsafe { maskwright_llama_matcher(self.0.as_ptr()) }
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: it is in no chain, and used no more.
        unsafe { llama_sampler_free(self.0.as_ptr()) };
    }
}
