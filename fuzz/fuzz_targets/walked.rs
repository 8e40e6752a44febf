//! `cargo +nightly fuzz run --features libfuzzer walked`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::walked::run(data));
