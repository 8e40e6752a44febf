//! Decodes a tool call on a Cortex-M4: no `std`, nothing allocated, the tables in flash.
//!
//! In: the tokens that a model might choose. Out, on the host's console: whether each mask is what the host computed,
//! and what it took. The run fails if one is not, or if a token is accepted that is not in its mask.
#![no_std]
#![no_main]

mod board;
mod decode;
mod hash;
mod report;
/// The grammar of `tool.json`, compiled by the build script.
mod tool {
    include!(concat!(env!("OUT_DIR"), "/tool.rs"));
}

#[cortex_m_rt::entry]
fn main() -> ! {
    report::run()
}
