//! `cargo +nightly fuzz run --features libfuzzer tag_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::tag_text::run(data));
