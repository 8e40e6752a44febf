//! `cargo +nightly fuzz run --features libfuzzer vocabulary_file`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::vocabulary_file::run(data));
