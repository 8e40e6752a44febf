//! `cargo +nightly fuzz run --features libfuzzer regex_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::regex_text::run(data));
