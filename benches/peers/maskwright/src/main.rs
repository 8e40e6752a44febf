//! Maskwright as it is meant to be used: masks are kept in a pool of rows.

mod asked;
mod engine;

fn main() {
    peers_common::run::<engine::Maskwright<false, 1>>();
}
