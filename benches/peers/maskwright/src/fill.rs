//! Maskwright with each mask written anew.

mod asked;
mod engine;

fn main() {
    peers_common::run::<engine::Maskwright<true, 1>>();
}
