//! `cargo +nightly fuzz run --features libfuzzer schema_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::schema_text::run(data));
