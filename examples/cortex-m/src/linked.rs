//! Decodes text with calls of linked tools on a Cortex-M4: what stands around calls and each tool
//! were compiled by themselves, and lie in flash.
//!
//! In: the tokens that a model might choose. Out, on the host's console: whether each mask is what
//! the host computed from the tools as a whole, and what it took. The run fails if one is not, or
//! if a token is accepted that is not in its mask.
#![no_std]
#![no_main]

mod board;
mod decode;
mod hash;
mod report;
/// The tools of `tools.json`, compiled and linked by the build script, and what the host computed.
#[allow(dead_code)]
mod tool {
    use crate::decode::Step;

    /// The most RAM that a matcher may take.
    pub const MOST_BYTES: u32 = 176;
    /// A matcher of the tools.
    pub type ToolMatcher<const DEPTH: usize> =
        maskwright::link::LinkedMatcher<'static, maskwright::link::Linked<'static>, DEPTH>;

    include!(concat!(env!("OUT_DIR"), "/parts.rs"));
    include!(concat!(env!("OUT_DIR"), "/spoken.rs"));

    pub use PARTS as TOOL;
}

#[cortex_m_rt::entry]
fn main() -> ! {
    report::run()
}
