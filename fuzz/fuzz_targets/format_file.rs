//! `cargo +nightly fuzz run --features libfuzzer format_file`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maskwright_fuzz::format_file::run(data));
