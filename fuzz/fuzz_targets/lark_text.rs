//! `cargo +nightly fuzz run --features libfuzzer lark_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::lark_text::run(data));
