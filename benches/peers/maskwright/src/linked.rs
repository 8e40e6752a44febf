//! Maskwright, linking tools: a registry as a server holds it.

mod served;

fn main() {
    peers_common::run::<served::Linked>();
}
