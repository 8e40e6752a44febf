//! `cargo +nightly fuzz run --features libfuzzer tables`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::tables::run(data));
