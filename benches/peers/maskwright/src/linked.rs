//! Maskwright, linking tools: a registry as a server holds it.

mod asked;
mod served;

fn main() {
    peers_common::run::<served::Linked>();
}
