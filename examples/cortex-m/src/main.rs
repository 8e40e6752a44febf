//! Decodes a tool call on a Cortex-M4: no `std`, nothing allocated, the tables in flash.
//!
//! In: the tokens that a model might choose. Out, on the host's console: whether each mask is what
//! the host computed, and what it took. The run fails if one is not, or if a token is accepted that
//! is not in its mask.
#![no_std]
#![no_main]

mod board;
mod decode;
mod hash;
mod report;
/// The grammar of `tool.json`, compiled by the build script, and what the host computed.
mod tool {
    use crate::decode::Step;

    /// The most RAM that a matcher may take.
    pub const MOST_BYTES: u32 = 160;

    include!(concat!(env!("OUT_DIR"), "/tool.rs"));
    include!(concat!(env!("OUT_DIR"), "/expected.rs"));
}

#[cortex_m_rt::entry]
fn main() -> ! {
    report::run()
}
