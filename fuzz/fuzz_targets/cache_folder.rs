//! `cargo +nightly fuzz run --features libfuzzer cache_folder`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::cache_folder::run(data));
