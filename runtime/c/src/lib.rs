//! The runtime of [maskwright](https://docs.rs/maskwright) for C and C++: a static library, a
//! shared one, and the header `include/maskwright.h`, which is generated from this crate and
//! documents the functions for their users.
//!
//! In: tables that were compiled ahead of time, and memory of the caller. Out: masks. It is the
//! Rust API, function by function; nothing is allocated, so that it also serves where there is no
//! allocator. The rules for pointers are those in the header's head.
//!
//! What holds throughout: no function reads or writes a null pointer, memory that is too short or
//! not aligned, or a grammar, matcher, pool or buffer that was not made by its function, such as
//! [`maskwright_matcher_new`](matcher::maskwright_matcher_new), as far as a mark in it tells.
#![cfg_attr(not(feature = "std"), no_std)]

pub mod grammar;
pub mod matcher;
#[cfg(feature = "batches")]
pub mod pool;
pub mod status;

#[cfg(feature = "batches")]
mod kept;
mod memory;
mod object;

#[cfg(all(not(feature = "std"), not(test)))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(not(check_panics))]
    loop {}
    #[cfg(check_panics)]
    {
        unsafe extern "C" {
            /// Defined nowhere: a library that could come to it has an undefined symbol, or an
            /// import.
            fn a_panic_path_is_left_in_the_library() -> !;
        }
        // SAFETY: such a library is not used.
        unsafe { a_panic_path_is_left_in_the_library() }
    }
}
