//! `cargo +nightly fuzz run --features libfuzzer grammar_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::grammar_text::run(data));
