//! Maskwright, compiling on all processors.

mod asked;
mod engine;

fn main() {
    peers_common::run::<engine::Maskwright<false, 0>>();
}
