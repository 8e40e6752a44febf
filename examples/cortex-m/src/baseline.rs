//! The firmware with a stand-in for the runtime: what `firmware` has more in code is the runtime.
#![no_std]
#![no_main]

mod board;
mod decode;
mod hash;
mod report;

/// What `decode` uses of the runtime, doing nothing.
mod tool {
    use core::hint::black_box;

    use crate::decode::Step;

    pub const MOST_BYTES: u32 = 4;

    include!(concat!(env!("OUT_DIR"), "/expected.rs"));

    pub static TOOL: u32 = 0;

    #[derive(Clone, Copy)]
    pub struct ToolMatcher<const DEPTH: usize>(u32);

    impl<const DEPTH: usize> ToolMatcher<DEPTH> {
        #[inline(never)]
        pub fn new(tool: &u32) -> Result<Self, ()> {
            black_box(Ok(ToolMatcher(*tool)))
        }

        pub fn mask(&self) -> &Self {
            self
        }

        #[inline(never)]
        pub fn fill(&self, words: &mut [u32]) -> Result<(), ()> {
            black_box((self, words));
            black_box(Ok(()))
        }

        #[inline(never)]
        pub fn accept_token(&mut self, id: u32) -> Result<(), ()> {
            black_box((self, id));
            black_box(Ok(()))
        }

        #[inline(never)]
        pub fn is_finished(&self) -> bool {
            black_box(self.0 == 0)
        }
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    report::run()
}
