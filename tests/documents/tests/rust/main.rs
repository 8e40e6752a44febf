//! Every block of Rust in README.md and docs: programs are run; what is a part of a program stands
//! here within the rest of it.

/// A block, as one expression.
macro_rules! block {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/blocks/", $name, ".rs"))
    };
}

/// A block, as items.
macro_rules! items {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/blocks/", $name, ".items.rs"));
    };
}

mod decoding;
mod engines;
mod grammars;
mod lark;
mod schemas;
mod tools;
mod vocabularies;

/// Blocks with a `main`.
mod programs {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

#[test]
fn every_block_of_rust_is_compiled() {
    let names: &[&str] = &include!(concat!(env!("OUT_DIR"), "/names.rs"));
    let sources = [
        include_str!("decoding.rs"),
        include_str!("engines.rs"),
        include_str!("grammars.rs"),
        include_str!("lark.rs"),
        include_str!("schemas.rs"),
        include_str!("tools.rs"),
        include_str!("vocabularies.rs"),
    ];
    for name in names {
        let is_used = |source: &&str| source.contains(&format!("!(\"{name}\")"));
        assert!(
            sources.iter().any(is_used),
            "the block `{name}` is compiled by no test"
        );
    }
}

/// `ignore` and `no_run` would say that a block is not tested.
#[test]
fn no_block_is_left_out_by_its_fence() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for block in maskwright_document_scripts::documents::all_blocks(&root).unwrap() {
        assert!(
            !block.info.contains(','),
            "`{}` says {}",
            block.name,
            block.info
        );
    }
}
