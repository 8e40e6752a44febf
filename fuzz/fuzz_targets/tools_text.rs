//! `cargo +nightly fuzz run --features libfuzzer tools_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::tools_text::run(data));
